package auditor

import (
	"math/rand/v2"
	"testing"

	"tacit/auditor/internal/history"
	"tacit/policy"
)

// linkedThrice is three questions about one set of linked sums: single cells of a table whose rows and columns were released.
func linkedThrice(t *testing.T) *session {
	t.Helper()
	s := open(t, hairAndEyes(), published())
	_, margins := grid(3, 3)
	for _, q := range margins[:6] {
		s.ask(q)
	}
	return s
}

// A candidate of the lowest risk can cost more than others, as the estimate of an approximate engine is charged with a margin. Whatever the
// cap lets through, only one answer about the same linked sums is opened in a round: the risks were computed as if each were the only one.
func TestOneLinkedAnswerInARound(t *testing.T) {
	for name, most := range map[string]float64{"only exact ones fit": 0.01045, "all fit": 0.02, "none fits": 0.001} {
		s := linkedThrice(t)
		s.state.Config.PerDecision = risk(most)
		st, err := s.state.Begin(singles(3), Left{risk(1), risk(1)}, [32]byte{})
		if err != nil {
			t.Fatal(err)
		}
		r := &Round{request: st.request}
		st.refresh(r)
		found := []linkedCandidate{
			{candidate{query: 0, risk: 0.01}, "approximate", 0, false},
			{candidate{query: 1, risk: 0.01001}, "exact", 0, true},
			{candidate{query: 2, risk: 0.01002}, "exact", 0, true},
		}
		st.decideFound(r, found)
		want := 1
		if name == "none fits" {
			want = 0
		}
		if len(r.Open) != want || want == 1 && r.Open[0].Query != 1 {
			t.Errorf("%s: %+v", name, r.Decisions)
		}
	}
}

// Random questions about random tables: in no round are two answers opened that share linked sums, but those that cut one block, which
// are decided jointly.
func TestRoundsOfLinkedSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 5))
	linked := 0
	tables := 400
	if testing.Short() {
		tables = 200
	}
	for range tables {
		o := smallTable(rng)
		o.PerDecision = policy.Risk(rng.Float64() * float64(policy.OneRisk))
		n := newNaive(o)
		s := open(t, o, n.draw(rng))
		for range 6 {
			st, err := s.state.Begin(randomQueries(rng, &o), Left{1<<63 - 1, 1<<63 - 1}, [32]byte{})
			if err != nil {
				t.Fatal(err)
			}
			for r, ok := st.Next(); ok; r, ok = st.Next() {
				told := s.state.affected()
				seen := -1
				var counts []int64
				for _, opened := range r.Open {
					counts = append(counts, s.table.answer(&st.queries[opened.Query], opened.Set))
					sh := &st.shapes[opened.Query]
					if opened.Query == seen || !st.mixed[opened.Query] && st.kind(opened.Query) != history.Linked {
						continue
					}
					seen = opened.Query
					linked++
					if !told.add(sh) {
						t.Fatalf("two answers of one part: %+v", r)
					}
				}
				if _, err := st.Answer(counts); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if linked < tables/4 {
		t.Errorf("only %d linked answers", linked)
	}
}
