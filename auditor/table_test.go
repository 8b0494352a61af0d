package auditor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// A table is what the auditor does not see: the number of people of each unit with each value. It answers as the data would.
type table struct {
	counts [][]int // by unit and value
}

// draw draws a table from the priors.
func draw(rng *rand.Rand, types []Type, units []Unit) *table {
	t := &table{}
	for _, u := range units {
		counts := make([]int, len(types[u.Type].Prior))
		for range u.People {
			x := rng.Float64()
			v := 0
			for v < len(counts)-1 && x >= types[u.Type].Prior[v] {
				x -= types[u.Type].Prior[v]
				v++
			}
			counts[v]++
		}
		t.counts = append(t.counts, counts)
	}
	return t
}

func (t *table) answer(q *Query, set int) int64 {
	n := 0
	for _, u := range q.Units {
		for v, c := range t.counts[u] {
			if q.Values[set].Has(v) {
				n += c
			}
		}
	}
	return int64(n)
}

// A session asks statements of a state and keeps the log.
type session struct {
	t     testing.TB
	state *State
	table *table
	log   []Event
	spent policy.Risk
	// boundless: statements were begun with more left than there is, which a replay reports.
	boundless bool
}

func open(t testing.TB, o Opening, data *table) *session {
	t.Helper()
	event, charge, err := o.Event()
	if err != nil {
		t.Fatal(err)
	}
	s, err := newState(o)
	if err != nil {
		t.Fatal(err)
	}
	return &session{t: t, state: s, table: data, log: []Event{event}, spent: charge}
}

// A reply is what an analyst sees of a query: its counts, or nil.
type reply struct {
	Values   []int64
	Decision Decision
}

func (s *session) left() Left {
	left := s.state.Config.Delta - s.spent
	return Left{left, left}
}

// ask runs a statement to its end.
func (s *session) ask(queries ...Query) []reply {
	s.t.Helper()
	replies, _ := s.rounds(queries)
	return replies
}

func (s *session) rounds(queries []Query) ([]reply, int) {
	s.t.Helper()
	st, err := s.state.Begin(queries, s.left(), [32]byte{byte(len(s.log))})
	if err != nil {
		s.t.Fatal(err)
	}
	replies := make([]reply, len(queries))
	rounds := 0
	for {
		r, ok := st.Next()
		if !ok {
			return replies, rounds
		}
		rounds++
		event := r.Event()
		s.spent += r.Charge
		counts := make([]int64, len(r.Open))
		for i, o := range r.Open {
			counts[i] = s.table.answer(&queries[o.Query], o.Set)
		}
		for _, d := range r.Decisions {
			replies[d.Query] = reply{d.Values, d}
		}
		for i, o := range r.Open {
			p := &replies[o.Query]
			if p.Values == nil {
				p.Values = make([]int64, len(queries[o.Query].Values))
			}
			p.Values[o.Set] = counts[i]
		}
		if event.Answer, err = st.Answer(counts); err != nil {
			s.t.Fatalf("answer: %v", err)
		}
		s.log = append(s.log, event)
	}
}

// verify checks what must hold of every session: the ledger, the replies, replay and restore.
func (s *session) verify() {
	s.t.Helper()
	if s.state.Charged() != s.spent {
		s.t.Errorf("the state says that %v is charged, and it is %v", s.state.Charged(), s.spent)
	}
	if s.spent > s.state.Config.Delta && s.state.Config.PerStatement <= s.state.Config.Delta {
		s.t.Errorf("charged %v of %v", s.spent, s.state.Config.Delta)
	}
	differences, err := Replay(s.log)
	if s.boundless {
		differences = slices.DeleteFunc(differences, func(d Difference) bool { return strings.Contains(d.Text, "as left to the table") })
	}
	if err != nil || len(differences) > 0 {
		s.t.Errorf("replay: %v %v", differences, err)
	}
}

func boolean(p float64) []float64 { return []float64{1 - p, p} }

func about(units ...int32) Query {
	return Query{Units: units, Values: []posterior.ValueSet{posterior.True}}
}

func risk(x float64) policy.Risk { return policy.Risk(x * float64(policy.OneRisk)) }

// hairAndEyes is the table of the paper's section 6, with 100 people in the cell whose size it leaves out.
func hairAndEyes() Opening {
	o := Opening{Config: Config{
		Values: 2, Epsilon: 0.5, Delta: risk(0.2), PerDecision: risk(0.02), PerStatement: risk(0.05),
		Types: []Type{{Name: "blonde", Prior: boolean(0.5)}, {Name: "black", Prior: boolean(0.4)}, {Name: "brown", Prior: boolean(0.3)}},
	}}
	for i, n := range []int{200, 80, 100, 80, 200, 100, 100, 100, 200} {
		o.Units = append(o.Units, Unit{i % 3, n})
	}
	return o
}

// published is the table that the paper shows.
func published() *table {
	t := &table{}
	for i, yes := range []int{101, 23, 22, 32, 95, 24, 45, 38, 70} {
		t.counts = append(t.counts, []int{hairAndEyes().Units[i].People - yes, yes})
	}
	return t
}

// grid asks for all cells of a table of units in rows, its rows, its columns and the total.
func grid(rows, columns int) (cells, margins []Query) {
	byRow, byColumn := make([][]int32, rows), make([][]int32, columns)
	var all []int32
	for i := range int32(rows * columns) {
		cells = append(cells, about(i))
		byRow[int(i)/columns] = append(byRow[int(i)/columns], i)
		byColumn[int(i)%columns] = append(byColumn[int(i)%columns], i)
		all = append(all, i)
	}
	for _, u := range append(byRow, byColumn...) {
		margins = append(margins, about(u...))
	}
	return cells, append(margins, about(all...))
}

func TestHairAndEyes(t *testing.T) {
	s := open(t, hairAndEyes(), published())
	cells, margins := grid(3, 3)
	replies, rounds := s.rounds(append(margins, cells...))
	for i, r := range replies {
		want := Free
		if i >= len(margins) {
			want = Released
		}
		if r.Decision.Outcome != want {
			t.Errorf("query %d: %v: %s", i, r.Decision.Outcome, r.Decision.Reason)
		}
	}
	if got := fmt.Sprintf("%.5f", s.spent.Float()); got != "0.00156" || rounds != 2 {
		t.Errorf("risk %s in %d rounds", got, rounds)
	}
	s.verify()
	// Margins first: rows, then columns and single cells, as linked sums; never a suppression at delta/T = .0125.
	s = open(t, hairAndEyes(), published())
	for _, q := range append(margins, cells...) {
		if r := s.ask(q)[0]; r.Decision.Outcome == Suppressed {
			t.Errorf("margins first: %v suppressed: %s", q.Units, r.Decision.Reason)
		} else {
			t.Logf("%v %v u=%.3g %s", q.Units, r.Decision.Outcome, r.Decision.Risk, r.Decision.Engine)
		}
	}
	s.verify()
}

// wholeBudget lets a request risk all that the table may.
func wholeBudget(s *State, seed [32]byte) *budget {
	return &budget{request: &request{left: Left{s.Config.Delta, s.Config.Delta}, seed: seed}, config: &s.Config, account: &s.account}
}
