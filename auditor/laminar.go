package auditor

import (
	"cmp"
	"errors"
	"slices"

	"tacit/auditor/internal/history"
	"tacit/auditor/posterior"
	"tacit/policy"
)

// decideLaminar decides queries that each cut at most one block, jointly: all of them that do not overlap, the finest first. A query that
// is a union of others waits for their answers.
//
// The state after the reply is all that has to be safe. Blocks are independent given the sums, and people of a piece only learn from their
// own sum; so by the union bound the risk is that of the released pieces, each given the sums before the reply, and that of the rest
// of each block that is cut: its sum is the difference.
func (st *Statement) decideLaminar(r *Round, open []int) {
	chosen := st.disjoint(open)
	candidates, plans := st.candidates(chosen)
	candidates = slices.DeleteFunc(candidates, st.mixes)
	decisions, place := st.undecided(r, chosen)
	spent := r.Charge
	for _, k := range byRisk(candidates, &st.known.ranked) {
		c := &candidates[k]
		d := &decisions[place[c.query]]
		*d = st.consider(c, r, spent)
		spent += d.Charge
		if c.plan != nil && d.Outcome == Released {
			c.plan.chosen = append(c.plan.chosen, c.piece)
		}
	}
	for _, p := range plans {
		if p.joint != nil {
			spent += st.coverRest(r, p, spent, func(query int) *Decision { return &decisions[place[query]] })
		}
	}
	clear(candidates)
	st.conclude(r, decisions)
	// What the remainders risk is in none of the decisions.
	r.Charge = spent
}

// undecided appends decisions to a round for the queries that are not mixed, and says where that of each query is.
func (st *Statement) undecided(r *Round, chosen []int) (decisions []Decision, place []int32) {
	first := len(r.Decisions)
	r.Decisions = slices.Grow(r.Decisions, len(chosen))
	place = make([]int32, len(st.queries))
	for _, i := range chosen {
		if !st.mixed[i] {
			place[i] = int32(len(r.Decisions) - first)
			r.Decisions = append(r.Decisions, Decision{Query: i})
		}
	}
	return r.Decisions[first:], place
}

// conclude opens the counts of what is released, and withholds the rest.
func (st *Statement) conclude(r *Round, decisions []Decision) {
	opened := 0
	for i := range decisions {
		if decisions[i].Outcome == Released {
			opened += len(st.queries[decisions[i].Query].Values)
		}
	}
	r.Open = slices.Grow(r.Open, opened)
	for i := range decisions {
		d := &decisions[i]
		if d.Outcome == Released {
			st.openSets(r, d.Query)
			continue
		}
		d.Charge = 0
		st.status[d.Query] = withheld
	}
}

// mixes reports whether a candidate asks for several values of people of several types, whose law has more than one dimension: then
// the engines of linked sums decide one count after another.
func (st *Statement) mixes(c candidate) bool {
	if errors.Is(c.err, posterior.ErrTypes) && len(st.queries[c.query].Values) > 1 && st.config.Insiders == 0 {
		st.mixed[c.query] = true
	}
	return st.mixed[c.query]
}

// disjoint selects queries whose open pieces do not overlap: fine ones first, in the order of the statement among equally fine ones.
func (st *Statement) disjoint(open []int) []int {
	if asked := st.known.unitSet(); !slices.ContainsFunc(open, func(i int) bool { return !asked.add(st.shapes[i].Open[0].Units) }) {
		return open
	}
	order := slices.Clone(open)
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(st.shapes[a].Open[0].People, st.shapes[b].Open[0].People), cmp.Compare(a, b))
	})
	asked := st.known.unitSet()
	var chosen []int
	for _, i := range order {
		if asked.add(st.shapes[i].Open[0].Units) {
			chosen = append(chosen, i)
		}
	}
	slices.Sort(chosen)
	return chosen
}

// candidates computes the risks of queries, and which of them cut the same block.
func (st *Statement) candidates(chosen []int) ([]candidate, []*cutPlan) {
	candidates := slices.Grow(st.known.candidates[:0], len(chosen))
	var plans []*cutPlan
	index := make(map[*history.Block]*cutPlan)
	var last *cutPlan
	for _, i := range chosen {
		p := &st.shapes[i].Open[0]
		if st.known.history.Fresh(p.Block) {
			risk, err := st.known.freshRisk(p.Units, st.queries[i].Values)
			candidates = append(candidates, candidate{query: i, risk: risk, err: err})
			continue
		}
		plan := last
		if plan == nil || plan.block != p.Block {
			plan = index[p.Block]
		}
		if plan == nil {
			plan = &cutPlan{block: p.Block, queries: make([]int, 0, len(chosen))}
			index[p.Block] = plan
			plans = append(plans, plan)
		}
		plan.queries = append(plan.queries, i)
		last = plan
	}
	for _, plan := range plans {
		candidates = st.cutCandidates(candidates, plan)
	}
	st.known.candidates = candidates[:0]
	return candidates, plans
}

// cutCandidates appends those of one block.
func (st *Statement) cutCandidates(candidates []candidate, plan *cutPlan) []candidate {
	if len(plan.queries) == 1 {
		p := &st.shapes[plan.queries[0]].Open[0]
		risk, err := st.known.cutRisk(p.Units, st.known.history.Outside(p), plan.block.Known)
		return append(candidates, candidate{query: plan.queries[0], risk: risk, err: err, plan: plan})
	}
	pieces, rest := st.dissect(plan)
	joint, err := st.known.cutBlock(pieces, rest, plan.block.Known)
	for k, i := range plan.queries {
		c := candidate{query: i, risk: 1, err: err, plan: plan, piece: k}
		if err == nil {
			c.risk = joint.pieceRisk(k)
		}
		candidates = append(candidates, c)
	}
	plan.joint = joint
	return candidates
}

// dissect are the pieces of a block that queries cut, and the rest of it.
func (st *Statement) dissect(plan *cutPlan) (pieces [][]int32, rest []int32) {
	cut := st.known.unitSet()
	pieces = make([][]int32, 0, len(plan.queries))
	for _, i := range plan.queries {
		units := st.shapes[i].Open[0].Units
		cut.add(units)
		pieces = append(pieces, units)
	}
	for _, u := range st.known.history.Members(plan.block) {
		if !cut.has(u) {
			rest = append(rest, u)
		}
	}
	return pieces, rest
}

// consider judges a candidate after so much was spent in the round.
func (st *Statement) consider(c *candidate, r *Round, spent policy.Risk) Decision {
	d := Decision{Query: c.query, Risk: c.risk, Engine: engineCut}
	if c.plan == nil {
		d.Engine = engineFresh
	}
	switch {
	case c.err != nil:
		d.Risk, d.Reason = 1, explain(c.err)
		return d
	case st.used(r.counted):
		d.Reason = reasonUsedUp
		return d
	}
	r.counted++
	v := st.judge(estimate{c.risk, true, c.query, 0}, spent)
	d.Charge, d.Reason = v.charge, v.reason
	if v.released {
		d.Outcome = Released
	}
	return d
}

// coverRest makes sure that what the released pieces of a block leave of it is safe, and returns what that costs besides. Where it is
// not, the riskiest pieces are taken back one after another: they join the rest.
func (st *Statement) coverRest(r *Round, p *cutPlan, spent policy.Risk, decision func(query int) *Decision) policy.Risk {
	refund := policy.Risk(0)
	for len(p.chosen) > 0 {
		risk := p.joint.restRisk(p.chosen)
		if risk == 0 {
			return refund
		}
		last := p.queries[p.chosen[len(p.chosen)-1]]
		v := verdict{reason: reasonUsedUp}
		if !st.used(r.counted) {
			r.counted++
			v = st.judge(estimate{risk, true, last, -1}, spent+refund)
		}
		if v.released {
			return refund + v.charge
		}
		d := decision(last)
		if st.config.rule() == policy.PaperRule {
			refund += v.charge // its decisions are charged whatever comes out
		} else {
			refund -= d.Charge
		}
		d.Outcome, d.Charge, d.Reason = Suppressed, 0, "what it would leave of people whose sum is known is not safe: "+v.reason
		p.chosen = p.chosen[:len(p.chosen)-1]
	}
	return refund
}
