package composition

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"tacit/policy"
	"testing"
)

// closeBound checks that a bound holds an exact value, and that it is within a share of it, or so much.
func closeBound(t *testing.T, what string, b Bound, exact, within float64) {
	t.Helper()
	switch {
	case b.Upper < exact:
		t.Errorf("%s: %v is below the exact %v", what, b.Upper, exact)
	case b.Upper-b.Error > exact:
		t.Errorf("%s: %v is said to be within %v of the exact %v", what, b.Upper, b.Error, exact)
	case b.Upper > exact*(1+within):
		t.Errorf("%s: %v, exactly %v", what, b.Upper, exact)
	}
}

// Against closed forms that package mechanisms and the literature have, of one move and of two.
func TestDeltaOfOneRelease(t *testing.T) {
	for _, c := range []struct {
		term           Term
		epsilon, delta float64
	}{
		{Term{Noise: LaplaceNoise, Epsilon: 1e9, Moves: 1}, 0.3, 0.29531191},
		{Term{Noise: LaplaceNoise, Epsilon: 2e9, Moves: 2}, 0.3, 0.390933722},
		{Term{Noise: GeometricNoise, Epsilon: 1e9, Moves: 1}, 0.3, 0.368025632},
		{Term{Noise: GeometricNoise, Epsilon: 2e9, Moves: 2}, 0.3, 0.436812049},
		{Term{Noise: DiscreteGaussianNoise, Variance: Ratio{4, 1}, Moves: 1, Squared: 1}, 0.5, 0.0540072237},
		{Term{Noise: DiscreteGaussianNoise, Variance: Ratio{4, 1}, Moves: 2, Squared: 2}, 0.5, 0.120956509},
	} {
		got := Delta(Tally{c.term: 1}, c.epsilon)
		if math.Abs(got.Upper-c.delta) > 1e-8 {
			t.Errorf("%v: delta(%v) is %v, want %v", c.term, c.epsilon, got, c.delta)
		}
	}
}

// TestDeltaOfGaussians compares with Balle and Wang's formula, computed here without any margin. Its own rounding is 1e-14 of each term at most. It fails
// if a bound is said to be closer than it is, of small losses or of large ones.
func TestDeltaOfGaussians(t *testing.T) {
	tail := func(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
	for _, releases := range []int64{1, 4, 16, 400, 10_000} {
		for _, epsilon := range []float64{0, 0.5, 3, 20} {
			mu := math.Sqrt(float64(releases) / 4)
			exact := tail(epsilon/mu-mu/2) - math.Exp(epsilon)*tail(epsilon/mu+mu/2)
			got := Delta(Tally{Term{Noise: GaussianNoise, Variance: Ratio{4, 1}, Squared: 1}: releases}, epsilon)
			closeBound(t, fmt.Sprintf("%d releases at epsilon %v", releases, epsilon), got, exact, 1e-6)
		}
	}
}

func TestLaplaceAgainstExactConvolution(t *testing.T) {
	for _, k := range []int64{1, 2, 3, 5, 10, 20} {
		if testing.Short() && k > 5 {
			continue
		}
		for i, rate := range []policy.Epsilon{1e7, 1e8, 5e8, 1e9, 4e9} {
			for j, share := range []float64{0.1, 0.3, 0.7, 0.95} {
				if testing.Short() && (i+j)%2 != 0 {
					continue
				}
				epsilon := share * float64(k) * float64(rate) / 1e9
				exact := float(exactLaplace(big.NewRat(int64(rate), 1e9), k, epsilon))
				if exact < 1e-15 {
					continue
				}
				term := Term{Noise: LaplaceNoise, Epsilon: rate, Moves: 1}
				what := fmt.Sprintf("%d of %v at %v", k, term, epsilon)
				closeBound(t, "delta of "+what, Delta(Tally{term: k}, epsilon), exact, 0.005)
				closeBound(t, "epsilon of "+what, Epsilon(Tally{term: k}, exact), epsilon, 0.002)
			}
		}
	}
}

// randomTally is of terms without Laplace and continuous Gaussian noise.
func randomTally(random *rand.Rand) Tally {
	tally := Tally{}
	outcomes := int64(1)
	for range 1 + random.IntN(3) {
		n, moves := 1+random.Int64N(6), 1+random.Int64N(3)
		e := policy.Epsilon(random.Int64N(100)+1) * policy.Epsilon(math.Pow(10, float64(4+random.IntN(5))))
		term := Term{Noise: GeometricNoise, Epsilon: e, Moves: moves}
		size := n*moves + 1
		switch random.IntN(4) {
		case 0:
			term = Approximate(e, policy.Delta(random.IntN(2)*random.IntN(1e15)))
		case 1:
			r, _ := RatioOf(big.NewRat(1+random.Int64N(60), 1+random.Int64N(12)))
			term = Term{Noise: DiscreteGaussianNoise, Variance: r, Moves: moves, Squared: moves}
			size = int64(34*math.Sqrt(r.float())+4) * n * moves
		}
		if outcomes*size > 500 {
			break
		}
		outcomes *= size
		tally[term] += n
	}
	return tally
}

func TestBoundsOfRandomTallies(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 6))
	tallies := 150
	if testing.Short() {
		tallies = 30
	}
	for range tallies {
		tally := randomTally(random)
		if len(tally) == 0 {
			continue
		}
		x := exactPair(tally)
		p, _ := independent(tally)
		epsilon := random.Float64() * min(2, 0.95*p.sum)
		exact := float(x.delta(epsilon))
		if beside := exact - p.everything; beside < 1e-3*exact || beside < 1e-14 || exact > 0.99 {
			continue // epsilon is ill-conditioned
		}
		closeBound(t, fmt.Sprintf("delta of %v at %v", tally, epsilon), Delta(tally, epsilon), exact, 0.02)
		closeBound(t, fmt.Sprintf("epsilon of %v at %v", tally, exact), Epsilon(tally, exact), epsilon, 0.01)
	}
}
