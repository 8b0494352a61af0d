package mechanisms

import (
	"errors"
	"math"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// truncatedPMF is the distribution of discrete Laplace noise given that it is at most k either way.
func truncatedPMF(d discreteLaplace, k int64) pmf {
	var sum float64
	for z := -k; z <= k; z++ {
		sum += d.probability(z)
	}
	return func(z int64) float64 {
		if z < -k || z > k {
			return 0
		}
		return d.probability(z) / sum
	}
}

// selected lists the probabilities of the results for n persons: absent, then the counts from the threshold on, the last one with all
// that is beyond.
func selected(s selection, n, reach int64) []float64 {
	if n == 0 {
		return append([]float64{1}, make([]float64, reach)...) // a key that is not found is absent
	}
	var of pmf
	switch s := s.(type) {
	case noisyThreshold:
		of = s.noise.probability
	case truncatedThreshold:
		of = truncatedPMF(s.noise, s.k)
	}
	p := make([]float64, reach+1)
	rest := 1.0
	for i := reach - 1; i >= 1; i-- {
		p[i] = of(s.threshold() + i - 1 - n)
		rest -= p[i]
	}
	switch s := s.(type) {
	case noisyThreshold:
		p[reach] = tail(s.noise, s.tau+reach-1-n)
		p[0] = tail(s.noise, 1-(s.tau-n)) // P(Z < tau - n)
	case truncatedThreshold:
		p[0] = rest // nothing is beyond
		if n+s.k >= s.threshold()+reach-1 {
			for z := s.threshold() + reach - 1 - n; z <= s.k; z++ {
				p[reach] += of(z)
			}
			p[0] -= p[reach]
		}
	}
	return p
}

// lower is the rule with a threshold one lower.
func lower(s selection) selection {
	switch s := s.(type) {
	case noisyThreshold:
		s.tau--
		return s
	case truncatedThreshold:
		s.k--
		return s
	}
	panic("unknown rule")
}

// floorOfThresholds is the lowest threshold that a rule has, whatever delta is.
const floorOfThresholds = 2

// memberships are multisets of one person's keys: each is new with her, or was the key of some others already.
func memberships(keys int, others []int64) [][]int64 {
	if keys == 0 {
		return [][]int64{nil}
	}
	var all [][]int64
	for i, n := range others {
		for _, rest := range memberships(keys-1, others[i:]) {
			all = append(all, append([]int64{n}, rest...))
		}
	}
	return all
}

// worstSelection is the exact delta of a rule: one person comes to up to s keys, or one leaves and another comes.
func worstSelection(rule selection, adjacency policy.Adjacency, s int, epsilon float64, reach int64) float64 {
	var worst float64
	tau := rule.threshold()
	before, after := []int64{0, 1, tau - 1, tau}, []int64{0, 1, tau}
	if rule, ok := rule.(truncatedThreshold); ok && s == 1 {
		// From 2k+1 persons on, the lowest values are shown, too: each cell has values of its own on both sides.
		before, after = append(before, 2*rule.k+1), append(after, 2*rule.k+1)
		reach = max(reach, 2*rule.k+5)
	}
	table := make(map[int64][]float64)
	of := func(n int64) []float64 {
		if table[n] == nil {
			table[n] = selected(rule, n, reach)
		}
		return table[n]
	}
	joint := func(cells [][2]int64) (p, q []float64) {
		p, q = []float64{1}, []float64{1}
		for _, c := range cells {
			p, q = battery.Product(p, of(c[0])), battery.Product(q, of(c[1]))
		}
		return p, q
	}
	for _, joined := range memberships(s, before) {
		var cells [][2]int64
		for _, n := range joined {
			cells = append(cells, [2]int64{n, n + 1})
		}
		if adjacency == policy.AddRemove {
			p, q := joint(cells)
			worst = max(worst, battery.HockeyStick(epsilon, p, q), battery.HockeyStick(epsilon, q, p))
			continue
		}
		for _, left := range memberships(s, after) {
			both := cells
			for _, n := range left {
				both = append(both, [2]int64{n + 1, n})
			}
			p, q := joint(both)
			worst = max(worst, battery.HockeyStick(epsilon, p, q), battery.HockeyStick(epsilon, q, p))
		}
	}
	return worst
}

// Both rules keep (epsilon, delta), values included, for persons of one, two and three keys; and a threshold one lower would not. The
// worst neighbours have keys of their own.
func TestSelectionKeepsItsLoss(t *testing.T) {
	for _, c := range []struct {
		adjacency policy.Adjacency
		s         int
		reach     int64 // of counts beyond the threshold that are told apart
		deltas    []float64
	}{
		{policy.AddRemove, 1, 300, []float64{1e-9, 1e-6, 0.01, 0.2}},
		{policy.ReplaceOne, 1, 60, []float64{1e-9, 1e-6, 0.01, 0.2}},
		// With large deltas the union bound over a person's keys is not tight.
		{policy.AddRemove, 2, 60, []float64{1e-6, 0.01}},
		{policy.AddRemove, 3, 24, []float64{1e-6, 0.01}},
		{policy.ReplaceOne, 2, 8, []float64{1e-6, 0.01}},
	} {
		for _, e := range []float64{0.5, 1, 5} {
			for _, d := range c.deltas {
				for _, rule := range rulesOf(t, Config{Epsilon: epsilonOf(e), Delta: deltaOf(d), Adjacency: c.adjacency, Sensitivity: int64(c.s)}) {
					exact := worstSelection(rule.selection, c.adjacency, c.s, e, c.reach)
					if exact > rule.delta*(1+1e-6)+1e-13 {
						t.Errorf("%s, epsilon %v, delta %v, %s, %d keys: exact delta is %v", rule.name, e, d, c.adjacency, c.s, exact)
					}
					if !rule.tight || rule.threshold() <= floorOfThresholds {
						continue
					}
					if got := worstSelection(lower(rule.selection), c.adjacency, c.s, e, c.reach); got <= rule.delta {
						t.Errorf("%s, epsilon %v, delta %v, %s, %d keys: a threshold below %d has exact delta %v and would do",
							rule.name, e, d, c.adjacency, c.s, rule.threshold(), got)
					}
				}
			}
		}
	}
}

type namedRule struct {
	selection
	name  string
	delta float64
	tight bool
}

// rulesOf are all rules for one loss. Gaussian noise pays delta twice: no neighbours are the worst for both.
func rulesOf(t *testing.T, c Config) []namedRule {
	d := float64(c.Delta) / 1e18
	var rules []namedRule
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian} {
		c.Kind = kind
		m := newMechanism(t, c)
		z := m.method.(additive).noise
		plain := newNoisyThreshold(z, m.config.deltaOfKey())
		switch z := z.(type) {
		case *gaussian:
			rules = append(rules, namedRule{plain, string(kind), 2 * d, false})
		case discreteLaplace:
			p := m.config.deltaOfKey()
			if c.Adjacency == policy.ReplaceOne {
				p.Quo(p, twice)
			}
			// Of several keys with large counts, too many values would have to be told apart.
			truncated := namedRule{newTruncatedThreshold(z, p), "truncated", d, c.Adjacency == policy.AddRemove || c.Sensitivity == 1 && d < 0.1}
			rules = append(rules, namedRule{plain, string(kind), d, true}, truncated)
		default:
			rules = append(rules, namedRule{plain, string(kind), d, true})
		}
	}
	return rules
}

// The delta of a person who brings s keys of her own is 1-(1-q)^s exactly, which is nearly s q and not q.
func TestDeltaIsSplitOverKeys(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian} {
		for _, s := range []int64{1, 2, 5, 20, 500} {
			m := newMechanism(t, Config{Kind: kind, Epsilon: 1e9, Delta: 1e12, Sensitivity: s})
			z := m.method.(additive).noise
			rule := newNoisyThreshold(z, m.config.deltaOfKey())
			of := func(tau int64) float64 { return -math.Expm1(float64(s) * math.Log1p(-tail(z, tau-1))) }
			if of(rule.tau) > 1e-6 || of(rule.tau-1) < 1e-6*(1-1e-6) {
				t.Errorf("%s, sensitivity %d: the delta of a person is %v, and %v with a threshold one lower; stated is 1e-6", kind, s, of(rule.tau), of(rule.tau-1))
			}
		}
	}
}

// Computed with 60 digits in mpmath from P(Z >= k) = a^k/(1+a) with a = exp(-epsilon/s), or exp(-epsilon/(2s)), by stepping k; the
// threshold's bound is delta/s.
func TestThresholdAndHalfWidthBySensitivity(t *testing.T) {
	type result struct{ halfWidth, threshold int64 }
	for _, c := range []struct {
		epsilon, delta        string
		sensitivity           int64
		addRemove, replaceOne result
	}{
		{"0.5", "1e-6", 1, result{6, 28}, result{12, 54}},
		{"0.5", "1e-6", 2, result{12, 57}, result{24, 113}},
		{"0.5", "1e-6", 4, result{24, 118}, result{48, 234}},
		{"1", "1e-9", 3, result{9, 65}, result{18, 129}},
		{"2", "0.01", 10, result{15, 33}, result{30, 64}},
		{"0.000000001", "1e-18", 500, result{1497866136777, 23483996295880}, result{2995732273554, 46967992591757}},
		{"100", "1e-18", 500, result{15, 237}, result{30, 472}},
	} {
		for adjacency, want := range map[policy.Adjacency]result{policy.AddRemove: c.addRemove, policy.ReplaceOne: c.replaceOne} {
			m := newMechanism(t, Config{
				Kind: policy.Geometric, Epsilon: epsilon(t, c.epsilon), Delta: delta(t, c.delta), Adjacency: adjacency, Sensitivity: c.sensitivity,
			})
			if got := (result{m.HalfWidth95(), noisyTau(m)}); got != want {
				t.Errorf("epsilon %s, delta %s, sensitivity %d, %s: %+v, want %+v", c.epsilon, c.delta, c.sensitivity, adjacency, got, want)
			}
		}
	}
}

// P(X = k) <= delta/s, and delta/(2s) under replace-one, and not so one lower: computed with 60 digits in mpmath by stepping k.
func TestTruncatedThreshold(t *testing.T) {
	for _, c := range truncatedThresholds {
		for i, adjacency := range bothAdjacencies {
			m := newMechanism(t, Config{
				Kind: policy.Geometric, Epsilon: epsilon(t, c.epsilon), Delta: delta(t, c.delta), Adjacency: adjacency, Sensitivity: c.sensitivity,
			})
			p := m.config.deltaOfKey()
			if adjacency == policy.ReplaceOne {
				p.Quo(p, twice)
			}
			rule := newTruncatedThreshold(m.method.(additive).noise.(discreteLaplace), p)
			if want := c.k[i]; rule.k != want {
				t.Errorf("epsilon %s, delta %s, sensitivity %d, %s: k = %d, want %d", c.epsilon, c.delta, c.sensitivity, adjacency, rule.k, want)
			}
		}
	}
}

// Of the two rules for geometric noise, the one is taken that withholds fewer of the counts 1, 2, 3, ..., all with the same loss.
// With the same threshold, the other one shows keys below it more often, by less than delta.
func TestSelectionTakesTheRuleThatShowsMore(t *testing.T) {
	taken := make(map[bool]int)
	for _, e := range []float64{0.03, 0.2, 0.5, 1, 2.5, 5, 30, 700, 2000} {
		for _, d := range []float64{1e-15, 1e-9, 1e-3, 0.05, 0.3} {
			for _, s := range []int64{1, 5} {
				for _, adjacency := range bothAdjacencies {
					c := Config{Kind: policy.Geometric, Epsilon: epsilonOf(e), Delta: deltaOf(d), Adjacency: adjacency, Sensitivity: s}
					m := newMechanism(t, c)
					z := m.method.(additive).noise.(discreteLaplace)
					plain := newNoisyThreshold(z, m.config.deltaOfKey())
					p := m.config.deltaOfKey()
					if adjacency == policy.ReplaceOne {
						p.Quo(p, twice)
					}
					truncated := newTruncatedThreshold(z, p)
					_, isTruncated := m.selection().(truncatedThreshold)
					taken[isTruncated]++
					if truncated.k > 1e5 {
						if isTruncated {
							t.Errorf("epsilon %v, delta %v: truncated at %d", e, d, truncated.k)
						}
						continue
					}
					of := truncatedPMF(z, truncated.k)
					// P(n + X > k) and P(n + Z >= tau), for n = 1 ... until both are certain.
					var more, fewer, shownByTruncated float64
					last := max(2*truncated.k+1, plain.tau+int64(45*scaleOf(z)))
					for n := int64(1); n <= last; n++ {
						if x := truncated.k + 1 - n; x >= -truncated.k {
							shownByTruncated += of(x)
						}
						difference := shownByTruncated - tail(z, plain.tau-n)
						more += max(0, difference)
						fewer += max(0, -difference)
						if isTruncated && truncated.threshold() <= plain.tau && -difference > d+1e-12 {
							t.Errorf("epsilon %v, delta %v, s %d, %s: %d persons are shown less often by %v", e, d, s, adjacency, n, -difference)
						}
						if isTruncated && n >= truncated.threshold() && truncated.threshold() <= plain.tau && difference < -1e-12 {
							t.Errorf("epsilon %v, delta %v, s %d, %s: %d persons are shown less often at the threshold", e, d, s, adjacency, n)
						}
					}
					if isTruncated != (more-fewer > 0) && math.Abs(more-fewer) > 1e-6 {
						t.Errorf("epsilon %v, delta %v, s %d, %s: truncated %v, which shows %v more keys and %v fewer", e, d, s, adjacency, isTruncated, more, fewer)
					}
				}
			}
		}
	}
	if taken[true] == 0 || taken[false] == 0 {
		t.Errorf("one rule is never taken: %v", taken)
	}
}

// Select shows what the rule says: how often, and the count itself, n + Z and not n with fresh noise.
func TestSelectFollowsTheRule(t *testing.T) {
	const selects = 30_000
	seed := byte(40)
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian, policy.DPSuppression} {
		for _, adjacency := range bothAdjacencies {
			for _, d := range []float64{1e-6, 0.1} {
				if seed++; testing.Short() && seed%3 != 0 {
					continue
				}
				m := newMechanism(t, Config{Kind: kind, Epsilon: 1e9, Delta: deltaOf(d), Adjacency: adjacency, K: 4, Random: battery.Seeded(seed)})
				tau := m.Threshold()
				if kind == policy.DPSuppression && tau < 4 {
					t.Errorf("dp-suppression with k = 4 shows keys from %d on", tau)
				}
				for _, n := range []int64{1, 2, tau - 1, tau, tau + 3} {
					const reach = 40
					p := selected(m.selection(), n, reach)
					var values []int64
					for range selects {
						value, ok, err := m.Select(n)
						switch {
						case err != nil:
							t.Fatal(err)
						case !ok && value != 0:
							t.Fatalf("a key that is not shown has the count %d", value)
						case ok && value < tau:
							t.Fatalf("%d is shown below the threshold %d", value, tau)
						case ok:
							values = append(values, min(value-tau+1, reach))
						default:
							values = append(values, 0)
						}
					}
					if selects*p[0] > selects-100 { // next to nothing is shown: one bin
						if got := float64(selects-count(values, 0)) / selects; got > 1-p[0]+battery.Hoeffding(selects) {
							t.Errorf("%s, n = %d: shown with frequency %v, want %v", kind, n, got, 1-p[0])
						}
						continue
					}
					requireFit(t, func(v int64) float64 {
						if v < 0 || v >= int64(len(p)) {
							return 0
						}
						return p[v]
					}, reach, values)
				}
			}
		}
	}
}

func count(values []int64, v int64) (n int) {
	for _, x := range values {
		if x == v {
			n++
		}
	}
	return n
}

// Kinds without a guarantee select keys by their own rule: as often as they would show the count.
func TestPublishedSuppressionSelects(t *testing.T) {
	const selects = 60_000
	for _, kind := range []policy.Kind{policy.Suppression, policy.DPSuppressionEq2} {
		m := newMechanism(t, Config{Kind: kind, Epsilon: 1e9, K: 4, Random: battery.Seeded(50)})
		for _, n := range []int64{1, 3, 4, 5, 9} {
			var ok float64
			for range selects {
				value, is, err := m.Select(n)
				if err != nil || is && value != n || !is && value != 0 {
					t.Fatalf("%s, n = %d: %d, %v, error %v", kind, n, value, is, err)
				}
				if is {
					ok++
				}
			}
			want := 1 - m.method.(publishedSuppression).below(n)
			if got := ok / selects; math.Abs(got-want) > battery.Hoeffding(selects) {
				t.Errorf("%s, n = %d: shown with frequency %v, want %v", kind, n, got, want)
			}
		}
		if m.Threshold() != 4 {
			t.Errorf("%s: threshold %d", kind, m.Threshold())
		}
	}
}

func TestSelectRefuses(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.DPSuppression, policy.DPSwapping, policy.DPSuppressionAlg2, policy.DiscreteGaussian} {
		c := kindConfig(kind) // without a delta
		switch kind {
		case policy.DPSwapping, policy.DPSuppressionAlg2:
			c.Delta = 1e12
		case policy.DiscreteGaussian: // or of counts of rows, which bound nobody's keys
			c.Sensitivity, c.PerCell = 3, 2
		}
		none := newMechanism(t, c)
		if _, _, err := none.Select(5); !errors.Is(err, errNoThreshold) || none.Threshold() != 0 || none.SelectionIdentity() != "" {
			t.Errorf("%s without a threshold: error %v, want errNoThreshold", kind, err)
		}
	}
	for _, kind := range policy.Kinds {
		c := kindConfig(kind)
		c.Delta = 1e12
		m := newMechanism(t, c)
		if kind == policy.DPSwapping || kind == policy.DPSuppressionAlg2 {
			continue
		}
		for _, n := range []int64{0, -1} {
			if _, _, err := m.Select(n); err == nil {
				t.Errorf("%s: Select(%d): no error", kind, n)
			}
		}
	}
}

// The smallest noise and the largest, the smallest delta and the largest: Select has a threshold, and keeps to it.
func TestExtremeThresholds(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.DiscreteGaussian, policy.Gaussian} {
		for _, e := range []policy.Epsilon{1, 1e3, 1e6, 1e9, 1e12, 9e18} {
			for _, d := range []policy.Delta{1, 1e9, 1e18 - 1} {
				for _, s := range []int64{1, 500} {
					for _, adjacency := range bothAdjacencies {
						m, err := New(complete(Config{Kind: kind, Epsilon: e, Delta: d, Adjacency: adjacency, Sensitivity: s}))
						if err != nil {
							if kind == policy.Geometric || kind == policy.Laplace || e >= 1e9 && d >= 1e9 {
								t.Errorf("%s, epsilon %v, delta %v, s %d: %v", kind, e, d, s, err)
							}
							continue // more noise than there is
						}
						for _, n := range []int64{1, math.MaxInt64} {
							if shown, ok, err := m.Select(n); err != nil || m.Threshold() < 2 || ok && shown < m.Threshold() {
								t.Errorf("%s, epsilon %v, delta %v, s %d: %d is shown as %d, %v, error %v, threshold %d", kind, e, d, s, n, shown, ok, err, m.Threshold())
							}
						}
					}
				}
			}
		}
	}
}

// truncatedThresholds are of add-remove and replace-one.
var truncatedThresholds = []struct {
	epsilon, delta string
	sensitivity    int64
	k              [2]int64
}{
	{"0.5", "1e-6", 1, [2]int64{25, 50}},
	{"0.5", "1e-6", 4, [2]int64{100, 199}},
	{"1", "1e-18", 1, [2]int64{41, 82}},
	{"1", "0.01", 1, [2]int64{4, 8}},
	{"1", "0.4", 1, [2]int64{1, 2}},
	{"0.01", "1e-9", 1, [2]int64{1543, 3085}},
	{"0.1", "0.01", 3, [2]int64{54, 108}},
	{"2.5", "1e-12", 2, [2]int64{23, 45}},
	{"5", "1e-6", 1, [2]int64{3, 6}},
	{"100", "1e-18", 500, [2]int64{227, 454}},
	{"0.000000001", "1e-18", 500, [2]int64{10015059329194, 20030118658387}},
	{"0.01", "0.3", 1, [2]int64{2, 3}},
}
