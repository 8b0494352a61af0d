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
}

// sameKeys tells whether two releases are about the same cells in the same order, so that their counts belong together.
func sameKeys(a, b [][]rewrite.Value) bool {
	return slices.EqualFunc(a, b, slices.Equal[[]rewrite.Value])
}

// A payload is the stored form of a release: JSON, so that a steward can read her ledger with any SQLite client.
type payload struct {
	Keys   [][]*string `json:"keys"`
	Counts []int64     `json:"counts"`
}

func (r *released) encode() ([]byte, error) {
	p := payload{Keys: make([][]*string, len(r.keys)), Counts: r.counts}
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
	if keys == 0 && len(p.Counts) != 1 {
		return nil, fmt.Errorf("release %d in the ledger is damaged: %d counts of all rows", r.ID, len(p.Counts))
	}
	out := &released{keys: make([][]rewrite.Value, keys), counts: p.Counts}
	for i, column := range p.Keys {
		if len(column) != len(p.Counts) {
			return nil, fmt.Errorf("release %d in the ledger is damaged: %d cells and %d counts", r.ID, len(column), len(p.Counts))
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
