package paper

import "math/big"

// A Flow is the graph G of section 5.2.2: a flow of 1 through a person's node is a person with the attribute, and the flows that fill
// all edges from the source are the data sets with the released margins and cells (Lemma 1). All capacities are 1.
type Flow struct {
	Nodes  int
	Edges  []Edge
	Source int
	// Known are the nodes y_ij of known cells: all edges out of them must be filled.
	Known []int
	// People are the edges into the people's nodes, in the order of the cells and groups.
	People []int
}

// An Edge has the odds of carrying a flow, if it leads to a person; other edges have none.
type Edge struct {
	From, To int
	Prior    *big.Rat
}

// NewFlow builds G for a table with all margins released, and some cells.
func NewFlow(t Table, released Released) (*Flow, error) {
	s, err := t.shape(released)
	if err != nil {
		return nil, err
	}
	if !s.margins() {
		return nil, ErrMargins
	}
	f := &Flow{Nodes: 2 + t.Rows + t.Columns}
	const sink = 1
	row, column := func(i int) int { return 2 + i }, func(j int) int { return 2 + t.Rows + j }
	for i, sum := range s.rows {
		f.join(sum, Edge{From: f.Source, To: row(i)})
	}
	for j, sum := range s.columns {
		f.join(sum, Edge{From: column(j), To: sink})
	}
	for i, cell := range t.Cells {
		to := column(i % t.Columns)
		if known := s.low[i] == s.high[i] && cell.People() > 0; known {
			y := f.node()
			f.Known = append(f.Known, y)
			f.join(s.low[i], Edge{From: y, To: to})
			to = y
		}
		for _, g := range cell {
			p, err := g.odds()
			if err != nil {
				return nil, err
			}
			for range g.People {
				x := f.node()
				f.People = append(f.People, len(f.Edges))
				f.join(1, Edge{row(i / t.Columns), x, p})
				f.join(1, Edge{From: x, To: to})
			}
		}
	}
	for _, sum := range s.rows {
		f.join(sum, Edge{From: sink, To: f.Source})
	}
	return f, nil
}

func (f *Flow) node() int {
	f.Nodes++
	return f.Nodes - 1
}

// join adds parallel edges.
func (f *Flow) join(edges int, e Edge) {
	for range edges {
		f.Edges = append(f.Edges, e)
	}
}

// outDegrees are the numbers d_G(v) of edges out of each node.
func (f *Flow) outDegrees() []int {
	d := make([]int, f.Nodes)
	for _, e := range f.Edges {
		d[e.From]++
	}
	return d
}

// Matchings is the number of perfect matchings of the matching graph that stand for one flow: the product of d_G(v)! over the nodes.
func (f *Flow) Matchings() *big.Int {
	n := big.NewInt(1)
	for _, d := range f.outDegrees() {
		n.Mul(n, new(big.Int).MulRange(1, int64(d)))
	}
	return n
}
