package auditor

import (
	"errors"
	"slices"

	"tacit/policy"
)

// A Workload is groupings that are declared before anything about their people is released: all one-way margins of a table, say. They
// may overlap. Its certificate bounds the risk of answering any of their sets of units, and all that follows from these by sums and
// differences, in any order; it is charged once, at the opening, and these questions are then answered for ever.
//
// That holds in the parts of the table where nothing else was released: an answer that does not follow from the workload's says more of
// the people that it is linked with than the certificate reckons with. There the certificate lapses, and its charge stays. The rest goes on:
// people whom released sums do not link are independent given these, so that as far as the rest is concerned the other people might
// have been drawn anew from what the workload's answers say of them.
type Workload struct {
	// Groupings are lists of sets of units, each rising.
	Groupings [][][]int32
	// Samples is how many tables are drawn. Required. The margin for their randomness is some hundreds/Samples.
	Samples int
	// Failure is the probability that the drawn tables mislead, which is added to the risk. Required, such as 1e-6.
	Failure float64
	// Seed is the randomness of the tables. It is no secret, and must not depend on data.
	Seed [32]byte
	// Charge is the certificate in an event, so that reading a log takes no time; [Replay] computes it again. 0: it is to be computed.
	Charge policy.Risk
}

// errWorkload is returned when a workload is not of a Boolean attribute with declared priors that are single numbers, or totals.
var errWorkload = errors.New("auditor: a workload needs a Boolean attribute with declared priors or totals, without intervals, spreads and insiders")

const (
	maxSamples = 1 << 20
	// maxWorkloadSets bounds the sets: linked sums of more have no engine.
	maxWorkloadSets = 1 << 14
)

func (w *Workload) validate(c *Config, totals bool, units int) error {
	if w.Samples < 2 || w.Samples > maxSamples || !(w.Failure > 0 && w.Failure < 1) || w.Charge < 0 || w.Charge > policy.OneRisk {
		return invalid("a workload of %d samples, with failure %v", w.Samples, w.Failure)
	}
	if c.Values != 2 || c.Insiders > 0 || !totals &&
		slices.ContainsFunc(c.Types, func(t Type) bool { return t.Spread > 0 || t.Interval > 0 }) {
		return errWorkload
	}
	sets := 0
	for _, grouping := range w.Groupings {
		for _, set := range grouping {
			if sets++; sets > maxWorkloadSets {
				return invalid("a workload of more than %d sets", maxWorkloadSets)
			}
			if !rising(set, units) {
				return invalid("units of a workload do not rise")
			}
		}
	}
	if sets == 0 {
		return invalid("a workload of no sets")
	}
	return nil
}
