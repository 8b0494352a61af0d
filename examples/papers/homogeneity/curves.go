package homogeneity

import (
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/risk"
)

// An experiment is a table of the papers with what they varied.
type experiment struct {
	name   string
	table  *risk.Table
	deltas []float64
}

func newExperiment(c crossTab, deltas []float64) (experiment, error) {
	t, err := risk.NewTable(len(c.labels), c.counts)
	return experiment{c.name, t, deltas}, err
}

// experiments are those of the papers, and the six quasi-identifiers of Adult beside them.
type experiments struct {
	adult, adultQuasi, bankruptcy, subset experiment
}

func (s source) experiments() (x experiments, err error) {
	for _, e := range []struct {
		to     *experiment
		from   crossTab
		deltas []float64
	}{{&x.adult, s.adult, adultDeltas}, {&x.adultQuasi, s.adultQuasi, adultDeltas}, {&x.bankruptcy, s.bankruptcy, bankruptcyDeltas}, {&x.subset, s.subset, bankruptcyDeltas}} {
		if *e.to, err = newExperiment(e.from, e.deltas); err != nil {
			return x, err
		}
	}
	return x, nil
}

// A measure is one of package risk.
type measure func(*risk.Table, risk.Survival) risk.Average

func local(t *risk.Table, s risk.Survival) risk.Average { return t.Local(s, risk.Event) }

func localRecords(t *risk.Table, s risk.Survival) risk.Average { return t.Local(s, risk.Records) }

func expected(t *risk.Table, s risk.Survival) risk.Average { return t.Expected(s, risk.Event) }

// survival is that of the sanitizer's cells at epsilon.
func (s sanitizer) survival(epsilon float64) (risk.Survival, error) {
	if s.kind == policy.Laplace { // the mechanism would tabulate for its sampler what a curve has no use for
		law, err := mechanisms.LaplaceLaw(1 / epsilon)
		return law.Survival(), err
	}
	m, err := s.at(epsilon, seeded(0))
	if err != nil {
		return nil, err
	}
	survival, ok := m.Survival()
	if !ok {
		panic("homogeneity: internal error: cells with " + s.name + " noise are not independent")
	}
	return survival, nil
}

// at is a measure of the experiment under a sanitizer.
func (e experiment) at(m measure, s sanitizer, epsilon float64) (risk.Average, error) {
	survival, err := s.survival(epsilon)
	if err != nil {
		return risk.Average{}, err
	}
	return m(e.table, survival), nil
}

// A curve is a measure at each epsilon.
type curve struct {
	sanitizer            sanitizer
	epsilons             []float64
	unweighted, weighted []float64
}

// curve is the closed form over those epsilons of a grid that the sanitizer takes.
func (e experiment) curve(m measure, s sanitizer, grid []float64) (curve, error) {
	c := curve{sanitizer: s, epsilons: s.within(grid)}
	points, err := risk.Curve(func(survival risk.Survival) risk.Average { return m(e.table, survival) }, s.survival, c.epsilons)
	if err != nil {
		return c, err
	}
	for _, p := range points {
		c.unweighted, c.weighted = append(c.unweighted, p.Risk.Unweighted), append(c.weighted, p.Risk.Weighted)
	}
	return c, nil
}

// sanitizers are the mechanisms of figure 3: Laplace, and both Gaussians with each delta.
func (e experiment) sanitizers() [][]sanitizer {
	all := [][]sanitizer{{laplace()}, nil, nil}
	for _, delta := range e.deltas {
		all[1], all[2] = append(all[1], gaussianDP(delta)), append(all[2], gaussianPDP(delta))
	}
	return all
}
