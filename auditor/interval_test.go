package auditor

import (
	"math"
	"strings"
	"testing"

	"tacit/auditor/posterior"
)

// A pair is two types with intervals, all whose data sets are enumerated.
type pair struct {
	people   [2]int
	priors   [2]float64
	interval float64
	epsilon  float64
}

// limit is what is safe at the middle and both ends.
func (p *pair) limit(t int) (low, high float64) {
	low, high = 0, 1
	for _, f := range []float64{1, 1 - p.interval, 1 + p.interval} {
		prior := p.priors[t] * f
		low, high = max(low, prior-p.epsilon*min(prior, 1-prior)), min(high, prior+p.epsilon*min(prior, 1-prior))
	}
	return low, high
}

// risk is that of the sum of both types for people of the given priors, by enumeration.
func (p *pair) risk(a, b float64) float64 {
	n, m := p.people[0], p.people[1]
	risk := 0.0
	for sum := range n + m + 1 {
		weight, first, second := 0.0, 0.0, 0.0
		for x := max(0, sum-m); x <= min(n, sum); x++ {
			w := binomial(n, x) * math.Pow(a, float64(x)) * math.Pow(1-a, float64(n-x)) *
				binomial(m, sum-x) * math.Pow(b, float64(sum-x)) * math.Pow(1-b, float64(m-sum+x))
			weight += w
			first += w * float64(x) / float64(n)
			second += w * float64(sum-x) / float64(m)
		}
		for t, q := range []float64{first / weight, second / weight} {
			if low, high := p.limit(t); q < low-1e-9 || q > high+1e-9 {
				risk += weight
				break
			}
		}
	}
	return risk
}

// The corners where one type's prior is high and the other's low are worse than those where both are high or low: the one posterior then
// is that much nearer to its limit. Every corner is enumerated, and a grid of the box, whose other points are worse by 1% in one case: what
// corners do not prove.
func TestMixedEnds(t *testing.T) {
	worse := 0
	for _, p := range []pair{
		{[2]int{30, 30}, [2]float64{0.5, 0.5}, 0.06, 0.5},
		{[2]int{40, 20}, [2]float64{0.4, 0.5}, 0.1, 0.7},
		{[2]int{50, 50}, [2]float64{0.5, 0.5}, 0.15, 0.6},
		{[2]int{25, 60}, [2]float64{0.3, 0.6}, 0.05, 0.6},
	} {
		same, mixed, inside := 0.0, 0.0, 0.0
		for i := range 11 {
			for j := range 11 {
				at := func(t, k int) float64 { return p.priors[t] * (1 + p.interval*float64(k-5)/5) }
				r := p.risk(at(0, i), at(1, j))
				switch {
				case i == j && i%5 == 0:
					same = max(same, r)
				case i%10 == 0 && j%10 == 0:
					mixed = max(mixed, r)
				default:
					inside = max(inside, r)
				}
			}
		}
		if mixed > same*1.01 {
			worse++
		}
		got := p.ask(t).Risk
		if want := max(same, mixed); math.Abs(got-want) > 1e-9 || inside > 1.02*got+1e-9 {
			t.Errorf("%+v: risk %v; at equal ends %v, at mixed ends %v, between %v", p, got, same, mixed, inside)
		}
	}
	if worse < 2 {
		t.Errorf("mixed ends are worse in %d cases only", worse)
	}
}

func (p *pair) opening() Opening {
	return Opening{
		Config: Config{Values: 2, Epsilon: p.epsilon, Delta: risk(0.9), PerDecision: risk(0.9), PerStatement: risk(0.9), Types: []Type{
			{Prior: boolean(p.priors[0]), Interval: p.interval}, {Prior: boolean(p.priors[1]), Interval: p.interval},
		}},
		Units: []Unit{{0, p.people[0]}, {1, p.people[1]}},
	}
}

func (p *pair) ask(t *testing.T) Decision {
	s, err := Open(p.opening())
	if err != nil {
		t.Fatal(err)
	}
	return decideFirst(t, s, about(0, 1))
}

func decideFirst(t *testing.T, s *State, q Query) Decision {
	t.Helper()
	st, err := s.Begin([]Query{q}, Left{s.Config.Delta, s.Config.Delta}, [32]byte{})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := st.Next()
	return r.Decisions[0]
}

// The certificate of a block is the largest of the corners, too.
func TestCertificateOfMixedEnds(t *testing.T) {
	p := pair{[2]int{50, 50}, [2]float64{0.5, 0.5}, 0.15, 0.6}
	o := p.opening()
	o.Plan = []int32{0, 0}
	_, charge, err := o.Event()
	if err != nil {
		t.Fatal(err)
	}
	most, same := 0.0, 0.0
	for _, f := range [][2]float64{{1, 1}, {0.85, 0.85}, {1.15, 1.15}, {0.85, 1.15}, {1.15, 0.85}} {
		var g posterior.Group
		for k := range 2 {
			low, high := p.limit(k)
			prior := p.priors[k] * f[k]
			g = append(g, posterior.Atom{People: p.people[k], Prior: boolean(prior), Limits: []posterior.Limit{{}, {Low: low, High: high}}})
		}
		c, err := posterior.Certificate(g, []posterior.ValueSet{posterior.True})
		if err != nil {
			t.Fatal(err)
		}
		if most = max(most, c); f[0] == f[1] {
			same = max(same, c)
		}
	}
	if got := charge.Float(); math.Abs(got-min(1, most)) > 1e-6 || !(most > same) {
		t.Errorf("the plan is charged %v; the worst corner %v, and of equal ends %v", got, most, same)
	}
}

// Linked sums try all corners, too; and of more types than are tried together nothing is released, whatever the question's shape.
func TestManyIntervals(t *testing.T) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.8, Delta: risk(0.9), PerDecision: risk(0.5), PerStatement: risk(0.9)}}
	data := &table{}
	for i := range 6 {
		o.Types = append(o.Types, Type{Prior: boolean(0.4 + 0.02*float64(i)), Interval: 0.02})
		o.Units = append(o.Units, Unit{i, 400})
		data.counts = append(data.counts, []int{220, 180})
	}
	s := open(t, o, data)
	for _, test := range []struct {
		query  Query
		reason string
	}{
		{about(0, 1, 2, 3, 4), "more types"},
		{about(0, 1, 2), ""},
		{about(1, 2, 3), ""},
		{about(3, 4), "more types"}, // linked with four others
		{about(4, 5), ""},
		{about(0), ""},
	} {
		d := s.ask(test.query)[0].Decision
		if (d.Outcome == Suppressed) != (test.reason != "") || !strings.Contains(d.Reason, test.reason) {
			t.Errorf("%v: %v %s", test.query.Units, d.Outcome, d.Reason)
		}
	}
	s.verify()
}
