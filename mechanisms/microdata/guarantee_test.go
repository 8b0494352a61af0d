package microdata

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

const half = policy.Epsilon(perEpsilon / 2)

func closeTo(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got-want) <= relative*math.Abs(want)) {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

// TestReferenceValues compares with values that were computed independently, to nine digits, from the papers and from enumerations.
func TestReferenceValues(t *testing.T) {
	closeTo(t, "Theorem 5", publishedDPKAnonymityDelta(half, 200), 0.878661737, 1e-9)
	closeTo(t, "Theorem 5, one-sided", oneSidedDelta(half, 200, policy.ReplaceOne), 0.651663578, 1e-9)
	closeTo(t, "a sample", float64(DPKAnonymityGuarantee(half, policy.ReplaceOne).Delta)/1e18, 0.39346934, 1e-8)
	closeTo(t, "donors, printed", publishedDonorSwappingDelta(policy.OneShare/20, perEpsilon, 2), 0.7222, 1e-4)
	closeTo(t, "donors, printed", publishedDonorSwappingDelta(0, perEpsilon/10, 3), 0.6984, 1e-4)
	// Zhu et al., table of delta for k-anonymity, which is truncated.
	for e, want := range map[float64]float64{1: 0.906100, 2: 0.981684, 4: 0.999665} {
		got := publishedDPKAnonymityDelta(policy.Epsilon(e*perEpsilon), 5)
		if got < want-1e-6 || got > want+1e-6 {
			t.Errorf("Theorem 5 at epsilon %v is %v, want %v", e, got, want)
		}
	}
}

// TestSafeKAnonymityDelta compares with every pair of neighbouring classes up to 80 rows, and with the bound that is charged.
func TestSafeKAnonymityDelta(t *testing.T) {
	closeTo(t, "k = 5", SafeKAnonymityDelta(0.7, 0.3, 5), 0.0067751141438, 1e-10)
	closeTo(t, "its bound", safeDelta(7e8, 0.3, 5, policy.AddRemove), 0.0287955, 1e-8)
	for _, k := range []int64{1, 2, 5, 9} {
		for _, beta := range []float64{0.05, 0.3, 0.6} {
			for _, epsilon := range []float64{1, 1.5, 2} {
				greatest := 0.0
				for n := k; n <= 80; n++ {
					sum := 0.0
					for j := k; j <= n; j++ {
						less := 0.0
						if j < n {
							less = binomialMass(n-1, j, beta)
						}
						sum += max(0, binomialMass(n, j, beta)-math.Exp(epsilon)*less)
					}
					greatest = max(greatest, sum)
				}
				what := fmt.Sprintf("k %d, beta %v, epsilon %v", k, beta, epsilon)
				closeTo(t, what, SafeKAnonymityDelta(epsilon, beta, k), greatest, 1e-9)
				if bound := safeDelta(policy.Epsilon(epsilon*perEpsilon), beta, k, policy.AddRemove); greatest > bound*(1+1e-9) {
					t.Errorf("%s: %v is above the bound %v", what, greatest, bound)
				}
			}
		}
	}
	if d := SafeKAnonymityDelta(0.1, 0.3, 5); !math.IsNaN(d) {
		t.Errorf("an epsilon below -ln(1-beta) has %v", d)
	}
}

func TestDeltasAreRoundedUp(t *testing.T) {
	if got, want := DPKAnonymityGuarantee(half, policy.AddRemove).Delta, policy.Delta(393469340287366577); got != want {
		t.Errorf("1 - exp(-0.5) = 0.3934693402873665763... is %d units, want %d", got, want)
	}
	if got := roundUp(0.5); got <= policy.OneDelta/2 || got > policy.OneDelta/2+policy.OneDelta/1e7 {
		t.Errorf("0.5 is rounded to %d units", got)
	}
	if got := roundUp(1e-300); got < 1 {
		t.Errorf("1e-300 is rounded to %d units", got)
	}
	if got := roundUp(1); got != policy.OneDelta {
		t.Errorf("1 is rounded to %d units", got)
	}
}

func TestGuaranteesOfNothing(t *testing.T) {
	for _, a := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
		for i, g := range []Guarantee{
			SwappingGuarantee(a), KAnonymityGuarantee(a), DonorSwappingGuarantee(a), DPSwappingGuarantee(half, a, OtherColumns),
			DPSwappingGuarantee(half, policy.AddRemove, QuasiOnly),
		} {
			if g.Delta < policy.OneDelta {
				t.Errorf("%d: %+v", i, g)
			}
		}
	}
	if g := DPSwappingGuarantee(half, policy.ReplaceOne, QuasiOnly); g.Delta != 0 || g.Epsilon != half {
		t.Errorf("randomised response has %+v", g)
	}
	safe, err := NewSafeKAnonymity(SafeKAnonymityConfig{
		Columns: []Column{quasiOf(category("a", 3))}, Scheme: make([]Generalisation, 1), K: 2, Beta: policy.OneShare / 10, Random: battery.Seeded(0),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []Guarantee{DPKAnonymityGuarantee(half, "x"), safe.Guarantee(half, "x", QuasiOnly), DPSwappingGuarantee(half, "x", QuasiOnly)} {
		if g.Delta < policy.OneDelta {
			t.Errorf("%+v under an adjacency that nobody knows", g)
		}
	}
}

// exactTail is P(X >= j) in rational numbers.
func exactTail(n, j int64, p *big.Rat) float64 {
	q := new(big.Rat).Sub(big.NewRat(1, 1), p)
	sum := new(big.Rat)
	for i := max(j, 0); i <= n; i++ {
		term := new(big.Rat).SetInt(new(big.Int).Binomial(n, i))
		for m := range n {
			if m < i {
				term.Mul(term, p)
			} else {
				term.Mul(term, q)
			}
		}
		sum.Add(sum, term)
	}
	f, _ := sum.Float64()
	return f
}

func TestBinomialTail(t *testing.T) {
	for _, p := range []*big.Rat{big.NewRat(1, 1000), big.NewRat(3, 10), big.NewRat(1, 2), big.NewRat(99, 100)} {
		f, _ := p.Float64()
		for _, n := range []int64{1, 2, 7, 40} {
			for j := int64(-1); j <= n+1; j++ {
				closeTo(t, fmt.Sprintf("P(Bin(%d, %v) >= %d)", n, p, j), binomialTail(n, j, f), exactTail(n, j, p), 1e-12)
			}
		}
	}
	// Poisson's limit, and a large product: P(Bin(10^9, 10^-6) >= 0 to ...) sums to the mean.
	sum := 0.0
	for j := int64(1); j < 2000; j++ {
		sum += binomialTail(1e9, j, 1e-6)
	}
	closeTo(t, "the mean of Bin(10^9, 10^-6)", sum, 1000, 1e-9)
	closeTo(t, "half of Bin(2000001, 1/2)", binomialTail(2_000_001, 1_000_001, 0.5), 0.5, 1e-9)
}

// TestGreatestTail compares with every n up to 400.
func TestGreatestTail(t *testing.T) {
	for _, beta := range []float64{0.05, 0.3, 0.7} {
		for _, g := range []float64{beta * 1.000001, 2*beta - beta*beta, (1 + beta) / 2, 0.97} {
			for _, k := range []int64{1, 2, 5, 20} {
				want := 0.0
				for n := int64(math.Ceil(float64(k)/g - 1)); n <= 400; n++ {
					want = max(want, binomialTail(n, int64(g*float64(n))+1, beta))
				}
				got := greatestTail(g, beta, k)
				if g > 1.01*beta {
					closeTo(t, fmt.Sprintf("beta %v, g %v, k %d", beta, g, k), got, want, 1e-12)
				} else if got < want || got > want+0.2 { // the greatest of a large k has n beyond 400
					t.Errorf("beta %v, g %v, k %d: %v, of n up to 400 %v", beta, g, k, got, want)
				}
			}
		}
	}
	// With t = p hardly above 1/2 the tails are near 1/2 for ever: the bound of Berry and Esseen it is.
	if got := greatestTail(0.5001, 0.5001, 1); got < 0.5001 || got > 0.507 {
		t.Errorf("tails above the mean reach %v", got)
	}
	if got := greatestTail(1, 0.5, 3); math.Abs(got-0.125) > 1e-12 {
		t.Errorf("an infinite epsilon leaves %v of P(Bin(3, 1/2) = 3)", got)
	}
}

// shown is the distribution of what is shown of a class of n rows: the number sampled, or 0 if that is below k.
func shown(n, k int64, beta float64) map[int64]float64 {
	p := map[int64]float64{}
	for j := range n + 1 {
		if mass := binomialTail(n, j, beta) - binomialTail(n, j+1, beta); j >= k {
			p[j] += mass
		} else {
			p[0] += mass
		}
	}
	return p
}

func pairOf(p, q map[int64]float64) map[[2]int64]float64 {
	joint := map[[2]int64]float64{}
	for i, x := range p {
		for j, y := range q {
			joint[[2]int64{i, j}] = x * y
		}
	}
	return joint
}

// TestSafeGuaranteeHolds enumerates all results of tables of up to 14 rows in a class, for neighbours in both orders.
func TestSafeGuaranteeHolds(t *testing.T) {
	for _, beta := range []float64{0.1, 0.4} {
		for _, k := range []int64{2, 3, 6} {
			for _, steps := range []float64{1, 1.5, 2, 3, 5} {
				epsilon := policy.Epsilon(math.Ceil(-steps * math.Log1p(-beta) * perEpsilon))
				e := float64(epsilon) / perEpsilon
				one := safeDelta(epsilon, beta, k, policy.AddRemove)
				two := safeDelta(epsilon, beta, k, policy.ReplaceOne)
				worst, worstTwo := 0.0, 0.0
				for n := int64(1); n <= 14; n++ {
					less, more := shown(n-1, k, beta), shown(n, k, beta)
					if d := hockeyStick(e, less, more); d > 1e-12 {
						t.Errorf("beta %v, k %d, epsilon %v: a row less has delta %v, want 0", beta, k, e, d)
					}
					worst = max(worst, hockeyStick(e, more, less))
					for m := int64(1); m <= 8; m++ {
						worstTwo = max(worstTwo, hockeyStick(e, pairOf(more, shown(m-1, k, beta)), pairOf(less, shown(m, k, beta))))
					}
				}
				if worst > one+1e-12 || worstTwo > two+1e-12 {
					t.Errorf("beta %v, k %d, epsilon %v: exact %v and %v, stated %v and %v", beta, k, e, worst, worstTwo, one, two)
				}
				if steps < 2 && two != 1 {
					t.Errorf("beta %v: replace-one at %v steps has delta %v", beta, steps, two)
				}
			}
		}
	}
}

// TestSafeGuarantee: the figures fall with k, are never above beta, and are beta if other columns are published.
func TestSafeGuarantee(t *testing.T) {
	columns := []Column{quasiOf(category("a", 3))}
	last := policy.Delta(math.MaxInt64)
	for _, k := range []int{2, 5, 20, 100} {
		m, err := NewSafeKAnonymity(SafeKAnonymityConfig{Columns: columns, Scheme: []Generalisation{{Level: 1}}, K: k, Beta: policy.OneShare / 10, Random: battery.Seeded(0)})
		if err != nil {
			t.Fatal(err)
		}
		g := m.Guarantee(half, policy.AddRemove, QuasiOnly)
		if g.Delta > policy.OneDelta/10 || g.Delta >= last {
			t.Errorf("k %d: delta is %v after %v", k, g.Delta, last)
		}
		if r := m.Guarantee(half, policy.ReplaceOne, QuasiOnly); r.Delta < g.Delta || r.Delta > policy.OneDelta/10 {
			t.Errorf("k %d: delta is %v under replace-one, %v under add-remove", k, r.Delta, g.Delta)
		}
		last = g.Delta
		for _, g := range []Guarantee{m.Guarantee(half, policy.AddRemove, OtherColumns), m.Guarantee(1, policy.AddRemove, QuasiOnly)} {
			if g.Delta != policy.OneDelta/10 {
				t.Errorf("k %d: delta is %v, want beta", k, g.Delta)
			}
		}
	}
}

// TestSampleDeltaIsBeta enumerates a table of distinct rows of which the sample is published, and its neighbours in both orders.
func TestSampleDeltaIsBeta(t *testing.T) {
	beta := 1 - math.Exp(-0.5)
	sample := func(rows ...int) map[int]float64 {
		p := map[int]float64{}
		for mask := range 1 << len(rows) {
			mass, outcome := 1.0, 0
			for i, r := range rows {
				if mask>>i&1 == 1 {
					mass, outcome = mass*beta, outcome|1<<r
				} else {
					mass *= 1 - beta
				}
			}
			p[outcome] += mass
		}
		return p
	}
	x, less, other := sample(0, 1, 2), sample(0, 1), sample(0, 1, 3)
	for _, e := range []float64{0, 0.5, 3} {
		closeTo(t, "delta of a row more", hockeyStick(e, x, less), beta, 1e-12)
		closeTo(t, "delta of another row", hockeyStick(e, x, other), beta, 1e-12)
		if d := hockeyStick(e, less, x); d > beta+1e-12 {
			t.Errorf("a row less has delta %v", d)
		}
	}
}

// TestOneSidedDeltaHolds enumerates what is sampled of classes of equal rows (releasing the sample's histogram), which Theorem 5 is
// about.
func TestOneSidedDeltaHolds(t *testing.T) {
	beta := 1 - math.Exp(-0.5)
	one := oneSidedDelta(half, 12, policy.AddRemove) + 1e-12
	two := oneSidedDelta(half, 12, policy.ReplaceOne) + 1e-12
	for n := int64(1); n <= 12; n++ {
		less, more := shown(n-1, 0, beta), shown(n, 0, beta)
		if d := max(hockeyStick(0.5, less, more), hockeyStick(0.5, more, less)); d > one {
			t.Errorf("%d rows: delta is %v under add-remove, stated %v", n, d, one)
		}
		for m := int64(1); m <= 12; m++ {
			if d := hockeyStick(0.5, pairOf(more, shown(m-1, 0, beta)), pairOf(less, shown(m, 0, beta))); d > two {
				t.Errorf("%d and %d rows: delta is %v under replace-one, stated %v", n, m, d, two)
			}
		}
	}
}
