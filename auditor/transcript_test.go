package auditor

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
)

// Two tables with the same public facts, of which the one has the same released answers as the other: the logs are the same to the byte, and
// so are the alarms. What was suppressed differs, so that a decision that depended on it would show.
func TestSimulatable(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	compared, differing := 0, 0
	tries := 400
	if testing.Short() {
		tries = 130
	}
	for range tries {
		o := smallTable(rng)
		o.Delta, o.PerDecision, o.PerStatement = risk(0.9), risk(0.3), risk(0.5)
		o.Rule, o.Decisions = []policy.AuditRule{policy.LedgerRule, policy.ThresholdRule, policy.PaperRule}[rng.IntN(3)], 8
		n := newNaive(o)
		first := open(t, o, n.draw(rng))
		var statements [][]Query
		for range 5 {
			statements = append(statements, randomQueries(rng, &o))
			first.ask(statements[len(statements)-1]...)
		}
		learnLog(t, n, first)
		other := n.draw(rng)
		if cmp.Equal(other.counts, first.table.counts) {
			continue
		}
		compared++
		second := open(t, o, other)
		for _, queries := range statements {
			second.ask(queries...)
		}
		if diff := cmp.Diff(first.log, second.log); diff != "" {
			t.Fatalf("transcripts differ: %s", diff)
		}
		if first.state.Alarm() != second.state.Alarm() {
			t.Fatal("alarms differ")
		}
		for _, queries := range statements {
			for i := range queries {
				if first.table.answer(&queries[i], 0) != second.table.answer(&queries[i], 0) {
					differing++
				}
			}
		}
		first.verify()
	}
	if compared < tries/4 || differing < tries/4 {
		t.Errorf("%d pairs of tables with %d suppressed answers that differ", compared, differing)
	}
}

// learnLog keeps the data sets that have the answers of a log.
func learnLog(t *testing.T, n *naive, s *session) {
	t.Helper()
	var queries []Query
	for _, e := range s.log[1:] {
		r, err := decodeRound(e.Payload)
		if err != nil {
			t.Fatal(err)
		}
		if r.Number == 0 {
			queries = r.request.queries
		}
		n.learn(queries, r.Open, s.table)
	}
}

// A state that is restored from the log anywhere goes on as if nothing had happened.
func TestRestart(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	tables := 150
	if testing.Short() {
		tables = 50
	}
	for range tables {
		o := smallTable(rng)
		n := newNaive(o)
		data := n.draw(rng)
		steady, restarted := open(t, o, data), open(t, o, data)
		for range 5 {
			queries := randomQueries(rng, &o)
			steady.ask(queries...)
			restarted.ask(queries...)
			state, err := Restore(restarted.log)
			if err != nil {
				t.Fatal(err)
			}
			if state.Charged() != restarted.state.Charged() || state.Alarm() != restarted.state.Alarm() || state.account != restarted.state.account {
				t.Fatal("the restored state is another one")
			}
			restarted.state = state
		}
		if diff := cmp.Diff(steady.log, restarted.log); diff != "" {
			t.Fatal(diff)
		}
	}
}

// A round whose counts were never read stays charged and releases nothing; the same statement can be asked again.
func TestCrashBetweenChargeAndAnswer(t *testing.T) {
	s := open(t, hairAndEyes(), published())
	cells, _ := grid(3, 3)
	st, err := s.state.Begin(cells, s.left(), [32]byte{})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := st.Next()
	if again, _ := st.Next(); again != r {
		t.Error("the round is decided twice")
	}
	s.log = append(s.log, r.Event())
	s.spent += r.Charge
	st.GiveUp()
	if _, ok := st.Next(); ok {
		t.Error("a statement that was given up goes on")
	}
	restored, err := Restore(s.log)
	if err != nil || restored.Charged() != r.Charge || restored.Charged() != s.state.Charged() {
		t.Fatalf("charged %v of %v: %v", restored.Charged(), r.Charge, err)
	}
	s.state = restored
	for i, p := range s.ask(cells...) {
		if p.Decision.Outcome != Released {
			t.Errorf("cell %d: %v", i, p.Decision)
		}
	}
	if s.spent != 2*r.Charge {
		t.Errorf("%v spent on two rounds of %v", s.spent, r.Charge)
	}
	s.verify()
}

// Replay finds a log that was tampered with: a decision, a charge, and a suppression that is claimed of what would be answered.
func TestReplayFindsDifferences(t *testing.T) {
	for name, tamper := range map[string]func(r *Round){
		"suppressed": func(r *Round) { r.Decisions[3].Outcome = Suppressed; r.Open = append(r.Open[:3:3], r.Open[4:]...) },
		"charge":     func(r *Round) { r.Charge *= 2 },
		"risk":       func(r *Round) { r.Decisions[1].Charge++; r.Decisions[1].Charge *= 3 },
	} {
		s := open(t, hairAndEyes(), published())
		cells, _ := grid(3, 3)
		st, _ := s.state.Begin(cells, s.left(), [32]byte{})
		r, _ := st.Next()
		tamper(r)
		differences, err := Replay(append(s.log, r.Event()))
		if err != nil || len(differences) == 0 {
			t.Errorf("%s: %v %v", name, differences, err)
		}
	}
}

// What a statement had left follows from delta and the charges: a log that claims less, to suppress by what the data are, or more, differs.
func TestReplayFindsWhatWasLeft(t *testing.T) {
	for name, test := range map[string]struct {
		left func(l Left) Left
		want int
	}{
		"as it is":                 {func(l Left) Left { return l }, 0},
		"a smaller share":          {func(l Left) Left { return Left{l.Table, l.Analyst / 2} }, 0},
		"nothing":                  {func(Left) Left { return Left{} }, 1},
		"one unit less":            {func(l Left) Left { return Left{l.Table - 1, l.Table - 1} }, 1},
		"more":                     {func(l Left) Left { return Left{2 * l.Table, l.Table} }, 1},
		"a share beyond the table": {func(l Left) Left { return Left{l.Table, l.Table + 1} }, 1},
	} {
		s := open(t, hairAndEyes(), published())
		s.ask(about(0))
		cells, _ := grid(3, 3)
		st, _ := s.state.Begin(cells[1:], test.left(s.left()), [32]byte{})
		r, _ := st.Next()
		differences, err := Replay(append(s.log, r.Event()))
		if err != nil || len(differences) != test.want {
			t.Errorf("%s: %v %v", name, differences, err)
		}
	}
}

// Answers that cannot be true together are refused, and nothing new is answered until the state is restored.
func TestContradiction(t *testing.T) {
	s := open(t, hairAndEyes(), published())
	s.ask(about(0, 1, 2))
	st, _ := s.state.Begin([]Query{about(0)}, s.left(), [32]byte{})
	r, _ := st.Next()
	if len(r.Open) != 1 {
		t.Fatal(r.Decisions)
	}
	if _, err := st.Answer([]int64{199}); !errors.Is(err, ErrContradiction) {
		t.Errorf("199 of 146: %v", err)
	}
	if p := s.ask(about(3)); p[0].Decision.Outcome != Suppressed || !strings.Contains(p[0].Decision.Reason, "contradicted") {
		t.Errorf("after a contradiction: %+v", p)
	}
}

func TestMalformedInput(t *testing.T) {
	good := hairAndEyes()
	for name, spoil := range map[string]func(o *Opening){
		"epsilon":  func(o *Opening) { o.Epsilon = 1 },
		"delta":    func(o *Opening) { o.Delta = 0 },
		"rule":     func(o *Opening) { o.Rule = "majority" },
		"T":        func(o *Opening) { o.Rule = policy.PaperRule },
		"types":    func(o *Opening) { o.Types = nil },
		"prior":    func(o *Opening) { o.Types = []Type{{Prior: []float64{0.5, 0.6}}} },
		"unit":     func(o *Opening) { o.Units = []Unit{{3, 1}} },
		"people":   func(o *Opening) { o.Units = []Unit{{0, -1}} },
		"totals":   func(o *Opening) { o.Totals = [][]int64{{1, 1}, {1, 1}, {1, 1}} },
		"plan":     func(o *Opening) { o.Plan = []int32{1} },
		"insiders": func(o *Opening) { o.Insiders = -1 },
	} {
		o := good
		spoil(&o)
		if _, err := newState(o); !errors.Is(err, errInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s, err := newState(good)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []Query{{}, about(9), about(1, 0), about(1, 1), {Units: []int32{0}, Values: nil}, {Units: []int32{0}, Values: about(0).Values[:0]}} {
		if _, err := s.Begin([]Query{q}, Left{}, [32]byte{}); !errors.Is(err, errInvalid) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

func FuzzRestore(f *testing.F) {
	s := open(f, hairAndEyes(), published())
	cells, margins := grid(3, 3)
	s.ask(append(margins[:4], cells[:3]...)...)
	sealed, _, err := s.state.SealEvent(Epoch{Gone: []Departure{{0, 3}}, Added: []Unit{{1, 50}}, Distinct: true})
	if err != nil {
		f.Fatal(err)
	}
	s.log = append(s.log, sealed, s.state.AcknowledgeEvent())
	for _, e := range s.log {
		f.Add(e.Kind, e.Payload, e.Answer)
	}
	opened := s.log[0]
	f.Fuzz(func(t *testing.T, kind string, payload, answer []byte) {
		if len(payload) > 1<<12 || len(payload) > 0 && payload[0] == versionDeflated {
			return // tables as large as an opening may state are no matter here
		}
		e := Event{kind, payload, answer}
		if p, err := decodeEpoch(payload); err == nil && len(payload) <= leastDeflated && !bytes.Equal(encodeEpoch(&p), payload) {
			t.Error("an epoch is encoded otherwise")
		}
		if kind == EventOpened {
			if o, err := decodeOpening(payload); err == nil && len(payload) <= leastDeflated && !bytes.Equal(encodeOpening(&o), payload) {
				t.Error("an opening is encoded otherwise")
			}
			return
		}
		state, err := Restore([]Event{opened})
		if err != nil {
			t.Fatal(err)
		}
		if state.Apply(e) == nil {
			if _, err := Replay([]Event{opened, e}); err != nil {
				t.Errorf("a log that applies does not replay: %v", err)
			}
		}
	})
}
