package live

import (
	"sort"
	"sync"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// This file finds the loss of counts that are to be as exact as an analyst asked for (tacit.within).
//
// What it depends on: the policy, the statement and the session's setting. No row, and no answer, is looked at to find it. So the loss tells nothing, and
// a count under it is the table's own mechanism with that epsilon.
//
// Why losses may be chosen: the analyst chooses each loss in view of all earlier answers. A budget's filter must hold for that. Under basic composition the
// sum of epsilons and of deltas on every path is within the budget (Rogers, Roth, Ullman and Vadhan 2016, "Privacy odometers and filters", Theorem 3.6);
// under advanced, Whitehouse, Ramdas, Rogers and Wu 2023, Theorem 1, is stated for it; under zCDP so is Feldman and Zrnic 2021, Theorem 3.1. Of privacy
// loss distributions no filter is known that counts mixtures exactly. Gaussian noise is one class whatever its variance (Smith and Thakurta 2022). Geometric,
// Laplace and discrete Gaussian noise of different losses are not: the policy is refused under pld (policy.Mechanism). Koskela, Tobaben and Honkela 2022,
// "Individual privacy accounting with Gaussian differential privacy", is for Gaussian noise, too.

// TermsAt are the terms of a query with a loss that an analyst chose. Totals are sums of cells: what was asked for is how exact the cells are.
func TermsAt(q *query.BoundQuery, loss policy.Epsilon) *policy.Table {
	t := *Terms(q)
	t.Mechanism.Epsilon, t.Mechanism.FitTotals, t.Mechanism.OptimalTotals = loss, false, false
	return &t
}

// TermsWithin are the terms of a query with the least loss by which each of its counts is within so far of the truth with probability 0.95. Of a join
// it is a loss that the bounds of each table allow. Where a table has one loss, it is that one, if it does.
func (r *State) TermsWithin(q *query.BoundQuery, within int64) (*policy.Table, error) {
	if _, measure := q.IsBeyond(); measure || reply.Audited(q) {
		return Terms(q), nil
	}
	if q.Measured() || q.HasOrdered() {
		return nil, reply.RefuseWithin.With(q.Table.Policy.Name)
	}
	least, most, refusal := LossesToChoose(q)
	if refusal != nil {
		return r.termsAsTheyAre(q, within, refusal)
	}
	loss, best, ok := r.leastLoss(q, rungs(least, most), within)
	switch {
	case !ok && best == maxWidth: // the bounds of a person in a join are beyond what noise is made for
		return nil, reply.RefuseNoiseOfJoin(q, TermsAt(q, most))
	case !ok:
		return nil, reply.RefuseTooExact.With(q.Table.Policy.Name, within, best)
	}
	return TermsAt(q, loss), nil
}

// termsAsTheyAre are the terms of a query whose loss cannot be chosen, if they make its counts exact enough.
func (r *State) termsAsTheyAre(q *query.BoundQuery, within int64, refusal error) (*policy.Table, error) {
	t := Terms(q)
	if m := t.Mechanism; !m.Kind.Guaranteed() || m.FitTotals || m.OptimalTotals { // cells have other errors than the noise of one count
		return nil, refusal
	}
	switch widest := r.widest(q, t); {
	case widest == maxWidth:
		return nil, refusal
	case widest > within:
		return nil, reply.RefuseAsExactAsItIs.With(t.Name, within, widest)
	}
	return t, nil
}

// LossesToChoose are the bounds of the losses that each table of a query lets analysts choose.
func LossesToChoose(q *query.BoundQuery) (least, most policy.Epsilon, refusal error) {
	for i, t := range curator.ProtectedTables(q) {
		m := t.Mechanism
		if m.Most == 0 {
			return 0, 0, reply.RefuseOneLoss.With(t.Name)
		}
		if least = max(least, m.Least); i == 0 || m.Most < most {
			most = m.Most
		}
	}
	return min(least, most), most, nil
}

// rungs are the losses that are chosen: those of two significant digits, with the bounds themselves. So analysts who ask for nearly the same have the same
// answers, and a loss is less than a tenth above the least that would do.
func rungs(least, most policy.Epsilon) []policy.Epsilon {
	losses := []policy.Epsilon{least}
	for loss := (least + 1).RoundUp(2); loss < most; loss = (loss + 1).RoundUp(2) {
		losses = append(losses, loss)
	}
	if most > least {
		losses = append(losses, most)
	}
	return losses
}

// leastLoss is the first of rising losses by which all counts of a query are exact enough. best is how exact they are by the last, ok=false if that
// is not enough.
func (r *State) leastLoss(q *query.BoundQuery, losses []policy.Epsilon, within int64) (loss policy.Epsilon, best int64, ok bool) {
	width := func(i int) int64 { return r.widest(q, TermsAt(q, losses[i])) }
	i := sort.Search(len(losses), func(i int) bool { return width(i) <= within }) // noise falls as the loss rises
	if i == len(losses) {
		return 0, width(i - 1), false
	}
	return losses[i], 0, true
}

// widest is how exact the least exact count of a query is under terms; maxWidth if no noise is made for it.
func (r *State) widest(q *query.BoundQuery, t *policy.Table) (widest int64) {
	for _, c := range q.Counts {
		w, made := r.chosen.halfWidth(MechanismConfig(t, SensitivityOf(q, c), NoRandomness{}))
		if !made {
			return maxWidth
		}
		widest = max(widest, w)
	}
	return widest
}

// maxWidth is more than any count is asked to be within.
const maxWidth = int64(1) << 62

// mostChosen bounds the mechanisms whose noise is remembered.
const mostChosen = 1 << 12

// chosenLosses remember how exact mechanisms are, of which a search takes some, and one with Gaussian noise tens of milliseconds. The zero value is
// ready; it may be used by many goroutines.
type chosenLosses struct {
	mu     sync.Mutex // protects widths
	widths map[mechanisms.Config]int64
}

// halfWidth is how far from the truth the counts of a mechanism are in 95 of 100 cases, ok=false if no noise is made for it.
func (c *chosenLosses) halfWidth(config mechanisms.Config) (w int64, ok bool) {
	c.mu.Lock()
	w, ok = c.widths[config]
	c.mu.Unlock()
	if ok {
		return w, w < maxWidth
	}
	w = maxWidth
	if m, err := mechanisms.New(config); err == nil {
		w = m.HalfWidth95()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.widths == nil || len(c.widths) >= mostChosen {
		c.widths = make(map[mechanisms.Config]int64)
	}
	c.widths[config] = w
	return w, w < maxWidth
}
