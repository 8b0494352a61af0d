package auditor

import (
	"errors"
	"fmt"
	"math"

	"tacit/auditor/posterior"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// A verdict is what a rule says of a risk.
type verdict struct {
	released bool
	charge   policy.Risk
	reason   string
}

// An estimate is a risk, with the query and set that it is of: what the paper's samples are drawn for.
type estimate struct {
	risk       float64
	exact      bool // up to rounding
	query, set int  // set -1: the remainders of a block that pieces of queries are cut from
}

// charge is the risk in units, rounded up. The risks of exact engines are right to 1e-12 of themselves. That of the approximate one was
// measured to be at most 2% too low where it answers; 5% are added. What is no number costs more than there is.
func (e *estimate) charge() policy.Risk {
	if !(e.risk >= 0) {
		return 2 * policy.OneRisk
	}
	risk := e.raised()
	if e.exact {
		risk = e.risk*(1+1e-9) + 1e-15
	}
	return policy.Risk(math.Ceil(min(risk, 2) * float64(policy.OneRisk)))
}

// raised is the risk with what is added to that of an approximate engine.
func (e *estimate) raised() float64 {
	if e.exact {
		return e.risk
	}
	return e.risk*1.05 + 1e-12
}

// probability is the risk in multiples of 2^-62, rounded up.
func (e *estimate) probability() sampling.Ratio {
	const all = 1 << 62
	return sampling.Ratio{Of: uint64(math.Ceil(min(e.raised(), 1) * all)), All: all}
}

// share is delta/T, rounded up.
func (c *Config) share() policy.Risk {
	return (c.Delta + policy.Risk(c.Decisions) - 1) / policy.Risk(c.Decisions)
}

// Why a question has no engine.
var (
	errInsiders  = errors.New("insiders are allowed for, which is not done where released sums are linked")
	errNever     = errors.New("the interval of the prior is too wide for epsilon")
	errIntervals = errors.New("the question concerns people of more types whose priors are intervals than are tried together: " +
		fmt.Sprint(mostIntervals))
)

// mostIntervals bounds the types with intervals whose corners are all looked at: 16 of them, and the middle.
const mostIntervals = 4

const reasonUsedUp = "all decisions that the table allows are made"

// explain says in words why no engine answers.
func explain(err error) string {
	switch {
	case errors.Is(err, posterior.ErrInterval):
		return "priors lie in intervals, of which nothing is proved where released sums are linked, or where rates scatter besides"
	case errors.Is(err, errInsiders), errors.Is(err, errNever), errors.Is(err, errIntervals):
		return err.Error()
	case errors.Is(err, posterior.ErrTooLarge):
		return "too many people, types or linked sums for an engine"
	case errors.Is(err, posterior.ErrTypes):
		return "people of different types in one question, which no engine takes"
	}
	return "no engine is certified for the question: " + err.Error()
}
