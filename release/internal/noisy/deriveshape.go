package noisy

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

// DerivableOf is the text of what can be derived from a question's release: "" if nothing can, because the count is of a kind that nothing
// follows from, or because its cells have no independent noise that adds up.
func (p *QueryPlan) DerivableOf(q *Question) string {
	if _, ok := q.Mechanism.SumError(1); !ok || p.Margins != nil || q.workload != nil {
		return ""
	}
	shape, ok := p.Query.Shape(q.Count)
	if !ok {
		return ""
	}
	d := sources.Derivable{
		Shape: json.RawMessage(shape), Mechanism: p.mechanismOf(q), Threshold: p.ByThreshold, Selects: q.selects, Values: valueCounts(shape, p.Query.Table),
	}
	if !p.ByThreshold {
		d.Cells = p.Cells
	}
	if text := d.Text(); len(text) <= sources.MaxDerivableBytes {
		return text
	}
	return ""
}

// shapeOf is what is kept with a question's charge, in lines. The first says what can be derived from the release. The second is a time before the count
// began, in nanoseconds since 1970: a count that is recorded after midnight may have begun before. A release with sums has a third, which says what
// part of it the question is; one whose loss was chosen has that.
func (p *QueryPlan) shapeOf(q *Question) string {
	shape := cmp.Or(p.jointShape(q), p.DerivableOf(q)) + "\n" + strconv.FormatInt(p.now.UnixNano(), 10)
	if p.parts > 0 && q.choice == nil && len(p.Query.Aggregate(q.Count)) <= maxAggregateBytes {
		shape += "\n" + sources.SharedPart{Aggregate: p.Query.Aggregate(q.Count), Parts: p.parts}.String()
	} else if p.Terms.Mechanism.Most > 0 {
		shape += cells.ChosenLossText(p.Terms.Mechanism.Epsilon)
	}
	return shape
}

// valueCounts tells how many values the columns of a shape have.
func valueCounts(text string, table *query.Table) map[string]int {
	shape, ok := query.ParseShape(text)
	if !ok {
		panic("release: internal error: a shape that cannot be read")
	}
	counts := make(map[string]int)
	for _, used := range shape.Columns {
		i := slices.IndexFunc(table.Columns, func(c query.Column) bool { return c.Name == used.Name })
		if i >= 0 && table.Columns[i].Domain != nil {
			counts[used.Name] = cells.DomainSize(&table.Columns[i])
		}
	}
	return counts
}

// mechanismOf identifies the distribution of a question's noise, and of the choice of cells if a threshold makes it.
func (p *QueryPlan) mechanismOf(q *Question) string {
	text := fmt.Sprintf("%ssensitivity %v\n", q.Mechanism.Identity(), live.SensitivityOf(p.Query, q.Count))
	if p.ByThreshold {
		text += p.Questions[0].Mechanism.SelectionIdentity()
	}
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:16]) // the steward alone chooses mechanisms
}
