package auditor

import (
	"math"
	"math/rand/v2"
	"testing"

	"tacit/policy"
)

// tenByTen is a table of 100 cells of 80 + Exp(20) people at priors in [.3, .5].
func tenByTen(rng *rand.Rand) Opening {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.2), PerDecision: risk(0.02), PerStatement: risk(0.05)}}
	for i := range 100 {
		o.Types = append(o.Types, Type{Prior: boolean(0.3 + 0.2*rng.Float64())})
		o.Units = append(o.Units, Unit{i, 80 + min(120, int(20*rng.ExpFloat64()))})
	}
	return o
}

// The table of the paper's section 6, by CUBE: cells first, then all margins are free. The risks of 100 cells sum to about .02, far below
// delta, and no cell's is near delta/10 at 80 people or more: nothing is suppressed for any draw, as decisions of cells in no sum do not
// depend on the data.
func TestTenByTen(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	for range 10 {
		o := tenByTen(rng)
		s := open(t, o, draw(rng, o.Types, o.Units))
		cells, margins := grid(10, 10)
		replies, rounds := s.rounds(append(margins, cells...))
		for i, r := range replies {
			if r.Decision.Outcome == Suppressed {
				t.Errorf("query %d: %s", i, r.Decision.Reason)
			}
		}
		if spent := s.spent.Float(); rounds != 2 || spent < 0.005 || spent > 0.04 {
			t.Errorf("risk %v in %d rounds", spent, rounds)
		}
	}
}

// manyGroups are 10,000 groups of 20 to 420 people, most of them small, at p = .4: lowest risk first, about two of five of them, with four of
// five of the people, fit into delta = .1.
func manyGroups(rng *rand.Rand) Opening {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.1), PerDecision: risk(0.1), PerStatement: risk(0.1),
		Types: []Type{{Prior: boolean(0.4)}}}}
	for range 10000 {
		o.Units = append(o.Units, Unit{0, 20 + int(400*math.Pow(rng.Float64(), 4))})
	}
	return o
}

func released(o Opening, replies []reply) (groups int, people float64) {
	in, all := 0, 0
	for i, r := range replies {
		all += o.Units[i].People
		if r.Decision.Outcome != Suppressed {
			groups++
			in += o.Units[i].People
		}
	}
	return groups, float64(in) / float64(all)
}

func singles(n int) []Query {
	var queries []Query
	for i := range int32(n) {
		queries = append(queries, about(i))
	}
	return queries
}

func TestBatchPlanner(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	o := manyGroups(rng)
	data := draw(rng, o.Types, o.Units)
	s := open(t, o, data)
	replies, rounds := s.rounds(singles(10000))
	groups, people := released(o, replies)
	t.Logf("%d groups, %.1f%% of people", groups, 100*people)
	if groups < 3700 || groups > 4200 || people < 0.8 || rounds != 1 {
		t.Errorf("%d groups with %.2f of the people in %d rounds", groups, people, rounds)
	}
	// One after another, in the order of the table, delta does not buy as much.
	o.PerDecision = risk(0.001)
	s = open(t, o, data)
	var single []reply
	for _, q := range singles(10000) {
		single = append(single, s.ask(q)...)
	}
	few, fewPeople := released(o, single)
	t.Logf("first come: %d groups, %.1f%% of people", few, 100*fewPeople)
	if few > groups/2 {
		t.Errorf("%d groups first come, and %d planned", few, groups)
	}
	s.verify()
}

// A history of 10,000 sums over 100,000 units, in independent linked sums: a question looks at those that it touches only.
func longHistory(tb testing.TB) *session {
	const groups = 10000
	o := Opening{Config: Config{Values: 2, Epsilon: 0.9, Delta: risk(1), PerDecision: risk(0.5), PerStatement: policy.OneRisk,
		Types: []Type{{Prior: boolean(0.4)}, {Prior: boolean(0.5)}}}}
	rng := rand.New(rand.NewPCG(5, 5))
	for i := range 10 * groups {
		o.Units = append(o.Units, Unit{i % 2, 20 + rng.IntN(20)})
	}
	s := open(tb, o, draw(rng, o.Types, o.Units))
	// Of each ten units a sum of the first six and then one of the last six: linked by two units.
	var first, last []Query
	for g := range int32(groups / 2) {
		u := 20 * g
		first = append(first, about(u, u+1, u+2, u+3, u+4, u+5))
		last = append(last, about(u+4, u+5, u+6, u+7, u+8, u+9))
	}
	released := 0
	for _, queries := range [2][]Query{first, last} {
		for _, r := range s.ask(queries...) {
			if r.Decision.Outcome == Released {
				released++
			}
		}
	}
	if released != groups {
		tb.Fatalf("%d of %d sums released", released, groups)
	}
	return s
}

func BenchmarkHistory(b *testing.B) {
	s := longHistory(b)
	i := int32(0)
	for b.Loop() {
		u := 20 * (i % 5000)
		i++
		st, err := s.state.Begin([]Query{about(u+1, u+2, u+3, u+4, u+6, u+7)}, s.left(), [32]byte{})
		if err != nil {
			b.Fatal(err)
		}
		if r, ok := st.Next(); !ok || len(r.Decisions) != 1 {
			b.Fatal("not decided")
		}
	}
}

func benchmarkGroups(b *testing.B, o Opening) {
	s, err := newState(o)
	if err != nil {
		b.Fatal(err)
	}
	queries := singles(len(o.Units))
	for b.Loop() {
		st, err := s.Begin(queries, Left{s.Config.Delta, s.Config.Delta}, [32]byte{})
		if err != nil {
			b.Fatal(err)
		}
		if r, ok := st.Next(); !ok || len(r.Decisions) != len(queries) {
			b.Fatal("not decided")
		}
	}
}

// All decisions of a GROUP BY over 10,000 groups whose total is known.
func BenchmarkGroupByKnownTotal(b *testing.B) {
	o := manyGroups(rand.New(rand.NewPCG(1, 3)))
	people := int64(0)
	for _, u := range o.Units {
		people += int64(u.People)
	}
	o.Totals = [][]int64{{people - people*2/5, people * 2 / 5}}
	benchmarkGroups(b, o)
}

func BenchmarkGroupBy(b *testing.B) {
	benchmarkGroups(b, manyGroups(rand.New(rand.NewPCG(1, 3))))
}

// All 121 decisions and answers of the 10x10 table: cells first, by CUBE, and in rows, columns and cells, one statement each.
func BenchmarkTenByTen(b *testing.B) {
	rng := rand.New(rand.NewPCG(8, 2))
	o := tenByTen(rng)
	data := draw(rng, o.Types, o.Units)
	cells, margins := grid(10, 10)
	b.Run("cells first", func(b *testing.B) {
		for b.Loop() {
			open(b, o, data).ask(append(margins, cells...)...)
		}
	})
	b.Run("margins first", func(b *testing.B) {
		for b.Loop() {
			s := open(b, o, data)
			for _, q := range append(margins, cells...) {
				s.ask(q)
			}
		}
	})
}
