package auditor

import (
	"cmp"
	"errors"
	"slices"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// mostEstimated is how many linked queries are all estimated to find the one of the lowest risk. Of more, those about the most people come
// first, which is nearly the same order.
const mostEstimated = 32

// decideLinked decides queries that link released sums: one after another in the order of their risk, and only those that touch
// different linked sums in the same round.
func (st *Statement) decideLinked(r *Round, open []int) {
	if len(open) > mostEstimated || st.config.rule() != policy.LedgerRule {
		slices.SortStableFunc(open, func(a, b int) int { return cmp.Compare(st.shapes[b].People(), st.shapes[a].People()) })
		st.decideInOrder(r, st.apart(open))
		return
	}
	var found []linkedCandidate
	for _, i := range open {
		found = append(found, st.estimate(i))
	}
	st.decideFound(r, found)
}

// decideFound decides candidates in the order of what they cost. If none of the cheapest of their linked sums is released the others are
// decided, too. In either pass no second candidate about the same linked sums is released in the round: what it risks depends on the
// first answer.
func (st *Statement) decideFound(r *Round, found []linkedCandidate) {
	slices.SortStableFunc(found, func(a, b linkedCandidate) int { return cmp.Compare(a.charge(), b.charge()) })
	told := st.known.affected()
	for k := range found {
		if c := &found[k]; told.add(&st.shapes[c.query]) {
			st.decideOne(r, c, false)
		}
	}
	if len(r.Open) > 0 {
		return
	}
	told = st.known.affected()
	for k := range found {
		c := &found[k]
		if told.has(&st.shapes[c.query]) {
			continue // it waits for the answer
		}
		st.decideOne(r, c, true)
		if opened := len(r.Open); opened > 0 && r.Open[opened-1].Query == c.query {
			told.add(&st.shapes[c.query])
		}
	}
}

// decideInOrder decides queries that touch different linked sums.
func (st *Statement) decideInOrder(r *Round, queries []int) {
	for _, i := range queries {
		c := st.estimate(i)
		st.decideOne(r, &c, true)
	}
}

// apart selects queries that touch different linked sums, in order.
func (st *Statement) apart(queries []int) []int {
	told := st.known.affected()
	var chosen []int
	for _, i := range queries {
		if told.add(&st.shapes[i]) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// A linkedCandidate is a query over linked sums, or one set of it, with its risk.
type linkedCandidate struct {
	candidate
	engine string
	set    int
	exact  bool
}

// charge is what the candidate would cost under the ledger's rule; one without a risk comes last.
func (c *linkedCandidate) charge() policy.Risk {
	e := estimate{risk: c.risk, exact: c.exact}
	if c.err != nil {
		e.risk = 2
	}
	return e.charge()
}

// estimate finds the risk of the first count of a query that does not follow from released ones.
func (st *Statement) estimate(i int) linkedCandidate {
	for j, set := range st.queries[i].Values {
		sh := st.shapes[i]
		if len(st.queries[i].Values) > 1 {
			sh = st.known.history.Shape(st.queries[i].Units, []posterior.ValueSet{set})
		}
		if len(sh.Open) == 0 {
			continue
		}
		risk, engine, err := st.known.linkedRisk(&sh, set)
		return linkedCandidate{candidate{query: i, risk: risk, err: err}, string(engine), j, engine == posterior.EngineElimination}
	}
	return linkedCandidate{candidate: candidate{query: i, risk: 1, err: errors.New("the counts together do not follow from each")}}
}

// decideOne judges a candidate, and opens it if it may be released. Unless it is the last chance, one that may not keeps waiting.
func (st *Statement) decideOne(r *Round, c *linkedCandidate, last bool) {
	d := Decision{Query: c.query, Risk: c.risk, Engine: c.engine}
	var v verdict
	switch {
	case c.err != nil:
		d.Risk, v.reason = 1, explain(c.err)
	case st.used(r.counted):
		v.reason = reasonUsedUp
	default:
		v = st.judge(estimate{c.risk, c.exact, c.query, c.set}, r.Charge)
		if v.released || last {
			r.counted++
		}
	}
	switch {
	case v.released:
		d.Outcome, d.Charge = Released, v.charge
		r.Open = append(r.Open, Opened{c.query, c.set})
		r.Decisions = append(r.Decisions, d)
		r.Charge += v.charge
		if len(st.queries[c.query].Values) == 1 {
			st.status[c.query] = done
		}
	case last:
		d.Reason = v.reason
		if st.config.rule() == policy.PaperRule {
			r.Charge += v.charge
		}
		st.suppress(r, d)
	}
}
