package ledger

import (
	"context"
	"errors"
	"maps"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/policy"
)

// This file is for stewards who look before they act: what an act would change, and that it is done only if it still would. Start at Outlook.

// A Basis is what stewards have done to a table so far: its epoch, its grants, what is frozen, and what they were charged, such as for publications. It is not the same after another act, unless what came
// between left all as it was, as a freeze and its thaw do. It does not change with what analysts ask, nor with what is declined.
type Basis string

func basisOf(t *journal.Table) Basis { return Basis(t.Acts().String()) }

// ErrActedMeanwhile is returned when an act has a basis that is not the table's any more. Nothing was done.
var ErrActedMeanwhile = errors.New("another act on the table came first")

// An Outlook is how a table or an analyst stands before a grant, and would stand after it.
type Outlook struct {
	Before, After accountant.Balance
	// Frozen are reasons by analyst; the table's own is under "".
	Frozen map[string]string
	Basis  Basis
}

// Outlook shows what a grant would change, of the table's budget, or of the cap of an analyst. A grant of nothing changes nothing.
func (r *Reader) Outlook(ctx context.Context, a accountant.Accounting, analyst string, limit *policy.Budget, granted accountant.Loss) (o Outlook, err error) {
	var before, after journal.Extract
	err = r.look(ctx, func(s *journal.State) {
		now := r.now().UnixNano()
		before = s.Extract(a, analyst, limit, now)
		after = s.ExtractGranted(a, analyst, limit, now, granted)
		t := s.Table(a.Table)
		o.Basis, o.Frozen = basisOf(t), maps.Clone(t.Frozen)
	})
	if err != nil {
		return o, err
	}
	o.Before, o.After = before.Balance(r.composer), after.Balance(r.composer)
	return o, nil
}
