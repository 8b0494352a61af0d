package normal

import (
	"math"
	"testing"
)

func near(got, want, relative float64) bool { return math.Abs(got-want) <= relative*math.Abs(want) }

// Computed with 50 digits in mpmath. Delta is rounded up, and not by more than its margin, of which terms that are much larger than
// their difference make more.
func TestDelta(t *testing.T) {
	for _, c := range []struct{ epsilon, sigma, delta, relative float64 }{
		{1e-6, 1000, 0.0003984426624712682, 1e-8},
		{0.001, 1e5, 0, 0},
		{0.1, 60, 2.739468903418913e-12, 1e-9},
		{1, 4, 2.924272104856407e-6, 1e-10},
		{10, 0.5, 9.940202816118153e-6, 1e-10},
		{100, 0.1, 1.879717002051916e-7, 1e-10},
		{700, 0.05, 1.356662127752497e-138, 1e-9},
		{900, 0.04, 1.049857812601929e-122, 1e-9},
		{5, 1. / 16, 0.9999999999999855, 1e-11},
		{0, 3, 0.1323676652218073, 1e-10},
		{1e-9, 1e6, 3.984424800717609e-7, 1e-5},
	} {
		got := Delta(1/c.sigma, c.epsilon)
		if got < c.delta*(1-1e-15) || !near(got, c.delta, c.relative) {
			t.Errorf("delta(%v) of sigma %v is %.16g, want %.16g", c.epsilon, c.sigma, got, c.delta)
		}
	}
}

func TestScaledErfc(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{0, 1}, {0.5, 0.61569034419292587}, {3, 0.17900115118138995}, {10, 0.056140992743822586}, {24.999, 0.022550473014042084},
		{25, 0.022549572432641359}, {25.001, 0.022548671923112327}, {40, 0.014100335983377814}, {1e3, 0.00056418930145338765}, {1e8, 5.6418958354775629e-9},
	} {
		if got := ScaledErfc(c.x); !near(got, c.want, 2e-13) {
			t.Errorf("exp(x^2) erfc(x) at %v is %.17g, want %.17g", c.x, got, c.want)
		}
	}
}
