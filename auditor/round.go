package auditor

import (
	"cmp"
	"slices"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// A Query asks how many people of some units have a value of each of some sets: one count if there is one set, a vector of counts if
// the private attribute is a key of the grouping.
type Query struct {
	// Units are rising indexes of units. A query of no units has the answer 0.
	Units []int32
	// Values are disjoint and not empty. Of a Boolean attribute {posterior.True}.
	Values []posterior.ValueSet
}

// An Outcome says what becomes of a query.
type Outcome int

const (
	// Suppressed: nothing may be said, at the time.
	Suppressed Outcome = iota
	// Free: the answer follows from what was released. It is in the decision, and no data is needed.
	Free
	// Certified: the query is a union of blocks of the plan, whose risk was charged when the plan was sealed.
	Certified
	// Released: the answer may be read and shown, for the risk that is charged.
	Released
)

func (o Outcome) String() string {
	if o < Suppressed || o > Released {
		return "unknown"
	}
	return [...]string{"suppressed", "free", "certified", "released"}[o]
}

// A Decision is what becomes of one query of a statement, and why.
type Decision struct {
	// Query is the index of the query in the statement.
	Query   int
	Outcome Outcome
	// Risk bounds the probability that the answer makes somebody unsafe, given all that was released.
	Risk float64
	// Charge is what the decision costs. What the remainders of cut blocks risk is charged to the round besides.
	Charge policy.Risk
	// Engine names the method that computed the risk.
	Engine string
	// Reason says in words why a query is suppressed. It is made of public facts and released answers only.
	Reason string
	// Values are the counts of a free query, one for each of its sets.
	Values []int64
}

// An Opened is one count that a round opens: that of a set of a query of the statement.
type Opened struct{ Query, Set int }

// A Round is the queries of a statement that are decided before another answer is read.
type Round struct {
	// Number counts the rounds of a statement from 0.
	Number int
	// Decisions are in the order of queries. A query that was suppressed can follow from what later rounds release: then it is
	// decided again, and free.
	Decisions []Decision
	// Open are the counts to be read, in the order of queries and sets. They are what Answer takes.
	Open []Opened
	// Charge is to be recorded durably before any of the counts is read.
	Charge policy.Risk

	boxed   bool     // charged by boxRule: of tables with intervals
	counted int      // decisions that count toward Config.Decisions
	request *request // of round 0 of a log; of every round that was decided here
}

// A request is what a statement asks for.
type request struct {
	queries []Query
	left    Left
	seed    [32]byte
}

// Left is how much risk may still be spent.
type Left struct {
	Table   policy.Risk // of the table's delta
	Analyst policy.Risk // of the analyst's part of it
}

// sort brings a round into the order of queries.
func (r *Round) sort() {
	byQuery := func(a, b Decision) int { return a.Query - b.Query }
	if !slices.IsSortedFunc(r.Decisions, byQuery) {
		slices.SortFunc(r.Decisions, byQuery)
	}
	slices.SortFunc(r.Open, func(a, b Opened) int { return cmp.Or(a.Query-b.Query, a.Set-b.Set) })
}

// check refuses a round of a log whose counts do not rise, or are not those of the queries that it released.
func (r *Round) check(queries []Query) error {
	opens := make(map[int]bool) // decided so, and whether a count of the query was opened
	for i := range r.Decisions {
		switch d := &r.Decisions[i]; {
		case d.Query >= len(queries):
			return invalid("a decision of query %d", d.Query)
		case d.Outcome == Released || d.Outcome == Certified:
			opens[d.Query] = false
		}
	}
	for k, o := range r.Open {
		if o.Query >= len(queries) || o.Set >= len(queries[o.Query].Values) {
			return invalid("a count of query %d", o.Query)
		}
		if k > 0 && (o.Query < r.Open[k-1].Query || o.Query == r.Open[k-1].Query && o.Set <= r.Open[k-1].Set) {
			return invalid("counts that do not rise")
		}
		if _, decided := opens[o.Query]; !decided {
			return invalid("a count of query %d, which was not released", o.Query)
		}
		opens[o.Query] = true
	}
	for query, opened := range opens {
		if !opened {
			return invalid("query %d was released without a count", query)
		}
	}
	return nil
}
