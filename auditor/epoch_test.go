package auditor

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// withTotals is a table with published totals of two types, 3000 of 10000 and 8000 of 20000.
func withTotals() Opening {
	return Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.2), PerDecision: risk(0.1), PerStatement: risk(0.1),
		Types: []Type{{Name: "a", Prior: boolean(0.5)}, {Name: "b", Prior: boolean(0.5)}}}, Units: []Unit{{0, 10000}, {1, 20000}},
		Totals: [][]int64{{7000, 3000}, {12000, 8000}}}
}

// People who come after totals were published have the published share as a prior that is only known within five of its deviations. Their risk
// is above what it would be if the share were their exact rate, and above what it is given the total alone: a rate of which Y of N were
// seen, which is that of Polya's urn.
func TestArrivals(t *testing.T) {
	o := withTotals()
	s, err := newState(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, people := range []int{250, 400, 600} {
		got, err := s.arrivalsRisk([]Unit{{0, people}})
		if err != nil {
			t.Fatal(err)
		}
		a := posterior.Atom{People: people, Prior: boolean(0.3), Limits: s.priors[0].limits}
		exact, err := posterior.RootRisk(posterior.Group{a}, []posterior.ValueSet{posterior.True})
		a.Spread = math.Sqrt(0.7 / (0.3 * 10001))
		given, err2 := posterior.RootRisk(posterior.Group{a}, []posterior.ValueSet{posterior.True})
		if err != nil || err2 != nil || got < exact || got < given {
			t.Errorf("%d people: risk %v, at the exact rate %v, given the total %v; %v %v", people, got, exact, given, err, err2)
		}
	}
	want := 5 * math.Sqrt(0.7/3000)
	arriving, ok := arrivalType([]int64{7000, 3000})
	if !ok || math.Abs(arriving.Interval-want) > 1e-15 || arriving.Prior[1] != 0.3 {
		t.Errorf("%+v, interval of %v", arriving, want)
	}
	// Sealed, they are asked about with the same risk, and what is decided follows again from the log.
	batch := []Movement{{[]Unit{{1, 5000}}, -1}, {[]Unit{{1, 10}}, -1}}
	if got := s.PendingBatches(batch, risk(0.01)); !cmp.Equal(got, []bool{true, false}) {
		t.Errorf("admitted %v", got)
	}
	session := open(t, o, &table{[][]int{{7000, 3000}, {12000, 8000}, {3000, 2000}}})
	session.seal(Epoch{Added: []Unit{{1, 5000}}})
	d := session.ask(about(2))[0].Decision
	if risk, err := session.state.arrivalsRisk([]Unit{{1, 5000}}); err != nil || d.Risk != risk || d.Outcome != Released {
		t.Errorf("%+v, as a batch %v %v", d, risk, err)
	}
	session.verify()
}

// Totals that say too little of the rate, and those of more than two values, take nobody in.
func TestNoArrivals(t *testing.T) {
	for _, totals := range [][]int64{{1000, 0}, {0, 1000}, {980, 20}, {400, 300, 300}} {
		o := withTotals()
		prior := make([]float64, len(totals))
		prior[0] = 1
		o.Values, o.Types, o.Units, o.Totals = len(totals), []Type{{Prior: prior}}, []Unit{{0, 1000}}, [][]int64{totals}
		s, err := newState(o)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.PendingBatches([]Movement{{[]Unit{{0, 100000}}, -1}}, policy.OneRisk); got[0] {
			t.Errorf("totals %v admit people", totals)
		}
		if _, _, err := s.SealEvent(Epoch{Added: []Unit{{0, 100000}}}); !errors.Is(err, errInvalid) {
			t.Errorf("totals %v: %v", totals, err)
		}
	}
}

// seal seals an epoch and logs it.
func (s *session) seal(p Epoch) {
	s.t.Helper()
	e, charge, err := s.state.SealEvent(p)
	if err == nil {
		err = s.state.Apply(e)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.log = append(s.log, e)
	s.spent += charge
}

// An epoch that cannot be sealed is refused when it is proposed, and applying it leaves the state as it was.
func TestRefusedEpochs(t *testing.T) {
	for name, p := range map[string]Epoch{
		"left and came":              {Gone: []Departure{{0, 1}}, Added: []Unit{{0, 400}}},
		"a plan of two types":        {Added: []Unit{{0, 5000}, {1, 5000}}, Plan: []int32{0, 0}},
		"a block of no number":       {Added: []Unit{{0, 400}}, Plan: []int32{5}},
		"a plan of too many":         {Added: []Unit{{0, 400}}, Plan: []int32{0, 0}},
		"more people than there are": {Added: []Unit{{0, maxPeople}}},
		"a type of no number":        {Added: []Unit{{7, 400}}},
	} {
		s := open(t, withTotals(), nil)
		if _, _, err := s.state.SealEvent(p); !errors.Is(err, errInvalid) && !errors.Is(err, errTypes) {
			t.Errorf("%s: %v", name, err)
		}
		units, charged := s.state.Units(), s.state.Charged()
		if err := s.state.Apply(Event{Kind: EventSealed, Payload: encodeEpoch(&p)}); err == nil {
			t.Errorf("%s is applied", name)
		} else if err != nil && (s.state.Units() != units || s.state.Charged() != charged) {
			t.Errorf("%s: the state is changed", name)
		}
	}
	o := withTotals()
	o.Totals = nil
	s := open(t, o, nil)
	if _, charge, err := s.state.SealEvent(Epoch{Added: []Unit{{0, 4}}, Plan: []int32{0}}); !errors.Is(err, errInvalid) {
		t.Errorf("a plan for %v: %v", charge, err)
	}
	o.Units, o.Plan = []Unit{{0, 4}}, []int32{0}
	if _, _, err := o.Event(); !errors.Is(err, ErrDelta) {
		t.Errorf("an opening with a plan beyond delta: %v", err)
	}
}

// Whatever opening and epochs are proposed without an error: the events are read back as what was written, and lead to the same state as
// the proposals did.
func TestEventsRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 6))
	plans, epochs := 0, 0
	for range 400 {
		o := randomOpening(rng)
		event, charge, err := o.Event()
		if err != nil {
			continue
		}
		back, err := decodeOpening(event.Payload)
		if diff := cmp.Diff(o, back, cmp.AllowUnexported(o)); diff != "" || err != nil {
			t.Fatal(diff, err)
		}
		log := []Event{event}
		s, err := Restore(log)
		if err != nil || s.Charged() != charge {
			t.Fatalf("%+v: charged %v of %v: %v", o, s.Charged(), charge, err)
		}
		for range 3 {
			p := randomEpoch(rng, s)
			event, more, err := s.SealEvent(p)
			if err != nil {
				continue
			}
			back, err := decodeEpoch(event.Payload)
			if diff := cmp.Diff(p, back, cmp.AllowUnexported(p)); diff != "" || err != nil {
				t.Fatal(diff, err)
			}
			if err := s.Apply(event); err != nil {
				t.Fatalf("%+v was proposed: %v", p, err)
			}
			charge += more
			log = append(log, event)
			epochs++
			if p.Plan != nil {
				plans++
			}
		}
		restored, err := Restore(log)
		if err != nil || restored.Charged() != charge || restored.Units() != s.Units() || restored.people != s.people {
			t.Fatalf("restored: %v", err)
		}
	}
	if plans < 50 || epochs < 200 {
		t.Errorf("%d epochs, %d plans", epochs, plans)
	}
}

func randomOpening(rng *rand.Rand) Opening {
	o := pairs()
	o.Delta, o.Units, o.Plan = policy.OneRisk, nil, nil
	o.Types = []Type{{Name: "a", Prior: boolean(0.3)}, {Name: "b", Prior: boolean(0.45), Interval: 0.02}}
	people := make([]int64, 2)
	for range 1 + rng.IntN(5) {
		o.Units = append(o.Units, Unit{rng.IntN(2), rng.IntN(800)})
		people[o.Units[len(o.Units)-1].Type] += int64(o.Units[len(o.Units)-1].People)
	}
	if rng.IntN(2) == 0 {
		for _, n := range people {
			o.Totals = append(o.Totals, []int64{n - n*2/5, n * 2 / 5})
		}
	}
	o.Plan = randomPlan(rng, len(o.Units))
	return o
}

func randomPlan(rng *rand.Rand, units int) []int32 {
	if rng.IntN(3) == 0 {
		return nil
	}
	plan := make([]int32, units)
	for i := range plan {
		plan[i] = int32(rng.IntN(units+1)) - 1
	}
	return plan
}

func randomEpoch(rng *rand.Rand, s *State) Epoch {
	p := Epoch{Gone: []Departure{}, Added: []Unit{}, Distinct: rng.IntN(4) > 0}
	for u := range s.Units() {
		if unit, gone := s.Unit(u); !gone && unit.People > 0 && rng.IntN(3) == 0 {
			p.Gone = append(p.Gone, Departure{int32(u), 1 + rng.IntN(unit.People)})
		}
	}
	for range rng.IntN(4) {
		p.Added = append(p.Added, Unit{rng.IntN(2), rng.IntN(900)})
	}
	p.Plan = randomPlan(rng, len(p.Added))
	return p
}
