package auditor

import (
	"cmp"
	"errors"
	"slices"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// A candidate is a query that cuts one block, with its risk given what was released before the round.
type candidate struct {
	query int
	risk  float64
	err   error
	plan  *cutPlan // of a piece of a block
	piece int      // its index in the plan
}

// cutPlan is the queries that cut pieces of one block of known sums.
type cutPlan struct {
	block   *block
	queries []int    // of the pieces, in order
	joint   cutBlock // nil of a single piece, whose risk includes that of the rest
	chosen  []int    // indexes of pieces that are released, lowest risk first
}

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
	verdicts, place := st.undecided(r, chosen)
	spent := r.Charge
	for _, k := range byRisk(candidates, &st.state.scratch.ranked) {
		c := &candidates[k]
		d := &verdicts[place[c.query]]
		*d = st.consider(c, r, spent)
		spent += d.Charge
		if c.plan != nil && d.Outcome == Released {
			c.plan.chosen = append(c.plan.chosen, c.piece)
		}
	}
	for _, p := range plans {
		if p.joint != nil {
			spent += st.coverRest(r, p, spent, func(query int) *Decision { return &verdicts[place[query]] })
		}
	}
	clear(candidates)
	st.settle(r, verdicts)
	// What the remainders risk is in none of the decisions.
	r.Charge = spent
}

// undecided appends decisions to a round for the queries that are not mixed, and says where that of each query is.
func (st *Statement) undecided(r *Round, chosen []int) (verdicts []Decision, place []int32) {
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

// settle opens the counts of what is released, and withholds the rest.
func (st *Statement) settle(r *Round, verdicts []Decision) {
	opened := 0
	for i := range verdicts {
		if verdicts[i].Outcome == Released {
			opened += len(st.queries[verdicts[i].Query].Values)
		}
	}
	r.Open = slices.Grow(r.Open, opened)
	for i := range verdicts {
		d := &verdicts[i]
		if d.Outcome == Released {
			st.openSets(r, d.Query)
			continue
		}
		d.Charge = 0
		st.status[d.Query] = withheld
	}
}

// mixes says whether a candidate asks for several values of people of several types, whose law has more than one dimension: then
// the engines of linked sums decide one count after another.
func (st *Statement) mixes(c candidate) bool {
	if errors.Is(c.err, posterior.ErrTypes) && len(st.queries[c.query].Values) > 1 && st.state.Config.Insiders == 0 {
		st.mixed[c.query] = true
	}
	return st.mixed[c.query]
}

// disjoint selects queries whose open pieces do not overlap: fine ones first, in the order of the statement among equally fine ones.
func (st *Statement) disjoint(open []int) []int {
	if claims := st.state.claims(); !slices.ContainsFunc(open, func(i int) bool { return !claims.take(st.shapes[i].open[0].units) }) {
		return open
	}
	order := slices.Clone(open)
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(st.shapes[a].open[0].people, st.shapes[b].open[0].people), cmp.Compare(a, b))
	})
	claims := st.state.claims()
	var chosen []int
	for _, i := range order {
		if claims.take(st.shapes[i].open[0].units) {
			chosen = append(chosen, i)
		}
	}
	slices.Sort(chosen)
	return chosen
}

// claims are the units that queries of a round are about.
type claims struct {
	s     *State
	stamp int
}

func (s *State) claims() claims {
	s.scratch.stamp++
	if len(s.scratch.units) < len(s.units) {
		s.scratch.units = make([]int, len(s.units))
	}
	return claims{s, s.scratch.stamp}
}

// take claims units unless some of them are claimed.
func (c claims) take(units []int32) bool {
	marks := c.s.scratch.units
	for _, u := range units {
		if marks[u] == c.stamp {
			return false
		}
	}
	for _, u := range units {
		marks[u] = c.stamp
	}
	return true
}

// candidates computes the risks of queries, and which of them cut the same block.
func (st *Statement) candidates(chosen []int) ([]candidate, []*cutPlan) {
	candidates := slices.Grow(st.state.scratch.candidates[:0], len(chosen))
	var plans []*cutPlan
	index := make(map[*block]*cutPlan)
	var last *cutPlan
	for _, i := range chosen {
		p := &st.shapes[i].open[0]
		if p.block == st.state.root {
			risk, err := st.state.freshRisk(p.units, st.queries[i].Values)
			candidates = append(candidates, candidate{query: i, risk: risk, err: err})
			continue
		}
		plan := last
		if plan == nil || plan.block != p.block {
			plan = index[p.block]
		}
		if plan == nil {
			plan = &cutPlan{block: p.block, queries: make([]int, 0, len(chosen))}
			index[p.block] = plan
			plans = append(plans, plan)
		}
		plan.queries = append(plan.queries, i)
		last = plan
	}
	for _, plan := range plans {
		candidates = st.cutCandidates(candidates, plan)
	}
	st.state.scratch.candidates = candidates[:0]
	return candidates, plans
}

// cutCandidates appends those of one block.
func (st *Statement) cutCandidates(candidates []candidate, plan *cutPlan) []candidate {
	s := st.state
	if len(plan.queries) == 1 {
		p := &st.shapes[plan.queries[0]].open[0]
		risk, err := s.cutRisk(p.units, s.outside(p), plan.block.known)
		return append(candidates, candidate{query: plan.queries[0], risk: risk, err: err, plan: plan})
	}
	pieces, rest := st.dissect(plan)
	joint, err := s.cutBlock(pieces, rest, plan.block.known)
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
	c := st.state.claims()
	pieces = make([][]int32, 0, len(plan.queries))
	for _, i := range plan.queries {
		units := st.shapes[i].open[0].units
		c.take(units)
		pieces = append(pieces, units)
	}
	for _, u := range st.state.members(plan.block) {
		if st.state.scratch.units[u] != c.stamp {
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
		d.Reason = "all decisions that the table allows are made"
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
		v := verdict{reason: "all decisions that the table allows are made"}
		if !st.used(r.counted) {
			r.counted++
			v = st.judge(estimate{risk, true, last, -1}, spent+refund)
		}
		if v.released {
			return refund + v.charge
		}
		d := decision(last)
		if st.state.Config.rule() == policy.PaperRule {
			refund += v.charge // its decisions are charged whatever comes out
		} else {
			refund -= d.Charge
		}
		d.Outcome, d.Charge, d.Reason = Suppressed, 0, "what it would leave of people whose sum is known is not safe: "+v.reason
		p.chosen = p.chosen[:len(p.chosen)-1]
	}
	return refund
}
