package composition

import "math"

// A discrete Gaussian variable of variance v has P(Z = z) = exp(-z^2/2v)/theta, theta being the sum over all integers. One move by 1
// has the loss (2z+1)/2v under P; n moves have (2W+n)/2v, W being the sum of n draws. That is a lattice of step 1/v.

// wide is the variance from which sums of draws are discrete Gaussian themselves, but for a relative error of sumError for each.
//
// The convolution of two discrete Gaussians of variances a and b is at w exp(-w^2/2(a+b)) times the sum over z of
// exp(-(z-w')^2/2c), c = ab/(a+b), w' some number. By Poisson's summation formula that sum is sqrt(2 pi c) times 1 and at most
// 2(q + q^4 + ...), q = exp(-2 pi^2 c), more or less: the same for all w but for a relative error of 2.1 q. With a >= b = v, c is at least
// v/2. The normalised sum has twice that error. From v = 4 on q is below 8e-18.
const (
	wide     = 4
	sumError = 5e-17
)

// maxSpread bounds the standard deviation of W, and so what is tabulated.
const maxSpread = 1 << 17

// reach is how many standard deviations are tabulated: exp(-reach^2/2) = negligible.
const reach = 13.6

// moves is the loss of n moves of discrete Gaussian noise of variance v >= wide. ok is false if they are too many.
func moves(v float64, n int64) (d lattice, ok bool) {
	count := float64(n)
	variance := v * count
	spread := math.Sqrt(variance)
	if spread > maxSpread {
		return lattice{}, false
	}
	last := math.Ceil(reach * spread)
	theta := spread * math.Sqrt(2*math.Pi) // to 2 exp(-2 pi^2 4) = 1e-34
	d = lattice{low: (count - 2*last) / (2 * v), step: 1 / v, mass: make([]float64, int(2*last)+1)}
	for i := range d.mass {
		w := float64(i) - last
		d.mass[i] = math.Exp(-w*w/(2*variance)) / theta
	}
	d.lost = 4 * negligible
	d.margin = 100*slack + math.Expm1(count*sumError)
	return d, true
}

// oneMove is the loss of one move of discrete Gaussian noise of any variance, as atoms of step 1/v.
func oneMove(v float64) atoms {
	last := int(math.Ceil(reach*math.Sqrt(v))) + 1
	u := atoms{offset: 1 / (2 * v), step: 1 / v, first: int64(-last), mass: make([]float64, 2*last+1), margin: 100 * slack, dropped: 4 * negligible}
	var sum float64
	for i := range u.mass {
		z := float64(i - last)
		u.mass[i] = math.Exp(-z * z / (2 * v))
		sum += u.mass[i]
	}
	for i := range u.mass {
		u.mass[i] /= sum
	}
	return u
}

// atZero is P(Z = 0) of discrete Gaussian noise.
func atZero(v float64) float64 {
	if v >= wide {
		return 1 / math.Sqrt(2*math.Pi*v)
	}
	u := oneMove(v)
	return u.mass[len(u.mass)/2]
}
