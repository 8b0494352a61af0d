package composition

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"tacit/policy"
)

func geometric(epsilon policy.Epsilon, moves int64) Term {
	return Term{Noise: GeometricNoise, Epsilon: epsilon, Moves: moves}
}

func TestSpentUnderEachRule(t *testing.T) {
	var c Composer
	half := geometric(5e8, 1)
	gaussian := Term{Noise: GaussianNoise, Variance: Ratio{25, 1}, Squared: 1}
	budget := func(rule policy.Composition) Filter {
		return Filter{Rule: rule, Epsilon: 10e9, Delta: 1e12, Thresholds: 2e11}
	}
	threshold := half
	threshold.Delta = 1e11
	for _, c2 := range []struct {
		name string
		f    Filter
		t    Tally
		want Spent
	}{
		{"nothing", budget("pld"), Tally{}, Spent{}},
		{"none of a term", budget("pld"), Tally{half: 0}, Spent{}},
		{"releases without a guarantee", budget("pld"), Tally{Approximate(0, 0): 3}, Spent{}},
		{"basic", budget("basic"), Tally{half: 3, Approximate(1e9, 1e11): 2}, Spent{35e8, 2e11}},
		{"basic, gaussian", budget("basic"), Tally{gaussian: 1}, Spent{infinite, 0}},
		{"few under zcdp are added up", budget("zcdp"), Tally{half: 3}, Spent{15e8, 8e11}},
		{"few under advanced are added up", budget("advanced"), Tally{threshold: 1}, Spent{5e8, 9e11}},
		{"advanced, gaussian", budget("advanced"), Tally{gaussian: 1}, Spent{infinite, 8e11}},
		{"a term that is none", budget("pld"), Tally{Term{}: 1}, Spent{infinite, infinite}},
		{"a negative count", budget("pld"), Tally{half: -1}, Spent{infinite, infinite}},
		{"sums that overflow", budget("basic"), Tally{Approximate(math.MaxInt64/2, 1e18): 3}, Spent{infinite, 3e18}},
		{"more that overflow", budget("basic"), Tally{Approximate(1, 1e18): 100}, Spent{100, infinite}},
	} {
		if got := c.Spent(c2.f, c2.t); got != c2.want {
			t.Errorf("%s: %v, want %v", c2.name, got, c2.want)
		}
	}
}

// Values of other sources: Canonne, Kamath and Steinke 2020, Corollary 13, for zCDP, and arithmetic for the advanced rule.
func TestConversions(t *testing.T) {
	if got := EpsilonOfRho(0.5, 1e-5); math.Abs(got-4.72838698) > 1e-8 {
		t.Errorf("0.5-zCDP at 1e-5 is %v", got)
	}
	want := math.Sqrt(2*math.Log(1e6)*100*0.01) + 0.5
	if got := advancedEpsilon(100*0.01, 1e12); math.Abs(float64(got)/1e9-want) > 2e-9 {
		t.Errorf("100 of 0.1 are %v, want %v", got, want)
	}
	if got := zcdpEpsilon(0.5, 0); got != infinite {
		t.Errorf("zCDP without a delta is %v", got)
	}
	if got := advancedEpsilon(0.5, 0); got != infinite {
		t.Errorf("advanced composition without a delta is %v", got)
	}
}

// At a budget without a delta, releases are added up if they are pure, and refused if they are not.
func TestBudgetWithoutDelta(t *testing.T) {
	var c Composer
	for _, rule := range []policy.Composition{policy.BasicComposition, policy.AdvancedComposition, policy.ZCDPComposition, policy.PLDComposition} {
		f := Filter{Rule: rule, Epsilon: 1e9, Main: geometric(5e8, 1)}
		if got := c.Spent(f, Tally{f.Main: 2}); got != (Spent{1e9, 0}) {
			t.Errorf("%v: two halves are %v", rule, got)
		}
		if !c.Covers(f, Tally{f.Main: 2}) || c.Covers(f, Tally{f.Main: 3}) {
			t.Errorf("%v: a budget of 1 does not hold just two halves", rule)
		}
		if gaussian := (Term{Noise: GaussianNoise, Variance: Ratio{25, 1}, Squared: 1}); c.Covers(f, Tally{gaussian: 1}) {
			t.Errorf("%v: Gaussian noise is covered without a delta", rule)
		}
	}
}

// Thresholds have a part of the delta, and may not take that of composition, nor the other way round.
func TestThresholdsHaveTheirOwnDelta(t *testing.T) {
	var c Composer
	term := geometric(1e6, 1)
	term.Delta = 1e11
	for _, rule := range []policy.Composition{policy.AdvancedComposition, policy.ZCDPComposition, policy.PLDComposition} {
		f := Filter{Rule: rule, Epsilon: 10e9, Delta: 1e12, Thresholds: 3e11, Main: term}
		if !c.Covers(f, Tally{term: 3}) || c.Covers(f, Tally{term: 4}) {
			t.Errorf("%v: just three thresholds of 1e-7 should fit into 3e-7", rule)
		}
		if got := c.Spent(f, Tally{term: 3}); got.Delta != f.Delta {
			t.Errorf("%v: spent %v of a delta of 1e-6 that is used up", rule, got)
		}
	}
}

// mains are classes of all kinds, and none.
func mains() []Term {
	return []Term{
		{}, geometric(1e8, 1), geometric(4e8, 2), geometric(1e9, 1), Approximate(3e8, 0),
		{Noise: LaplaceNoise, Epsilon: 2e8, Moves: 1}, {Noise: LaplaceNoise, Epsilon: 5e8, Moves: 2},
		{Noise: GaussianNoise, Variance: Ratio{9, 1}, Squared: 1},
		{Noise: DiscreteGaussianNoise, Variance: Ratio{9, 1}, Moves: 1, Squared: 1},
		{Noise: DiscreteGaussianNoise, Variance: Ratio{5, 2}, Moves: 2, Squared: 2},
	}
}

// What a filter says is spent is never below the exact epsilon of the tally at the delta that is the filter's for composition: of
// thousands of random tallies of all kinds that have a finite pair, against exact pairs, under random rules and classes. Terms of replace-one
// and of several rows are those with several moves.
func TestSpentIsNeverBelowTheExactValue(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 6))
	var c Composer
	finite, sharp, tallies := 0, 0, 3000
	if testing.Short() {
		tallies = 250
	}
	for range tallies {
		tally := randomTally(random)
		var thresholds policy.Delta
		for term, n := range tally {
			thresholds += term.Delta * policy.Delta(n)
		}
		f := Filter{
			Rule:       []policy.Composition{"advanced", "zcdp", "pld", "pld", "pld"}[random.IntN(5)],
			Delta:      thresholds + policy.Delta(math.Pow(10, 6+10*random.Float64())),
			Thresholds: thresholds,
			Main:       mains()[random.IntN(len(mains()))],
		}
		if random.IntN(2) == 0 {
			for term := range tally { // one that fits
				f.Main = term
			}
		}
		spent := c.Spent(f, tally)
		if spent.Epsilon == infinite {
			continue
		}
		finite++
		exact := exactPair(tally).delta(float64(spent.Epsilon) / 1e9)
		budget := bigRat(big.NewRat(int64(f.Delta), 1e18))
		if exact.Cmp(budget) > 0 {
			t.Errorf("%v of %v: spent %v, where the exact delta is %v", f, tally, spent, float(exact))
		}
		if len(tally) == 1 && f.Rule == "pld" && exact.Cmp(mul(budget, newBig(0.9))) > 0 {
			sharp++
		}
	}
	if finite < tallies*2/3 || sharp < tallies/30 {
		t.Errorf("%d tallies have a finite epsilon, %d are within a tenth of delta: the test tells little", finite, sharp)
	}
}

// A class counts copies so that they dominate: a term's delta at any epsilon is not above that of the copies of the unit.
func TestCopiesDominate(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 6))
	terms := 30
	if testing.Short() {
		terms = 5
	}
	for _, main := range mains() {
		if main == (Term{}) {
			continue
		}
		unit := unitOf(main)
		for range terms {
			e := policy.Epsilon(1+random.Int64N(2000)) * 1e6
			moves := 1 + random.Int64N(4)
			term := []Term{Approximate(e, 0), geometric(e, moves), {Noise: LaplaceNoise, Epsilon: e, Moves: moves}}[random.IntN(3)]
			var whole Tally
			if unit.Noise == GaussianNoise {
				variance, _ := RatioOf(new(big.Rat).SetFloat64(1 / term.squaredMu()))
				whole = Tally{{Noise: GaussianNoise, Variance: variance, Squared: 1}: 1}
			} else {
				copies := unit.copiesOf(term, unit.testError())
				if copies > 999 {
					continue
				}
				one := unit
				one.Moves, one.Squared = max(1, unit.Moves), unit.Squared
				if unit.Noise == DiscreteGaussianNoise {
					one.Squared = 1
				} else {
					one.Epsilon, one.Moves = unit.Epsilon/policy.Epsilon(one.Moves), 1
				}
				whole = Tally{one: copies}
			}
			for _, share := range []float64{0, 0.1, 0.5, 0.9, 0.99} {
				epsilon := share * term.epsilon()
				single, all := Delta(Tally{term: 1}, epsilon), Delta(whole, epsilon)
				if lower := single.Upper - single.Error; lower > all.Upper {
					t.Errorf("%v at %v: delta %v, and %v of %v", term, epsilon, single, all, whole)
				}
			}
		}
	}
}

// A table with person bounds is asked questions of one epsilon whose pairs differ: some rows of a person in one cell, or some cells with one
// row each. Each of them is dominated by one move of the whole epsilon, whichever option finds that, so that a mixture is
// charged at most what as many questions of the dearest kind are: within a hundredth of their exact composition. Moves at a part of the
// rate go together as far as they fit into one copy. A count of copies by moves alone is up to an eighth above.
func TestMixedQuestionsAreWithinOnePercent(t *testing.T) {
	var c Composer
	for _, e := range []policy.Epsilon{2e7, 2e8} {
		const n = 60
		within := func(name string, main Term, tally Tally, dearest int64) {
			t.Helper()
			f := Filter{Rule: policy.PLDComposition, Epsilon: infinite - 1, Delta: 1e12, Main: main}
			spent, bound := float64(c.Spent(f, tally).Epsilon)/1e9, Epsilon(Tally{Approximate(e, 0): dearest}, 1e-6)
			if spent > 1.01*bound.Upper {
				t.Errorf("%s of %v spend %v, and %d of the dearest %v", name, e, spent, dearest, bound.Upper)
			}
		}
		for _, moves := range []int64{2, 3, 7} {
			laplace := Term{Noise: LaplaceNoise, Epsilon: e, Moves: moves}
			within("cells and rows", Approximate(e, 0), Tally{Approximate(e, 0): n, geometric(e, moves): n}, 2*n)
			within("cells alone", Approximate(e, 0), Tally{geometric(e, moves): 2 * n}, 2*n)
			within("rows and Laplace noise", Approximate(e, 0), Tally{Approximate(e, 0): n, laplace: n}, 2*n)
			within("some of half of the rate", geometric(e, 1), Tally{geometric(e, 1): n, geometric(e*policy.Epsilon(moves)/2, moves): n}, n+n*((moves+1)/2))
			within("the whole and its parts", geometric(e, 1), Tally{geometric(e, 1): n, geometric(e, moves): n}, 2*n)
		}
	}
}
