package composition

import (
	"math"
	"testing"

	"tacit/policy"
)

// An adversary chooses, in view of all answers so far, which of two kinds of randomized response to ask next, as long as a rule allows the
// tally, and stops when she likes. The pure epsilons of the kinds are multiples of one unit, so that what she has seen is a sum of whole
// units: the value of a state is the largest delta, at a budget's epsilon, that any strategy attains from it, found by going through all.
type adversary struct {
	unit    float64
	kinds   [2]int     // epsilons, in units
	deltas  [2]float64 // beside them
	epsilon float64
	allowed func(counts [2]int) bool
	known   map[[2]int]bool
	values  map[adversaryState]float64
}

type adversaryState struct {
	counts [2]int
	loss   int
}

// value is the largest expectation under P of max(0, 1 - exp(epsilon - L)).
func (a *adversary) value(s adversaryState) float64 {
	if v, ok := a.values[s]; ok {
		return v
	}
	best := max(0, -math.Expm1(a.epsilon-float64(s.loss)*a.unit))
	for i, units := range a.kinds {
		next := s.counts
		next[i]++
		if !a.allows(next) {
			continue
		}
		truth := a.truth(i)
		v := truth*a.value(adversaryState{next, s.loss + units}) + (1-truth)*a.value(adversaryState{next, s.loss - units})
		best = max(best, a.deltas[i]+(1-a.deltas[i])*v)
	}
	a.values[s] = best
	return best
}

func (a *adversary) truth(i int) float64 { return 1 / (1 + math.Exp(-float64(a.kinds[i])*a.unit)) }

func (a *adversary) allows(counts [2]int) bool {
	ok, known := a.known[counts]
	if !known {
		ok = a.allowed(counts)
		a.known[counts] = ok
	}
	return ok
}

// best is what the best strategy attains.
func (a *adversary) best() float64 {
	a.values, a.known = make(map[adversaryState]float64), make(map[[2]int]bool)
	return a.value(adversaryState{})
}

// fixed is the delta of counts that were chosen beforehand.
func (a *adversary) fixed(counts [2]int) float64 {
	var sum float64
	for i := range counts[0] + 1 {
		for j := range counts[1] + 1 {
			loss := float64((2*i-counts[0])*a.kinds[0]+(2*j-counts[1])*a.kinds[1]) * a.unit
			if loss > a.epsilon {
				sum -= binomial(counts[0], i, a.truth(0)) * binomial(counts[1], j, a.truth(1)) * math.Expm1(a.epsilon-loss)
			}
		}
	}
	return sum
}

// binomial is the probability of j out of n.
func binomial(n, j int, p float64) float64 {
	ways, _ := math.Lgamma(float64(n + 1))
	less, _ := math.Lgamma(float64(j + 1))
	rest, _ := math.Lgamma(float64(n - j + 1))
	return math.Exp(ways - less - rest + float64(j)*math.Log(p) + float64(n-j)*math.Log1p(-p))
}

func (a *adversary) tally(counts [2]int) Tally {
	t := Tally{}
	for i, n := range counts {
		if n > 0 {
			e := policy.Epsilon(math.Round(float64(a.kinds[i]) * a.unit * 1e9))
			t[Term{Noise: GeometricNoise, Epsilon: e, Moves: 1, Delta: policy.Delta(math.Round(a.deltas[i] * 1e18))}] = int64(n)
		}
	}
	return t
}

// The trap: a rule that allows every multiset of releases whose exact loss, as if it had been fixed beforehand, is within the budget. Who
// takes the continuation that is worst for what she has seen tells a third more than its delta.
func TestMultisetRuleIsBrokenByAdaptiveChoices(t *testing.T) {
	const delta = 0.01
	a := &adversary{unit: 0.1, kinds: [2]int{1, 3}, epsilon: 1}
	a.allowed = func(counts [2]int) bool { return a.fixed(counts) <= delta }
	if got := a.best(); got < 1.3*delta {
		t.Errorf("the best strategy attains a delta of %v, expected more than %v", got, 1.3*delta)
	}
}

// No strategy breaks a filter, under any rule, with and without thresholds; and under pld and zcdp some come near enough to say that
// this is no accident.
func TestFiltersHoldAgainstAdaptiveChoices(t *testing.T) {
	var c Composer
	for _, kinds := range [][2]int{{1, 3}, {2, 3}, {1, 8}} {
		for _, rule := range []policy.Composition{policy.BasicComposition, policy.AdvancedComposition, policy.ZCDPComposition, policy.PLDComposition} {
			for _, main := range []int{0, 1, 3, 8} { // of pld, in units; 0 is none
				for _, thresholds := range []policy.Delta{0, 3e15} {
					a := &adversary{unit: 0.1, kinds: kinds, epsilon: 1.5}
					f := Filter{Rule: rule, Epsilon: 15e8, Delta: 1e16, Thresholds: thresholds}
					if thresholds > 0 {
						a.deltas = [2]float64{0, 1e-3}
					}
					if main > 0 {
						f.Main = Approximate(policy.Epsilon(main)*1e8, 0)
					}
					if main > 0 && rule != policy.PLDComposition {
						continue
					}
					a.allowed = func(counts [2]int) bool { return c.Covers(f, a.tally(counts)) }
					got := a.best()
					if got > 0.01*(1+1e-9) {
						t.Errorf("kinds %v, %v: a delta of %v", kinds, f, got)
					}
					t.Logf("%v %v main %d thresholds %v: %v", kinds, rule, main, thresholds, got)
				}
			}
		}
	}
}
