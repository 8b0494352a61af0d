package posterior

import (
	"fmt"
	"math"

	"tacit/auditor/posterior/internal/linear"
)

// A categoricalPopulation has any number of values. An atom's counts are multinomial with n people and tilted probabilities
// p_j ~ prior_j exp(sum of the multipliers of the sums c that count value j), b_c(j) = 1 if c does, and B_c(j) = b_c(j) - p(c).
//
// With people X drawn from p, the cumulants of sums are n E[B_c(X) B_d(X)] and n E[B_c(X) B_d(X) B_e(X)], so that the first-order
// correction of a booleanPopulation becomes, for h(j) = sum over c, d of B_c(j) (H^-1)_cd B_d(j):
//
//	q_j = p_j ( 1 - ( h(j) - E h(X) - sum over c of B_c(j) r_c )/2 ),   r = H^-1 w,   w_c = sum over atoms of n E[ B_c(X) h(X) ]
type categoricalPopulation struct {
	*incidence
	values     int
	people     []float64
	prior      []float64 // atoms by values, as the people were drawn
	support    []float64 // the same on the values that are still possible, and 0 elsewhere
	limits     [][]Limit // nil: exempt
	exact      []bool
	shifted    []float64 // tilted
	leverage   []float64
	out        []float64
	correction []float64
	log        float64 // see population.logMoment

	sums   []int      // of one atom
	sets   []ValueSet // that they count
	shares []float64  // p(c)
}

func newCategoricalPopulation(l *linked, in *incidence) (*categoricalPopulation, error) {
	values := len(l.Atoms[l.atoms[0]].Prior)
	size := len(l.atoms) * values
	c := &categoricalPopulation{incidence: in, values: values, people: make([]float64, len(l.atoms)), prior: make([]float64, size),
		support: make([]float64, size), limits: make([][]Limit, len(l.atoms)), exact: make([]bool, size), shifted: make([]float64, size),
		leverage: make([]float64, size), out: make([]float64, size), correction: make([]float64, len(in.values))}
	for i, a := range l.atoms {
		atom := &l.Atoms[a]
		if atom.Spread > 0 {
			return nil, fmt.Errorf("%w: a shared rate of more than two values", ErrNotCertified)
		}
		c.people[i], c.limits[i] = float64(atom.People), atom.Limits
		copy(c.prior[i*values:], atom.Prior)
		total := 0.0
		for j, p := range atom.Prior {
			if l.support[a].Has(j) {
				c.support[i*values+j] = p
				total += p
			}
		}
		for j := range values {
			c.support[i*values+j] /= total
		}
	}
	return c, nil
}

// of sets sums, sets and shares for an atom.
func (c *categoricalPopulation) of(a int) {
	c.sums, c.sets, c.shares = c.sums[:0], c.sets[:0], c.shares[:0]
	if i := c.first[a]; i >= 0 {
		c.sums, c.sets = append(c.sums, int(i)), append(c.sets, c.firstSet[a])
	}
	for e := c.start[a]; e < c.start[a+1]; e++ {
		c.sums, c.sets = append(c.sums, c.family+int(c.other[e])), append(c.sets, c.otherSet[e])
	}
	for _, set := range c.sets {
		c.shares = append(c.shares, c.share(a, set))
	}
}

// share is the tilted probability of a set of values.
func (c *categoricalPopulation) share(a int, set ValueSet) float64 {
	sum := 0.0
	for j, p := range c.row(c.shifted, a) {
		if set.Has(j) {
			sum += p
		}
	}
	return sum
}

func (c *categoricalPopulation) row(x []float64, a int) []float64 {
	return x[a*c.values : (a+1)*c.values]
}

func (c *categoricalPopulation) logMoment() float64 { return c.log }

func (c *categoricalPopulation) tilt(multipliers []float64) {
	c.log = 0
	for a, n := range c.people {
		c.of(a)
		tilted, top := c.row(c.shifted, a), math.Inf(-1)
		for j, p := range c.row(c.support, a) {
			tilted[j] = math.Inf(-1)
			if p > 0 {
				tilted[j] = math.Log(p)
			}
			for s, set := range c.sets {
				if set.Has(j) {
					tilted[j] += multipliers[c.sums[s]]
				}
			}
			top = max(top, tilted[j])
		}
		total := 0.0
		for j, x := range tilted {
			tilted[j] = math.Exp(x - top)
			total += tilted[j]
		}
		for j := range tilted {
			tilted[j] /= total
		}
		c.log += n * (top + math.Log(total))
	}
}

func (c *categoricalPopulation) subtractMeans(sums []float64) {
	for a, n := range c.people {
		c.of(a)
		for s, i := range c.sums {
			sums[i] -= n * c.shares[s]
		}
	}
}

func (c *categoricalPopulation) covariances(g *linear.Gram) {
	g.Clear()
	for a, n := range c.people {
		c.of(a)
		rest := len(c.sums) - int(c.start[a+1]-c.start[a]) // 1 if the atom is in the family
		for s, i := range c.sums {
			for t, j := range c.sums[:s+1] {
				covariance := n * (c.share(a, c.sets[s]&c.sets[t]) - c.shares[s]*c.shares[t])
				switch {
				case s < rest:
					g.Diagonal[i] += covariance
				case t < rest:
					g.Cross[c.slot[int(c.start[a])+s-rest]] += covariance
				default:
					g.Dense[(i-c.family)*g.Rest+j-c.family] += covariance
				}
			}
		}
	}
}

func (c *categoricalPopulation) posteriors(g *linear.Gram) []float64 {
	w := c.correction
	clear(w)
	for a, n := range c.people {
		c.of(a)
		h := c.row(c.leverage, a)
		for j := range h {
			h[j] = c.quadratic(j, g)
			for s, i := range c.sums {
				w[i] += n * c.row(c.shifted, a)[j] * c.centred(s, j) * h[j]
			}
		}
	}
	g.Solve(w)
	for a := range c.people {
		c.of(a)
		tilted, h := c.row(c.shifted, a), c.row(c.leverage, a)
		mean := linear.Dot(tilted, h)
		for j, p := range tilted {
			x := h[j] - mean
			for s, i := range c.sums {
				x -= c.centred(s, j) * w[i]
			}
			c.row(c.out, a)[j] = p * (1 - x/2)
		}
	}
	return c.out
}

// centred is B_c(j) of the s-th sum of the current atom.
func (c *categoricalPopulation) centred(s, j int) float64 {
	if c.sets[s].Has(j) {
		return 1 - c.shares[s]
	}
	return -c.shares[s]
}

func (c *categoricalPopulation) quadratic(j int, g *linear.Gram) float64 {
	h := 0.0
	for s := range c.sums {
		for t := range c.sums {
			h += c.centred(s, j) * c.centred(t, j) * g.Between(c.sums[s], c.sums[t])
		}
	}
	return h
}

func (c *categoricalPopulation) noteDetermined() {
	for i, p := range c.shifted {
		mean := c.people[i/c.values] * p
		c.exact[i] = mean*(1-p)-mean*mean*c.leverage[i] < noDeviation
	}
}

func (c *categoricalPopulation) excess(posteriors []float64, margin float64) float64 {
	z := 0.0
	for a := range c.people {
		if c.limits[a] == nil {
			continue
		}
		for j, q := range c.row(posteriors, a) {
			p := c.row(c.prior, a)[j]
			if p <= 0 {
				continue
			}
			x := c.limits[a][j].around(p).excess(p, q)
			if t := c.row(c.shifted, a)[j]; !c.exact[a*c.values+j] {
				x /= 1 - widen(margin, c.people[a]*t*(1-t))
			}
			z = max(z, x)
		}
	}
	return z
}

func (c *categoricalPopulation) variance(a int) float64 {
	least := math.Inf(1)
	for j, p := range c.row(c.shifted, a) {
		if c.row(c.support, a)[j] > 0 {
			least = min(least, c.people[a]*p*(1-p))
		}
	}
	return least
}

func (c *categoricalPopulation) tilted() []float64 { return c.shifted }

func (c *categoricalPopulation) against(r row, sums []float64) float64 {
	variance := 0.0
	for _, a := range r.atoms {
		c.of(int(a))
		n, share := c.people[a], c.share(int(a), r.set)
		variance += n * share * (1 - share)
		for s, i := range c.sums {
			sums[i] += n * (c.share(int(a), r.set&c.sets[s]) - share*c.shares[s])
		}
	}
	return variance
}

func (c *categoricalPopulation) mean(posteriors []float64, r row) float64 {
	sum := 0.0
	for _, a := range r.atoms {
		for j, q := range c.row(posteriors, int(a)) {
			if r.set.Has(j) {
				sum += c.people[a] * q
			}
		}
	}
	return sum
}

func (c *categoricalPopulation) spell(posteriors []float64, a int, out []float64) {
	copy(out, c.row(posteriors, a))
}
