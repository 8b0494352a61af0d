package mechanisms

import (
	"math"
	"sync"

	"tacit/accountant/composition"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// An additive mechanism adds independent noise Z to every cell, and shows the sum. If it suppresses (dp-suppression), sums below k are
// withheld, and if it does not keep negative sums, these are shown as 0: both are post-processing of the sum, and cost nothing. That is
// the sound form of the published suppression, which shows the true count beside the decision (see [publishedSuppression]).
//
// Adjacency: add-remove or replace-one, as configured; the scale of the noise follows from it.
//
// Sensitivity: with D1 = s under add-remove and 2s under replace-one, the vector of counts moves by at most D1 in the l1 norm, s being
// Config.Sensitivity, and by at most D2 = sqrt(D1 c) in the l2 norm, c being Config.PerCell.
//
// Guarantee and theorem, by kind:
//
//   - geometric (and dp-suppression): discrete Laplace noise, P(Z = z) = (1-a)/(1+a) a^|z|, a = exp(-epsilon/D1). (epsilon, 0): the
//     probability of any vector of sums changes by a factor of at most a^-D1 (Ghosh, Roughgarden and Sundararajan 2009, section 2).
//   - laplace: a continuous Laplace variable of scale D1/epsilon, rounded to the nearest integer. (epsilon, 0): rounding a sum of an
//     integer and noise is rounding the noise, which is post-processing of the Laplace mechanism (Dwork, McSherry, Nissim and Smith 2006).
//     Its delta at a smaller epsilon is a little below that of the continuous noise. (Zhu et al. 2023 and Das et al. 2024 add Lap(2/epsilon)
//     and mean replace-one; Liu and Zhao 2023 add Lap(1/epsilon) and mean add-remove: both are this.)
//   - gaussian: a continuous Gaussian variable, rounded to the nearest integer. (epsilon, delta) by one of three calibrations (see
//     [Config.gaussianVariance]).
//   - discrete-gaussian: P(Z = z) proportional to exp(-z^2/(2 sigma^2)) (Canonne, Kamath and Steinke 2020). (epsilon, delta), with sigma
//     found from the exact delta if a person is in one cell with 1, and from D2^2/(2 sigma^2)-zCDP otherwise. (Zhu et al. 2023 state
//     (epsilon^2/2 + epsilon sqrt(2 ln(1/delta)), delta) for sigma = 2/epsilon: true if 4/epsilon^2 is the variance, and loose; false if it
//     is the standard deviation, as their text says.)
type additive struct {
	noise        noise
	config       Config
	keepNegative bool
	// k is the least sum that is shown; 0 if none is withheld.
	k    int64
	fill policy.Fill
	// halfWidth is that of 95% of draws. It is found when it is first asked for, which takes longer than the rest of New.
	halfWidth func() int64
}

// makeAdditive completes a mechanism that adds noise.
func (m *Mechanism) makeAdditive() error {
	c := m.config
	a := additive{config: c, keepNegative: c.KeepNegative}
	switch c.Kind {
	case policy.Geometric:
		a.noise = newDiscreteLaplace(c.Epsilon, c.distance())
	case policy.DPSuppression:
		a.noise, a.k, a.fill = newDiscreteLaplace(c.Epsilon, c.distance()), c.K, c.Fill
	case policy.Laplace:
		a.noise = roundedLaplace{newDiscreteLaplace(c.Epsilon, c.distance())}
	case policy.Gaussian:
		v, err := c.gaussianVariance()
		if err != nil {
			return err
		}
		a.noise = newGaussian(v, false)
	case policy.DiscreteGaussian:
		v, err := c.discreteGaussianVariance()
		if err != nil {
			return err
		}
		a.noise = newGaussian(v, true)
	default:
		panic("mechanisms: internal error: no noise of kind " + string(c.Kind))
	}
	a.halfWidth = sync.OnceValue(func() int64 { return halfWidth95(a.noise) })
	if c.Margins != nil {
		m.method = fitted{a, c.Margins}
		return nil
	}
	m.method, m.selection = a, sync.OnceValue(func() selection { return c.newSelection(a.noise) })
	return nil
}

func (a additive) sanitize(bits *sampling.Bits, h Histogram) Cells {
	cells := Cells{Counts: make([]int64, len(h.Counts))}
	for i, n := range h.Counts {
		cells.Counts[i] = addSaturating(n, a.noise.draw(bits))
	}
	switch {
	case a.k > 0:
		cells.suppressBelow(a.k, a.fill)
	case !a.keepNegative:
		for i, noisy := range cells.Counts {
			cells.Counts[i] = max(0, noisy)
		}
	}
	return cells
}

// suppressBelow withholds counts, or puts the published value in their place.
func (c *Cells) suppressBelow(k int64, fill policy.Fill) {
	if fill.Kind == policy.FillNull {
		c.Suppressed = make([]bool, len(c.Counts))
	}
	for i, n := range c.Counts {
		if n < k {
			c.suppress(i, k, fill)
		}
	}
}

// suppress withholds a count; its value goes, too. The threshold k is that which was applied.
func (c *Cells) suppress(i int, k int64, fill policy.Fill) {
	switch fill.Kind {
	case policy.FillNull:
		c.Counts[i], c.Suppressed[i] = 0, true
	case policy.FillHalf:
		c.Counts[i] = floorHalf(k)
	default:
		c.Counts[i] = fill.Value
	}
}

func floorHalf(k int64) int64 { return k >> 1 }

// addSaturating returns n + z, held within int64. z is within int64 (see sampling.Bits.Geometric), so a result that was held is
// still a function of the unbounded sum n + z: post-processing. It is for bounds of noise that no sound source ever reaches.
func addSaturating(n, z int64) int64 {
	sum := n + z
	// The sum overflowed iff both operands have the sign that the sum lacks; it is then held at the end that the operands point to.
	if (n^sum)&(z^sum) < 0 {
		return math.MaxInt64 ^ (n >> 63)
	}
	return sum
}

// guarantee is the exact profile of what is shown for a person who is 1 in one cell (or leaves one cell for another): withheld and
// clamped sums tell less, but not of large counts. For other bounds of a person it is a bound.
func (a additive) guarantee(adjacency policy.Adjacency) Guarantee {
	c := a.config
	c.Adjacency, c.Parts = adjacency, 1
	g := Guarantee{Adjacency: adjacency, Pure: math.Inf(1), Exact: c.Sensitivity == 1}
	cells := float64(c.distance()) // that move by 1
	switch z := a.noise.(type) {
	case discreteLaplace:
		epsilon := float64(z.s) / float64(z.t)
		g.Pure, g.Rho = cells*epsilon, cells*epsilon*math.Tanh(epsilon/2)
		g.laplaceDelta(z, c)
	case roundedLaplace:
		epsilon := float64(z.s) / float64(z.t)
		g.Pure, g.Rho = cells*epsilon, cells*(epsilon+math.Expm1(-epsilon))
		g.laplaceDelta(z, c)
	case *gaussian:
		g.Rho = float64(c.squaredDistance()) / (2 * z.sigma * z.sigma)
		switch {
		case z.discrete:
			g.delta = c.discreteGaussianProfile(z.sigma, 0, tabled)
		case c.Sensitivity > 1 || z.sigma > smooth:
			g.Exact = false
			g.delta = func(epsilon float64) float64 {
				return gaussianDelta(epsilon, z.sigma, math.Sqrt(float64(c.squaredDistance())))
			}
		case adjacency == policy.AddRemove:
			g.delta = func(epsilon float64) float64 { return oneCell(z, epsilon) }
		default:
			g.delta = roundedGaussianPair(z).delta
		}
	}
	if c.Sensitivity > 1 && !math.IsInf(g.Pure, 1) {
		g.Rho = g.Pure * math.Tanh(g.Pure/2) // that of randomized response
	}
	return g
}

// laplaceDelta sets the delta of noise with a pure epsilon.
func (g *Guarantee) laplaceDelta(z noise, c Config) {
	pure := g.Pure
	switch {
	case c.Sensitivity > 1:
		g.delta = func(epsilon float64) float64 { return randomizedResponseDelta(pure, epsilon) }
	case c.Adjacency == policy.AddRemove:
		g.delta = func(epsilon float64) float64 { return oneCell(z, epsilon) }
	default:
		g.delta = laplacePair(z).delta
	}
}

// discreteGaussianProfile is the exact delta of discrete Gaussian noise for a person who is 1 in one cell; otherwise that of its zCDP. It
// is rounded up by a relative error of probabilities, whose tails are summed up in one of two ways.
func (c Config) discreteGaussianProfile(sigma, margin float64, sums summation) func(epsilon float64) float64 {
	z := &gaussian{sigma: sigma, discrete: true}
	switch {
	case c.Sensitivity > 1, c.Parts > 1:
		rho := c.jointDistance() / (2 * sigma * sigma)
		return func(epsilon float64) float64 { return composition.DeltaOfRho(rho, epsilon) * (1 + margin) }
	case c.Adjacency == policy.AddRemove:
		return func(epsilon float64) float64 { return oneCellWithin(sums(z), epsilon, margin) }
	}
	return discreteGaussianPair(z, margin, sums)
}
