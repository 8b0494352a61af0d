package main

import (
	"math"
	"slices"

	"tacit/accountant/composition"
	"tacit/policy"
)

// The least error that is possible: of all linear strategies with Gaussian noise and the same loss of zCDP, none has a smaller mean of the squared errors of all
// cells that the statements show. It is the bound of Li and Miklau, which has a closed form for marginals.

// least are the errors of the strategy that attains the bound, by statement.
type least struct {
	root      float64   // of the mean squared error of all cells
	deviation []float64 // of a cell of each statement
}

func leastErrors(all []statement, marginals []shown) (*least, error) {
	w, err := workload(marginals)
	if err != nil {
		return nil, err
	}
	d, err := policy.ParseDelta(delta)
	if err != nil {
		return nil, err
	}
	scale := 1 / (2 * composition.RhoWithin(epsilon*1_000_000_000, d))
	strategy, cells := w.LeastTotal(), 0
	l := &least{}
	for _, s := range all {
		cells += s.cells()
		for k, m := range marginals {
			if slices.Equal(m.columns, s.marginal()) {
				l.deviation = append(l.deviation, math.Sqrt(strategy.Variance(k)*scale))
			}
		}
	}
	l.root = math.Sqrt(w.LeastBound(policy.AddRemove) * scale / float64(cells))
	return l, nil
}
