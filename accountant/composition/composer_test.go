package composition

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"tacit/policy"
)

// Covers must say what Spent says, whatever it remembers: of a tally that grows charge by charge, in mixed order, under all rules.
func TestCoversAgreesWithSpent(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	terms := []Term{geometric(1e8, 1), geometric(2e8, 2), Approximate(5e7, 1e10), {Noise: LaplaceNoise, Epsilon: 1e8, Moves: 1}}
	for _, rule := range []policy.Composition{policy.BasicComposition, policy.AdvancedComposition, policy.ZCDPComposition, policy.PLDComposition} {
		var c, fresh Composer
		f := Filter{Rule: rule, Epsilon: 5e9, Delta: 1e12, Thresholds: 2e11, Main: terms[0]}
		tally := Tally{}
		refused := 0
		for refused < 20 {
			term := terms[random.IntN(len(terms))]
			tally[term]++
			covered := c.Covers(f, tally)
			if want := f.within(fresh.Spent(f, tally)); covered != want {
				t.Fatalf("%v: %v is covered: %v, but spent is %v", rule, tally, covered, fresh.Spent(f, tally))
			}
			if !covered {
				refused++
				tally[term]--
			}
		}
	}
}

// A budget of a million small charges is filled one by one, with hundreds of computations at most, not a million.
func TestCoversIsCheap(t *testing.T) {
	var c Composer
	term := geometric(1e6, 1)
	f := Filter{Rule: policy.PLDComposition, Epsilon: 10e9, Delta: 1e12, Main: term}
	tally := Tally{}
	for tally[term] = 1; c.Covers(f, tally); tally[term]++ {
	}
	if tally[term] < 1_000_000 {
		t.Errorf("%d charges of 0.001 fill a budget of 10", tally[term]-1)
	}
	if computed := len(c.classes); computed > 1000 {
		t.Errorf("%d compositions were computed for %d charges", computed, tally[term]-1)
	}
}

func TestComposerByManyGoroutines(t *testing.T) {
	var c Composer
	f := Filter{Rule: policy.PLDComposition, Epsilon: 10e9, Delta: 1e12, Main: Term{Noise: LaplaceNoise, Epsilon: 1e8, Moves: 1}}
	want := c.Spent(f, Tally{f.Main: 100})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for n := int64(1); n < 150; n++ {
				c.Covers(f, Tally{f.Main: n})
			}
			if got := c.Spent(f, Tally{f.Main: 100}); got != want {
				t.Errorf("spent %v, and %v before", got, want)
			}
		})
	}
	wg.Wait()
}

// allocation is how many bytes f allocates, to which its work is proportional.
func allocation(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A million releases of any kind, and more, come to an end, and to no less than a thousand do.
func TestCompositionsOfMillionsEnd(t *testing.T) {
	const mostAllocated = 64 << 20 // some times what any of them needs
	for _, main := range mains()[1:] {
		var c Composer
		f := Filter{Rule: policy.PLDComposition, Epsilon: 10e9, Delta: 1e12, Main: main}
		last := policy.Epsilon(0)
		for _, n := range []int64{1000, 1_000_000, 1 << 40, 1 << 62} {
			var got policy.Epsilon
			allocated := allocation(func() { got = c.Spent(f, Tally{main: n}).Epsilon })
			if got <= last && got != infinite {
				t.Errorf("%d of %v are %v, fewer are %v", n, main, got, last)
			}
			if allocated > mostAllocated {
				t.Errorf("%d of %v took %d MB", n, main, allocated>>20)
			}
			last = got
		}
	}
}

// Terms at the ends of what a ledger may hold neither hang nor become numbers that are less than those of fewer of them.
func TestExtremeTerms(t *testing.T) {
	var terms []Term
	for _, e := range []policy.Epsilon{1, 1e9, 1e12, infinite} {
		for _, moves := range []int64{1, maxMoves} {
			terms = append(terms, geometric(e, moves), Term{Noise: LaplaceNoise, Epsilon: e, Moves: moves})
		}
		terms = append(terms, Approximate(e, 1e18), Approximate(e, 0))
	}
	for _, v := range []Ratio{{1, infinite}, {1, 256}, {1 << 39, 1}, {infinite, 1}} {
		for _, squared := range []int64{1, maxMoves} {
			terms = append(terms, Term{Noise: GaussianNoise, Variance: v, Squared: squared},
				Term{Noise: DiscreteGaussianNoise, Variance: v, Squared: squared},
				Term{Noise: DiscreteGaussianNoise, Variance: v, Moves: squared, Squared: squared})
		}
	}
	for _, main := range terms {
		for _, term := range terms {
			if term.Noise != main.Noise && main.Noise != GaussianNoise {
				continue
			}
			var c Composer
			f := Filter{Rule: policy.PLDComposition, Epsilon: 10e9, Delta: 1e12, Main: main}
			last := Spent{}
			for _, n := range []int64{1, 1000, infinite} {
				got := c.Spent(f, Tally{term: n})
				if got.Epsilon < last.Epsilon || got.Delta < last.Delta {
					t.Errorf("main %v: %d of %v are %v, fewer %v", main, n, term, got, last)
				}
				last = got
			}
			if term.pure() && c.Spent(f, Tally{term: 1}).Epsilon > term.Epsilon {
				t.Errorf("one %v is %v", term, c.Spent(f, Tally{term: 1}))
			}
		}
	}
	for _, term := range terms {
		if b := Delta(Tally{term: 3}, 1); !(b.Upper >= 0 && b.Upper <= 1) {
			t.Errorf("three of %v: delta %v", term, b)
		}
		if b := Epsilon(Tally{term: 3}, 1e-6); !(b.Upper >= 0) {
			t.Errorf("three of %v: epsilon %v", term, b)
		}
	}
}
