package auditor

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tacit/auditor/posterior"
	"tacit/policy"
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
// is that much nearer to its limit. Every corner is enumerated, and a grid of the box, whose other points can be worse: all is charged.
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
		if want := max(same, mixed, inside); got < want-1e-12 || got > 2*want {
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
	s, err := newState(p.opening())
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

// The certificate of a block holds at every prior of the box.
func TestCertificateOfMixedEnds(t *testing.T) {
	p := pair{[2]int{60, 60}, [2]float64{0.5, 0.5}, 0.08, 0.7}
	o := p.opening()
	o.Plan = []int32{0, 0}
	_, charge, err := o.Event()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		for j := range 5 {
			f := [2]float64{0.92 + 0.04*float64(i), 0.92 + 0.04*float64(j)}
			var g posterior.Group
			for k := range 2 {
				low, high := p.limit(k)
				prior := p.priors[k] * f[k]
				g = append(g, posterior.Atom{People: p.people[k], Prior: boolean(prior), Limits: []posterior.Limit{{}, {Low: low, High: high}}})
			}
			c, err := posterior.CertificateInsiders(g, []posterior.ValueSet{posterior.True}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := charge.Float(); got < c {
				t.Errorf("the plan is charged %v, and %v at %v", got, c, f)
			}
		}
	}
}

// Of any number of types with intervals the sum is decided. Where released sums are linked nothing is, unless the number of people with the
// value is known of each type with an interval.
func TestManyIntervals(t *testing.T) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.8, Delta: risk(0.9), PerDecision: risk(0.5), PerStatement: risk(0.9)}}
	data := &table{}
	for i := range 6 {
		o.Types = append(o.Types, Type{Prior: boolean(0.4 + 0.02*float64(i)), Interval: 0.02})
		o.Units = append(o.Units, Unit{i, 400})
		data.counts = append(data.counts, []int{220, 180})
	}
	o.Units = append(o.Units, Unit{0, 400}, Unit{5, 400})
	data.counts = append(data.counts, []int{220, 180}, []int{220, 180})
	s := open(t, o, data)
	for _, test := range []struct {
		query  Query
		reason string
	}{
		{about(0, 1, 2, 3, 4), ""},
		{about(0, 1, 2), ""},
		{about(1, 2, 3), "nothing is proved"}, // linked, and no type's number is known
		{about(5, 7), ""},
		{about(5, 6), "nothing is proved"}, // of the people of unit 6 nothing is known
		{about(6), ""},
		{about(5, 6), ""}, // now the number of each type that is linked is
	} {
		d := s.ask(test.query)[0].Decision
		if (d.Outcome == Suppressed) != (test.reason != "") || !strings.Contains(d.Reason, test.reason) {
			t.Errorf("%v: %v %s", test.query.Units, d.Outcome, d.Reason)
		}
	}
	s.verify()
}

// A log of an earlier version is made again by its rule: the same decisions, for the same charges. What is asked from then on is
// charged for the whole box, in events that say so.
func TestEarlierRuleIsReplayed(t *testing.T) {
	p := pair{[2]int{24, 8}, [2]float64{0.5, 0.1}, 0.1, 0.9}
	o := p.opening()
	o.Types[1].Interval = 0
	o.Units = append(o.Units, o.Units...)
	o.earlier = true
	data := &table{[][]int{{12, 12}, {7, 1}, {12, 12}, {7, 1}}}
	s := open(t, o, data)
	s.state.earlier = true
	before := s.ask(about(0, 1))[0].Decision
	s.state.earlier = false
	if before.Outcome != Released || math.Abs(before.Risk-0.0156) > 1e-4 {
		t.Fatalf("by the earlier rule: %+v", before)
	}
	after := s.ask(about(2, 3))[0].Decision
	if after.Outcome != Released || after.Risk < 0.03 {
		t.Fatalf("now: %+v", after)
	}
	s.verify()
	restored, err := Restore(s.log)
	if err != nil || restored.EarlierCharges() != 1 || restored.earlier || restored.Charged() != s.spent {
		t.Errorf("%v: %d earlier charges, %v charged of %v", err, restored.EarlierCharges(), restored.Charged(), s.spent)
	}
	// An event that claims the rule of the other one is found out.
	for i := range s.log {
		if s.log[i].Kind != EventRound {
			continue
		}
		r, err := decodeRound(s.log[i].Payload)
		if err != nil {
			t.Fatal(err)
		}
		if r.Charge == 0 {
			continue
		}
		r.boxed = !r.boxed
		forged := slices.Clone(s.log)
		forged[i] = Event{Kind: EventRound, Payload: r.Event().Payload, Answer: s.log[i].Answer}
		if differences, err := Replay(forged); err != nil || len(differences) == 0 {
			t.Errorf("round %d with the other rule: %v %v", i, differences, err)
		}
	}
}

// Decisions about tables with intervals are compared with every table that the priors allow: at no prior of the box does a round risk more
// than it is charged, whatever was released before.
func TestNaiveModelOfIntervals(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 8))
	released := 0
	tables := 150
	if testing.Short() {
		tables = 70
	}
	for range tables {
		o := Opening{Config: Config{Values: 2, Epsilon: 0.6 + 0.35*rng.Float64(), Delta: policy.OneRisk, PerDecision: policy.OneRisk, PerStatement: 1<<63 - 1}}
		for range 2 {
			o.Types = append(o.Types, Type{Prior: boolean(0.25 + 0.5*rng.Float64()), Interval: 0.02 + 0.1*rng.Float64()})
		}
		for range 4 {
			o.Units = append(o.Units, Unit{rng.IntN(2), 1 + rng.IntN(6)})
		}
		var points []*naive
		for i := range 9 {
			at := o
			at.Types = slices.Clone(o.Types)
			for k := range at.Types {
				p := o.Types[k].Prior[1]
				at.Types[k] = Type{Prior: boolean(p * (1 + o.Types[k].Interval*[]float64{-1, 0.5, 1}[[2]int{i % 3, i / 3}[k]]))}
			}
			points = append(points, newNaive(at))
		}
		s := open(t, o, points[0].draw(rng))
		s.boundless = true
		for range 5 {
			queries := randomQueries(rng, &o)
			st, err := s.state.Begin(queries, Left{1<<63 - 1, 1<<63 - 1}, [32]byte{})
			if err != nil {
				t.Fatal(err)
			}
			for r, ok := st.Next(); ok; r, ok = st.Next() {
				var counts []int64
				for _, c := range r.Open {
					counts = append(counts, s.table.answer(&queries[c.Query], c.Set))
					released++
				}
				event := r.Event()
				for _, n := range points {
					if risk := n.risk(queries, r.Open); risk > r.Charge.Float()+1e-9 {
						t.Fatalf("%+v: a round risks %v at %+v, charged %v: %+v", o.Units, risk, n.o.Types, r.Charge, r.Decisions)
					}
					n.learn(queries, r.Open, s.table)
				}
				if event.Answer, err = st.Answer(counts); err != nil {
					t.Fatal(err)
				}
				s.log = append(s.log, event)
				s.spent += r.Charge
			}
			if s.state.Alarm() != "" {
				break
			}
		}
		s.verify()
	}
	if released < tables {
		t.Errorf("only %d counts released", released)
	}
}
