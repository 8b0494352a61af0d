package auditor

import (
	"tacit/auditor/internal/history"
)

// A Statement is questions that are asked together. It decides as many at a time as do not depend on one another's answers, which is a
// round: the caller records the round's charge, reads the counts that it opens, and answers. The last decision of a query counts.
//
// Fine questions come first, so that coarse ones follow from their answers; and those of the lowest risk first, so that a budget buys as
// many answers as it can.
//
// A vector of counts over linked sums, or about people of several types, is released one count at a time: then each of its rounds opens
// one, and the query is free at the end, with all values. If a later one is suppressed the query is, though what was opened counts as
// released.
type Statement struct {
	budget
	known   *knowledge
	status  []status
	shapes  []history.Shape
	mixed   []bool // vectors that are decided one count after another, wherever they are
	stale   bool   // shapes are not those of the present history
	current *Round
}

// A status says how far a query of a statement is decided.
type status int

const (
	pending status = iota
	withheld
	done
)

func newStatement(k *knowledge, r *request) (*Statement, error) {
	if len(r.queries) > maxQueries {
		return nil, invalid("%d questions", len(r.queries))
	}
	for i := range r.queries {
		if err := k.validateQuery(&r.queries[i]); err != nil {
			return nil, err
		}
	}
	n := len(r.queries)
	return &Statement{
		budget: budget{request: r, config: &k.Config, account: &k.account}, known: k, stale: true,
		status: make([]status, n), shapes: make([]history.Shape, n), mixed: make([]bool, n),
	}, nil
}

// kind is that of the shape of a query.
func (st *Statement) kind(i int) history.Kind { return st.known.history.Kind(&st.shapes[i]) }

func (st *Statement) suppress(r *Round, d Decision) {
	d.Outcome, d.Charge = Suppressed, 0
	r.Decisions = append(r.Decisions, d)
	st.status[d.Query] = withheld
}

// openSets opens all counts of a query.
func (st *Statement) openSets(r *Round, query int) {
	for j := range st.queries[query].Values {
		r.Open = append(r.Open, Opened{query, j})
	}
	st.status[query] = done
}
