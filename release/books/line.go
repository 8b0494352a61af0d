package books

import (
	"fmt"
	"strings"
	"time"

	"tacit/accountant"
	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/assess"
)

// A Line is how a table stands, or one analyst on it.
type Line struct {
	Table       string        `json:"table"`
	Analyst     string        `json:"analyst,omitempty"`   // empty: all analysts together
	Adjacency   string        `json:"adjacency,omitempty"` // none of a table whose counts are exact
	Composition string        `json:"composition,omitempty"`
	Epoch       int64         `json:"epoch"`
	Frozen      string        `json:"frozen,omitempty"` // the reason
	Spent       Amounts       `json:"spent"`
	Budget      *Amounts      `json:"budget,omitempty"` // with what was granted; none: an analyst without a cap of her own, a table that is no longer protected
	Left        *Amounts      `json:"left,omitempty"`
	Granted     *Amounts      `json:"granted,omitempty"`
	WindowDays  int64         `json:"window_days,omitempty"`
	Lifetime    Amounts       `json:"lifetime"`         // since the epoch began, whatever the window
	Rate        *assess.Rate  `json:"rate,omitempty"`   // of a table
	Block       string        `json:"block,omitempty"`  // of which most was spent
	Blocks      []BlockLine   `json:"blocks,omitempty"` // those that were charged by name
	Earlier     []EarlierLine `json:"earlier,omitempty"`

	// Exact are the amounts as they were added up.
	Exact Exact `json:"-"`
	// Limit is the budget with what was granted, and Plain without; nil as Budget.
	Limit, Plain *policy.Budget `json:"-"`
}

// Exact are amounts as they were added up.
type Exact struct{ Spent, Left, Lifetime accountant.Loss }

// A BlockLine is how a block of a table stands.
type BlockLine struct {
	Block string  `json:"block"`
	Spent Amounts `json:"spent"`
	Left  Amounts `json:"left"`

	// Exact has no lifetime.
	Exact Exact `json:"-"`
}

// An EarlierLine is what was spent in an epoch that is over.
type EarlierLine struct {
	Epoch  int64     `json:"epoch"`
	Ended  time.Time `json:"ended"`
	Reason string    `json:"reason"`
	Spent  Amounts   `json:"spent"`
}

// NewTableLine is how a table stands. t is nil if it is no longer protected.
func NewTableLine(t *policy.Table, a accountant.Accounting, s accountant.Balance) Line {
	l := newLine(t, a, s)
	l.Exact.Spent, l.Exact.Left, l.Exact.Lifetime = s.Spent, s.Left, s.Lifetime
	if t != nil {
		l.Limit, l.Plain = &s.Budget, &t.Budget
	}
	l.Block = s.Block
	for _, b := range s.Blocks {
		l.Blocks = append(l.Blocks, BlockLine{b.Name, AmountsOf(b.Spent), AmountsOf(b.Left), Exact{Spent: b.Spent, Left: b.Left}})
	}
	for _, e := range s.Earlier {
		l.Earlier = append(l.Earlier, EarlierLine{e.Epoch, e.Ended, e.Reason, AmountsOf(e.Spent)})
	}
	l.fill()
	return l
}

// NewAnalystLine is how an analyst stands on a table, under her cap if she has one.
func NewAnalystLine(t *policy.Table, a accountant.Accounting, analyst string, limit *policy.Budget, s accountant.Balance) Line {
	l := newLine(t, a, s)
	l.Analyst, l.Exact.Spent, l.Exact.Lifetime = analyst, s.Own, s.OwnLifetime
	if s.Cap != nil {
		l.Limit, l.Plain, l.Exact.Left = s.Cap, limit, l.Exact.Spent.Remaining(*s.Cap)
	}
	l.fill()
	return l
}

func newLine(t *policy.Table, a accountant.Accounting, s accountant.Balance) Line {
	l := Line{Table: a.Table.String(), Epoch: s.Epoch, Frozen: s.Frozen, WindowDays: int64(a.Window / (24 * time.Hour))}
	if t == nil || t.Mechanism.Kind != policy.Audit {
		l.Adjacency, l.Composition = string(a.Adjacency), string(a.Composition)
	}
	return l
}

// fill makes the texts of the amounts.
func (l *Line) fill() {
	l.Spent, l.Lifetime = AmountsOf(l.Exact.Spent), AmountsOf(l.Exact.Lifetime)
	if l.Limit == nil {
		return
	}
	if l.Limit.Risk > 0 && l.Limit.Risk != policy.NoRiskCap {
		l.Spent.Risk, l.Lifetime.Risk = l.Exact.Spent.Risk.String(), l.Exact.Lifetime.Risk.String()
	}
	l.Budget, l.Left = CappedAmounts(accountant.Loss(*l.Limit), *l.Limit), CappedAmounts(l.Exact.Left, *l.Limit)
	if granted := l.granted(); granted != (accountant.Loss{}) {
		text := AmountsOf(granted)
		l.Granted = &text
	}
}

// granted is what stewards added to the policy's budget.
func (l Line) granted() accountant.Loss {
	if l.Limit == nil || l.Plain == nil {
		return accountant.Loss{}
	}
	return namedOf(l.Plain).Remaining(policy.Budget(namedOf(l.Limit)))
}

// GrantText shows what a grant adds, and nothing of the rest.
func GrantText(granted accountant.Loss) string {
	return strings.TrimPrefix(granted.String(), "epsilon 0, ")
}

// A Amounts has exact decimal amounts. Of a budget it has those only that are bounded: a cap need not name all.
type Amounts struct {
	Epsilon  string `json:"epsilon,omitempty"`
	Delta    string `json:"delta,omitempty"`
	Releases *int64 `json:"releases,omitempty"` // without a guarantee
	Risk     string `json:"risk,omitempty"`     // of exact counts, where there are any
}

func AmountsOf(l accountant.Loss) Amounts {
	text := Amounts{Epsilon: l.Epsilon.String(), Delta: l.Delta.String(), Releases: &l.Releases}
	if l.Risk > 0 {
		text.Risk = l.Risk.String()
	}
	return text
}

// CappedAmounts leaves out the amounts that a budget does not name. A risk is named if there may be any.
func CappedAmounts(l accountant.Loss, b policy.Budget) *Amounts {
	text := AmountsOf(l)
	if b.Epsilon == policy.NoEpsilonCap {
		text.Epsilon = ""
	}
	if b.Delta == policy.NoDeltaCap {
		text.Delta = ""
	}
	if b.Releases == policy.NoReleasesCap {
		text.Releases = nil
	}
	text.Risk = ""
	if b.Risk != policy.NoRiskCap && b.Risk > 0 {
		text.Risk = l.Risk.String()
	}
	return &text
}

// Note says what else is to be known of a line.
func (l Line) Note() string {
	var notes []string
	if l.Frozen != "" {
		notes = append(notes, "frozen: "+terminal.OneLine(l.Frozen))
	}
	if granted := l.granted(); granted != (accountant.Loss{}) {
		notes = append(notes, GrantText(granted)+" granted")
	}
	if l.WindowDays > 0 {
		notes = append(notes, "lifetime "+l.ShownSpent(l.Exact.Lifetime))
	}
	if l.Analyst == "" {
		if l.WindowDays > 0 {
			notes = append(notes, fmt.Sprintf("window %dd", l.WindowDays))
		}
		if l.Rate != nil {
			notes = append(notes, fmt.Sprintf("epsilon %v a day in the last %d days: the rest lasts %d days at that rate", l.Rate.PerDay.RoundUp(ShownDigits), l.Rate.Days, l.Rate.DaysLeft))
		}
		if l.Block != "" {
			notes = append(notes, "fullest block "+terminal.OneLine(l.Block))
		}
		if l.Epoch > 1 {
			notes = append(notes, fmt.Sprintf("epoch %d", l.Epoch))
		}
	}
	return strings.Join(notes, "; ")
}

// namedOf are the amounts of a budget; of none, zero.
func namedOf(b *policy.Budget) accountant.Loss {
	if b == nil {
		return accountant.Loss{}
	}
	return accountant.Named(*b)
}

// ShownDigits are as many digits of a composed amount or a risk as people read. Programs get all.
const ShownDigits = 4

// ShownSpent shows what there is in the budget, so that the columns compare, and what else was spent.
func (l Line) ShownSpent(spent accountant.Loss) string {
	shown, named := spent, namedOf(l.Limit)
	shown.Epsilon = max(shown.Epsilon, named.Epsilon)
	shown.Releases = max(shown.Releases, named.Releases)
	shown.Risk = max(shown.Risk, named.Risk)
	return spent.RoundUp(ShownDigits).Only(shown)
}

// ShownLeft shows what is left of the amounts that the budget names.
func (l Line) ShownLeft(left accountant.Loss) string {
	return left.RoundDown(ShownDigits).Only(namedOf(l.Limit))
}

// BudgetText is the budget with what was granted.
func (l Line) BudgetText() string {
	if l.Limit == nil {
		return "-"
	}
	return namedOf(l.Limit).String()
}

// LeftText is what is left of the budget, if there is one.
func (l Line) LeftText() string {
	if l.Limit == nil {
		return "-"
	}
	return l.ShownLeft(l.Exact.Left)
}

// Idle says whether an analyst spent nothing, and nothing was done about her.
func (l Line) Idle() bool {
	return l.Analyst != "" && l.Exact.Spent == (accountant.Loss{}) && l.Exact.Lifetime == (accountant.Loss{}) && l.Note() == ""
}

// BudgetWords are the amounts that a budget bounds.
func BudgetWords(b policy.Budget) string { return accountant.Named(b).String() }
