package report

import (
	"fmt"
	"strings"
)

// A Verdict says what became of what a paper publishes. The zero value, Shown, passes no judgement.
type Verdict string

const (
	// Shown is for a number that no paper publishes: there is nothing that it could agree with, so that it is not counted. Row.Origin says where
	// the number beside it comes from.
	Shown Verdict = ""
	// Same is to all printed digits; of a statement, that it holds as it is published.
	Same Verdict = "same"
	// Within is not the same, but within the tolerance that the section states.
	Within Verdict = "within tolerance"
	// Differs has its reason, or says that none is known.
	Differs Verdict = "differs"
	// Undecided is a statement that the draws of this run neither bear out nor refute: another seed might say the other.
	Undecided Verdict = "not distinguishable"
)

// Verdicts are those that are counted, in the order of the page.
var Verdicts = []Verdict{Same, Within, Differs, Undecided}

// Holds is the verdict on a statement that is tested without chance.
func Holds(holds bool) Verdict {
	if holds {
		return Same
	}
	return Differs
}

// Tally counts rows.
type Tally struct {
	Same, Within, Differs, Undecided int
	Unexplained                      int // of those that differ
	Shown                            int // not part of All
	// tolerances are those of the rows within one, in the order of the page.
	tolerances []tolerance
}

// A tolerance is one that so many rows are within.
type tolerance struct {
	text string
	rows int
}

func (t *Tally) within(text string) {
	t.Within++
	for i := range t.tolerances {
		if t.tolerances[i].text == text {
			t.tolerances[i].rows++
			return
		}
	}
	t.tolerances = append(t.tolerances, tolerance{text, 1})
}

// All is how many rows have a verdict.
func (t Tally) All() int { return t.Same + t.Within + t.Differs + t.Undecided }

// Count counts the rows of sections.
func Count(sections ...Section) Tally {
	var t Tally
	for _, s := range sections {
		for _, r := range s.Rows {
			switch r.Verdict {
			case Same:
				t.Same++
			case Within:
				t.within(s.Tolerance)
			case Differs:
				t.Differs++
			case Undecided:
				t.Undecided++
			case Shown:
				t.Shown++
			}
			if r.Unexplained {
				t.Unexplained++
			}
		}
	}
	return t
}

// String is the first sentences of the page.
func (t Tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Of %d published numbers and statements, %d come out the same, %d within a stated tolerance, and %d differ", t.All(), t.Same, t.Within, t.Differs)
	if t.Undecided > 0 {
		fmt.Fprintf(&b, "; of %d the draws do not decide", t.Undecided)
	}
	b.WriteString(". ")
	for i, tolerance := range t.tolerances {
		b.WriteString([]string{"Tolerances: ", "; "}[min(i, 1)])
		fmt.Fprintf(&b, "%s (%d)", tolerance.text, tolerance.rows)
	}
	if len(t.tolerances) > 0 {
		b.WriteString(". ")
	}
	b.WriteString("Each section says what is the same there.")
	switch {
	case t.Differs > 0 && t.Unexplained == 0:
		b.WriteString(" Each difference has its reason.")
	case t.Unexplained > 0:
		fmt.Fprintf(&b, " Each difference has its reason, but %d, of which none is known.", t.Unexplained)
	}
	if t.Shown > 0 {
		fmt.Fprintf(&b, " %d rows more have no verdict: no paper publishes what their number could be compared with, and each says what stands there instead.", t.Shown)
	}
	return b.String()
}

// Beside is what stands under "published".
func (r Row) Beside() string {
	switch {
	case r.Verdict != Shown:
		return r.Published
	case r.Published == "":
		return "not published: " + r.Origin
	}
	return r.Published + " (no verdict: " + r.Origin + ")"
}

// Class is the verdict as a class of the page's style sheet.
func (r Row) Class() string { return strings.ReplaceAll(string(r.Verdict), " ", "-") }

func (r Row) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("row %q: %s", r.What, fmt.Sprintf(format, args...))
	}
	switch {
	case r.What == "" || r.Regenerated == "":
		return bad("it needs what it is and what is regenerated")
	case r.Verdict == Shown && r.Origin == "":
		return bad("it has no verdict, and does not say where the number beside it comes from")
	case r.Verdict != Shown && (r.Origin != "" || r.Published == ""):
		return bad("it has the verdict %s, and needs what is published, by a paper", r.Verdict)
	case (r.Verdict == Differs || r.Verdict == Undecided) && r.Reason == "":
		return bad("published %s, regenerated %s, and no reason why", r.Published, r.Regenerated)
	case r.Unexplained && r.Verdict != Differs:
		return bad("only a difference can be without a known reason")
	case strings.HasPrefix(r.Reason, "see ") && len(r.Reason) < 40:
		return bad("%q is no reason", r.Reason)
	}
	return nil
}

// standardErrors is how far from 0 a difference of means must be to be taken for one: of a normal variable 3 are exceeded once in 370 times.
const standardErrors = 3

// Exceeds is the verdict on the statement that a difference is positive, given its standard error.
func Exceeds(difference, standardError float64) Verdict {
	switch {
	case difference > standardErrors*standardError:
		return Same
	case difference < -standardErrors*standardError:
		return Differs
	}
	return Undecided
}

// Every is the verdict on a statement that has several parts: all must hold, and one that does not refutes it.
func Every(parts ...Verdict) Verdict {
	worst := Same
	for _, v := range parts {
		switch v {
		case Differs:
			return Differs
		case Undecided:
			worst = Undecided
		case Within:
			if worst == Same {
				worst = Within
			}
		}
	}
	return worst
}
