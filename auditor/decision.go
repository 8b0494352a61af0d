package auditor

import "tacit/policy"

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
	switch o {
	case Suppressed:
		return "suppressed"
	case Free:
		return "free"
	case Certified:
		return "certified"
	case Released:
		return "released"
	}
	return "unknown"
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

	counted   int // decisions that count toward Config.Decisions
	statement *Statement
}

// Left is how much risk may still be spent.
type Left struct {
	Table   policy.Risk // of the table's delta
	Analyst policy.Risk // of the analyst's part of it
}
