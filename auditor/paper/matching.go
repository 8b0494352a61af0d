package paper

import (
	"errors"
	"math/big"
	"slices"
)

// A Matching is the bipartite graph G^ of section 5.2.2. An edge of G has the nodes h, m and t with the edges (h, m), which is matched if
// it carries a flow, and (m, t), which is matched if not. A node of G with d edges out of it has d nodes a, joined to the h of the
// edges out of it and to the t of those into it; d of these are not matched with an m, so that a flow is d! matchings at each node.
//
// The nodes a of the source and of known cells are not joined to the h of edges out of them, which are so made to carry flow.
//
// One side holds the nodes m and a, the other the nodes h and t.
type Matching struct {
	Size  int
	Joins [][]Join // of each node m, then of each node a
	flow  *Flow
}

// A Join is an edge of the matching graph to the right node To.
type Join struct {
	To     int
	Weight *big.Rat
}

// Nodes and edges count both sides.
func (m *Matching) Nodes() int { return 2 * m.Size }

// Edges is their number.
func (m *Matching) Edges() int {
	n := 0
	for _, joins := range m.Joins {
		n += len(joins)
	}
	return n
}

// h and t are the right nodes of an edge of the flow graph.
func h(edge int) int { return 2 * edge }
func t(edge int) int { return 2*edge + 1 }

// NewMatching builds the matching graph of a flow graph.
func NewMatching(f *Flow) *Matching {
	g := &Matching{Size: 2 * len(f.Edges), flow: f}
	one := big.NewRat(1, 1)
	in, out := make([][]int, f.Nodes), make([][]int, f.Nodes)
	for i, e := range f.Edges {
		in[e.To], out[e.From] = append(in[e.To], i), append(out[e.From], i)
		yes, no := one, one
		if e.Prior != nil {
			yes, no = e.Prior, new(big.Rat).Sub(one, e.Prior)
		}
		g.Joins = append(g.Joins, []Join{{h(i), yes}, {t(i), no}})
	}
	for v, d := range f.outDegrees() {
		var joins []Join
		if v != f.Source && !slices.Contains(f.Known, v) {
			for _, i := range out[v] {
				joins = append(joins, Join{h(i), one})
			}
		}
		for _, i := range in[v] {
			joins = append(joins, Join{t(i), one})
		}
		for range d {
			g.Joins = append(g.Joins, joins)
		}
	}
	return g
}

// ErrPermanent is returned when a graph is too large for an exact permanent.
var ErrPermanent = errors.New("paper: the permanent is too large")

// maxMatched bounds the sets of matched nodes that a permanent keeps.
const maxMatched = 1 << 18

// Permanent is the weight of all perfect matchings. It goes through the left nodes and keeps the weight of each set of right nodes that
// they can be matched with.
func (m *Matching) Permanent() (*big.Rat, error) { return m.permanent(-1) }

// PermanentWith is the weight of those in which a person has the attribute, by her place among the people of the flow graph.
func (m *Matching) PermanentWith(person int) (*big.Rat, error) {
	return m.permanent(m.flow.People[person])
}

// permanent matches the given edge's m with its h, if the edge is not negative.
func (m *Matching) permanent(filled int) (*big.Rat, error) {
	words := (m.Size + 63) / 64
	if words > 2 {
		return nil, ErrPermanent
	}
	sets := map[[2]uint64]*big.Rat{{}: big.NewRat(1, 1)}
	for _, left := range m.elimination() {
		joins := m.Joins[left]
		if left == filled {
			joins = joins[:1]
		}
		next := map[[2]uint64]*big.Rat{}
		for set, weight := range sets {
			for _, j := range joins {
				if set[j.To/64]>>(j.To%64)&1 == 1 || j.Weight.Sign() == 0 {
					continue
				}
				with := set
				with[j.To/64] |= 1 << (j.To % 64)
				if next[with] == nil {
					next[with] = new(big.Rat)
				}
				next[with].Add(next[with], new(big.Rat).Mul(weight, j.Weight))
			}
		}
		if sets = next; len(sets) > maxMatched {
			return nil, ErrPermanent
		}
	}
	total := new(big.Rat)
	for _, weight := range sets {
		total.Add(total, weight)
	}
	return total, nil
}

// elimination orders the left nodes: those of a node of the flow graph after the edges that touch it, so that the sets close early.
func (m *Matching) elimination() []int {
	var order []int
	done := make([]bool, len(m.Joins))
	take := func(left int) {
		if !done[left] {
			done[left] = true
			order = append(order, left)
		}
	}
	for a := len(m.flow.Edges); a < len(m.Joins); a++ {
		for _, j := range m.Joins[a] {
			take(j.To / 2)
		}
		take(a)
	}
	for left := range m.Joins {
		take(left)
	}
	return order
}
