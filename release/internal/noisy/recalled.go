package noisy

import (
	"context"
	"slices"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// This file remembers statements that the ledger has answered, as they were planned, looked up and derived: a dashboard asks the same again and
// again. What is said of an answer, its age and what is left of the budget, is found out anew each time.
//
// The invariant: a statement is recalled only under the State under which it was answered, and only if nothing was recorded since of any of its
// tables, and no epoch has begun. So the long way would find the same. Statements whose answer depends on the time, or on rows of public
// tables, are not remembered. Start at Answerer.again.

// Bounds on the statements that are remembered, on the values and counts in their cells together, and in those of one.
const (
	maxRecalled       = 4096
	maxRecalledValues = 1 << 19
	maxRecalledEach   = 1 << 14
)

// A recallKey tells statements apart.
type recallKey struct {
	first query.Origin
	// others are those of the statement's other queries.
	others [3]query.Origin
}

// recallKeyOf is the key of a request, ok=false if it has none.
func recallKeyOf(r *reply.Request) (key recallKey, ok bool) {
	if r.Fresh || r.MaxAge > 0 || r.Within != (query.Exactness{}) || len(r.Queries) > 1+len(key.others) || len(r.Queries) == 0 {
		return key, false
	}
	for i, q := range r.Queries {
		origin := q.Origin()
		if origin == (query.Origin{}) {
			return key, false
		}
		if i == 0 {
			key.first = origin
		} else {
			key.others[i-1] = origin
		}
	}
	return key, true
}

// A recalled statement, which nobody is to change.
type recalled struct {
	*Statement
	shown  []*query.Cells
	values int
}

// recalls remembers statements, the least recently used ones forgotten first. The zero value is ready.
type recalls struct {
	mu     sync.Mutex // protects what follows
	lru    *simplelru.LRU[recallKey, *recalled]
	values int
}

func (r *recalls) get(key recallKey) *recalled {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lru == nil {
		return nil
	}
	kept, _ := r.lru.Get(key)
	return kept
}

func (r *recalls) put(key recallKey, a *recalled) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lru == nil {
		lru, err := simplelru.NewLRU(maxRecalled, func(_ recallKey, a *recalled) { r.values -= a.values })
		if err != nil {
			panic("release: internal error: " + err.Error()) // only for a size below one
		}
		r.lru = lru
	}
	r.lru.Remove(key)
	r.values += a.values
	r.lru.Add(key, a)
	for r.values > maxRecalledValues {
		r.lru.RemoveOldest()
	}
}

// again is a statement that was answered before, ok=false if it has to be planned. What is refused by now is left to the plan.
func (n *Answerer) again(request reply.Request) (a *Statement, shown []*query.Cells, ok bool) {
	key, ok := recallKeyOf(&request)
	if !ok {
		return nil, nil, false
	}
	kept := n.recalled.get(key)
	if kept == nil {
		return nil, nil, false
	}
	state, l, err := n.monitor.Open()
	if err != nil || state != kept.State || l != kept.ledger {
		return nil, nil, false
	}
	analyst, ok := state.Policy.Analyst(request.Analyst)
	if !ok || kept.changed() || slices.ContainsFunc(kept.Plans, func(p *QueryPlan) bool { return n.monitor.ClosedTable(p.tables) != nil }) {
		return nil, nil, false
	}
	a = new(Statement)
	*a = *kept.Statement
	a.Request, a.cap, a.now = request, analyst.Budget, l.Now()
	return a, kept.shown, true
}

// repeat shows a statement that was answered before.
func (n *Answerer) repeat(ctx context.Context, request reply.Request) (shown []*query.Cells, receipt *reply.Receipt, ok bool) {
	a, shown, ok := n.again(request)
	if !ok {
		return nil, nil, false
	}
	receipt, err := a.receipt(context.WithoutCancel(ctx))
	if err != nil {
		return nil, nil, false
	}
	a.noteReplay()
	n.Recalled.Add(1)
	return shown, receipt, true
}

// remember keeps the statement, which the ledger has answered and which is shown.
func (a *Statement) remember(shown []*query.Cells) {
	key, ok := recallKeyOf(&a.Request)
	if !ok || !a.recollected || len(a.paid) > 0 || len(a.parts) > 0 || slices.ContainsFunc(a.Plans, (*QueryPlan).passes) {
		return
	}
	values := 0
	for _, p := range a.Plans {
		for _, q := range p.Questions {
			values += len(q.Released.Counts) + len(q.Released.Keys)*q.Released.Cells()
		}
	}
	if values <= maxRecalledEach {
		a.answerer.recalled.put(key, &recalled{a, shown, values})
	}
}

// passes reports whether the answer to a plan may be another at another time, though nothing is recorded.
func (p *QueryPlan) passes() bool {
	return p.maxAge > 0 || !p.final.IsZero() || slices.ContainsFunc(p.tables, func(t *policy.Table) bool { return t.Blocks != nil }) ||
		slices.ContainsFunc(p.Query.KeyGroups(), (*query.KeyGroup).ReadsPublic)
}

// mark notes which answers the ledger has about the statement's tables, before anything is looked up.
func (a *Statement) mark() (err error) {
	for _, q := range a.Request.Queries {
		for _, t := range curator.ProtectedTables(q) {
			if !slices.Contains(a.marked, t.Name) {
				a.marked = append(a.marked, t.Name)
			}
		}
	}
	a.marks, err = a.ledger.Marks(a.marked, 0)
	return err
}

// changed reports whether the ledger may have other answers by now.
func (a *Statement) changed() bool {
	now, err := a.ledger.Marks(a.marked, a.answerer.monitor.LookFor)
	return err != nil || !slices.Equal(now, a.marks)
}
