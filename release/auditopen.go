package release

import (
	"context"
	"errors"

	"tacit/accountant"
	"tacit/auditor"
	"tacit/policy"
)

// A decided is a round of the auditor's as it is written down: whose counts it opens, what was left, and the payload of its event.
type decided struct {
	table     policy.TableName
	left      auditor.Left
	round     *auditor.Round
	payload   []byte
	questions []*auditQuestion
}

// sealed are the true counts of an epoch, which only what was decided can open. They are in reach of one function alone, that which looks
// for the decision first.
type sealed struct {
	count func(*accountant.AuditReservation, decided) ([]int64, error)
}

// readSealed counts the rows of an epoch. It is for after the charge.
func readSealed(ctx context.Context, s *snapshot, p *auditPart) (*sealed, error) {
	counts, err := readEpoch(ctx, s, p.table, p.book.facts)
	if err != nil {
		return nil, err
	}
	return &sealed{count: func(r *accountant.AuditReservation, d decided) ([]int64, error) {
		if !r.Covers(d.table, d.payload) {
			return nil, errors.New("release: internal error: counts are to be opened that no event on disk decided about")
		}
		return d.sums(counts), nil
	}}, nil
}

// open returns the counts that a round opens, of which the reservation says that it is on disk with its charge and not answered yet.
func (c *sealed) open(r *accountant.AuditReservation, d decided) ([]int64, error) {
	switch {
	case len(d.round.Open) == 0:
		return nil, nil
	case c == nil || c.count == nil:
		return nil, errors.New("release: internal error: counts are to be opened that were not read")
	}
	return c.count(r, d)
}

// sums adds up what the round opens.
func (d decided) sums(counts unitCounts) []int64 {
	values := make([]int64, len(d.round.Open))
	for i, o := range d.round.Open {
		q := d.questions[o.Query]
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
