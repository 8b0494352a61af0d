package auditor

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// planned is 8 groups of 100 people at p = .4, of which each pair is a block.
func pairs() Opening {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.05), PerDecision: risk(0.005), PerStatement: risk(0.0125),
		Types: []Type{{Prior: boolean(0.4)}}}, Plan: []int32{0, 0, 1, 1, 2, 2, 3, 3}}
	for range 8 {
		o.Units = append(o.Units, Unit{0, 100})
	}
	return o
}

// Unions of blocks of a plan are answered for nothing, in any order and however they overlap, until something finer is released of those
// concerned.
func TestCertifiedPlan(t *testing.T) {
	o := pairs()
	rng := rand.New(rand.NewPCG(6, 6))
	s := open(t, o, draw(rng, o.Types, o.Units))
	charge := s.spent
	if charge <= 0 || charge > risk(1e-4) {
		t.Fatalf("the plan costs %v", charge)
	}
	for _, q := range []Query{about(0, 1, 2, 3), about(2, 3, 4, 5), about(0, 1, 4, 5, 6, 7), about(0, 1, 2, 3, 4, 5, 6, 7)} {
		if d := s.ask(q)[0].Decision; d.Outcome != Certified && d.Outcome != Free {
			t.Errorf("%v: %+v", q.Units, d)
		}
	}
	if s.spent != charge {
		t.Errorf("unions cost %v", s.spent-charge)
	}
	s.verify()

	s = open(t, o, draw(rng, o.Types, o.Units))
	s.ask(about(0, 1), about(2, 3))
	if d := s.ask(about(0))[0].Decision; d.Outcome != Released || d.Charge == 0 {
		t.Errorf("a half of a block: %+v", d)
	}
	// Blocks 0 and 1 are apart, so that what is finer in the one is no matter for the other, or for the rest.
	if d := s.ask(about(4, 5, 6, 7))[0].Decision; d.Outcome != Certified {
		t.Errorf("other blocks: %+v", d)
	}
	s.verify()

	s = open(t, o, draw(rng, o.Types, o.Units))
	s.ask(about(0, 1, 2, 3))
	if d := s.ask(about(0, 2))[0].Decision; d.Outcome != Released {
		t.Fatalf("halves of two blocks: %+v", d)
	}
	for _, test := range []struct {
		q    Query
		want bool
	}{{about(0, 1), false}, {about(2, 3, 6, 7), false}, {about(4, 5), true}, {about(0, 1, 2, 3, 6, 7), true}} {
		if d := s.predict(test.q); (d.Outcome == Certified) != test.want {
			t.Errorf("%v, where half of blocks 0 and 1 is known: %+v", test.q.Units, d)
		}
	}
	s.verify()
}

// A plan is for each value: what it costs covers every set of values, and a finer question about values of a block does not make its
// people less safe than was paid for. With three values whose rarest is expected 20 times, the certificate of each block is of that value.
func TestPlanIsForEachValue(t *testing.T) {
	o := Opening{Config: Config{Values: 3, Epsilon: 0.5, Delta: risk(0.2), PerDecision: risk(0.1), PerStatement: risk(0.1),
		Types: []Type{{Prior: []float64{0.5, 0.49, 0.01}}}}, Units: []Unit{{0, 2000}, {0, 2000}}, Plan: []int32{0, 1}}
	_, charge, err := o.Event()
	if err != nil {
		t.Fatal(err)
	}
	limit := posterior.Limit{Low: 0.005, High: 0.015}
	rare, err := posterior.CertificateInsiders(posterior.Group{{People: 2000, Prior: []float64{0.99, 0.01}, Limits: []posterior.Limit{{}, limit}}}, []posterior.ValueSet{posterior.True}, 0)
	if err != nil || charge.Float() < 2*rare || rare < 0.01 {
		t.Errorf("the plan costs %v, and the rarest value alone %v in each block, error %v", charge, rare, err)
	}
	// Where finer people are known the plan lapses, and so for every set of values.
	o.Units = append(o.Units, Unit{0, 8000}, Unit{0, 8000})
	o.Plan = []int32{0, 0, 1, 1}
	s := open(t, o, draw(rand.New(rand.NewPCG(1, 9)), o.Types, o.Units))
	s.state.Config.PerDecision = policy.OneRisk
	s.state.history.Condition([]int32{0}, posterior.Classes{}).Marks = planLapsed
	for _, set := range []posterior.ValueSet{1, 2, 4, 6} {
		if d := s.predict(Query{[]int32{0, 1}, []posterior.ValueSet{set}}); d.Outcome == Certified {
			t.Errorf("set %b: %+v", set, d)
		}
		if d := s.predict(Query{[]int32{2, 3}, []posterior.ValueSet{set}}); d.Outcome != Certified {
			t.Errorf("set %b of another block: %+v", set, d)
		}
	}
}

// predict is the decision of a query that is not asked.
func (s *session) predict(q Query) Decision {
	s.t.Helper()
	st, err := s.state.Begin([]Query{q}, s.left(), [32]byte{})
	if err != nil {
		s.t.Fatal(err)
	}
	r, _ := st.Next()
	return r.Decisions[0]
}

// Bins as fine as the share allows, and no finer: the chosen grid is answered entirely, and the refinement of any column costs too much.
func TestChoosePlan(t *testing.T) {
	p := Planning{Opening: Opening{Config: pairs().Config}, Share: risk(0.025)}
	var ages []int64
	rng := rand.New(rand.NewPCG(7, 7))
	var region, town []int32
	for age := range int64(80) {
		for place := range int32(8) {
			p.Opening.Units = append(p.Opening.Units, Unit{0, rng.IntN(8)})
			ages = append(ages, age)
			region, town = append(region, place/4), append(town, place)
		}
	}
	levels, starts := Halvings(ages, p.Opening.Units, 6)
	everything := make([]int32, len(ages))
	p.Columns = []PlanColumn{{"age", levels}, {"place", []PlanLevel{{"all", everything}, {"region", region}, {"town", town}}}}
	plan, err := p.Choose()
	if err != nil {
		t.Fatal(err)
	}
	t.Log(plan.Levels, plan.Charge, starts[plan.Levels[0]])
	if plan.Charge > p.Share || plan.Levels[0] == 0 || plan.Levels[1] == 0 {
		t.Errorf("levels %v for %v", plan.Levels, plan.Charge)
	}
	k, err := newKnowledge(&p.Opening)
	if err != nil {
		t.Fatal(err)
	}
	for c := range plan.Levels {
		finer := slices.Clone(plan.Levels)
		if finer[c]++; finer[c] < len(p.Columns[c].Levels) {
			if _, charge, ok := p.try(&k.model, finer); ok {
				t.Errorf("levels %v cost %v only", finer, charge)
			}
		}
	}
	o := p.Opening
	o.Plan = plan.Blocks
	asked := open(t, o, draw(rng, o.Types, o.Units))
	if asked.spent != plan.Charge {
		t.Errorf("planned for %v, opened for %v", plan.Charge, asked.spent)
	}
	byBlock := make(map[int32][]int32)
	for u, b := range plan.Blocks {
		byBlock[b] = append(byBlock[b], int32(u))
	}
	var queries []Query
	for _, units := range byBlock {
		queries = append(queries, about(units...))
	}
	for _, r := range asked.ask(queries...) {
		if r.Decision.Outcome != Certified {
			t.Errorf("%+v", r.Decision)
		}
	}
	p.Share = 1
	if _, err := p.Choose(); !errors.Is(err, ErrNoPlan) {
		t.Errorf("a share of 1e-18: %v", err)
	}
}

// Halvings cut where the people of both halves are nearest to equal, not the values.
func TestHalvings(t *testing.T) {
	_, starts := Halvings([]int64{10, 20, 30, 40, 40}, []Unit{{0, 90}, {0, 10}, {0, 10}, {0, 10}, {0, 20}}, 5)
	want := [][]int64{{10}, {10, 20}, {10, 20, 40}, {10, 20, 30, 40}}
	if !slices.EqualFunc(starts, want, func(a, b []int64) bool { return slices.Equal(a, b) }) {
		t.Errorf("starts %v", starts)
	}
}

// Rules of epochs: people who came are a batch of their own, and people who left stay in the model.
func TestEpochs(t *testing.T) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.05), PerDecision: risk(0.001), PerStatement: risk(0.0125),
		Types: []Type{{Prior: boolean(0.3)}}}, Units: []Unit{{0, 200}, {0, 200}}}
	s := open(t, o, &table{[][]int{{140, 60}, {140, 60}}})
	s.ask(about(0), about(1))
	batches := []Movement{{[]Unit{{0, 120}}, -1}, {[]Unit{{0, 40}}, -1}, {[]Unit{{0, 60}}, 7}, {[]Unit{{0, 60}}, 7}, {[]Unit{{0, 60}}, 8}}
	if got, want := s.state.PendingBatches(batches, risk(0.001)), []bool{true, false, true, true, false}; !slices.Equal(got, want) {
		t.Errorf("admitted %v, want %v", got, want)
	}
	e, charge, err := s.state.SealEvent(Epoch{Gone: []Departure{{0, 2}}, Added: []Unit{{0, 120}, {0, 40}}, Distinct: true})
	if err != nil || charge != 0 {
		t.Fatal(charge, err)
	}
	if err := s.state.Apply(e); err != nil {
		t.Fatal(err)
	}
	s.log = append(s.log, e)
	// Units: 0 (198 left of 200), 1, 2 (the two who left), 3 and 4 (who came).
	s.table = &table{[][]int{{139, 59}, {140, 60}, {1, 1}, {84, 36}, {28, 12}}}
	p := s.ask(about(0), about(1), about(1, 3), about(1, 4))
	if p[0].Values != nil || p[1].Decision.Outcome != Free || p[2].Values == nil || p[3].Values != nil {
		t.Errorf("after two left, and 120 and 40 came: %+v", p)
	}
	if _, err := s.state.Begin([]Query{about(2)}, s.left(), [32]byte{}); !errors.Is(err, errInvalid) {
		t.Errorf("a question about people who left: %v", err)
	}
	restored, err := Restore(s.log)
	if err != nil || restored.Charged() != s.spent || restored.Units() != 5 {
		t.Errorf("restored: %v", err)
	}
	if u, gone := restored.Unit(2); u.People != 2 || !gone {
		t.Errorf("%+v %v", u, gone)
	}
	s.verify()
}

// A further epoch can have a plan of its own, charged with its event.
func TestPlanOfAnEpoch(t *testing.T) {
	o := pairs()
	s := open(t, o, nil)
	e, charge, err := s.state.SealEvent(Epoch{Added: []Unit{{0, 200}, {0, 150}}, Plan: []int32{0, 0}})
	if err != nil || charge <= 0 {
		t.Fatal(charge, err)
	}
	if err := s.state.Apply(e); err != nil {
		t.Fatal(err)
	}
	if s.state.Charged() != s.spent+charge {
		t.Errorf("charged %v", s.state.Charged())
	}
	for _, test := range []struct {
		q    Query
		want Outcome
	}{{about(8, 9), Certified}, {about(0, 1, 8, 9), Certified}, {about(0, 1, 8), Released}} {
		if d := s.predict(test.q); d.Outcome != test.want {
			t.Errorf("%v: %+v", test.q.Units, d)
		}
	}
}

// Greedy by risk, with caps: what one statement may spend, what the table and the analyst have left.
func TestCaps(t *testing.T) {
	o := pairs()
	o.Plan = nil
	for i := range o.Units {
		o.Units[i].People = 60 + i
	}
	for name, test := range map[string]struct {
		left      Left
		statement policy.Risk
		released  int
	}{
		"all":       {Left{risk(1), risk(1)}, risk(1), 8},
		"statement": {Left{risk(1), risk(1)}, risk(0.0013), 2},
		"analyst":   {Left{risk(1), risk(0.0013)}, risk(1), 2},
		"table":     {Left{risk(0.0013), risk(1)}, risk(1), 2},
	} {
		o.PerStatement = test.statement
		s, err := newState(o)
		if err != nil {
			t.Fatal(err)
		}
		st, err := s.Begin(singles(8), test.left, [32]byte{})
		if err != nil {
			t.Fatal(err)
		}
		r, _ := st.Next()
		released := 0
		for _, d := range r.Decisions {
			if d.Outcome == Released {
				released++
			}
		}
		if r.Charge > min(test.statement, test.left.Analyst, test.left.Table) {
			t.Errorf("%s: charge %v", name, r.Charge)
		}
		t.Logf("%s: %d released for %v", name, released, r.Charge)
		if released != test.released {
			t.Errorf("%s: %d released, want %d: %+v", name, released, test.released, r.Decisions)
		}
	}
}

// A statement that asks for the blocks that it cuts as well leaves the plan as it is, whatever it releases besides; one that does not, not.
func TestPreliminary(t *testing.T) {
	o := pairs()
	fine := about(0, 2)
	unions := []Query{about(0, 1, 2, 3), about(0, 1, 4, 5), about(2, 3, 4, 5, 6, 7), about(0, 1), about(6, 7)}
	for _, careful := range []bool{true, false} {
		rng := rand.New(rand.NewPCG(6, 6))
		s := open(t, o, draw(rng, o.Types, o.Units))
		queries := []Query{fine}
		if careful {
			before := s.state.Preliminary(queries)
			if want := []Query{about(0, 1), about(2, 3)}; !reflect.DeepEqual(before, want) {
				t.Fatalf("before %v come %v, want %v", fine, before, want)
			}
			queries = append(queries, before...)
		}
		s.ask(queries...)
		if more := s.state.Preliminary(queries); len(more) > 0 {
			t.Errorf("and then %v", more)
		}
		spent := s.spent
		for _, q := range unions {
			d := s.ask(q)[0].Decision
			if careful && d.Outcome != Certified && d.Outcome != Free {
				t.Errorf("%v: %+v", q.Units, d)
			}
		}
		if careful == (s.spent != spent) {
			t.Errorf("careful %t: unions cost %v", careful, s.spent-spent)
		}
		s.verify()
	}
}

// Levels that do not refine one another would make unions of coarse bins cut the blocks of the grid.
func TestLevelsRefine(t *testing.T) {
	p := Planning{Opening: pairs(), Share: risk(0.02)}
	p.Opening.Plan = nil
	p.Columns = []PlanColumn{{"c", []PlanLevel{{"coarse", []int32{0, 0, 0, 0, 1, 1, 1, 1}}, {"across", []int32{0, 0, 1, 1, 1, 1, 2, 2}}}}}
	if _, err := p.Choose(); !errors.Is(err, errInvalid) {
		t.Errorf("%v", err)
	}
	p.Columns[0].Levels[1].Bins = []int32{0, 0, 1, 1, 2, 2, 3, 3}
	if _, err := p.Choose(); err != nil {
		t.Error(err)
	}
}
