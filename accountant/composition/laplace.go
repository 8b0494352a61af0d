package composition

import "math"

// oneLaplace is the loss of one move by 1 of continuous Laplace noise of rate r, discretised by connecting the dots on n steps of
// r/n from 0 to r.
//
// The loss l is r with probability 1/2, -r with exp(-r)/2, and has the density exp(-(r-l)/2)/4 between. So the mass of an interval
// [l, l+h] is a (exp(h/2) - 1) under P, and exp(-l) a (1 - exp(-h/2)) under Q, with a = exp(-(r-l)/2)/2.
func oneLaplace(r float64, n int) atoms {
	h := r / float64(n)
	u := atoms{step: h, first: int64(-n), mass: make([]float64, 2*n+1), margin: slack * (1 + r)}
	u.mass[0], u.mass[2*n] = math.Exp(-r)/2, 0.5
	// The difference of the two masses, 4 sinh^2(h/4) a, is written so that nothing cancels.
	rise, upper := math.Expm1(h/2), 4*math.Pow(math.Sinh(h/4), 2)/-math.Expm1(-h)
	for i := range 2 * n {
		a := math.Exp(-float64(2*n-i)*h/2) / 2
		u.mass[i+1] += a * upper
		u.mass[i] += a * (rise - upper)
	}
	return u
}
