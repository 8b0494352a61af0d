package homogeneity

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"tacit/policy"
	"tacit/risk"
)

// scale is that of the sanitizer's noise: b or σ, by the papers' equations (2023: 3 and 4). The mechanisms have their own; the simulations check those, too.
func (s sanitizer) scale(epsilon float64) float64 {
	switch s.calibration {
	case policy.ClassicCalibration:
		return math.Sqrt(2*math.Log(1.25/s.delta)) / epsilon
	case policy.PDPCalibration:
		z := distuv.UnitNormal.Quantile(s.delta / 2)
		return (math.Sqrt(z*z+2*epsilon) - z) / (2 * epsilon)
	}
	return 1 / epsilon
}

// A simulator estimates risks for scales of a noise.
type simulator func(noise risk.StandardNoise, scales []float64, seed uint64) ([]risk.Estimate, error)

// attacked simulates the sanitization of the experiment's cells.
func (e experiment) attacked(attack risk.Attack) simulator {
	return func(noise risk.StandardNoise, scales []float64, seed uint64) ([]risk.Estimate, error) {
		return e.table.Simulate(risk.Simulation{
			Noise: noise, Scales: scales, Seed: seed, Trials: risk.Trials{Version: risk.Event, Attack: attack, Repetitions: simulations},
		})
	}
}

// simulate simulates all sanitizers of a group, which have the same kind of noise: one simulation serves all their scales.
func simulate(by simulator, group []sanitizer, seed uint64) ([]simulated, error) {
	noise := risk.StandardGaussian
	if group[0].delta == 0 {
		noise = risk.StandardLaplace
	}
	all := make([]simulated, len(group))
	var scales []float64
	for i, s := range group {
		all[i].epsilons = s.within(epsilons(-3, 2, marksPerDecade))
		for _, epsilon := range all[i].epsilons {
			scales = append(scales, s.scale(epsilon))
		}
	}
	estimates, err := by(noise, scales, seed)
	if err != nil {
		return nil, err
	}
	for i := range all {
		for range all[i].epsilons {
			e := estimates[0]
			estimates = estimates[1:]
			all[i].unweighted = append(all[i].unweighted, spread{e.Mean.Unweighted, e.Deviation.Unweighted})
			all[i].weighted = append(all[i].weighted, spread{e.Mean.Weighted, e.Deviation.Weighted})
		}
	}
	return all, nil
}

// redrawn simulates the expected risk: each repetition draws the labels of each cell's records anew, with the cell's shares, and sanitizes the counts.
func (e experiment) redrawn(noise risk.StandardNoise, scales []float64, seed uint64) ([]risk.Estimate, error) {
	results := make([][]risk.Average, simulations)
	for i := range results {
		results[i] = e.redraw(noise, scales, rand.New(rand.NewPCG(seed, uint64(i))))
	}
	return estimates(results), nil
}

// redraw is one repetition.
func (e experiment) redraw(noise risk.StandardNoise, scales []float64, random *rand.Rand) []risk.Average {
	risks := make([]risk.Average, len(scales))
	d := e.table.Describe()
	counts, draws := make([]int64, e.table.Labels), make([]float64, e.table.Labels)
	for _, p := range e.table.Patterns {
		n := p.Records()
		for range p.Cells {
			multinomial(counts, p.Counts, n, random)
			for k := range draws {
				draws[k] = standard(noise, random)
			}
			for i, scale := range scales {
				if disclosed(counts, draws, scale) {
					risks[i].Unweighted += 1 / float64(d.All.Cells)
					risks[i].Weighted += float64(n) / float64(d.All.Records)
				}
			}
		}
	}
	return risks
}

// multinomial draws n records with the shares of some counts.
func multinomial(to, from []int64, n int64, random *rand.Rand) {
	clear(to)
	for range n {
		at := random.Int64N(n)
		for k, count := range from {
			if at < count {
				to[k]++
				break
			}
			at -= count
		}
	}
}

func standard(noise risk.StandardNoise, random *rand.Rand) float64 {
	if noise == risk.StandardGaussian {
		return random.NormFloat64()
	}
	e := random.ExpFloat64()
	if random.IntN(2) == 0 {
		return -e
	}
	return e
}

// disclosed says whether exactly one label is shown, and the cell has it.
func disclosed(counts []int64, draws []float64, scale float64) bool {
	shown, at := 0, 0
	for k, n := range counts {
		if math.Floor(float64(n)+draws[k]*scale+0.5) >= 1 {
			shown, at = shown+1, k
		}
	}
	return shown == 1 && counts[at] > 0
}

// estimates takes means and standard deviations.
func estimates(results [][]risk.Average) []risk.Estimate {
	n := float64(len(results))
	all := make([]risk.Estimate, len(results[0]))
	for i := range all {
		e := &all[i]
		for _, r := range results {
			e.Mean.Unweighted += r[i].Unweighted / n
			e.Mean.Weighted += r[i].Weighted / n
		}
		for _, r := range results {
			u, w := r[i].Unweighted-e.Mean.Unweighted, r[i].Weighted-e.Mean.Weighted
			e.Deviation.Unweighted += u * u / (n - 1)
			e.Deviation.Weighted += w * w / (n - 1)
		}
		e.Deviation.Unweighted, e.Deviation.Weighted = math.Sqrt(e.Deviation.Unweighted), math.Sqrt(e.Deviation.Weighted)
	}
	return all
}
