package paper

import "tacit/mechanisms/sampling"

// Broder's chain walks over the perfect matchings of a graph and those that lack one edge, and so visits perfect matchings in
// proportion to their weights. It is what the algorithm of Jerrum, Sinclair and Vigoda improves on, by weights of the holes that keep the
// share of perfect matchings large. On the graphs of the paper that share is far below one in a hundred for five people already, so
// that it serves as a check on tiny tables and nothing else.
type Broder struct {
	graph   *Matching
	bits    *sampling.Bits
	edges   [][2]int // left node, place among its joins
	weights []float64
	left    []int // the place among its joins of each left node's edge; -1: none
	right   []int // the left node of each right node; -1: none
	size    int
}

// NewBroder starts the chain at a perfect matching.
func NewBroder(m *Matching, bits *sampling.Bits) (*Broder, error) {
	b := &Broder{graph: m, bits: bits, left: make([]int, m.Size), right: make([]int, m.Size)}
	for i := range m.Size {
		b.left[i], b.right[i] = -1, -1
	}
	for u, joins := range m.Joins {
		for k, j := range joins {
			if w, _ := j.Weight.Float64(); w > 0 {
				b.edges = append(b.edges, [2]int{u, k})
				b.weights = append(b.weights, w)
			}
		}
	}
	for u := range m.Joins {
		if !b.augment(u, make([]bool, m.Size)) {
			return nil, ErrInconsistent
		}
		b.size++
	}
	return b, nil
}

func (b *Broder) augment(u int, seen []bool) bool {
	for k, j := range b.graph.Joins[u] {
		if j.Weight.Sign() == 0 || seen[j.To] {
			continue
		}
		seen[j.To] = true
		if v := b.right[j.To]; v < 0 || b.augment(v, seen) {
			b.left[u], b.right[j.To] = k, u
			return true
		}
	}
	return false
}

// Perfect says whether the chain is at a perfect matching.
func (b *Broder) Perfect() bool { return b.size == b.graph.Size }

// Has says whether a person has the attribute in the data set that a perfect matching stands for.
func (b *Broder) Has(person int) bool { return b.left[b.graph.flow.People[person]] == 0 }

func (b *Broder) weight(u int) float64 {
	w, _ := b.graph.Joins[u][b.left[u]].Weight.Float64()
	return w
}

// Step draws an edge. It is taken away from a perfect matching that has it, added to one whose hole it fills, and exchanged with the
// edge that it meets where it touches one end of the hole: each with the probability that keeps the weights in balance (Metropolis).
func (b *Broder) Step() {
	b.bits.Start()
	e := int(b.bits.Below(uint64(len(b.edges))))
	u, k, w := b.edges[e][0], b.edges[e][1], b.weights[e]
	v := b.graph.Joins[u][k].To
	switch {
	case b.Perfect():
		if b.left[u] == k && b.accept(1/w) {
			b.remove(u)
		}
	case b.left[u] < 0 && b.right[v] < 0:
		if b.accept(w) {
			b.put(u, k)
		}
	case b.left[u] < 0:
		if other := b.right[v]; b.accept(w / b.weight(other)) {
			b.remove(other)
			b.put(u, k)
		}
	case b.right[v] < 0:
		if b.accept(w / b.weight(u)) {
			b.remove(u)
			b.put(u, k)
		}
	}
}

func (b *Broder) accept(ratio float64) bool {
	return ratio >= 1 || float64(b.bits.Take(53))/(1<<53) < ratio
}

func (b *Broder) remove(u int) {
	b.right[b.graph.Joins[u][b.left[u]].To] = -1
	b.left[u] = -1
	b.size--
}

func (b *Broder) put(u, k int) {
	b.left[u] = k
	b.right[b.graph.Joins[u][k].To] = u
	b.size++
}
