package audited

import (
	"context"
	"errors"

	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/epoch"
)

// A Decided is a round of the auditor's as it is written down: whose counts it opens, what was left, and the payload of its event.
type Decided struct {
	Table     policy.TableName
	left      auditor.Left
	Round     *auditor.Round
	Payload   []byte
	Questions []*question
}

// Sealed are the true counts of an epoch, which only what was decided can open. They are in reach of one function alone, that which looks
// for the decision first.
type Sealed struct {
	count func(*ledger.AuditReservation, Decided) ([]int64, error)
}

// ReadSealed counts the rows of an epoch for a decision that was charged.
func ReadSealed(ctx context.Context, s *curator.Snapshot, paid *ledger.AuditReservation, d Decided, p *tablePart) (*Sealed, error) {
	counts, err := epoch.ReadCounts(ctx, s, paid, d.Payload, p.Table, p.Book.Facts)
	if err != nil {
		return nil, err
	}
	return &Sealed{count: func(r *ledger.AuditReservation, d Decided) ([]int64, error) {
		if !r.Covers(d.Table, d.Payload) {
			return nil, errors.New("release: internal error: counts are to be opened that no event on disk decided about")
		}
		return d.sums(counts), nil
	}}, nil
}

// Open returns the counts that a round opens, of which the reservation says that it is on disk with its charge and not answered yet.
func (c *Sealed) Open(r *ledger.AuditReservation, d Decided) ([]int64, error) {
	switch {
	case len(d.Round.Open) == 0:
		return nil, nil
	case c == nil || c.count == nil:
		return nil, errors.New("release: internal error: counts are to be opened that were not read")
	}
	return c.count(r, d)
}

// sums adds up what the round opens.
func (d Decided) sums(counts epoch.UnitCounts) []int64 {
	values := make([]int64, len(d.Round.Open))
	for i, o := range d.Round.Open {
		q := d.Questions[o.Query]
		for _, u := range q.units {
			for v, n := range counts[u] {
				if q.values[o.Set].Has(v) {
					values[i] += n
				}
			}
		}
	}
	return values
}
