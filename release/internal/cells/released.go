package cells

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"tacit/accountant"
	"tacit/rewrite/query"
)

// Released is the sanitized content of one recorded release, as the ledger keeps it: all that a replay needs.
type Released struct {
	Keys [][]query.Value // column by column
	// Counts has a number for each cell; or, of sums, Columns numbers, those of all cells one after the other.
	Counts []int64
	// Columns is 0 for one.
	Columns int
	// Values are those of a release of values, for which counts has 0; nil of others.
	Values []query.Value
	// suppressed marks the counts that are withheld, for which counts has 0; nil if none is.
	Suppressed []bool
	// Stored is the payload itself, of a release that is not about cells; nil of others.
	Stored []byte
	// Recording is that of the release that this was read from; zero of what is being released.
	Recording
}

// A Recording is where, in the ledger, an answer was recorded, and when.
type Recording struct {
	Release, Entry int64
	At             time.Time
}

// RecordingOf is that of a release.
func RecordingOf(r *accountant.Release) Recording { return Recording{r.ID, r.Entry, r.At} }

// Cells is how many there are.
func (r *Released) Cells() int { return len(r.Counts) / max(1, r.Columns) }

// Column has one number of each cell.
func (r *Released) Column(i int) []int64 { return r.Counts[i*r.Cells() : (i+1)*r.Cells()] }

// Withheld is how many counts are.
func (r *Released) Withheld() int {
	n := 0
	for _, s := range r.Suppressed {
		if s {
			n++
		}
	}
	return n
}

// SameKeys tells whether two releases are about the same cells in the same order, so that their counts belong together.
func SameKeys(a, b [][]query.Value) bool {
	return slices.EqualFunc(a, b, slices.Equal[[]query.Value])
}

// A payload is the stored form of a release: JSON, so that a steward can read her ledger with any SQLite client.
type payload struct {
	Keys   [][]*string  `json:"keys"`
	Counts StoredCounts `json:"counts"`
	Values []*string    `json:"values,omitempty"` // in place of counts, null for NULL
}

func (r *Released) Encode() ([]byte, error) {
	if r.Stored != nil {
		return r.Stored, nil
	}
	if r.Suppressed != nil && len(r.Suppressed) != len(r.Counts) {
		return nil, fmt.Errorf("release: internal error: %d marks of suppression for %d counts", len(r.Suppressed), len(r.Counts))
	}
	p := payload{Keys: make([][]*string, len(r.Keys)), Counts: StoredCounts{r.Counts, r.Suppressed}}
	for i, column := range r.Keys {
		p.Keys[i] = storedValues(column)
	}
	if r.Values != nil {
		if len(r.Values) != len(r.Counts) || r.Suppressed != nil {
			return nil, fmt.Errorf("release: internal error: %d values of %d cells", len(r.Values), len(r.Counts))
		}
		p.Counts, p.Values = StoredCounts{}, storedValues(r.Values)
	}
	return json.Marshal(p)
}

// storedValues are texts, nil for NULL.
func storedValues(values []query.Value) []*string {
	stored := make([]*string, len(values))
	for i, v := range values {
		if !v.Null {
			stored[i] = &values[i].Text
		}
	}
	return stored
}

func readValues(stored []*string) []query.Value {
	values := make([]query.Value, len(stored))
	for i, text := range stored {
		if text == nil {
			values[i] = query.Value{Null: true}
		} else {
			values[i] = query.Value{Text: *text}
		}
	}
	return values
}

// DecodeCounts has the counts of a payload alone, without its keys; one that is withheld is 0.
func DecodeCounts(stored []byte) ([]int64, error) {
	var p struct {
		Counts StoredCounts `json:"counts"`
	}
	err := json.Unmarshal(stored, &p)
	return p.Counts.Counts, err
}

// DecodeRelease checks the shape, so that a damaged ledger is refused instead of shown. There are so many keys, and so many numbers of each cell.
func DecodeRelease(r *accountant.Release, keys, columns int) (*Released, error) {
	var p payload
	if err := json.Unmarshal(r.Payload, &p); err != nil {
		return nil, fmt.Errorf("release %d in the ledger is damaged: %w", r.ID, err)
	}
	if len(p.Keys) != keys {
		return nil, fmt.Errorf("release %d in the ledger is damaged: %d keys instead of %d", r.ID, len(p.Keys), keys)
	}
	values, err := p.valuesOf(r.ID)
	if err != nil {
		return nil, err
	}
	cells := len(p.Counts.Counts) / columns
	if len(p.Counts.Counts)%columns != 0 {
		return nil, fmt.Errorf("release %d in the ledger is damaged: %d numbers, %d of each cell", r.ID, len(p.Counts.Counts), columns)
	}
	if keys == 0 && cells != 1 {
		return nil, fmt.Errorf("release %d in the ledger is damaged: %d counts of all rows", r.ID, cells)
	}
	out := &Released{Keys: make([][]query.Value, keys), Counts: p.Counts.Counts, Suppressed: p.Counts.Suppressed, Values: values}
	if columns > 1 {
		out.Columns = columns
	}
	for i, column := range p.Keys {
		if len(column) != cells {
			return nil, fmt.Errorf("release %d in the ledger is damaged: %d cells and %d counts", r.ID, len(column), cells)
		}
		out.Keys[i] = readValues(column)
	}
	return out, nil
}

// valuesOf are the values of a payload that has them in place of counts, which it gets.
func (p *payload) valuesOf(release int64) ([]query.Value, error) {
	switch {
	case p.Values == nil:
		return nil, nil
	case len(p.Counts.Counts) > 0:
		return nil, fmt.Errorf("release %d in the ledger is damaged: it has both counts and values", release)
	}
	p.Counts.Counts = make([]int64, len(p.Values))
	return readValues(p.Values), nil
}
