package sources

import (
	"bytes"
	"encoding/json"
	"strings"

	"tacit/release/internal/cells"
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

// MaxDerivableBytes bounds the texts, of which thousands are held in memory. From longer conditions nothing is derived.
const MaxDerivableBytes = 1 << 13

func (d *Derivable) Text() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // a shape must be read as it was written
	if err := e.Encode(d); err != nil {
		panic("release: internal error: " + err.Error())
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

// A Parsed is what DerivableOf wrote, read again.
type Parsed struct {
	Derivable
	Shape *query.Shape
	// inputs are the columns that cells are told apart by, as keys or as what keys are computed of, sorted.
	inputs []string
}

// Parse reads what DerivableOf wrote, in the first line; nil if it is nothing of this version.
func Parse(text string) *Parsed {
	text, _, _ = strings.Cut(text, "\n")
	if text == "" {
		return nil
	}
	var p Parsed
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

func (p *Parsed) Kind() Kind {
	return Kind{p.Shape.Aggregate, p.Mechanism, p.Threshold, p.Selects}
}
