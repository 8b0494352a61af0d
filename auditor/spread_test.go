package auditor

import (
	"math"
	"testing"

	"tacit/auditor/posterior"
)

// scattered is two units of one type whose rates scatter, and a third of another type.
func scattered() Opening {
	return Opening{Config: Config{Values: 2, Epsilon: 0.8, Delta: risk(1), PerDecision: risk(1), PerStatement: risk(1),
		Types: []Type{{Prior: boolean(0.4), Spread: 0.3}, {Prior: boolean(0.3)}}}, Units: []Unit{{0, 7}, {0, 7}, {1, 6}}}
}

// Each unit has a rate of its own: units that are asked together, apart, and one after another come out at the risks of all data sets. As
// one rate for both, or as independent people, the risks would be others.
func TestEachUnitHasItsRate(t *testing.T) {
	o := scattered()
	n := newNaive(o)
	s := open(t, o, &table{[][]int{{4, 3}, {5, 2}, {4, 2}}})
	for _, q := range []Query{about(0), about(1), about(0, 1), about(0, 1, 2), about(0, 2)} {
		d := s.predict(q)
		if want := n.risk([]Query{q}, []Opened{{0, 0}}); math.Abs(d.Risk-want) > 1e-10 {
			t.Errorf("units %v: risk %v, of all data sets %v", q.Units, d.Risk, want)
		}
	}
	for name, spoil := range map[string]func(o *Opening){
		"one rate for both":  func(o *Opening) { o.Units = []Unit{{0, 14}, {1, 6}} },
		"independent people": func(o *Opening) { o.Types[0].Spread = 0; o.Units = []Unit{{0, 14}, {1, 6}} },
	} {
		other := scattered()
		spoil(&other)
		d, was := open(t, other, nil).predict(about(0)), s.predict(about(0, 1))
		if math.Abs(d.Risk-was.Risk) < 1e-3 {
			t.Errorf("%s: %v is no other risk than %v", name, d.Risk, was.Risk)
		}
	}
	// Apart, after they were answered together.
	s.ask(about(0, 1))
	n.learn([]Query{about(0, 1)}, []Opened{{0, 0}}, s.table)
	d := s.predict(about(0))
	if want := n.risk([]Query{about(0)}, []Opened{{0, 0}}); math.Abs(d.Risk-want) > 1e-10 {
		t.Errorf("cut: risk %v, of all data sets %v", d.Risk, want)
	}
}

// Hundreds of rates in one question are more than an engine convolves: it is suppressed, and not decided as if they were one.
func TestManyRates(t *testing.T) {
	o := scattered()
	var all []int32
	for i := range 3000 {
		o.Units = append(o.Units, Unit{0, 400})
		all = append(all, int32(i+3))
	}
	s := open(t, o, nil)
	if d := s.predict(about(all...)); d.Outcome != Suppressed || d.Reason != explain(posterior.ErrTooLarge) {
		t.Errorf("%+v", d)
	}
}

// People who left a unit after a sum about it have the rate of those who stayed: no question may separate them.
func TestRateOfPeopleWhoLeft(t *testing.T) {
	o := scattered()
	for i := range o.Units {
		o.Units[i].People = 300
	}
	s := open(t, o, &table{[][]int{{180, 120}, {180, 120}, {210, 90}}})
	s.ask(about(0, 2), about(1, 2))
	e, _, err := s.state.SealEvent(Epoch{Gone: []Departure{{0, 30}, {2, 40}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.state.Apply(e); err != nil {
		t.Fatal(err)
	}
	if d := s.predict(about(0)); d.Outcome != Suppressed {
		t.Errorf("the others of a unit that was torn: %+v", d)
	}
	g := s.state.group([]int32{0, 1, 2, 3, 4}, middle)
	if len(g) != 3 || g[0].People != 300 || g[1].People != 300 || g[2].People != 300 {
		t.Errorf("the people of each rate: %+v", g)
	}
	// Of people in no sum nothing was said, so that those who left are no matter.
	fresh := open(t, o, s.table)
	if err := fresh.state.Apply(e); err != nil {
		t.Fatal(err)
	}
	if d := fresh.predict(about(0)); d.Outcome != Released {
		t.Errorf("people in no sum: %+v", d)
	}
}
