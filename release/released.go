package release

import (
	"encoding/json"
	"fmt"
	"slices"

	"tacit/accountant"
	"tacit/rewrite"
)

// released is the sanitized content of one recorded release, as the ledger keeps it: all that a replay needs.
type released struct {
	keys   [][]rewrite.Value // column by column
	counts []int64
	// suppressed marks the counts that are withheld, for which counts has 0; nil if none is.
	suppressed []bool
}

// withheld is how many counts are.
func (r *released) withheld() int {
	n := 0
	for _, s := range r.suppressed {
		if s {
			n++
		}
	}
	return n
}

// sameKeys tells whether two releases are about the same cells in the same order, so that their counts belong together.
func sameKeys(a, b [][]rewrite.Value) bool {
	return slices.EqualFunc(a, b, slices.Equal[[]rewrite.Value])
}

// A payload is the stored form of a release: JSON, so that a steward can read her ledger with any SQLite client.
type payload struct {
	Keys   [][]*string  `json:"keys"`
	Counts storedCounts `json:"counts"`
}

func (r *released) encode() ([]byte, error) {
	if r.suppressed != nil && len(r.suppressed) != len(r.counts) {
		return nil, fmt.Errorf("release: internal error: %d marks of suppression for %d counts", len(r.suppressed), len(r.counts))
	}
	p := payload{Keys: make([][]*string, len(r.keys)), Counts: storedCounts{r.counts, r.suppressed}}
	for i, column := range r.keys {
		p.Keys[i] = make([]*string, len(column))
		for j, v := range column {
			if !v.Null {
				p.Keys[i][j] = &column[j].Text
			}
		}
	}
	return json.Marshal(p)
}

// decodeRelease checks the shape, so that a damaged ledger is refused instead of shown.
func decodeRelease(r *accountant.Release, keys int) (*released, error) {
	var p payload
	if err := json.Unmarshal(r.Payload, &p); err != nil {
		return nil, fmt.Errorf("release %d in the ledger is damaged: %w", r.ID, err)
	}
	if len(p.Keys) != keys {
		return nil, fmt.Errorf("release %d in the ledger is damaged: %d keys instead of %d", r.ID, len(p.Keys), keys)
	}
	cells := len(p.Counts.counts)
	if keys == 0 && cells != 1 {
		return nil, fmt.Errorf("release %d in the ledger is damaged: %d counts of all rows", r.ID, cells)
	}
	out := &released{keys: make([][]rewrite.Value, keys), counts: p.Counts.counts, suppressed: p.Counts.suppressed}
	for i, column := range p.Keys {
		if len(column) != cells {
			return nil, fmt.Errorf("release %d in the ledger is damaged: %d cells and %d counts", r.ID, len(column), cells)
		}
		out.keys[i] = make([]rewrite.Value, len(column))
		for j, text := range column {
			if text == nil {
				out.keys[i][j] = rewrite.Value{Null: true}
			} else {
				out.keys[i][j] = rewrite.Value{Text: *text}
			}
		}
	}
	return out, nil
}
