package posterior

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// A boxed group is types whose priors lie in intervals.
type boxed []Atom

// newBoxed is random types, of which at least one has an interval. All have the limits that are safe in the whole of it.
func newBoxed(rng *rand.Rand, types, people int, epsilon float64) boxed {
	var b boxed
	for i := range types {
		p := 0.08 + 0.84*rng.Float64()
		x := rng.Float64() * min(epsilon/3, 0.9*(1-p)/p, 0.3)
		if i > 0 && rng.IntN(3) == 0 {
			x = 0
		}
		b = append(b, boxedAtom(1+rng.IntN(people), p, x, epsilon))
	}
	return b
}

func boxedAtom(people int, p, interval, epsilon float64) Atom {
	low, high := p*(1-interval), p*(1+interval)
	l := Limit{Low: high - epsilon*min(high, 1-high), High: low + epsilon*min(low, 1-low)}
	a := Atom{People: people, Prior: []float64{1 - p, p}, Limits: []Limit{{}, l}}
	if interval > 0 {
		a.Interval = &Interval{low, high}
	}
	return a
}

// inside are rates of each type at a point of the box; an end of it each second time.
func (b boxed) inside(rng *rand.Rand) []float64 {
	at := make([]float64, len(b))
	for i := range b {
		at[i] = b[i].Prior[1]
		if w := b[i].Interval; w != nil {
			x := []float64{0, 1, rng.Float64(), rng.Float64()}[rng.IntN(4)]
			at[i] = w.Low + x*(w.High-w.Low)
		}
	}
	return at
}

// group is so many people of each type; rates nil: their priors are only known to lie in the box.
func (b boxed) group(people []int, rates []float64) Group {
	var g Group
	for i, n := range people {
		a := b[i]
		if a.People = n; rates != nil {
			a.Prior, a.Interval = []float64{1 - rates[i], rates[i]}, nil
		}
		if n > 0 {
			g = append(g, a)
		}
	}
	return g
}

func (b boxed) people() []int {
	n := make([]int, len(b))
	for i := range b {
		n[i] = b[i].People
	}
	return n
}

// cutAt divides the people of each type.
func (b boxed) cutAt(rng *rand.Rand) (inside, rest []int) {
	for i := range b {
		n := rng.IntN(b[i].People + 1)
		inside, rest = append(inside, n), append(rest, b[i].People-n)
	}
	return inside, rest
}

// everyPoint compares a bound with the risks at points of the box.
func everyPoint(t *testing.T, rng *rand.Rand, b boxed, what string, risk func(rates []float64) (float64, error)) (tight float64) {
	t.Helper()
	bound, err := risk(nil)
	if errors.Is(err, errImpossible) {
		return 0
	}
	if err != nil {
		t.Fatalf("%s of %+v: %v", what, b, err)
	}
	worst := 0.0
	for range 30 {
		rates := b.inside(rng)
		r, err := risk(rates)
		if err != nil {
			t.Fatal(err)
		}
		worst = max(worst, r)
		if r > bound*(1+1e-8)+1e-13 {
			t.Fatalf("%s of %+v: %v at %v, and the bound is %v", what, b, r, rates, bound)
		}
	}
	return worst / bound
}

// At no point of a box is a risk above what is charged for it: people in no sum, pieces of a block one at a time and together, what these
// leave, and certificates; with insiders and without. A risk at the corners alone, each with its own unsafe answers, fails here.
func TestBoxHoldsEveryPrior(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 7))
	tight, boxes := 0, 500
	if testing.Short() {
		boxes = 70
	}
	for range boxes {
		types := 1 + rng.IntN(3)
		epsilon := 0.2 + 0.75*rng.Float64()
		b := newBoxed(rng, types, 60/types, epsilon)
		all := b.people()
		insiders := max(0, rng.IntN(5)-2)
		if everyPoint(t, rng, b, "sum", func(rates []float64) (float64, error) {
			return RootRiskInsiders(b.group(all, rates), []ValueSet{True}, insiders)
		}) > 0.9 {
			tight++
		}
		everyPoint(t, rng, b, "certificate", func(rates []float64) (float64, error) {
			return CertificateInsiders(b.group(all, rates), []ValueSet{True}, insiders)
		})
		in, out := b.cutAt(rng)
		n := people(b.group(all, nil))
		known := Classes{Sets: []ValueSet{True}, Sums: []int{min(n, int(float64(n)*(0.1+0.8*rng.Float64())))}}
		everyPoint(t, rng, b, "piece", func(rates []float64) (float64, error) {
			return SplitRiskInsiders(b.group(in, rates), b.group(out, rates), known, insiders)
		})
		more, rest := make([]int, len(out)), make([]int, len(out))
		for i, k := range out {
			more[i] = rng.IntN(k + 1)
			rest[i] = k - more[i]
		}
		for what, risk := range map[string]func(*Block) (float64, error){
			"first piece": func(j *Block) (float64, error) { return j.PieceRisk(0), nil },
			"second":      func(j *Block) (float64, error) { return j.PieceRisk(1), nil },
			"rest":        func(j *Block) (float64, error) { return j.RestRisk([]int{0, 1}) },
			"rest of one": func(j *Block) (float64, error) { return j.RestRisk([]int{1}) },
		} {
			everyPoint(t, rng, b, what, func(rates []float64) (float64, error) {
				j, err := NewBlock(Split{Pieces: []Group{b.group(in, rates), b.group(more, rates)}, Rest: b.group(rest, rates), Known: known})
				if err != nil {
					return 0, err
				}
				return risk(j)
			})
		}
	}
	// The bound is no guess: most of the time some prior comes near to it.
	if tight < boxes*2/5 {
		t.Errorf("near to the bound in %d of %d cases only", tight, boxes)
	}
}

// With more types than corners are looked at the two tails are taken where they are largest.
func TestBoxOfManyTypes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 40 {
		b := newBoxed(rng, 6, 25, 0.9)
		for i := range b {
			b[i] = boxedAtom(b[i].People, 0.2+0.6*rng.Float64(), 0.03+0.04*rng.Float64(), 0.9)
		}
		all := b.people()
		everyPoint(t, rng, b, "sum", func(rates []float64) (float64, error) {
			return RootRisk(b.group(all, rates), []ValueSet{True})
		})
		in, out := b.cutAt(rng)
		known := Classes{Sets: []ValueSet{True}, Sums: []int{people(b.group(all, nil)) / 2}}
		everyPoint(t, rng, b, "piece", func(rates []float64) (float64, error) {
			return SplitRiskInsiders(b.group(in, rates), b.group(out, rates), known, 0)
		})
	}
}

// exactRisk enumerates how many people of two types have the value: the probability of an answer that takes a type out of its limits.
func exactRisk(b boxed, rates []float64) float64 {
	n, m := b[0].People, b[1].People
	choose := func(n, k int) float64 {
		a, _ := math.Lgamma(float64(n + 1))
		c, _ := math.Lgamma(float64(k + 1))
		d, _ := math.Lgamma(float64(n - k + 1))
		return math.Exp(a - c - d)
	}
	law := func(n, k int, p float64) float64 {
		return choose(n, k) * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
	}
	risk := 0.0
	for s := range n + m + 1 {
		weight, first := 0.0, 0.0
		for x := max(0, s-m); x <= min(n, s); x++ {
			w := law(n, x, rates[0]) * law(m, s-x, rates[1])
			weight, first = weight+w, first+w*float64(x)
		}
		mean := first / weight
		for t, q := range []float64{mean / float64(n), (float64(s) - mean) / float64(m)} {
			if l := b[t].Limits[1]; q < l.Low-1e-9 || q > l.High+1e-9 {
				risk += weight
				break
			}
		}
	}
	return risk
}

// The largest risk of a box can lie inside of it, where the corners with their own unsafe answers give half as much. Exact values, enumerated.
func TestWorstPriorIsInside(t *testing.T) {
	for _, c := range []struct {
		b              boxed
		rates          []float64
		corners, exact float64
	}{
		{boxed{boxedAtom(24, 0.5, 0.1, 0.9), boxedAtom(8, 0.1, 0, 0.9)}, []float64{0.4875, 0.1}, 0.0156, 0.0271},
		{boxed{boxedAtom(29, 0.5, 0.05, 0.9), boxedAtom(18, 0.6, 0, 0.9)}, nil, 1.03e-6, 2.07e-6},
	} {
		bound, err := RootRisk(c.b.group(c.b.people(), nil), []ValueSet{True})
		if err != nil {
			t.Fatal(err)
		}
		w := c.b[0].Interval
		at := func(p float64) float64 { return exactRisk(c.b, []float64{p, c.b[1].Prior[1]}) }
		corners, worst := max(at(w.Low), at(w.High), at(c.b[0].Prior[1])), 0.0
		for i := range 401 {
			worst = max(worst, at(w.Low+(w.High-w.Low)*float64(i)/400))
		}
		t.Logf("corners %v, worst %v, bound %v", corners, worst, bound)
		if c.rates != nil && math.Abs(exactRisk(c.b, c.rates)/c.exact-1) > 0.01 {
			t.Errorf("%v at %v, want %v", exactRisk(c.b, c.rates), c.rates, c.exact)
		}
		if math.Abs(corners/c.corners-1) > 0.01 || worst < 0.995*c.exact || bound < worst {
			t.Errorf("corners %v, worst %v of %v, bound %v", corners, worst, c.exact, bound)
		}
	}
}

// What is linked is decided only where released sums tell the number of each type with an interval; people who share a rate, never.
func TestBoxRefusesWhatIsNotProved(t *testing.T) {
	a, b := boxedAtom(40, 0.4, 0.05, 0.8), boxedAtom(40, 0.5, 0, 0.8)
	s := System{Atoms: []Atom{a, a, b, b}, Sums: []Sum{{Set{[]int{0, 2}, True}, 35}, {Set{[]int{1, 2}, True}, 36}}}
	q := Set{[]int{0, 3}, True}
	if _, err := s.Decide(q); !errors.Is(err, ErrInterval) {
		t.Errorf("the number of the type is open: %v", err)
	}
	s.Sums = append(s.Sums, Sum{Set{[]int{0, 1}, True}, 33})
	d, err := s.Decide(q)
	if err != nil {
		t.Fatalf("the number of the type is known: %v", err)
	}
	for _, p := range []float64{a.Interval.Low, a.Interval.High} {
		at := a
		at.Prior, at.Interval = []float64{1 - p, p}, nil
		same, err := System{[]Atom{at, at, b, b}, s.Sums}.Decide(q)
		if err != nil || math.Abs(same.Risk-d.Risk) > 1e-6*d.Risk {
			t.Errorf("risk %v at %v, and %v: %v", same.Risk, p, d.Risk, err)
		}
	}
	scattered := Atom{People: 30, Prior: []float64{0.7, 0.3}, Spread: 0.2, Limits: []Limit{{}, {Low: 0.1, High: 0.5}}}
	if _, err := RootRisk(Group{a, scattered}, []ValueSet{True}); !errors.Is(err, ErrInterval) {
		t.Errorf("rates that scatter: %v", err)
	}
	if _, err := CertificateInsiders(Group{a, scattered}, []ValueSet{True}, 0); !errors.Is(err, ErrInterval) {
		t.Errorf("a certificate of rates that scatter: %v", err)
	}
	known := Classes{Sets: []ValueSet{True}, Sums: []int{20}}
	if _, err := SplitRiskInsiders(Group{a}, Group{scattered}, known, 0); !errors.Is(err, ErrInterval) {
		t.Errorf("a block of rates that scatter: %v", err)
	}
	both := a
	both.Spread = 0.1
	if _, err := RootRisk(Group{both}, []ValueSet{True}); !errors.Is(err, ErrInterval) {
		t.Errorf("an interval of a rate that scatters: %v", err)
	}
}
