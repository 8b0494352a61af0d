package battery

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// geometric has P(Z >= k) = a^k for k >= 0.
func geometric(a float64) Distribution {
	upper := func(k int64) float64 { return math.Pow(a, float64(max(0, k))) }
	return Distribution{Upper: upper, PMF: func(z int64) float64 { return upper(z) - upper(z+1) }}
}

func TestEdges(t *testing.T) {
	for _, c := range []struct {
		n    int
		want []int64
	}{
		// 1000 draws expect 500, 250, 125, 62.5 and a tail of 62.5.
		{1000, []int64{1, 2, 3, 4}},
		// 100: 50 and 50. 99: no bin but one.
		{100, []int64{1}},
		{99, nil},
	} {
		if diff := cmp.Diff(c.want, geometric(0.5).edges(c.n)); diff != "" {
			t.Errorf("%d draws: %s", c.n, diff)
		}
	}
	// With a ratio of 0.99, 1000 draws expect 10, 9.9, ... of each value: bins hold several, and 50 or more.
	d := geometric(0.99)
	edges := d.edges(1000)
	for i := 1; i < len(edges); i++ {
		if in := 1000 * (d.Upper(edges[i-1]) - d.Upper(edges[i])); in < 50-1e-9 || in > 60 {
			t.Errorf("a bin expects %v", in)
		}
	}
	if len(edges) < 15 {
		t.Errorf("%d edges", len(edges))
	}
}

// The statistic of counts that are made up: 520, 240, 120, 60, 60 where 500, 250, 125, 62.5, 62.5 are expected.
func TestChiSquaredOfGivenCounts(t *testing.T) {
	var draws []int64
	for z, count := range []int{520, 240, 120, 60, 50, 10} {
		for range count {
			draws = append(draws, int64(z))
		}
	}
	want := 400.0/500 + 100.0/250 + 25.0/125 + 2*6.25/62.5
	if got, freedom := ChiSquared(geometric(0.5), draws); math.Abs(got-want) > 1e-9 || freedom != 4 {
		t.Errorf("%v with %d degrees of freedom, want %v with 4", got, freedom, want)
	}
}

func TestChiSquaredTellsDistributionsApart(t *testing.T) {
	random := rand.New(rand.NewChaCha8([32]byte{1}))
	draws := make([]int64, 200_000)
	for i := range draws {
		draws[i] = int64(math.Log(1-random.Float64()) / math.Log(0.9))
	}
	for _, c := range []struct {
		a    float64
		same bool
	}{{0.9, true}, {0.905, false}, {0.895, false}} {
		if statistic, freedom := ChiSquared(geometric(c.a), draws); (statistic <= Limit(freedom)) != c.same {
			t.Errorf("ratio 0.9 against %v: %.0f, limit %.0f", c.a, statistic, Limit(freedom))
		}
	}
}

// With 2 degrees of freedom a chi-squared variable exceeds x with probability exp(-x/2); with 4 with (1+x/2) exp(-x/2).
func TestLimit(t *testing.T) {
	if p := math.Exp(-Limit(2) / 2); p > FalseFailure || p < FalseFailure/100 {
		t.Errorf("2 degrees of freedom exceed the limit with probability %v", p)
	}
	if p := (1 + Limit(4)/2) * math.Exp(-Limit(4)/2); p > FalseFailure || p < FalseFailure/100 {
		t.Errorf("4 degrees of freedom exceed the limit with probability %v", p)
	}
	if Limit(0) != 0 {
		t.Errorf("no freedom: %v", Limit(0))
	}
}

func TestHoeffding(t *testing.T) {
	if p := 2 * math.Exp(-2*1000*math.Pow(Hoeffding(1000), 2)); math.Abs(p/FalseFailure-1) > 1e-9 {
		t.Errorf("the bound is %v at that distance, want %v", p, FalseFailure)
	}
}

// Randomized response with probability e/(1+e) has delta 0 at epsilon 1, and (e - exp(1/2))/(1+e) at 1/2.
func TestHockeyStick(t *testing.T) {
	p := []float64{math.E / (1 + math.E), 1 / (1 + math.E)}
	q := []float64{p[1], p[0]}
	for epsilon, want := range map[float64]float64{1: 0, 0.5: (math.E - math.Exp(0.5)) / (1 + math.E), 0: p[0] - p[1]} {
		if got := HockeyStick(epsilon, p, q); math.Abs(got-want) > 1e-15 {
			t.Errorf("epsilon %v: delta %v, want %v", epsilon, got, want)
		}
	}
	// Two of them: epsilon 2 in all, and the squares of p[0] and p[1] matter.
	if got, want := HockeyStick(1, Product(p, p), Product(q, q)), p[0]*p[0]-math.E*p[1]*p[1]; math.Abs(got-want) > 1e-15 {
		t.Errorf("two: delta %v, want %v", got, want)
	}
}
