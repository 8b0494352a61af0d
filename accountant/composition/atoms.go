package composition

import "math"

// Atoms are the distribution of a privacy loss of one release under P, on the points offset + i step for i >= first.
//
// Losses that are not on such points are moved to them by connecting the dots (Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022,
// section 3): those in [l, l+h], whose masses are p under P and q under Q, go to the two ends so that both masses are kept, which puts
//
//	(p - exp(l) q)/(1 - exp(-h))
//
// of p at the upper end, and the rest at the lower one. An outcome that was split so can be told together again without knowing P from Q:
// what is split dominates what was. The delta at each point is exact, and between two points it is the chord.
type atoms struct {
	offset, step float64
	first        int64
	mass         []float64
	// margin bounds the relative error of masses, or of what of them is at a point and not at its neighbour.
	margin float64
	// dropped bounds the mass that was left out.
	dropped float64
}

// A part of a composition is so many copies of atoms. All parts of one have the same step.
type part struct {
	atoms
	n int64
}

// A composed loss is the sum of independent ones.
type composed []part

// low is the smallest loss, and span how many steps above it the largest one is.
func (c composed) low() float64 {
	var low float64
	for _, p := range c {
		low += float64(p.n) * (p.offset + float64(p.first)*p.step)
	}
	return low
}

func (c composed) span() float64 {
	var span float64
	for _, p := range c {
		span += float64(p.n) * float64(len(p.mass)-1)
	}
	return span
}

// cumulants are those of the sum tilted by lambda: ln E[exp(lambda L)], and the mean and the variance of L in proportion to exp(lambda L).
type cumulants struct{ log, mean, variance float64 }

func (c composed) cumulants(lambda float64) cumulants {
	var sum cumulants
	for _, p := range c {
		k := p.atoms.cumulants(lambda)
		n := float64(p.n)
		sum.log, sum.mean, sum.variance = sum.log+n*k.log, sum.mean+n*k.mean, sum.variance+n*k.variance
	}
	return sum
}

func (u atoms) cumulants(lambda float64) cumulants {
	end := u.loss(len(u.mass) - 1) // the one whose weight is 1; it has some mass
	if lambda < 0 {
		end = u.loss(0)
	}
	var weight, first, second float64
	for i, p := range u.mass {
		l := u.loss(i)
		w := p * math.Exp(lambda*(l-end))
		weight, first, second = weight+w, first+w*l, second+w*l*l
	}
	mean := first / weight
	return cumulants{math.Log(weight) + lambda*end, mean, max(0, second/weight-mean*mean)}
}

func (u atoms) loss(i int) float64 { return u.offset + float64(u.first+int64(i))*u.step }

// tiltFor is the lambda under which the mean is about the epsilon of delta, or somewhat above it: there
//
//	E[exp(lambda (L-mean))] max over x > 0 of exp(-lambda x) (1-exp(-x)),
//
// which bounds the delta of the mean, is delta. (Without the maximum, lambda^lambda/(1+lambda)^(1+lambda), it would be Chernoff's bound, which
// does not fall below the probability of the largest loss.)
func (c composed) tiltFor(delta float64) float64 {
	return c.search(func(lambda float64) bool {
		k := c.cumulants(lambda)
		return k.log-lambda*k.mean-lambda*math.Log1p(1/lambda)-math.Log1p(lambda) < math.Log(delta)
	})
}

// tiltTo is the lambda under which the mean is epsilon, 0 if it is above it without.
func (c composed) tiltTo(epsilon float64) float64 {
	return c.search(func(lambda float64) bool { return c.cumulants(lambda).mean > epsilon })
}

// search finds where beyond becomes true as lambda grows, to some digits. Where it never does, nearly all mass is at the largest loss.
func (c composed) search(beyond func(lambda float64) bool) float64 {
	limit := 50 / c[0].step
	low, high := 0.0, 1e-6*limit
	for high < limit && !beyond(high) {
		low, high = high, 4*high
	}
	for range 20 {
		if middle := (low + high) / 2; beyond(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return low
}
