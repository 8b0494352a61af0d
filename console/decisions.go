package console

import (
	"fmt"
	"slices"

	"tacit/policy"
	"tacit/release/books"
	"tacit/release/seal"
)

// An auditRow is an event of an audited table.
type auditRow struct {
	seal.Decision
	Shown               int
	RiskText, TotalText string
}

// An auditBook is what an auditor decided about a table.
type auditBook struct {
	Newest   []auditRow // first
	Words    string
	More     bool
	Withheld []seal.WithheldCell // of the newest statements of this epoch
	MoreOf   bool                // there are more
}

// So many of the newest decisions, and cells that were withheld, stand on a page.
const (
	shownDecisions = 50
	shownWithheld  = 100
)

// audited has the decisions about a table; nil of tables that are not audited.
func (v *visit) audited(t *policy.Table) (*auditBook, error) {
	if t.Mechanism.Kind != policy.Audit {
		return nil, nil
	}
	all, withheldCells, err := seal.Decisions(v.r.Context(), v.ledger, t.Name, shownWithheld+1)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	book := &auditBook{More: len(all) > shownDecisions, Withheld: withheldCells[:min(shownWithheld, len(withheldCells))], MoreOf: len(withheldCells) > shownWithheld}
	rounds, shown, withheld, epochs := 0, 0, 0, 0
	for _, d := range all {
		shown, withheld = shown+d.Released+d.Certified+d.Free, withheld+d.Suppressed
		if d.Kind == "round" {
			rounds++
		} else if d.Kind == "opened" || d.Kind == "sealed" {
			epochs++
		}
	}
	book.Words = fmt.Sprintf("In %s and %s the auditor has let %s be shown and withheld %s. What it decides follows from what was released before, and not from the counts: tacit replay decides all of it again.",
		plural(epochs, "epoch", "epochs"), plural(rounds, "round", "rounds"), plural(shown, "count", "counts"), plural(withheld, "count", "counts"))
	for _, d := range slices.Backward(all[max(0, len(all)-shownDecisions):]) {
		book.Newest = append(book.Newest, auditRow{d, d.Released + d.Certified + d.Free, d.Risk.RoundUp(books.ShownDigits).String(), d.Total.RoundUp(books.ShownDigits).String()})
	}
	return book, nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(int64(n)) + " " + many
}
