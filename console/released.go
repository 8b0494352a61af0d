package console

import (
	"context"
	"sync"

	"tacit/accountant"
	"tacit/accountant/ledger"
)

// A releasedLately keeps the newest releases of one ledger, without their answers, so that a search reads those alone that are new since the last one.
type releasedLately struct {
	mu     sync.Mutex // protects what follows; releases are not changed
	ledger string
	all    []*accountant.Release // the newest first, freeReach at most
}

// newest are the newest releases of a ledger, freeReach at most.
func (r *releasedLately) newest(ctx context.Context, l *ledger.Reader) ([]*accountant.Release, error) {
	o, err := l.Overview(ctx)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ledger != o.Ledger {
		r.ledger, r.all = o.Ledger, nil
	}
	var fresh []*accountant.Release
	met := false
	err = l.Released(ctx, func(found *accountant.Release) bool {
		if len(r.all) > 0 && found.ID <= r.all[0].ID {
			met = found.ID == r.all[0].ID && found.Key == r.all[0].Key && found.Entry == r.all[0].Entry
			if met {
				return false
			}
			r.all = nil // the ledger is an older state of itself: nothing that is kept is known to be in it
		}
		fresh = append(fresh, found)
		return len(fresh) < freeReach
	})
	switch {
	case err != nil:
		return nil, err
	case !met:
		r.all = fresh
	case len(fresh) > 0:
		r.all = append(fresh, r.all[:min(len(r.all), freeReach-len(fresh))]...)
	}
	return r.all, nil
}
