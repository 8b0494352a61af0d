package homogeneity

import (
	"fmt"
	"math"

	"tacit/examples/papers/internal/report"
	"tacit/risk"
)

// A deviation is how far simulations are from closed forms.
type deviation struct {
	points  int
	largest float64 // in standard errors of the mean of the simulations
	spread  float64 // the largest standard deviation of one simulation
}

// leastSpread leaves out points of which the mean of the simulations is no normal variable: where nearly every cell is disclosed, or nearly none, a
// simulation has only a few exceptions.
const leastSpread = 5e-4

func (d *deviation) add(simulated spread, exact float64) {
	if simulated.deviation < leastSpread {
		return
	}
	d.points++
	d.largest = max(d.largest, math.Abs(simulated.mean-exact)/simulated.standardError())
	d.spread = max(d.spread, simulated.deviation)
}

// compare compares the simulations of a group of sanitizers with their closed forms.
func (d *deviation) compare(e experiment, m measure, group []sanitizer, all []simulated) error {
	for i, s := range group {
		for j, epsilon := range all[i].epsilons {
			a, err := e.at(m, s, epsilon)
			if err != nil {
				return err
			}
			d.add(all[i].unweighted[j], a.Unweighted)
			d.add(all[i].weighted[j], a.Weighted)
		}
	}
	return nil
}

// simulate fills in the points of a figure, and compares them.
func (p *panelled) simulate(by simulator, seed uint64, d *deviation) error {
	for i, group := range p.experiment.sanitizers() {
		all, err := simulate(by, group, seed+uint64(i))
		if err != nil {
			return err
		}
		if err := d.compare(p.experiment, p.measure, group, all); err != nil {
			return err
		}
		p.simulated = append(p.simulated, all)
	}
	return nil
}

// row is what the papers say of their simulations. Of a thousand independent points the largest is beyond 5.5 standard errors once in 26,000 runs.
func (d deviation) row() report.Row {
	return report.Row{
		What: "Simulations and closed forms agree, but for Monte Carlo error", Published: "nearly identical", Verdict: report.Holds(d.largest < 5.5),
		Regenerated: fmt.Sprintf("%s means of %d simulations are within %s standard errors", count(d.points), simulations, digits(d.largest, 1)),
		Reason:      fmt.Sprintf("The SD of one simulation is at most %s. Points where fewer than some ten cells vary are not counted.", digits(d.spread, 3)),
	}
}

// exactSeed is that of the checks by the mechanisms' own samplers.
const exactSeed = 77

// samplerTable checks one epsilon by the mechanisms' own samplers, which draw without floating point and do to the counts what a release does.
func (x experiments) samplerTable() (report.Table, error) {
	t := report.Table{
		Caption: fmt.Sprintf("The same at one ε with the mechanisms of this proxy themselves, %d sanitizations, by cells: exact samplers, mean ± standard error, and closed form", samplerRepeats),
		Header:  []string{"data", "mechanism", "ε", "simulated", "closed form"},
	}
	for i, c := range []struct {
		experiment experiment
		sanitizer  sanitizer
		name       string
		epsilon    float64
	}{
		{x.adult, laplace(), "Laplace", 1}, {x.subset, laplace(), "Laplace", 1},
		{x.subset, gaussianDP(1e-3), "Gaussian, (ε, δ)-DP, δ = 0.001", 0.5}, {x.subset, gaussianPDP(1e-3), "Gaussian, pDP, δ = 0.001", 5},
	} {
		m, err := c.sanitizer.at(c.epsilon, seeded(uint64(exactSeed+i)))
		if err != nil {
			return t, err
		}
		got, err := c.experiment.table.SimulateMechanism(m, risk.Trials{Version: risk.Event, Attack: risk.OneLabel, Repetitions: samplerRepeats})
		if err != nil {
			return t, err
		}
		exact, err := c.experiment.at(local, c.sanitizer, c.epsilon)
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, []string{c.experiment.name, c.name, decimal(c.epsilon),
			digits(got.Mean.Unweighted, 4) + " ± " + digits(got.Deviation.Unweighted/math.Sqrt(samplerRepeats), 4), digits(exact.Unweighted, 4)})
	}
	return t, nil
}

const samplerRepeats = 400
