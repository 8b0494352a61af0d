package auditor

import (
	"cmp"
	"slices"

	"tacit/policy"
)

// A Statement is questions that are asked together. It decides as many at a time as do not depend on one another's answers, which is a
// round: the caller records the round's charge, reads the counts that it opens, and answers. The last decision of a query counts.
//
// Fine questions come first, so that coarse ones follow from their answers; and those of the lowest risk first, so that a budget buys as
// many answers as it can.
//
// A vector of counts over linked sums, or about people of several types, is released one count at a time: then each of its rounds opens one, and the query is free at the end,
// with all values. If a later one is suppressed the query is, though what was opened counts as released.
type Statement struct {
	state       *State
	queries     []Query
	left        Left
	seed        [32]byte
	spent       policy.Risk
	rounds      int
	status      []status
	shapes      []shape
	mixed       []bool  // vectors that are decided one count after another, wherever they are
	refused     refused // what refusedText says
	refusedText string
	stale       bool // shapes are not those of the present history
	current     *Round
}

// A status is where a query of a statement stands.
type status int

const (
	pending status = iota
	withheld
	done
)

// Begin starts a statement. left bounds what it may spend; seed is the randomness of policy.PaperRule, which no other rule uses: it must
// not depend on data, and is recorded. Nothing is decided yet, and nothing changes until an answer.
func (s *State) Begin(queries []Query, left Left, seed [32]byte) (*Statement, error) {
	if len(queries) > maxQueries {
		return nil, invalid("%d questions", len(queries))
	}
	for i := range queries {
		if err := s.validateQuery(&queries[i]); err != nil {
			return nil, err
		}
	}
	return &Statement{
		state: s, queries: queries, left: left, seed: seed, stale: true,
		status: make([]status, len(queries)), shapes: make([]shape, len(queries)), mixed: make([]bool, len(queries)),
	}, nil
}

// Next decides the next round; false: all is decided. Until the round is answered, or given up, it stays the next one. Next sees public
// facts and released answers only, and changes nothing: a statement that is only to be explained is dropped after its first round.
func (st *Statement) Next() (*Round, bool) {
	if st.current != nil {
		return st.current, true
	}
	r := &Round{Number: st.rounds, statement: st}
	if st.stale {
		st.refresh(r)
	}
	for len(r.Open) == 0 && st.step(r) {
	}
	if len(r.Decisions) == 0 {
		return nil, false
	}
	r.sort()
	st.current = r
	return r, true
}

// sort brings a round into the order of queries.
func (r *Round) sort() {
	byQuery := func(a, b Decision) int { return a.Query - b.Query }
	if !slices.IsSortedFunc(r.Decisions, byQuery) {
		slices.SortFunc(r.Decisions, byQuery)
	}
	slices.SortFunc(r.Open, func(a, b Opened) int { return cmp.Or(a.Query-b.Query, a.Set-b.Set) })
}

// refresh brings the shapes of all open queries up to date, and decides those that follow from what was released, suppressed ones included.
func (st *Statement) refresh(r *Round) {
	st.stale = false
	st.blank()
	for i := range st.queries {
		if st.status[i] == done {
			continue
		}
		st.state.fill(&st.shapes[i])
		if st.shapes[i].kind(st.state.all()) != free {
			continue
		}
		d := Decision{Query: i, Outcome: Free}
		for _, v := range st.shapes[i].value {
			d.Values = append(d.Values, int64(v))
		}
		r.Decisions = append(r.Decisions, d)
		st.status[i] = done
	}
}

// blank gives the shapes of all open queries memory for their values and for one piece each.
func (st *Statement) blank() {
	sets := 0
	for i := range st.queries {
		sets += len(st.queries[i].Values)
	}
	values, pieces := make([]int, sets), make([]piece, len(st.queries))
	for i := range st.queries {
		n := len(st.queries[i].Values)
		if st.status[i] != done {
			st.shapes[i] = shape{query: &st.queries[i], value: values[:n:n], open: pieces[i : i : i+1]}
		}
		values = values[n:]
	}
}

// step decides more queries given the present history. It returns false if none is left.
func (st *Statement) step(r *Round) bool {
	open := make([]int, 0, len(st.queries))
	for i := range st.queries {
		if st.status[i] == pending {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return false
	}
	if st.refuse(r, open) || st.openCertified(r, open) {
		return true
	}
	var linked []int
	laminar := make([]int, 0, len(open))
	for _, i := range open {
		if st.mixed[i] || st.shapes[i].kind(st.state.all()) == entwined {
			linked = append(linked, i)
		} else {
			laminar = append(laminar, i)
		}
	}
	if len(laminar) > 0 {
		st.decideLaminar(r, laminar)
	} else {
		st.decideLinked(r, linked)
	}
	return true
}

// refuse suppresses what no engine is asked about.
func (st *Statement) refuse(r *Round, open []int) bool {
	refused := false
	for _, i := range open {
		switch {
		case st.state.alarm != "":
			st.suppress(r, Decision{Query: i, Risk: 1, Reason: "nothing new is answered since " + st.state.alarm})
		case st.shapes[i].tainted():
			st.suppress(r, Decision{Query: i, Risk: 1, Reason: "an earlier answer about these people came out beyond epsilon"})
		case st.state.torn(&st.shapes[i]):
			st.suppress(r, Decision{Query: i, Risk: 1, Reason: "people who left had the rate of some who stayed, and stand in released sums with them"})
		default:
			continue
		}
		refused = true
	}
	return refused
}

// openCertified opens all queries that the certified plan answers, or else all that the workload does: what the one answers together may
// make the other lapse.
func (st *Statement) openCertified(r *Round, open []int) bool {
	for _, c := range [2]certificates{planCertificate, workloadCertificate} {
		for _, i := range open {
			if st.state.certified(&st.shapes[i], c) {
				st.open(r, Decision{Query: i, Outcome: Certified, Engine: c.engine()})
			}
		}
		if len(r.Open) > 0 {
			return true
		}
	}
	return false
}

func (c certificates) engine() string {
	if c == workloadCertificate {
		return "certified workload"
	}
	return "certified plan"
}

func (st *Statement) suppress(r *Round, d Decision) {
	d.Outcome, d.Charge = Suppressed, 0
	r.Decisions = append(r.Decisions, d)
	st.status[d.Query] = withheld
}

// open decides that all counts of a query are read.
func (st *Statement) open(r *Round, d Decision) {
	r.Decisions = append(r.Decisions, d)
	r.Charge += d.Charge
	st.openSets(r, d.Query)
}

func (st *Statement) openSets(r *Round, query int) {
	for j := range st.queries[query].Values {
		r.Open = append(r.Open, Opened{query, j})
	}
	st.status[query] = done
}

// Answer takes the counts that the current round opened, in the order of Round.Open, and adds them to the history. What it returns is to be
// recorded with the round's event before anybody sees an answer. A round that opened nothing is answered with no counts.
//
// An error means that nothing may be shown. After ErrContradiction the state is to be restored from the log.
func (st *Statement) Answer(values []int64) ([]byte, error) {
	r := st.current
	if r == nil || len(values) != len(r.Open) {
		return nil, invalid("%d answers", len(values))
	}
	if err := st.advance(r, values); err != nil {
		return nil, err
	}
	return encodeAnswer(values), nil
}

// GiveUp ends the statement after a round that was charged and whose counts were not read: the charge stays, and nothing was released.
func (st *Statement) GiveUp() {
	if r := st.current; r != nil {
		st.state.spend(r.Charge)
		st.state.decisions += r.counted
		st.current = nil
	}
	for i := range st.status {
		st.status[i] = done
	}
}

// advance adds the answers of a round to the history.
func (st *Statement) advance(r *Round, values []int64) error {
	s := st.state
	changed := make(families)
	for k := 0; k < len(r.Open); {
		i := r.Open[k].Query
		q := Query{Units: st.queries[i].Units}
		first := k
		for ; k < len(r.Open) && r.Open[k].Query == i; k++ {
			q.Values = append(q.Values, st.queries[i].Values[r.Open[k].Set])
		}
		if err := s.release(&q, values[first:k], changed); err != nil {
			s.alarm = "an answer contradicted those released before"
			return err
		}
	}
	s.check(changed)
	s.spend(r.Charge)
	s.decisions += r.counted
	st.spent += r.Charge
	st.rounds++
	st.stale = st.stale || len(r.Open) > 0
	st.current = nil
	return nil
}
