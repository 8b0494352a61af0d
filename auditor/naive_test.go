package auditor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// A naive model keeps all data sets of a small table with their probabilities, and what each question would tell about each unit.
type naive struct {
	o      Opening
	worlds []world
}

type world struct {
	table  table
	weight float64
}

func newNaive(o Opening) *naive {
	n := &naive{o: o}
	n.extend(nil, 1)
	return n
}

// extend adds all data sets that begin with some units.
func (n *naive) extend(counts [][]int, weight float64) {
	if len(counts) == len(n.o.Units) {
		n.worlds = append(n.worlds, world{table{slices.Clone(counts)}, weight})
		return
	}
	u := n.o.Units[len(counts)]
	prior := n.o.Types[u.Type].Prior
	own := make([]int, len(prior))
	var fill func(v, left int, w float64)
	fill = func(v, left int, w float64) {
		if v == len(prior)-1 {
			own[v] = left
			if w *= chance(n.o.Types[u.Type], own); w > 0 {
				n.extend(append(counts, slices.Clone(own)), weight*w)
			}
			return
		}
		for k := 0; k <= left; k++ {
			own[v] = k
			fill(v+1, left-k, w*binomial(left, k))
		}
	}
	fill(0, u.People, 1)
}

// chance is the probability that given people of a unit have given values: independently, or from Polya's urn if they share a rate.
func chance(t Type, counts []int) float64 {
	c, drawn := 0.0, 0
	if t.Spread > 0 {
		c = (1-t.Prior[1])/(t.Prior[1]*t.Spread*t.Spread) - 1
	}
	w := 1.0
	for v, n := range counts {
		for i := range n {
			if w *= t.Prior[v]; c > 0 {
				w *= (c + float64(i)/t.Prior[v]) / (c + float64(drawn))
			}
			drawn++
		}
	}
	return w
}

func binomial(n, k int) float64 {
	b := 1.0
	for i := range k {
		b = b * float64(n-i) / float64(i+1)
	}
	return b
}

// draw is one of the data sets.
func (n *naive) draw(rng *rand.Rand) *table {
	x := rng.Float64() * total(n.worlds)
	for i := range n.worlds {
		if x -= n.worlds[i].weight; x <= 0 {
			return &table{n.worlds[i].table.counts}
		}
	}
	return &table{n.worlds[0].table.counts}
}

func total(worlds []world) float64 {
	sum := 0.0
	for i := range worlds {
		sum += worlds[i].weight
	}
	return sum
}

// out says of which units people are out of their limits, given that one of the worlds is true.
func (n *naive) out(worlds []world) []bool {
	out := make([]bool, len(n.o.Units))
	all := total(worlds)
	for u, unit := range n.o.Units {
		prior := n.o.Types[unit.Type].Prior
		for v, p := range prior {
			if unit.People == 0 || p == 1 {
				continue
			}
			mean := 0.0
			for i := range worlds {
				mean += worlds[i].weight * float64(worlds[i].table.counts[u][v])
			}
			reach := n.o.Epsilon * p
			if len(prior) == 2 {
				reach = n.o.Epsilon * min(p, 1-p)
			}
			if q := mean / all / float64(unit.People); math.Abs(q-p) > reach*(1+1e-7) {
				out[u] = true
			}
		}
	}
	return out
}

// groups divides the worlds by their answers to what a round opens.
func (n *naive) groups(queries []Query, open []Opened) map[string][]world {
	groups := make(map[string][]world)
	for _, w := range n.worlds {
		key := make([]byte, 0, len(open))
		for _, o := range open {
			key = append(key, byte(w.table.answer(&queries[o.Query], o.Set)))
		}
		groups[string(key)] = append(groups[string(key)], w)
	}
	return groups
}

// risk is the probability that a round makes somebody unsafe who was not.
func (n *naive) risk(queries []Query, open []Opened) float64 {
	before := n.out(n.worlds)
	risk := 0.0
	for _, worlds := range n.groups(queries, open) {
		for u, out := range n.out(worlds) {
			if out && !before[u] {
				risk += total(worlds)
				break
			}
		}
	}
	return risk / total(n.worlds)
}

// learn keeps the worlds with the answers of a table.
func (n *naive) learn(queries []Query, open []Opened, truth *table) {
	n.worlds = slices.DeleteFunc(n.worlds, func(w world) bool {
		return slices.ContainsFunc(open, func(o Opened) bool {
			q := &queries[o.Query]
			return w.table.answer(q, o.Set) != truth.answer(q, o.Set)
		})
	})
}

// smallTable is a random table of a few people, some certain of their value, at most 5,000 data sets.
func smallTable(rng *rand.Rand) Opening {
	values := 2
	if rng.IntN(3) == 0 {
		values = 3
	}
	o := Opening{Config: Config{Values: values, Epsilon: 0.3 + 0.65*rng.Float64(), Delta: policy.OneRisk, PerDecision: policy.OneRisk, PerStatement: 1<<63 - 1}}
	for range 1 + rng.IntN(2) {
		prior := make([]float64, values)
		sum := 0.0
		for v := range prior {
			prior[v] = 0.3 + rng.Float64()
			sum += prior[v]
		}
		last := 1.0
		for v := range prior[1:] {
			prior[v+1] /= sum
			last -= prior[v+1]
		}
		prior[0] = last
		o.Types = append(o.Types, Type{Prior: prior})
	}
	if rng.IntN(4) == 0 {
		o.Types[0].Spread = 0.1 + 0.3*rng.Float64()
	}
	if rng.IntN(8) == 0 && values == 2 {
		o.Types[0].Spread = 0
		o.Types[0].Prior = boolean(float64(rng.IntN(2)))
	}
	for sets := 1; len(o.Units) < 7; {
		people := rng.IntN(6)
		of := people + 1
		if values == 3 {
			of = (people + 1) * (people + 2) / 2
		}
		if sets *= of; sets > 5000 {
			break
		}
		o.Units = append(o.Units, Unit{rng.IntN(len(o.Types)), people})
	}
	if len(o.Units) == 0 {
		o.Units = []Unit{{0, 3}}
	}
	return o
}

func randomQueries(rng *rand.Rand, o *Opening) []Query {
	queries := make([]Query, 1+rng.IntN(4))
	for i := range queries {
		for u := range int32(len(o.Units)) {
			if rng.IntN(2) == 0 {
				queries[i].Units = append(queries[i].Units, u)
			}
		}
		switch {
		case o.Values == 2:
			queries[i].Values = []posterior.ValueSet{posterior.True}
		case rng.IntN(2) == 0:
			queries[i].Values = []posterior.ValueSet{1, 2, 4}[:2+rng.IntN(2)]
		default:
			queries[i].Values = []posterior.ValueSet{posterior.ValueSet(1 + rng.IntN(6))}
		}
	}
	return queries
}

// Against all data sets of small tables: each round risks at most what it is charged, free answers are true in every world that is left,
// and after an exit nothing is answered that could tell more of the people concerned.
func TestAgainstNaiveModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 6))
	outcomes := make(map[string]int)
	tables := 1500
	if testing.Short() {
		tables = 250
	}
	for range tables {
		o := smallTable(rng)
		n := newNaive(o)
		truth := n.draw(rng)
		s := open(t, o, truth)
		s.boundless = true
		for range 6 {
			checkStatement(t, n, s, randomQueries(rng, &o), outcomes)
			if s.state.Alarm() != "" {
				e := s.state.AcknowledgeEvent()
				if err := s.state.Apply(e); err != nil {
					t.Fatal(err)
				}
				s.log = append(s.log, e)
			}
			if t.Failed() {
				t.Fatalf("%+v", o)
			}
		}
		s.verify()
	}
	t.Log(outcomes)
	for _, name := range []string{"free", "released " + engineFresh, "released " + engineCut, "released elimination"} {
		if outcomes[name] < tables/15 {
			t.Errorf("only %d times %s", outcomes[name], name)
		}
	}
}

func checkStatement(t *testing.T, n *naive, s *session, queries []Query, outcomes map[string]int) {
	t.Helper()
	st, err := s.state.Begin(queries, Left{1<<63 - 1, 1<<63 - 1}, [32]byte{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		r, ok := st.Next()
		if !ok {
			return
		}
		for _, d := range r.Decisions {
			outcomes[outcomeName(&d)]++
			for j, v := range d.Values {
				for i := range n.worlds {
					if n.worlds[i].table.answer(&queries[d.Query], j) != v {
						t.Fatalf("free value %d of %+v is not certain", v, queries[d.Query])
					}
				}
			}
		}
		if risk := n.risk(queries, r.Open); risk > r.Charge.Float()+1e-9 {
			t.Fatalf("round %d risks %v, charged %v: %+v", r.Number, risk, r.Charge, r.Decisions)
		}
		n.learn(queries, r.Open, s.table)
		event := r.Event()
		var counts []int64
		for _, c := range r.Open {
			counts = append(counts, s.table.answer(&queries[c.Query], c.Set))
		}
		if event.Answer, err = st.Answer(counts); err != nil {
			t.Fatal(err)
		}
		s.log = append(s.log, event)
		s.spent += r.Charge
		if differs := exposureDiffers(n, s.state); differs != "" {
			t.Fatal(differs)
		}
	}
}

func outcomeName(d *Decision) string {
	if d.Outcome == Released {
		return "released " + d.Engine
	}
	return d.Outcome.String()
}

// exposureDiffers checks that people who are out are in exposed blocks.
func exposureDiffers(n *naive, s *State) string {
	for u, out := range n.out(n.worlds) {
		if b := s.history.Block(int32(u)); out && b.Marks&exposed == 0 {
			return fmt.Sprintf("unit %d is out, and not exposed: block %+v, part %+v", u, b, b.Part)
		}
	}
	return ""
}

// The naive model itself, on a case whose risk is known: 29/715.
func TestNaiveModelCountsWorlds(t *testing.T) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Types: []Type{{Prior: boolean(0.5)}}}, Units: []Unit{{0, 8}, {0, 8}}}
	n := newNaive(o)
	n.learn([]Query{about(0, 1)}, []Opened{{0, 0}}, &table{[][]int{{4, 4}, {3, 5}}})
	if u := n.risk([]Query{about(0)}, []Opened{{0, 0}}); math.Abs(u-29.0/715) > 1e-12 {
		t.Errorf("u = %v", u)
	}
}
