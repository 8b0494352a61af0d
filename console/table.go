package console

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"tacit/accountant/ledger"
	"tacit/console/internal/sums"
	"tacit/internal/chart"
	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/books"
)

type tableContent struct {
	since
	Card     card
	Analysts []analystRow // none for an analyst
	Heads    []heading    // of them
	ByDay    []dayRow     // the newest first
	Entries  []ledger.Entry
	Columns  []columnRow
	Promise  string
	Curve    string // what the curve says in words; empty if there is none
	Days     int
	Heat     *heatMap // as Audited none for an analyst
	Audited  *auditBook
}

type analystRow struct {
	Line books.Line
	Sum  sums.Sum
}

type dayRow struct {
	Day time.Time
	Sum sums.Sum
	// Loss is what was charged, each charge by itself.
	Loss string
}

type columnRow struct{ Name, Domain string }

// shownEntries is how many entries of the log stand on a table's page.
const shownEntries = 20

// tableOf is the protected table that the path names.
func (v *visit) tableOf() (*policy.Table, error) {
	t, ok := v.policy.Table(policy.TableName{Schema: v.r.PathValue("schema"), Name: v.r.PathValue("table")})
	if !ok {
		return nil, errNotFound
	}
	return t, nil
}

func (v *visit) table() (*page, error) {
	t, err := v.tableOf()
	if err != nil {
		return nil, err
	}
	content := tableContent{Promise: promise(t), Days: shownDays, since: v.shownSince()}
	cards, err := v.cards([]*policy.Table{t})
	if err != nil {
		return nil, err
	}
	content.Card = cards[0]
	today := sums.DayOf(v.now)
	filter := v.own(ledger.LogFilter{Table: t.Name, Limit: shownEntries})
	if !v.person.IsAnalyst() {
		lines, err := books.ReadTable(v.r.Context(), v.ledger, v.policy, t)
		if err != nil {
			return nil, err
		}
		content.Card.Line = lines[0]
		content.Analysts = analystRows(lines[1:], v.sums.Analysts(t.Name, today-shownDays+1, today))
		content.Heads = sorted(content.Analysts, analystColumns, v.r.URL.Query(), "analysts")
		content.Curve = curveWords(t, content.Card.Line)
		if content.Audited, err = v.audited(t); err != nil {
			return nil, err
		}
		if content.Heat, err = v.heat(t); err != nil {
			return nil, err
		}
	} else {
		content.Card.Line.Earlier = nil // SQL tells her of the present epoch alone
	}
	days := v.sums.Of(t.Name, filter.Analyst, today-shownDays+1, today)
	for i, sum := range slices.Backward(days) {
		if sum.Statements() > 0 {
			content.ByDay = append(content.ByDay, dayRow{(today - sums.Day(len(days)-1-i)).Time(), sum, sum.Loss.RoundUp(books.ShownDigits).String()})
		}
	}
	if content.Entries, _, err = v.logged(filter); err != nil {
		return nil, err
	}
	for _, c := range t.Columns {
		content.Columns = append(content.Columns, columnRow{c.Name, domainText(c.Domain)})
	}
	return &page{"table", t.Name.String(), content}, nil
}

// analystRows joins how analysts stand with what they asked.
func analystRows(lines []books.Line, asked []sums.ByAnalyst) (rows []analystRow) {
	for _, l := range lines {
		row := analystRow{Line: l}
		for _, a := range asked {
			if a.Analyst == l.Analyst {
				row.Sum = a.Sum
			}
		}
		if !l.Idle() || row.Sum.Statements() > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// domainText is how the policy declares a domain. Its values are public.
func domainText(d policy.Domain) string {
	const most = 8
	switch {
	case d.ValuesFrom != nil:
		return "the values of " + d.ValuesFrom.Table.String() + "." + d.ValuesFrom.Column
	case len(d.Values) > most:
		return fmt.Sprintf("%d values: %s, …", len(d.Values), strings.Join(d.Values[:most], ", "))
	case d.Values != nil:
		return strings.Join(d.Values, ", ")
	case d.Range != nil && d.Range.Dates:
		return "dates from " + sums.Day(d.Range.First).Time().Format(time.DateOnly) + " to " + sums.Day(d.Range.Last).Time().Format(time.DateOnly)
	case d.Range != nil:
		return fmt.Sprintf("whole numbers from %d to %d", d.Range.First, d.Range.Last)
	case d.Bounds != nil:
		return "values within bounds"
	}
	return "not declared: keys pass a threshold"
}

// promise is what the policy promises the people in a table, in words.
func promise(t *policy.Table) string {
	whom := "each row is a person"
	if t.Person != nil {
		whom = fmt.Sprintf("a person has at most %d rows (%s)", t.Person.Rows, t.Person.Column)
	}
	if t.Mechanism.Kind == policy.Audit {
		return fmt.Sprintf("Counts are exact or withheld. The probability that they ever expose somebody is at most %v; %s.", t.Budget.Risk, whom)
	}
	if !t.Mechanism.Kind.Guaranteed() {
		return fmt.Sprintf("Mechanism %s has no guarantee of use. At most %d releases are given; %s.", t.Mechanism.Kind, t.Budget.Releases, whom)
	}
	since := "over all answers of an epoch"
	if t.Window > 0 {
		since = fmt.Sprintf("over all answers of %d days", int(t.Window/(24*time.Hour)))
	}
	if t.Blocks != nil {
		since += ", in each block"
	}
	return fmt.Sprintf("Differential privacy with %v %s, composed by the rule %s, with %s neighbours; %s.",
		books.BudgetWords(t.Budget), since, t.Composition, t.Adjacency, whom)
}

// own keeps an analyst to her own statements.
func (v *visit) own(f ledger.LogFilter) ledger.LogFilter {
	if v.person.IsAnalyst() {
		f.Analyst, f.Statements, f.Acts = v.person.Name, true, false
	}
	return f
}

// The beliefs whose change the curve shows.
var beliefs = []float64{0.01, 0.1, 0.5}

// belief is what somebody may come to believe of a fact about one person that they believed before, after answers with this loss: the definition of
// differential privacy bounds the odds by exp(epsilon) between neighbours, and a row's value is changed in two steps where neighbours have a person more or
// less. Deltas are left out: they are the probability that the bound does not hold.
func belief(before, epsilon float64, adjacency policy.Adjacency) float64 {
	if adjacency == policy.AddRemove {
		epsilon *= 2
	}
	odds := before / (1 - before) * math.Exp(epsilon)
	if math.IsInf(odds, 1) {
		return 1
	}
	return odds / (1 + odds)
}

// spentEpsilon is what counts against a table's budget, and ok=false if no epsilon bounds what its answers tell.
func spentEpsilon(t *policy.Table, l books.Line) (epsilon float64, ok bool) {
	if t.Mechanism.Kind == policy.Audit || !t.Mechanism.Kind.Guaranteed() || t.Budget.Epsilon == 0 || t.Blocks != nil || l.Exact.Lifetime.Releases > 0 {
		return 0, false
	}
	// Whatever the window, all that was charged tells something.
	return max(l.Exact.Lifetime.Epsilon, l.Exact.Spent.Epsilon).RoundUp(books.ShownDigits).Float(), true
}

func curveWords(t *policy.Table, l books.Line) string {
	epsilon, ok := spentEpsilon(t, l)
	if !ok {
		return ""
	}
	return fmt.Sprintf("All answers of this epoch have epsilon %s. Whoever held a fact about one person for 1%% likely may hold it for at most %s after them, and one of 10%% for at most %s, whatever else they know.",
		terminal.Figure(epsilon), terminal.Percent(belief(0.01, epsilon, t.Adjacency)), terminal.Percent(belief(0.1, epsilon, t.Adjacency)))
}

// curve draws what an attacker could learn, with the present day marked.
func (v *visit) curve() (*page, error) {
	t, err := v.tableOf()
	if err != nil {
		return nil, err
	}
	lines, err := books.ReadWholes(v.r.Context(), v.ledger, []*policy.Table{t})
	if err != nil {
		return nil, err
	}
	line := lines[0]
	spent, ok := spentEpsilon(t, line)
	if !ok {
		return nil, errNotFound
	}
	var svg bytes.Buffer
	if err := chart.SVG(&svg, chart.Size{Width: 620, Height: 340}, beliefFigure(t, spent, line.Limit.Epsilon.Float())); err != nil {
		return nil, err
	}
	v.writeSVG(svg.Bytes())
	return nil, nil
}

func beliefFigure(t *policy.Table, spent, budget float64) chart.Figure {
	const steps = 80
	end := math.Min(20, math.Max(1, 1.25*math.Max(spent, budget)))
	f := chart.Figure{
		Title:    "What an attacker may come to believe",
		Subtitle: fmt.Sprintf("of a fact about one person in %v, by all answers together", t.Name),
		X:        chart.Axis{Label: "epsilon of all answers", Min: 0, Max: end},
		Y:        chart.Axis{Label: "belief afterwards", Percent: true, Min: 0, Max: 1},
	}
	for _, before := range beliefs {
		l := chart.Line{Name: fmt.Sprintf("was %s", terminal.Percent(before))}
		for i := range steps + 1 {
			epsilon := end * float64(i) / steps
			l.X, l.Y = append(l.X, epsilon), append(l.Y, belief(before, epsilon, t.Adjacency))
		}
		f.Lines = append(f.Lines, l)
	}
	if spent <= end {
		f.Marks = append(f.Marks, chart.Mark{X: spent, Text: "today"})
	}
	if budget <= end && budget > spent {
		f.Marks = append(f.Marks, chart.Mark{X: budget, Text: "budget"})
	}
	return f
}
