package auditor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tacit/auditor/posterior"
)

// A judge knows all that an adversary was told, and computes exactly what it tells, by elimination and without the auditor's engines.
type judge struct {
	opening Opening
	verdict map[string]bool // by what was told, for all tables
}

// system is what the sums tell of the units, with the limits of Definition 1.
func (j *judge) system(told []posterior.Sum) posterior.System {
	s := posterior.System{Sums: told}
	for _, u := range j.opening.Units {
		a := posterior.Atom{People: u.People, Prior: j.opening.Config.Types[u.Type].Prior}
		for _, p := range a.Prior {
			reach := j.opening.Config.Epsilon * min(a.Prior[0], a.Prior[1])
			a.Limits = append(a.Limits, posterior.Limit{Low: p - reach, High: p + reach})
		}
		s.Atoms = append(s.Atoms, a)
	}
	return s
}

// exposes says whether the sums take somebody out of her limits.
func (j *judge) exposes(t *testing.T, told []posterior.Sum) bool {
	name := fmt.Sprint(told)
	exposed, known := j.verdict[name]
	if !known {
		s := j.system(told)
		now, err := s.EliminatedPosterior(posterior.EliminationLimit{States: 1e7, Operations: 1e9})
		if err != nil {
			t.Fatal(err)
		}
		exposed = posterior.Law{Probability: []float64{1}, Posterior: [][][]float64{now}}.Risk(s.Atoms) == 1
		j.verdict[name] = exposed
	}
	return exposed
}

// An adversary's game against the auditor of one table.
type game struct {
	*session
	judge    *judge
	rng      *rand.Rand
	told     []posterior.Sum
	exposed  bool
	answers  int
	released int
}

// pose asks a question in a statement of its own.
func (g *game) pose(units ...int32) ([]int64, bool) {
	r := g.ask(about(units...))[0]
	g.learn(units, r)
	return r.Values, r.Values != nil
}

func (g *game) learn(units []int32, r reply) {
	if r.Values == nil {
		return
	}
	g.answers++
	if r.Decision.Outcome == Free {
		return
	}
	g.released++
	sum := posterior.Sum{Set: posterior.Set{Values: posterior.True}, Value: int(r.Values[0])}
	for _, u := range units {
		sum.Atoms = append(sum.Atoms, int(u))
	}
	g.told = append(g.told[:len(g.told):len(g.told)], sum)
	g.exposed = g.exposed || g.judge.exposes(g.t.(*testing.T), g.told)
}

// risk is what a question would cost, as anybody can compute; false: it would not be answered.
func (g *game) risk(units []int32) (float64, bool) {
	st, err := g.state.Begin([]Query{about(units...)}, g.left(), [32]byte{})
	if err != nil {
		g.t.Fatal(err)
	}
	r, ok := st.Next()
	if !ok || len(r.Decisions) != 1 || r.Decisions[0].Outcome != Released {
		return 0, false
	}
	return r.Decisions[0].Risk, true
}

// allBut is all units but one.
func allBut(unit int32) []int32 {
	var rest []int32
	for i := range int32(9) {
		if i != unit {
			rest = append(rest, i)
		}
	}
	return rest
}

var nine = []int32{0, 1, 2, 3, 4, 5, 6, 7, 8}

var adversaries = []struct {
	name string
	play func(g *game)
}{
	{"tracker", func(g *game) {
		// All, all but one, and so on: the differences are cells.
		g.pose(nine...)
		for range 4 {
			g.pose(allBut(g.rng.Int32N(9))...)
		}
	}},
	{"differences", func(g *game) {
		// Overlapping pairs, whose ends make an odd cycle, and then single cells.
		a, b, c := g.rng.Int32N(3), 3+g.rng.Int32N(3), 6+g.rng.Int32N(3)
		g.pose(a, b)
		g.pose(b, c)
		g.pose(a, c)
		for i := range int32(9) {
			g.pose(i)
		}
	}},
	{"margins first", func(g *game) {
		// A statement with all margins and cells, and once more what was suppressed.
		cells, margins := grid(3, 3)
		for range 2 {
			queries := append(margins, cells...)
			for i, r := range g.ask(queries...) {
				g.learn(queries[i].Units, r)
			}
		}
	}},
	{"riskiest allowed", func(g *game) {
		for range 6 {
			var worst []int32
			most := 0.0
			for _, units := range [][]int32{{0}, {4}, {8}, {0, 1, 2}, {0, 3, 6}, {1, 4}, {4, 5}, {2, 4, 6}, allBut(3)} {
				if risk, ok := g.risk(units); ok && risk > most {
					worst, most = units, risk
				}
			}
			if worst == nil {
				return
			}
			g.pose(worst...)
		}
	}},
	{"adaptive unions", func(g *game) {
		// Cells and unions of two, chosen by the answers so far.
		next := int32(0)
		for k := range int32(14) {
			units := []int32{next % 9}
			if other := 8 - next%9; next%2 == 1 && other != units[0] {
				units = []int32{min(units[0], other), max(units[0], other)}
			}
			if values, ok := g.pose(units...); ok {
				next += int32(values[0])
			}
			next += k + 1
		}
	}},
}

// Under any adversary the frequency of exposure stays within the risk that was charged, which stays within delta. Exposure less charge is a
// supermartingale whose variance is at most the charge, so that Freedman's inequality gives, for N tables,
// P(exposed - charged >= x) <= exp(-x^2/2/(N delta + x/3)), which is 1e-6 here. Against the adversary who exposes most there are so many tables
// that an auditor which charges nothing is found; with -short the others play a sixth of them.
func TestAdversariesStayWithinTheCharge(t *testing.T) {
	const delta, falseFailure = 0.1, 1e-6
	const mostExposed = "margins first"
	o := Opening{Config: Config{
		Values: 2, Epsilon: 0.8, Delta: risk(delta), PerDecision: risk(delta), PerStatement: risk(delta),
		Types: []Type{{Name: "even", Prior: boolean(0.5)}, {Name: "rarer", Prior: boolean(0.4)}},
	}}
	for i := range 9 {
		o.Units = append(o.Units, Unit{i % 3 % 2, 12 + 2*(i%3)})
	}
	for _, adversary := range adversaries {
		t.Run(adversary.name, func(t *testing.T) {
			t.Parallel()
			tables := 1500
			if testing.Short() && adversary.name != mostExposed {
				tables = 250
			}
			rng := rand.New(rand.NewPCG(7, 11))
			j := &judge{opening: o, verdict: map[string]bool{}}
			exposed, answers, released := 0, 0, 0
			charged := 0.0
			for range tables {
				g := &game{session: open(t, o, draw(rng, o.Config.Types, o.Units)), judge: j, rng: rng}
				adversary.play(g)
				if charged += g.spent.Float(); g.spent > o.Config.Delta {
					t.Fatalf("charged %v of %v", g.spent, o.Config.Delta)
				}
				answers, released = answers+g.answers, released+g.released
				if g.exposed {
					exposed++
				}
			}
			total := charged
			t.Logf("%d of %d tables exposed, %.1f charged, %d answers of which %d cost something", exposed, tables, total, answers, released)
			l := -math.Log(falseFailure)
			x := l/3 + math.Sqrt(l*l/9+2*l*float64(tables)*delta)
			if float64(exposed) > total+x {
				t.Errorf("%d tables exposed, %.1f charged, tolerance %.1f", exposed, total, x)
			}
			if answers == 0 || adversary.name == mostExposed && float64(exposed) <= x {
				t.Errorf("%d answers and %d tables exposed: an auditor that charges nothing would pass", answers, exposed)
			}
		})
	}
}
