package mechanisms

import "math"

// deltaOfRho is a delta at epsilon of any rho-zCDP mechanism, the least that its Renyi divergences allow (Canonne, Kamath and Steinke
// 2020, Corollary 13): the infimum over orders a > 1 of exp((a-1)(a rho - epsilon)) (1-1/a)^a/(a-1).
//
// Every order gives a valid delta, so that the search may end anywhere.
func deltaOfRho(rho, epsilon float64) float64 {
	at := func(logOrder float64) float64 {
		b := math.Exp(logOrder) // a - 1
		a := 1 + b
		return b*(a*rho-epsilon) - a*math.Log1p(1/b) - logOrder
	}
	return min(1, math.Exp(at(minimize(at, -30, 30))))
}

// minimize returns a point where a function with one minimum in the interval is near it (golden section).
func minimize(f func(float64) float64, low, high float64) float64 {
	ratio := (math.Sqrt(5) - 1) / 2
	x, y := high-ratio*(high-low), low+ratio*(high-low)
	fx, fy := f(x), f(y)
	for high-low > 1e-9 {
		if fx < fy {
			high, y, fy = y, x, fx
			x = high - ratio*(high-low)
			fx = f(x)
		} else {
			low, x, fx = x, y, fy
			y = low + ratio*(high-low)
			fy = f(y)
		}
	}
	return (low + high) / 2
}
