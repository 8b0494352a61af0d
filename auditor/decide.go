package auditor

import (
	"tacit/auditor/internal/history"
)

// Next decides the next round; false: all is decided. Until the round is answered, or given up, it stays the next one. Next sees public
// facts and released answers only, and changes nothing: a statement that is only to be explained is dropped after its first round.
func (st *Statement) Next() (*Round, bool) {
	if st.current != nil {
		return st.current, true
	}
	r := &Round{Number: st.rounds, request: st.request, boxed: st.known.intervals && !st.known.earlier}
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

// refresh brings the shapes of all open queries up to date, and decides those that follow from what was released, suppressed ones included.
func (st *Statement) refresh(r *Round) {
	st.stale = false
	st.blank()
	for i := range st.queries {
		if st.status[i] == done {
			continue
		}
		st.known.history.Fill(&st.shapes[i])
		if st.kind(i) != history.Free {
			continue
		}
		d := Decision{Query: i, Outcome: Free}
		for _, v := range st.shapes[i].Value {
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
	values, pieces := make([]int, sets), make([]history.Piece, len(st.queries))
	for i := range st.queries {
		n := len(st.queries[i].Values)
		if st.status[i] != done {
			q := &st.queries[i]
			st.shapes[i] = history.Shape{Units: q.Units, Sets: q.Values, Value: values[:n:n], Open: pieces[i : i : i+1]}
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
		if st.mixed[i] || st.kind(i) == history.Linked {
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
		reason := ""
		switch {
		case st.known.alarm != "":
			reason = "nothing new is answered since " + st.known.alarm
		case st.shapes[i].Marks()&exposed != 0:
			reason = "an earlier answer about these people came out beyond epsilon"
		case st.known.torn(&st.shapes[i]):
			reason = "people who left had the rate of some who stayed, and stand in released sums with them"
		default:
			continue
		}
		st.suppress(r, Decision{Query: i, Risk: 1, Reason: reason})
		refused = true
	}
	return refused
}

// openCertified opens all queries that the certified plan answers, or else all that the workload does: what the one answers together may
// make the other lapse.
func (st *Statement) openCertified(r *Round, open []int) bool {
	for _, c := range [2]struct {
		lapsed history.Marks
		engine string
	}{{planLapsed, "certified plan"}, {workloadLapsed, "certified workload"}} {
		for _, i := range open {
			if st.known.certified(&st.shapes[i], c.lapsed) {
				st.open(r, Decision{Query: i, Outcome: Certified, Engine: c.engine})
			}
		}
		if len(r.Open) > 0 {
			return true
		}
	}
	return false
}

// open decides that all counts of a query are read.
func (st *Statement) open(r *Round, d Decision) {
	r.Decisions = append(r.Decisions, d)
	r.Charge += d.Charge
	st.openSets(r, d.Query)
}
