package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"

	"tacit/rewrite"
)

// A derivable is what is kept with a charge so that other answers can be derived from its release, as JSON: what was counted, and how
// cells were made of it. The ledger does not look into it.
type derivable struct {
	// Shape is what was counted, see rewrite.BoundQuery.Shape.
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

// derivableOf is the text of what can be derived from a question's release: "" if nothing can, because the count is of a kind that nothing
// follows from, or because its cells have no independent noise that adds up.
func (p *plan) derivableOf(q *question) string {
	if _, ok := q.mechanism.SumError(1); !ok || p.margins != nil {
		return ""
	}
	shape, ok := p.query.Shape(q.count)
	if !ok {
		return ""
	}
	d := derivable{
		Shape: json.RawMessage(shape), Mechanism: p.mechanismOf(q), Threshold: p.byThreshold, Selects: q.selects, Values: make(map[string]int),
	}
	if !p.byThreshold {
		d.Cells = p.cells
	}
	d.countValues(shape, p.query.Table)
	if text := d.text(); len(text) <= maxDerivableBytes {
		return text
	}
	return ""
}

// maxDerivableBytes bounds the texts, of which thousands are held in memory. From longer conditions nothing is derived.
const maxDerivableBytes = 1 << 13

// countValues tells how many values the columns of a shape have.
func (d *derivable) countValues(text string, table *rewrite.Table) {
	shape, ok := rewrite.ParseShape(text)
	if !ok {
		panic("release: internal error: a shape that cannot be read")
	}
	for _, used := range shape.Columns {
		i := slices.IndexFunc(table.Columns, func(c rewrite.Column) bool { return c.Name == used.Name })
		if i >= 0 && table.Columns[i].Domain != nil {
			d.Values[used.Name] = domainSize(&table.Columns[i])
		}
	}
}

func (d *derivable) text() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // a shape must be read as it was written
	if err := e.Encode(d); err != nil {
		panic("release: internal error: " + err.Error())
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

// mechanismOf identifies the distribution of a question's noise, and of the choice of cells if a threshold makes it.
func (p *plan) mechanismOf(q *question) string {
	text := fmt.Sprintf("%ssensitivity %v\n", q.mechanism.Identity(), sensitivityOf(p.query, q.count))
	if p.byThreshold {
		text += p.questions[0].mechanism.SelectionIdentity()
	}
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:16]) // the steward alone chooses mechanisms
}

// A parsedDerivable is what derivableOf wrote, read again.
type parsedDerivable struct {
	derivable
	shape *rewrite.Shape
	// inputs are the columns that cells are told apart by, as keys or as what keys are computed of, sorted.
	inputs []string
}

// parseDerivable reads what derivableOf wrote; nil if it is nothing of this version.
func parseDerivable(text string) *parsedDerivable {
	if text == "" {
		return nil
	}
	var p parsedDerivable
	if err := json.Unmarshal([]byte(text), &p.derivable); err != nil {
		return nil
	}
	var ok bool
	if p.shape, ok = rewrite.ParseShape(string(p.Shape)); !ok {
		return nil
	}
	p.Shape, p.inputs = nil, keyInputs(p.shape)
	return &p
}

func (p *parsedDerivable) kind() sourceKind {
	return sourceKind{p.shape.Aggregate, p.Mechanism, p.Threshold, p.Selects}
}
