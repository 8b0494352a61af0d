package marginals

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// A Found is a measurement that the ledger has.
type Found struct {
	*Measured
	Recording cells.Recording
}

// A Finder remembers the measurement of each table, which takes a while to read. The zero value is ready. It may be used by many goroutines.
type Finder struct {
	// reading is held while a measurement is read, and fitted, so that others wait for that and do not do it, too.
	reading sync.Mutex
	mu      sync.Mutex // protects of
	of      map[policy.TableName]seen
	// joint are joint measurements by the numbers of their releases in the ledger jointOf; reading protects both.
	joint   *simplelru.LRU[int64, *Found]
	jointOf *ledger.Ledger
}

// seen is what the ledger had when its mark was the table's; found is nil if there was none.
type seen struct {
	ledger *ledger.Ledger
	mark   ledger.Mark
	key    [32]byte
	fit    bool
	found  *Found
}

// Find is the newest measurement of a workload in the present epoch; nil if there is none.
func (f *Finder) Find(ctx context.Context, l *ledger.Ledger, w *Workload) (*Found, error) {
	table := w.Question.Table
	marks, err := l.Marks([]policy.TableName{table}, 0)
	if err != nil {
		return nil, err
	}
	before := f.known(l, w)
	if before.ledger == l && before.mark == marks[0] {
		return before.found, nil
	}
	next := seen{ledger: l, mark: marks[0], key: w.Question.Key, fit: w.fit}
	r, recorded, err := l.Lookup(ctx, w.Question, 0)
	switch {
	case err != nil:
		return nil, err
	case !recorded:
	case before.is(r):
		next.found = before.found
	default:
		f.reading.Lock()
		defer f.reading.Unlock()
		if before = f.known(l, w); before.is(r) {
			next.found = before.found
			break
		}
		m, err := w.decode(r.Payload)
		if err != nil {
			return nil, fmt.Errorf("release %d in the ledger is damaged: %w", r.ID, err)
		}
		next.found = &Found{m, cells.RecordingOf(r)}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		f.of = make(map[policy.TableName]seen)
	}
	f.of[table] = next
	return next.found, nil
}

// is reports whether a release is what was found.
func (s seen) is(r *accountant.Release) bool {
	return s.found != nil && s.found.Recording.Release == r.ID
}

// known is what was seen of a workload before; the zero value if there is nothing of this one.
func (f *Finder) known(l *ledger.Ledger, w *Workload) seen {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.of[w.Question.Table]
	if before.ledger != l || before.key != w.Question.Key || before.fit != w.fit {
		return seen{}
	}
	return before
}

// maxJointHeld bounds the joint measurements that are held in memory.
const maxJointHeld = 64

// Joint is a joint measurement that the ledger has: its newest release of a question, if that has the number id (0: any) and is not too old; nil otherwise. shape is what was
// recorded with its charge.
func (f *Finder) Joint(ctx context.Context, l *ledger.Ledger, asked accountant.Question, id int64, shape *query.Shape, maxAge time.Duration) (*Found, error) {
	r, ok, err := l.Lookup(ctx, asked, maxAge)
	if err != nil || !ok || id != 0 && r.ID != id {
		return nil, err
	}
	f.reading.Lock()
	defer f.reading.Unlock()
	if f.jointOf != l {
		f.jointOf, f.joint = l, nil
	}
	if f.joint == nil {
		if f.joint, err = simplelru.NewLRU[int64, *Found](maxJointHeld, nil); err != nil {
			return nil, err
		}
	}
	if found, ok := f.joint.Get(r.ID); ok {
		return found, nil
	}
	m, err := decode(shape, r.Payload)
	if err != nil {
		return nil, fmt.Errorf("release %d in the ledger is damaged: %w", r.ID, err)
	}
	m.joint = true
	found := &Found{m, cells.RecordingOf(r)}
	f.joint.Add(r.ID, found)
	return found, nil
}
