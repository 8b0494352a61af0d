package noisy

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/rewrite/query"
)

// A Derivable is what is kept with a charge so that other answers can be derived from its release, as JSON: what was counted, and how
// cells were made of it. The ledger does not look into it.
type Derivable struct {
	// Shape is what was counted, see query.BoundQuery.Shape.
	Shape json.RawMessage `json:"counted"`
	// Mechanism identifies the distribution of the noise: sums of cells are as exact as they are said to be only while it is the policy's.
	Mechanism string `json:"mechanism"`
	// Threshold says that a threshold decided which cells are shown, and Selects that it decided by this count.
	Threshold bool `json:"threshold,omitempty"`
	Selects   bool `json:"selects,omitempty"`
	// Cells is how many declared cells there are at most; 0 with a threshold.
	Cells int `json:"cells,omitempty"`
	// Values is how many values each column has that the count is made of, NULL included, if they are declared.
	Values map[string]int `json:"values,omitempty"`
}

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
	d := Derivable{
		Shape: json.RawMessage(shape), Mechanism: p.mechanismOf(q), Threshold: p.ByThreshold, Selects: q.selects, Values: make(map[string]int),
	}
	if !p.ByThreshold {
		d.Cells = p.Cells
	}
	d.countValues(shape, p.Query.Table)
	if text := d.Text(); len(text) <= MaxDerivableBytes {
		return text
	}
	return ""
}

// shapeOf is what is kept with a question's charge, in lines. The first says what can be derived from the release. The second is a time before the count
// began, in nanoseconds since 1970: a count that is recorded after midnight may have begun before. A release with sums has a third, which says what
// part of it the question is; one whose loss was chosen has that.
func (p *QueryPlan) shapeOf(q *Question) string {
	shape := p.DerivableOf(q) + "\n" + strconv.FormatInt(p.now.UnixNano(), 10)
	if p.parts > 0 && q.choice == nil && len(p.Query.Aggregate(q.Count)) <= maxAggregateBytes {
		shape += "\n" + sharedPart{p.Query.Aggregate(q.Count), p.parts}.String()
	} else if p.Terms.Mechanism.Most > 0 {
		shape += cells.ChosenLossText(p.Terms.Mechanism.Epsilon)
	}
	return shape
}

// MaxDerivableBytes bounds the texts, of which thousands are held in memory. From longer conditions nothing is derived.
const MaxDerivableBytes = 1 << 13

// countValues tells how many values the columns of a shape have.
func (d *Derivable) countValues(text string, table *query.Table) {
	shape, ok := query.ParseShape(text)
	if !ok {
		panic("release: internal error: a shape that cannot be read")
	}
	for _, used := range shape.Columns {
		i := slices.IndexFunc(table.Columns, func(c query.Column) bool { return c.Name == used.Name })
		if i >= 0 && table.Columns[i].Domain != nil {
			d.Values[used.Name] = cells.DomainSize(&table.Columns[i])
		}
	}
}

func (d *Derivable) Text() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // a shape must be read as it was written
	if err := e.Encode(d); err != nil {
		panic("release: internal error: " + err.Error())
	}
	return string(bytes.TrimSpace(b.Bytes()))
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

// A ParsedDerivable is what DerivableOf wrote, read again.
type ParsedDerivable struct {
	Derivable
	Shape *query.Shape
	// inputs are the columns that cells are told apart by, as keys or as what keys are computed of, sorted.
	inputs []string
}

// ParseDerivable reads what DerivableOf wrote, in the first line; nil if it is nothing of this version.
func ParseDerivable(text string) *ParsedDerivable {
	text, _, _ = strings.Cut(text, "\n")
	if text == "" {
		return nil
	}
	var p ParsedDerivable
	if err := json.Unmarshal([]byte(text), &p.Derivable); err != nil {
		return nil
	}
	var ok bool
	if p.Shape, ok = query.ParseShape(string(p.Derivable.Shape)); !ok {
		return nil
	}
	p.Derivable.Shape, p.inputs = nil, cells.KeyInputs(p.Shape)
	return &p
}

func (p *ParsedDerivable) Kind() sourceKind {
	return sourceKind{p.Shape.Aggregate, p.Mechanism, p.Threshold, p.Selects}
}
