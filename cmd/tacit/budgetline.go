package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"tacit/accountant"
	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/assess"
)

// A budgetLine is how a table stands, or one analyst on it.
type budgetLine struct {
	Table       string       `json:"table"`
	Analyst     string       `json:"analyst,omitempty"`   // empty: all analysts together
	Adjacency   string       `json:"adjacency,omitempty"` // none of a table whose counts are exact
	Composition string       `json:"composition,omitempty"`
	Epoch       int64        `json:"epoch"`
	Frozen      string       `json:"frozen,omitempty"` // the reason
	Spent       jsonLoss     `json:"spent"`
	Budget      *jsonLoss    `json:"budget,omitempty"` // with what was granted; none: an analyst without a cap of her own, a table that is no longer protected
	Left        *jsonLoss    `json:"left,omitempty"`
	Granted     *jsonLoss    `json:"granted,omitempty"`
	WindowDays  int64        `json:"window_days,omitempty"`
	Lifetime    jsonLoss     `json:"lifetime"`         // since the epoch began, whatever the window
	Rate        *assess.Rate `json:"rate,omitempty"`   // of a table
	Block       string       `json:"block,omitempty"`  // of which most was spent
	Blocks      []blockLine  `json:"blocks,omitempty"` // those that were charged by name
	Earlier     []epochLine  `json:"earlier,omitempty"`

	spent, left, lifetime accountant.Loss
	budget, plain         *policy.Budget // with and without what was granted; none as Budget
}

// A blockLine is how a block of a table stands.
type blockLine struct {
	Block string   `json:"block"`
	Spent jsonLoss `json:"spent"`
	Left  jsonLoss `json:"left"`

	spent, left accountant.Loss
}

// An epochLine is what was spent in an epoch that is over.
type epochLine struct {
	Epoch  int64     `json:"epoch"`
	Ended  time.Time `json:"ended"`
	Reason string    `json:"reason"`
	Spent  jsonLoss  `json:"spent"`
}

// newTableLine is how a table stands. t is nil if it is no longer protected.
func newTableLine(t *policy.Table, a accountant.Accounting, s accountant.Balance) budgetLine {
	l := newLine(t, a, s)
	l.spent, l.left, l.lifetime = s.Spent, s.Left, s.Lifetime
	if t != nil {
		l.budget, l.plain = &s.Budget, &t.Budget
	}
	l.Block = s.Block
	for _, b := range s.Blocks {
		l.Blocks = append(l.Blocks, blockLine{b.Name, lossText(b.Spent), lossText(b.Left), b.Spent, b.Left})
	}
	for _, e := range s.Earlier {
		l.Earlier = append(l.Earlier, epochLine{e.Epoch, e.Ended, e.Reason, lossText(e.Spent)})
	}
	l.fill()
	return l
}

// newAnalystLine is how an analyst stands on a table, under her cap if she has one.
func newAnalystLine(t *policy.Table, a accountant.Accounting, analyst string, limit *policy.Budget, s accountant.Balance) budgetLine {
	l := newLine(t, a, s)
	l.Analyst, l.spent, l.lifetime = analyst, s.Own, s.OwnLifetime
	if s.Cap != nil {
		l.budget, l.plain, l.left = s.Cap, limit, l.spent.Remaining(*s.Cap)
	}
	l.fill()
	return l
}

func newLine(t *policy.Table, a accountant.Accounting, s accountant.Balance) budgetLine {
	l := budgetLine{Table: a.Table.String(), Epoch: s.Epoch, Frozen: s.Frozen, WindowDays: int64(a.Window / (24 * time.Hour))}
	if t == nil || t.Mechanism.Kind != policy.Audit {
		l.Adjacency, l.Composition = string(a.Adjacency), string(a.Composition)
	}
	return l
}

// fill makes the texts of the amounts.
func (l *budgetLine) fill() {
	l.Spent, l.Lifetime = lossText(l.spent), lossText(l.lifetime)
	if l.budget == nil {
		return
	}
	if l.budget.Risk > 0 && l.budget.Risk != policy.NoRiskCap {
		l.Spent.Risk, l.Lifetime.Risk = l.spent.Risk.String(), l.lifetime.Risk.String()
	}
	l.Budget, l.Left = cappedText(accountant.Loss(*l.budget), *l.budget), cappedText(l.left, *l.budget)
	if granted := l.granted(); granted != (accountant.Loss{}) {
		text := lossText(granted)
		l.Granted = &text
	}
}

// granted is what stewards added to the policy's budget.
func (l *budgetLine) granted() accountant.Loss {
	if l.budget == nil || l.plain == nil {
		return accountant.Loss{}
	}
	return named(l.plain).Remaining(policy.Budget(named(l.budget)))
}

// grantText shows what a grant adds, and nothing of the rest.
func grantText(granted accountant.Loss) string {
	return strings.TrimPrefix(granted.String(), "epsilon 0, ")
}

// A jsonLoss has exact decimal amounts. Of a budget it has those only that are bounded: a cap need not name all.
type jsonLoss struct {
	Epsilon  string `json:"epsilon,omitempty"`
	Delta    string `json:"delta,omitempty"`
	Releases *int64 `json:"releases,omitempty"` // without a guarantee
	Risk     string `json:"risk,omitempty"`     // of exact counts, where there are any
}

func lossText(l accountant.Loss) jsonLoss {
	text := jsonLoss{Epsilon: l.Epsilon.String(), Delta: l.Delta.String(), Releases: &l.Releases}
	if l.Risk > 0 {
		text.Risk = l.Risk.String()
	}
	return text
}

// cappedText leaves out the amounts that a budget does not name. A risk is named if there may be any.
func cappedText(l accountant.Loss, b policy.Budget) *jsonLoss {
	text := lossText(l)
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

// budgetWidth is how many columns a terminal has for the table.
const budgetWidth = 120

// A budgetView is what of a budget is shown.
type budgetView struct{ blocks, all bool }

// printBudget shows a table for people. What no line has is not a column of it, and what is to be noted of a line stands below it.
func printBudget(w io.Writer, lines []budgetLine, view budgetView) error {
	table := [][]string{{"TABLE", "ANALYST", "SPENT", "BUDGET", "LEFT", "RULE"}}
	notes := []string{""}
	hidden := 0
	for _, l := range lines {
		if l.nothing() && !view.all {
			hidden++
			continue
		}
		table, notes = append(table, l.row()), append(notes, l.note())
		for _, b := range l.Blocks {
			if view.blocks {
				table, notes = append(table, []string{l.Table, "(block " + terminal.Printable(b.Block) + ")", l.shownSpent(b.spent), l.budgetText(), l.shownLeft(b.left), ""}), append(notes, "")
			}
		}
	}
	table = withoutEmpty(table)
	widths := fittingWidths(table, budgetWidth)
	for i, row := range table {
		printWrapped(w, widths, [][]string{row})
		if notes[i] != "" {
			printWrapped(w, []int{2, budgetWidth - 4}, [][]string{{"", notes[i]}})
		}
	}
	if hidden > 0 {
		fmt.Fprintf(w, "Analysts who spent nothing are not shown: %d (--all).\n", hidden)
	}
	return nil
}

// nothing says whether an analyst spent nothing, and nothing was done about her.
func (l *budgetLine) nothing() bool {
	return l.Analyst != "" && l.spent == (accountant.Loss{}) && l.lifetime == (accountant.Loss{}) && l.note() == ""
}

// withoutEmpty leaves out the columns in which there is nothing below the title.
func withoutEmpty(table [][]string) [][]string {
	kept := make([][]string, len(table))
	for column := range table[0] {
		empty := true
		for _, row := range table[1:] {
			empty = empty && row[column] == ""
		}
		for i, row := range table {
			if !empty {
				kept[i] = append(kept[i], row[column])
			}
		}
	}
	return kept
}

func (l *budgetLine) row() []string {
	analyst := l.Analyst
	if analyst == "" {
		analyst = "(all)"
	}
	left := "-"
	if l.budget != nil {
		left = l.shownLeft(l.left)
	}
	return []string{l.Table, analyst, l.shownSpent(l.spent), l.budgetText(), left, l.Composition}
}

// note says what else is to be known of a line.
func (l *budgetLine) note() string {
	var notes []string
	if l.Frozen != "" {
		notes = append(notes, "frozen: "+terminal.OneLine(l.Frozen))
	}
	if granted := l.granted(); granted != (accountant.Loss{}) {
		notes = append(notes, grantText(granted)+" granted")
	}
	if l.WindowDays > 0 {
		notes = append(notes, "lifetime "+l.shownSpent(l.lifetime))
	}
	if l.Analyst == "" {
		if l.WindowDays > 0 {
			notes = append(notes, fmt.Sprintf("window %dd", l.WindowDays))
		}
		if l.Rate != nil {
			notes = append(notes, fmt.Sprintf("epsilon %v a day in the last %d days: the rest lasts %d days at that rate", l.Rate.PerDay.RoundUp(shownDigits), l.Rate.Days, l.Rate.DaysLeft))
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

// named are the amounts of a budget; an amount that a cap does not name is zero, and so is every amount of none.
func named(b *policy.Budget) (named accountant.Loss) {
	if b == nil {
		return named
	}
	named = accountant.Loss(*b)
	if named.Epsilon == policy.NoEpsilonCap {
		named.Epsilon = 0
	}
	if named.Delta == policy.NoDeltaCap {
		named.Delta = 0
	}
	if named.Releases == policy.NoReleasesCap {
		named.Releases = 0
	}
	if named.Risk == policy.NoRiskCap {
		named.Risk = 0
	}
	return named
}

// shownDigits are as many digits of a composed amount or a risk as people read. Programs get all.
const shownDigits = 4

// shownSpent shows what there is in the budget, so that the columns compare, and what else was spent.
func (l *budgetLine) shownSpent(spent accountant.Loss) string {
	shown, named := spent, named(l.budget)
	shown.Epsilon = max(shown.Epsilon, named.Epsilon)
	shown.Releases = max(shown.Releases, named.Releases)
	shown.Risk = max(shown.Risk, named.Risk)
	return spent.RoundUp(shownDigits).Only(shown)
}

func (l *budgetLine) shownLeft(left accountant.Loss) string {
	return left.RoundDown(shownDigits).Only(named(l.budget))
}

func (l *budgetLine) budgetText() string {
	if l.budget == nil {
		return "-"
	}
	return named(l.budget).String()
}
