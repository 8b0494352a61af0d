package auditor

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The rows and columns of a 10x10 table, p in [.3,.5], epsilon .5: too risky as a whole at 5 people in a cell, and certified at 40. The
// exact bound at 20 people was measured at .032, so that 40 is far below what is asked here; at 5 it is 1.
func TestWorkload(t *testing.T) {
	for _, test := range []struct {
		people   int
		low, top float64
	}{{5, 1, 1}, {40, 0, 0.19}} {
		rng := rand.New(rand.NewPCG(1, 2))
		o := tenByTen(rng)
		for i := range o.Units {
			o.Units[i].People = test.people
		}
		_, margins := grid(10, 10)
		var sets [][]int32
		for _, q := range margins[:20] {
			sets = append(sets, q.Units)
		}
		o.Workload = &Workload{Groupings: [][][]int32{sets[:10], sets[10:]}, Samples: 3000, Failure: 1e-6, Seed: [32]byte{1}}
		_, charge, err := o.Event()
		r := charge.Float()
		if errors.Is(err, ErrDelta) {
			r, err = 1, nil
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d people: %.3g", test.people, r)
		if r < test.low || r > test.top {
			t.Errorf("%d people: %v", test.people, r)
		}
	}
}

// margins declares the rows and columns of a table of units.
func margins(rows, columns int) *Workload {
	_, queries := grid(rows, columns)
	w := &Workload{Groupings: make([][][]int32, 2), Samples: 20000, Failure: 1e-6, Seed: [32]byte{7}}
	for i, q := range queries[:rows+columns] {
		k := 0
		if i >= rows {
			k = 1
		}
		w.Groupings[k] = append(w.Groupings[k], q.Units)
	}
	return w
}

// everEnumerated is the probability that answers to the workload's sets in some order make somebody unsafe at some time, of all data sets,
// for the worst of all orders.
func everEnumerated(o Opening) float64 {
	n := newNaive(o)
	if o.Totals != nil {
		n.worlds = slices.DeleteFunc(n.worlds, func(w world) bool {
			with := int64(0)
			for _, counts := range w.table.counts {
				with += int64(counts[1])
			}
			return with != o.Totals[0][1]
		})
	}
	var sets []Query
	for _, grouping := range o.Workload.Groupings {
		for _, units := range grouping {
			sets = append(sets, about(units...))
		}
	}
	worst, all := 0.0, total(n.worlds)
	var permute func(k int)
	permute = func(k int) {
		if k == len(sets) {
			worst = max(worst, n.ever(sets)/all)
			return
		}
		for i := k; i < len(sets); i++ {
			sets[k], sets[i] = sets[i], sets[k]
			permute(k + 1)
			sets[k], sets[i] = sets[i], sets[k]
		}
	}
	permute(0)
	return worst
}

// ever is the weight of the worlds where somebody is unsafe after some of the questions.
func (n *naive) ever(queries []Query) float64 {
	if len(queries) == 0 {
		return 0
	}
	weight := 0.0
	for _, worlds := range n.groups(queries[:1], []Opened{{}}) {
		if slices.Contains(n.out(worlds), true) {
			weight += total(worlds)
			continue
		}
		weight += (&naive{o: n.o, worlds: worlds}).ever(queries[1:])
	}
	return weight
}

// The charge is above the probability that somebody is ever exposed, in the worst of all orders of the four margins, with and without
// published totals; and it is no empty bound. That the drawn tables mislead has the probability 1e-6 in each case.
func TestWorkloadBoundsEnumeration(t *testing.T) {
	for _, test := range []struct {
		epsilon float64
		people  int
		totals  bool
		most    float64
	}{{0.6, 7, false, 0.9}, {0.8, 7, false, 0.3}, {0.8, 7, true, 0.3}} {
		o := Opening{
			Config: Config{Values: 2, Epsilon: test.epsilon, Delta: risk(0.9), PerDecision: risk(0.9), PerStatement: risk(0.9),
				Types: []Type{{Prior: boolean(0.5)}}},
			Units: make([]Unit, 4), Workload: margins(2, 2),
		}
		for i := range o.Units {
			o.Units[i].People = test.people
		}
		if test.totals {
			half := int64(2 * test.people)
			o.Totals = [][]int64{{half, half}}
		}
		_, charge, err := o.Event()
		if err != nil {
			t.Fatal(err)
		}
		ever := everEnumerated(o)
		t.Logf("%+v: charged %.4f, enumerated %.5f", test, charge.Float(), ever)
		if charge.Float() < ever || charge.Float() > test.most || ever == 0 {
			t.Errorf("%+v: charged %v, enumerated %v", test, charge, ever)
		}
	}
}

// Adaptive orders on tables that are drawn, by the auditor itself: exits are at most as frequent as charged. Of n tables with k exits the
// test fails wrongly with probability below 1e-6 if k is below n c + 5 sqrt(n c) + 20, by Bernstein.
func TestWorkloadBoundsSimulation(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 4))
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.9), PerDecision: risk(0.001), PerStatement: risk(0.9),
		Types: []Type{{Prior: boolean(0.5)}, {Prior: boolean(0.4)}}}, Workload: margins(3, 3)}
	for i := range 9 {
		o.Units = append(o.Units, Unit{i % 2, 30})
	}
	event, charge, err := o.Event()
	if err != nil {
		t.Fatal(err)
	}
	if o, err = decodeOpening(event.Payload); err != nil {
		t.Fatal(err)
	}
	_, queries := grid(3, 3)
	tables := 1000
	if testing.Short() {
		tables = 300
	}
	exits := 0
	for range tables {
		s, data := &session{t: t, log: []Event{event}, spent: charge}, draw(rng, o.Types, o.Units)
		if s.state, err = newState(o); err != nil {
			t.Fatal(err)
		}
		s.table = data
		for _, i := range rng.Perm(6) {
			if d := s.ask(queries[i])[0].Decision; d.Outcome == Suppressed && !s.state.account.exited || d.Outcome == Released {
				t.Fatalf("margin %d: %v %s", i, d.Outcome, d.Reason)
			}
		}
		if s.state.account.exited {
			exits++
		}
	}
	expected := float64(tables) * charge.Float()
	t.Logf("charged %v, %d exits of %d", charge, exits, tables)
	if float64(exits) > expected+5*math.Sqrt(expected)+20 {
		t.Errorf("%d exits of %d tables, charged %v", exits, tables, charge)
	}
}

// What is declared is answered for nothing, and so is what follows from it; until something else is released of the people that it is linked
// with.
func TestWorkloadLapses(t *testing.T) {
	for _, totals := range []bool{false, true} {
		o := hairAndEyes()
		o.Delta = risk(0.9)
		o.Workload = margins(3, 3)
		o.Workload.Groupings, o.Workload.Samples = o.Workload.Groupings[:1], 3000 // rows
		for i := range o.Units {
			o.Units[i].People = 300
		}
		data := &table{}
		for i := range o.Units {
			with := int(300 * o.Types[i%3].Prior[1])
			data.counts = append(data.counts, []int{300 - with, with})
		}
		if totals {
			for i := range o.Types {
				n := int64(3 * data.counts[i][1])
				o.Totals = append(o.Totals, []int64{900 - n, n})
			}
		}
		s := open(t, o, data)
		if s.spent == 0 || s.spent != s.state.Charged() {
			t.Errorf("charged %v, and %v in the state", s.spent, s.state.Charged())
		}
		asked := func(want Outcome, units ...int32) {
			t.Helper()
			if d := s.ask(about(units...))[0].Decision; d.Outcome != want {
				t.Errorf("totals %v, %v: %v, want %v: %s", totals, units, d.Outcome, want, d.Reason)
			}
		}
		charged := s.spent
		asked(Certified, 0, 1, 2)
		asked(Free, 0, 1, 2)
		if charged != s.spent {
			t.Error("a certified answer was charged")
		}
		asked(Released, 3)
		if s.spent == charged {
			t.Error("a cell was not charged")
		}
		if totals { // which link all people of a type
			asked(Released, 6, 7, 8)
		} else {
			asked(Released, 3, 4, 5)
			asked(Certified, 6, 7, 8)
		}
		s.verify()
		restored, err := Restore(s.log)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := decideFirst(t, s.state, about(4)), decideFirst(t, restored, about(4)); a.Outcome != b.Outcome || a.Risk != b.Risk {
			t.Errorf("restored: %+v, want %+v", b, a)
		}
	}
}

func TestReplayFindsWorkloadCharge(t *testing.T) {
	o := hairAndEyes()
	o.Workload = margins(3, 3)
	o.Workload.Samples = 2000
	event, charge, err := o.Event()
	if err != nil {
		t.Fatal(err)
	}
	if d, err := Replay([]Event{event}); err != nil || len(d) > 0 {
		t.Errorf("%v %v", d, err)
	}
	o.Workload.Charge = charge / 2
	event, _, err = o.Event()
	if err != nil {
		t.Fatal(err)
	}
	if d, err := Replay([]Event{event}); err != nil || len(d) != 1 || d[0].Query != -1 {
		t.Errorf("half of the charge: %v %v", d, err)
	}
}

func TestMalformedWorkloads(t *testing.T) {
	for _, change := range []func(o *Opening){
		func(o *Opening) { o.Insiders = 1 },
		func(o *Opening) { o.Types[0].Interval = 0.1 },
		func(o *Opening) { o.Types[0].Spread = 0.1 },
		func(o *Opening) { o.Workload.Samples = 1 },
		func(o *Opening) { o.Workload.Samples = maxSamples + 1 },
		func(o *Opening) { o.Workload.Failure = 0 },
		func(o *Opening) { o.Workload.Groupings = nil },
		func(o *Opening) { o.Workload.Groupings[0][0] = []int32{1, 1} },
		func(o *Opening) { o.Workload.Groupings[0][0] = []int32{9} },
		func(o *Opening) { o.Workload.Charge = -1 },
		func(o *Opening) { o.Units[0].People = maxDrawn },
	} {
		o := hairAndEyes()
		o.Workload = margins(3, 3)
		change(&o)
		if _, _, err := o.Event(); !errors.Is(err, errInvalid) && !errors.Is(err, errWorkload) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
