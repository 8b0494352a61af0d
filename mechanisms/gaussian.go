package mechanisms

import (
	"math"
	"math/big"
	"sync"

	"tacit/internal/normal"
	"tacit/mechanisms/sampling"
)

// A gaussian is a Gaussian distribution of mean 0, either rounded to the nearest integer,
//
//	P(Z >= k) = Phi((1/2 - k)/sigma),
//
// or the discrete one, P(Z = z) = exp(-z^2/(2 sigma^2))/(sum over all integers) (Canonne, Kamath and Steinke 2020).
type gaussian struct {
	variance sampling.Variance
	sigma    float64
	discrete bool
	sampler  *sampling.Gaussian // of the bits that it was first drawn from

	once  sync.Once // makes what follows
	table []gaussianTail
	total float64 // of exp(-z^2/(2 sigma^2)), if discrete
}

// A gaussianTail holds sums over z >= k: of the probabilities, of P(Z >= z), and of (2z-1) P(Z >= z).
type gaussianTail struct{ tail, excess, squares float64 }

func newGaussian(v sampling.Variance, discrete bool) *gaussian {
	return &gaussian{variance: v, sigma: math.Sqrt(v.Float()), discrete: discrete}
}

func (g *gaussian) draw(b *sampling.Bits) int64 {
	if g.sampler == nil {
		g.sampler = b.Gaussian(g.variance)
	}
	if g.discrete {
		return g.sampler.Discrete()
	}
	return g.sampler.Rounded()
}

// smooth is the sigma from which sums are computed as integrals, by the midpoint rule's first correction: the sum of f(k - 1/2) over
// k > j is the integral of f from j on and f'(j)/24. What is left out is some sigma^-4 of the result.
const smooth = 1000

func (g *gaussian) probability(z int64) float64 {
	x := math.Abs(float64(z))
	switch {
	case g.discrete:
		return math.Exp(-x*x/(2*g.sigma*g.sigma)) / g.weight()
	case z == 0:
		return math.Erf(0.5 / (math.Sqrt2 * g.sigma))
	case g.sigma <= smooth:
		return g.upperTail(int64(x)) - g.upperTail(int64(x)+1)
	}
	return g.density(x) * (1 + (x*x/(g.sigma*g.sigma)-1)/(24*g.sigma*g.sigma))
}

// logRatio of the rounded distribution is that of the discrete one, up to a share of 1/(12 sigma^2), from smooth on.
func (g *gaussian) logRatio(z int64) float64 {
	switch {
	case g.discrete || g.sigma > smooth:
		return (2*float64(z) + 1) / (2 * g.sigma * g.sigma)
	case z < 0:
		return -g.logRatio(-1 - z)
	case z == 0:
		return math.Log(g.probability(0)) - g.logRounded(1)
	}
	return g.logRounded(z) - g.logRounded(z+1)
}

// logRounded is ln P(Z = z) of the rounded distribution, for z >= 1, however small the probability.
func (g *gaussian) logRounded(z int64) float64 {
	near, far := g.logBeyond(float64(z)-0.5), g.logBeyond(float64(z)+0.5)
	return near + math.Log(-math.Expm1(far-near))
}

// weight is the sum of exp(-z^2/(2 sigma^2)) over all integers, which by Poisson's summation formula is that of the integral from
// sigma = 2 on.
func (g *gaussian) weight() float64 {
	if g.sigma > smooth {
		return g.sigma * math.Sqrt(2*math.Pi)
	}
	g.tabulate()
	return g.total
}

// density is that of the continuous Gaussian.
func (g *gaussian) density(x float64) float64 {
	return math.Exp(-x*x/(2*g.sigma*g.sigma)) / (g.sigma * math.Sqrt(2*math.Pi))
}

// logBeyond is ln P(X > x) for the continuous Gaussian and x >= 0.
func (g *gaussian) logBeyond(x float64) float64 {
	u := x / (math.Sqrt2 * g.sigma)
	return -u*u + math.Log(normal.ScaledErfc(u)/2)
}

// beyond is P(X > x) for the continuous Gaussian.
func (g *gaussian) beyond(x float64) float64 { return math.Erfc(x/(math.Sqrt2*g.sigma)) / 2 }

func (g *gaussian) upperTail(k int64) float64 {
	x := float64(k) - 0.5
	switch {
	case !g.discrete:
		return g.beyond(x)
	case g.sigma > smooth:
		return g.beyond(x) - x/(g.sigma*g.sigma)*g.density(x)/24
	}
	return g.from(k).tail
}

func (g *gaussian) logUpperTail(k int64) float64 {
	if g.discrete {
		return math.Log(g.upperTail(k))
	}
	return g.logBeyond(float64(k) - 0.5)
}

func (g *gaussian) excess(j int64) (excess, squares float64) {
	if g.sigma <= smooth {
		f := g.from(j + 1)
		return f.excess, f.squares
	}
	x, s2 := float64(j), g.sigma*g.sigma
	tail, density := g.beyond(x), g.density(x)
	excess = s2*density - x*tail
	squares = s2*(x*density+tail) - x*x*tail
	if g.discrete {
		return excess - density/12, squares - x*density/6
	}
	return excess - density/24, squares + (tail-x*density)/12
}

func (g *gaussian) tailBelow(p *big.Rat) int64 { return searchTail(p, g.upperTail) }

// from returns the sums over z >= k, for k >= 1.
func (g *gaussian) from(k int64) gaussianTail {
	g.tabulate()
	if uint64(k) >= uint64(len(g.table)) { // or j+1 overflowed
		return gaussianTail{}
	}
	return g.table[k]
}

// lastTabled is the last value in the table: terms beyond 39 sigma are below the smallest number.
func lastTabled(sigma float64) int64 { return int64(39*sigma) + 2 }

// weightOf is exp(-k^2/(2 sigma^2)).
func (g *gaussian) weightOf(k int64) float64 {
	x := float64(k)
	return math.Exp(-x * x / (2 * g.sigma * g.sigma))
}

// tabulate sums up from the smallest term to the largest. The variances that are found with these sums follow from their last digits: see
// [Config.discreteGaussianDoes] and [tableTail].
func (g *gaussian) tabulate() {
	g.once.Do(func() {
		last := lastTabled(g.sigma)
		g.table = make([]gaussianTail, last+1)
		g.total = 1
		var sum gaussianTail
		for k := last; k >= 1; k-- {
			if g.discrete {
				sum.tail += g.weightOf(k)
			} else {
				sum.tail = g.beyond(float64(k) - 0.5)
			}
			sum.excess += sum.tail
			sum.squares += (2*float64(k) - 1) * sum.tail
			g.table[k] = sum
		}
		if !g.discrete {
			return
		}
		g.total = 1 + 2*sum.tail
		for k := range g.table {
			g.table[k].tail /= g.total
			g.table[k].excess /= g.total
			g.table[k].squares /= g.total
		}
	})
}
