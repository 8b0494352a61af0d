package auditor

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// Small tables whose risks are known exactly, under a threshold: an answer on the threshold is released, and one above is not.
func TestThresholdRule(t *testing.T) {
	for _, test := range []struct {
		name      string
		units     []Unit
		prior     float64
		share     float64
		told      []int32 // asked before, at no cost that matters
		yes       []int
		query     []int32
		risk      float64
		released  bool
		reasoning string
	}{
		{"R1", []Unit{{0, 4}}, 0.5, 1. / 8, nil, []int{2}, []int32{0}, 1. / 8, true, ""},
		{"R1 below", []Unit{{0, 4}}, 0.5, 0.1249, nil, []int{2}, []int32{0}, 1. / 8, false, "share delta/T"},
		{"R2", []Unit{{0, 12}}, 0.4, 0.1, nil, []int{5}, []int32{0}, 6872717. / 48828125, false, "share delta/T"},
		{"R4", []Unit{{0, 6}, {0, 1}}, 0.5, 0.1, []int32{0, 1}, []int{3, 0}, []int32{0}, 1, false, "certainly"},
		{"R5", []Unit{{0, 8}, {0, 8}}, 0.5, 0.05, []int32{0, 1}, []int{5, 4}, []int32{0}, 29. / 715, true, ""},
	} {
		o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(2 * test.share), Decisions: 2, Rule: policy.ThresholdRule,
			Types: []Type{{Prior: boolean(test.prior)}}}, Units: test.units}
		data := &table{}
		for i, u := range test.units {
			data.counts = append(data.counts, []int{u.People - test.yes[i], test.yes[i]})
		}
		s := open(t, o, data)
		if test.told != nil {
			s.state.Config.Delta = policy.OneRisk
			if p := s.ask(about(test.told...)); p[0].Decision.Outcome != Released {
				t.Fatalf("%s: %+v", test.name, p)
			}
			s.state.Config.Delta, s.spent = o.Delta, 0
		}
		d := s.ask(about(test.query...))[0].Decision
		if math.Abs(d.Risk-test.risk) > 1e-12 || (d.Outcome == Released) != test.released || !strings.Contains(d.Reason, test.reasoning) {
			t.Errorf("%s: %+v", test.name, d)
		}
	}
}

// At u the paper's rule releases with probability P(Binomial(N,u) <= ln(T/delta)/2). 2,000 seeds at three risks; each count of releases is
// within 6 standard deviations of its mean and one more, which fails with probability below 1e-8.
func TestPaperRule(t *testing.T) {
	o := hairAndEyes()
	o.Rule, o.Decisions = policy.PaperRule, 16
	s, err := newState(o)
	if err != nil {
		t.Fatal(err)
	}
	ratio := 16 / 0.2
	samples, most := int(math.Ceil(ratio*math.Log(ratio))), int(math.Log(ratio)/2)
	if samples != 351 || most != 2 {
		t.Fatalf("%d samples, %d of them unsafe", samples, most)
	}
	for _, u := range []float64{1e-4, 0.00934, 0.02} {
		want, term := 0.0, math.Pow(1-u, float64(samples))
		for k := 0; k <= most; k++ {
			want += term
			term *= float64(samples-k) / float64(k+1) * u / (1 - u)
		}
		const seeds = 2000
		released := 0
		for i := range seeds {
			var number [8]byte
			binary.LittleEndian.PutUint64(number[:], uint64(i))
			v := wholeBudget(s, sha256.Sum256(number[:])).judge(estimate{u, true, 0, 0}, 0)
			if v.released {
				released++
			}
			if v.charge != o.Delta/16 {
				t.Fatalf("charge %v", v.charge)
			}
		}
		if d := math.Abs(float64(released) - want*seeds); d > 6*math.Sqrt(seeds*want*(1-want))+1 {
			t.Errorf("u = %v: released %d times of %d, expected %.1f", u, released, seeds, want*seeds)
		}
	}
}

// The rule's number of decisions is a bound, whether they release or not; and an exit ends the paper's rule for the whole table.
func TestDecisionsRunOut(t *testing.T) {
	o := hairAndEyes()
	o.Rule, o.Decisions, o.Delta = policy.PaperRule, 4, risk(0.2)
	s := open(t, o, published())
	cells, _ := grid(3, 3)
	suppressed := 0
	for _, p := range s.ask(cells...) {
		if strings.Contains(p.Decision.Reason, "all decisions") {
			suppressed++
		}
	}
	if left, bounded := s.state.DecisionsLeft(); suppressed != 5 || left != 0 || !bounded {
		t.Errorf("%d refused, %d left", suppressed, left)
	}
	if s.spent > o.Delta {
		t.Errorf("spent %v", s.spent)
	}
	s.verify()
	s = open(t, o, published())
	s.state.account.exited = true
	if p := s.ask(about(0)); p[0].Decision.Outcome != Suppressed || !strings.Contains(p[0].Decision.Reason, "exposed already") {
		t.Errorf("after an exit: %+v", p)
	}
}

// An exit taints those concerned, and raises the alarm for all. Once that is acknowledged, others are answered again, and those concerned
// only what follows from what they know.
func TestExit(t *testing.T) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.9), PerDecision: risk(0.5), PerStatement: risk(0.9),
		Types: []Type{{Prior: boolean(0.5)}}}, Units: []Unit{{0, 40}, {0, 30}, {0, 60}}}
	s := open(t, o, &table{[][]int{{2, 38}, {15, 15}, {30, 30}}})
	if p := s.ask(about(0)); p[0].Values == nil || s.state.Alarm() == "" {
		t.Fatalf("38 of 40: %+v, alarm %q", p, s.state.Alarm())
	}
	if p := s.ask(about(1), about(0)); p[0].Values != nil || p[1].Decision.Outcome != Free || p[1].Values[0] != 38 {
		t.Errorf("during the alarm: %+v", p)
	}
	e := s.state.AcknowledgeEvent()
	if err := s.state.Apply(e); err != nil {
		t.Fatal(err)
	}
	s.log = append(s.log, e)
	if p := s.ask(about(1), about(0, 2)); p[0].Values == nil || p[1].Values == nil {
		t.Errorf("others: %+v", p)
	}
	s.verify()
	// The people of a block that is out, cut further.
	s = open(t, Opening{Config: o.Config, Units: []Unit{{0, 40}, {0, 40}}}, &table{[][]int{{0, 40}, {2, 38}}})
	s.ask(about(0, 1))
	s.state.acknowledge()
	if p := s.ask(about(0)); p[0].Values != nil || !strings.Contains(p[0].Decision.Reason, "beyond epsilon") {
		t.Errorf("cut of people who are out: %+v", p)
	}
}

// Rates that scatter by 20% around the prior make answers lie twice as far from it as the model expects: the watch notices.
func TestWatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	o := Opening{Config: Config{Values: 2, Epsilon: 0.9, Delta: risk(0.9), PerDecision: risk(0.5), PerStatement: risk(0.9),
		Types: []Type{{Prior: boolean(0.3)}}}}
	right, wrong := &table{}, &table{}
	for range 60 {
		const n = 1000
		o.Units = append(o.Units, Unit{0, n})
		for _, t := range []*table{right, wrong} {
			p, yes := 0.3, 0
			if t == wrong {
				p *= 1 + 0.2*rng.NormFloat64()
			}
			for range n {
				if rng.Float64() < p {
					yes++
				}
			}
			t.counts = append(t.counts, []int{n - yes, yes})
		}
	}
	for _, data := range []*table{right, wrong} {
		s := open(t, o, data)
		s.ask(singles(60)...)
		if alarm := s.state.Alarm(); (alarm != "") != (data == wrong) {
			t.Errorf("alarm %q", alarm)
		}
	}
}

// With published totals everything is conditioned on them: a wrong guess of the rate is no matter, the total is free, and it is the cut
// of a known sum that is decided.
func TestTotals(t *testing.T) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.05), PerDecision: risk(0.005), PerStatement: risk(0.0125), Types: []Type{{Name: "all", Prior: boolean(0.9)}}},
		Units: []Unit{{0, 300}, {0, 250}, {0, 20}, {0, 430}}, Totals: [][]int64{{640, 360}}}
	s := open(t, o, &table{[][]int{{200, 100}, {160, 90}, {10, 10}, {270, 160}}})
	p := s.ask(about(0, 1, 2, 3), about(0), about(1), about(2), about(3))
	if p[0].Decision.Outcome != Free || p[0].Values[0] != 360 {
		t.Errorf("total: %+v", p[0])
	}
	// The small group must not be found by difference either: somebody of the others stays back with it.
	withheld := 0
	for i := 1; i < 5; i++ {
		if p[i].Values == nil {
			withheld++
		}
	}
	if withheld != 2 || p[3].Values != nil {
		t.Errorf("%d groups withheld: %+v", withheld, p)
	}
	s.verify()
}

func TestInsiders(t *testing.T) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.05), PerDecision: risk(0.001), PerStatement: risk(0.01), Insiders: 5,
		Types: []Type{{Prior: boolean(0.3)}}}, Units: []Unit{{0, 104}, {0, 200}, {0, 200}}}
	s := open(t, o, &table{[][]int{{70, 34}, {140, 60}, {140, 60}}})
	p := s.ask(about(0), about(0, 1))
	if p[0].Values != nil || p[1].Values == nil {
		t.Errorf("104 people less 5 insiders: %+v", p)
	}
	if p := s.ask(about(1, 2)); p[0].Values != nil || !strings.Contains(p[0].Decision.Reason, "insiders") {
		t.Errorf("linked sums: %+v", p)
	}
	s.verify()
}

// n_min at a risk of 1e-3 for intervals 0, 2%, 5% and 10% around p = .3: 103, 123, 176, 396 people.
func TestInterval(t *testing.T) {
	for _, test := range []struct {
		interval float64
		least    int
	}{{0, 103}, {0.02, 123}, {0.05, 176}, {0.1, 396}} {
		o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.9), PerDecision: risk(0.001), PerStatement: risk(0.9),
			Types: []Type{{Prior: boolean(0.3), Interval: test.interval}}}, Units: []Unit{{0, test.least}, {0, test.least - 1}}}
		s, err := newState(o)
		if err != nil {
			t.Fatal(err)
		}
		st, _ := s.Begin([]Query{about(0), about(1)}, Left{o.Delta, o.Delta}, [32]byte{})
		r, _ := st.Next()
		if r.Decisions[0].Outcome != Released || r.Decisions[1].Outcome != Suppressed {
			t.Errorf("interval %v: %+v", test.interval, r.Decisions)
		}
	}
	o := Opening{Config: Config{Values: 2, Epsilon: 0.2, Delta: risk(0.9), PerDecision: risk(0.1), PerStatement: risk(0.9),
		Types: []Type{{Prior: boolean(0.3), Interval: 0.3}}}, Units: []Unit{{0, 1000000}}}
	s := open(t, o, &table{[][]int{{700000, 300000}}})
	if p := s.ask(about(0)); p[0].Values != nil || !strings.Contains(p[0].Decision.Reason, "interval") {
		t.Errorf("an interval wider than epsilon: %+v", p)
	}
}

func TestOneSided(t *testing.T) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.9), PerDecision: risk(0.2), PerStatement: risk(0.9), OneSided: true,
		Types: []Type{{Prior: boolean(0.1)}}}, Units: []Unit{{0, 100}}}
	s := open(t, o, &table{[][]int{{100, 0}}})
	if p := s.ask(about(0)); p[0].Values == nil || s.state.Alarm() != "" {
		t.Errorf("nobody of 100: %+v, alarm %q", p, s.state.Alarm())
	}
}

// A vector of counts by a private attribute of three values: cells, then the margins are free; and over linked sums one count after another.
func TestVectors(t *testing.T) {
	types := []Type{{Prior: []float64{0.4, 0.35, 0.25}}}
	o := Opening{Config: Config{Values: 3, Epsilon: 0.5, Delta: risk(0.5), PerDecision: risk(0.2), PerStatement: risk(0.5), Types: types}}
	for range 4 {
		o.Units = append(o.Units, Unit{0, 400})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	data := draw(rng, types, o.Units)
	all := []posterior.ValueSet{1, 2, 4}
	vector := func(units ...int32) Query { return Query{units, all} }
	s := open(t, o, data)
	p := s.ask(vector(0, 1), vector(0), vector(1), vector(2), Query{[]int32{0, 2}, []posterior.ValueSet{6}})
	for i, r := range p {
		if r.Values == nil {
			t.Errorf("query %d: %+v", i, r)
		}
	}
	if p[0].Decision.Outcome != Free || p[4].Decision.Outcome != Free {
		t.Errorf("margins of vectors: %+v", p)
	}
	s.verify()
	s = open(t, o, data)
	for _, q := range []Query{vector(0, 1), vector(2, 3), vector(0, 2), vector(1, 3)} {
		r, rounds := s.rounds([]Query{q})
		for j := range all {
			if r[0].Values == nil || r[0].Values[j] != data.answer(&q, j) {
				t.Errorf("%v: %+v", q.Units, r)
				break
			}
		}
		t.Log(q.Units, r[0].Decision.Outcome, r[0].Decision.Engine, rounds)
	}
	s.verify()
}

// A vector about people of two types has no one-dimensional law: its counts are decided one after another, and the last follows.
func TestVectorOfTypes(t *testing.T) {
	types := []Type{{Prior: []float64{0.4, 0.35, 0.25}}, {Prior: []float64{0.3, 0.3, 0.4}}}
	o := Opening{Config: Config{Values: 3, Epsilon: 0.5, Delta: risk(0.5), PerDecision: risk(0.2), PerStatement: risk(0.5), Types: types},
		Units: []Unit{{0, 400}, {1, 400}}}
	data := draw(rand.New(rand.NewPCG(1, 1)), types, o.Units)
	s := open(t, o, data)
	q := Query{[]int32{0, 1}, []posterior.ValueSet{1, 2, 4}}
	p, rounds := s.rounds([]Query{q})
	if p[0].Decision.Outcome != Free || rounds != 3 {
		t.Fatalf("%d rounds: %+v", rounds, p)
	}
	for j, v := range p[0].Values {
		if v != data.answer(&q, j) {
			t.Errorf("count %d is %d", j, v)
		}
	}
	s.verify()
}

// A round never charges more than what is left to the analyst, also where suppressed decisions are charged; and what earlier steps of it
// were charged stays. Each decision of the paper's rule costs delta/16 = .0125 here, and groups of 8 people are suppressed for certain.
func TestPaperRuleSpendsWhatIsLeft(t *testing.T) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.2), Rule: policy.PaperRule, Decisions: 16, Types: []Type{{Prior: boolean(0.4)}}}}
	for range 5 {
		o.Units = append(o.Units, Unit{0, 8})
	}
	for _, test := range []struct {
		left    float64
		queries []Query
		charged int
	}{
		{0.012, singles(5), 0}, {0.02, singles(5), 1}, {0.04, singles(5), 3}, {0.2, singles(5), 5},
		// Two steps: those that do not overlap, and then those that wait for them.
		{0.2, append(singles(2), about(0, 1)), 3}, {0.026, append(singles(2), about(0, 1)), 2},
	} {
		s, err := newState(o)
		if err != nil {
			t.Fatal(err)
		}
		st, _ := s.Begin(test.queries, Left{risk(0.2), risk(test.left)}, [32]byte{1})
		r, _ := st.Next()
		if want := policy.Risk(test.charged) * (o.Delta / 16); r.Charge != want {
			t.Errorf("%v left for %d questions: charged %v, want %v", test.left, len(test.queries), r.Charge, want)
		}
	}
}

// A share of delta that is no whole number of units is rounded up.
func TestThresholdChargeIsRoundedUp(t *testing.T) {
	o := hairAndEyes()
	o.Rule, o.Decisions = policy.ThresholdRule, 3
	o.Delta = risk(0.2) // not divisible by 3
	s, err := newState(o)
	if err != nil {
		t.Fatal(err)
	}
	if v := wholeBudget(s, [32]byte{}).judge(estimate{0.2 / 3, true, 0, 0}, 0); !v.released || 3*v.charge < o.Delta {
		t.Errorf("%+v: three times that is below %v", v, o.Delta)
	}
}
