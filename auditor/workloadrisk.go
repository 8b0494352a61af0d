package auditor

import (
	"crypto/aes"
	"encoding/binary"
	"math"

	"tacit/auditor/posterior"
	"tacit/mechanisms/sampling"
)

// maxDrawn bounds the people who are drawn for a certificate, a minute or two.
const maxDrawn = 4e9

// inexact is by how much the posteriors of the approximate engine count as nearer to their limits.
const inexact = 0.03

// risk is the certificate. With q the posteriors given all sums of the workload and Z the largest of |q-p| in units of their
// limits, Z after any of its answers is at most E[Z | these answers], as the largest of convex functions is convex. So by Doob's
// inequality
//
//	P(somebody is ever unsafe) <= E(Z-k)^+ / (1-k) for every k < 1.
//
// The law of Z under the prior is taken from drawn tables. Where totals are published all that is said is conditional on them: the tables
// have these totals, every one with the same probability within a type, and the totals are among the sums. Each k has the empirical Bernstein
// margin of Maurer and Pontil for a variable in [0, R], mean + sqrt(2 V ln(2/f)/n) + 7 R ln(2/f)/(3(n-1)), with probability 1-f; the
// failures of all k add up to Failure, which is added. A table for which no engine finds the posteriors counts as R.
func (c *workloadCover) risk(m *model, w *Workload) (float64, error) {
	atoms := make([]posterior.Atom, len(c.groups))
	drawn := 0
	for i, cell := range c.groups {
		atoms[i] = m.atom(c.kinds[i], cell.people, middle)
		drawn += cell.people
	}
	if float64(drawn)*float64(w.Samples) > maxDrawn {
		return 1, invalid("a workload of %d people, of whom %d samples cannot be drawn", drawn, w.Samples)
	}
	d := draws{model: m, cover: c, bits: sampling.NewBits(seeded(w.Seed, [aes.BlockSize]byte{})), atoms: atoms, known: make(map[string]float64)}
	z, most := make([]float64, w.Samples), worstExcess(atoms)
	for i := range z {
		z[i] = d.excess(most)
		if i == firstDraws && doobBound(z[:i], most, 1) >= hopeless {
			return 1, nil
		}
	}
	if err := d.bits.Err(); err != nil {
		return 1, err
	}
	return min(1, doobBound(z, most, w.Failure)+w.Failure), nil
}

// After the first draws a workload is given up that is nowhere near a bound below 1, which no charge could pay: 1 is a bound of everything.
const (
	firstDraws = 500
	hopeless   = 0.9
)

// draws are tables drawn from what is believed before the first answer.
type draws struct {
	model *model
	cover *workloadCover
	bits  *sampling.Bits
	atoms []posterior.Atom
	known map[string]float64 // excess of small tables by their sums
}

// fewPeople is the number of people up to which posteriors are found by exact elimination, which is soon done again and again.
const fewPeople = 500

var smallElimination = posterior.EliminationLimit{States: 20_000, Operations: 500_000}

// excess draws a table and returns how far its sums take somebody.
func (d *draws) excess(most float64) float64 {
	counts := d.counts()
	system := posterior.System{Atoms: d.atoms, Sums: d.cover.sumsOf(counts)}
	key := ""
	if d.people() <= fewPeople {
		var k []byte
		for i := range system.Sums {
			k = binary.AppendUvarint(k, uint64(system.Sums[i].Value))
		}
		key = string(k)
		if z, ok := d.known[key]; ok {
			return z
		}
	}
	z := d.solve(system, key != "", most)
	if key != "" && len(d.known) < maxSamples {
		d.known[key] = z
	}
	return z
}

func (d *draws) people() int {
	n := 0
	for i := range d.atoms {
		n += d.atoms[i].People
	}
	return n
}

func (d *draws) solve(s posterior.System, small bool, most float64) float64 {
	if small {
		if q, err := s.EliminatedPosterior(smallElimination); err == nil {
			return min(most, excess(d.atoms, q))
		}
	}
	if q, err := s.SaddlepointPosterior(); err == nil {
		return min(most, excess(d.atoms, q)*(1+inexact))
	}
	q, exact, err := s.Posterior()
	switch {
	case err != nil:
		return most
	case exact:
		return min(most, excess(d.atoms, q))
	}
	return min(most, excess(d.atoms, q)*(1+inexact))
}

// counts are how many people of each cell have the value: independent people, or where totals are published as many of each type as these
// say, every choice with the same probability.
func (d *draws) counts() []int {
	counts := make([]int, len(d.atoms))
	var left, of []uint64 // people of each type with the value, and people, who are not drawn yet
	if d.model.totals {
		left, of = d.typeTotals()
	}
	for i := range d.atoms {
		kind := d.cover.kinds[i]
		p := sampling.Ratio{Of: uint64(math.Round(d.atoms[i].Prior[1] * (1 << 53))), All: 1 << 53}
		for range d.atoms[i].People {
			if d.model.totals {
				p = sampling.Ratio{Of: left[kind], All: of[kind]}
				of[kind]--
			}
			d.bits.Start()
			if d.bits.Bernoulli(p) {
				counts[i]++
				if d.model.totals {
					left[kind]--
				}
			}
		}
	}
	return counts
}

// typeTotals are the published totals of value 1, and the people of each type.
func (d *draws) typeTotals() (with, people []uint64) {
	with, people = make([]uint64, len(d.model.priors)), make([]uint64, len(d.model.priors))
	for i, cell := range d.cover.groups {
		people[d.cover.kinds[i]] += uint64(cell.people)
	}
	for t, prior := range d.model.Config.Types {
		with[t] = uint64(math.Round(prior.Prior[1] * float64(people[t])))
	}
	return with, people
}

// workloadSteps is how many values of k are tried.
const workloadSteps = 50

// doobBound is the least bound of all k, with the margins of drawn values in [0, most]; without margins if the failure is 1.
func doobBound(z []float64, most, failure float64) float64 {
	n := float64(len(z))
	level := math.Log(2 * workloadSteps / failure)
	if failure >= 1 {
		level = 0 // no margin
	}
	best := 1.0
	for step := range workloadSteps {
		k := float64(step) / workloadSteps
		sum, squares := 0.0, 0.0
		for _, x := range z {
			over := max(0, x-k)
			sum += over
			squares += over * over
		}
		mean := sum / n
		variance := max(0, squares-n*mean*mean) / (n - 1)
		margin := math.Sqrt(2*variance*level/n) + 7*max(0, most-k)*level/(3*(n-1))
		best = min(best, (mean+margin)/(1-k))
	}
	return best
}

// excess is the largest distance of a posterior from its prior, where 1 is the limit.
func excess(atoms []posterior.Atom, q [][]float64) float64 {
	z := 0.0
	for i := range atoms {
		if l := atoms[i].Limits; l != nil && atoms[i].People > 0 {
			p := atoms[i].Prior[1]
			z = max(z, (q[i][1]-p)/(l[1].High-p), (p-q[i][1])/(p-l[1].Low))
		}
	}
	return z
}

// worstExcess is the largest that excess can be.
func worstExcess(atoms []posterior.Atom) float64 {
	z := 0.0
	for i := range atoms {
		if l := atoms[i].Limits; l != nil {
			p := atoms[i].Prior[1]
			z = max(z, (1-p)/(l[1].High-p), p/(p-l[1].Low))
		}
	}
	return z
}
