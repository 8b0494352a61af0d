package contingency

import (
	"fmt"
	"math"

	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
)

// The flow graph G of figure 2: from a source s through a node u of each row, a node x of each person and a node w of each column to a sink t. All
// edges have capacity 1, and there are as many parallel ones from s to a row, and from a column to t, as its sum. The people of a cell whose
// value V is known go on to a node y of the cell, from which V edges lead to its column.
//
// Lemma 1: a maximum flow is a data set that has the row and column sums, and of a known cell at most its value.

// A flowTable is a contingency table with its row and column sums, and what is known of cells; -1: nothing.
type flowTable struct {
	people, known [2][2]int
	rows, columns [2]int
}

// example2 is the table of figure 2: all sums are 2, and the first cell is known to be 2. How many people are in the cells stands only in the
// drawing; these numbers are ours.
func example2() flowTable {
	return flowTable{people: [2][2]int{{3, 2}, {2, 3}}, known: [2][2]int{{2, -1}, {-1, -1}}, rows: [2]int{2, 2}, columns: [2]int{2, 2}}
}

// A flowNode is drawn at a place of a layer.
type flowNode struct {
	name         string
	layer, place float64
}

// A flowEdge stands for so many parallel edges of capacity 1.
type flowEdge struct{ from, to, parallel int }

type flowGraph struct {
	nodes []flowNode
	edges []flowEdge
	// persons are the nodes of people, and cells what row and column each is in.
	persons []int
	cells   [][2]int
}

func (g *flowGraph) node(name string, layer, place float64) int {
	g.nodes = append(g.nodes, flowNode{name, layer, place})
	return len(g.nodes) - 1
}

func (g *flowGraph) edge(from, to, parallel int) {
	g.edges = append(g.edges, flowEdge{from, to, parallel})
}

// graph builds G.
func (t flowTable) graph() *flowGraph {
	g := &flowGraph{}
	all := 0
	for i := range 2 {
		for j := range 2 {
			all += t.people[i][j]
		}
	}
	middle := float64(all-1) / 2
	source, sink := g.node("s", 0, middle), g.node("t", 5, middle)
	var u, w [2]int
	for i := range 2 {
		place := float64(all-1) * (0.2 + 0.6*float64(i))
		u[i], w[i] = g.node(fmt.Sprintf("u%d", i+1), 1, place), g.node(fmt.Sprintf("w%d", i+1), 4, place)
		g.edge(source, u[i], t.rows[i])
		g.edge(w[i], sink, t.columns[i])
	}
	for i := range 2 {
		for j := range 2 {
			t.addCell(g, i, j, u[i], w[j])
		}
	}
	return g
}

// addCell adds the people of a cell between its row and its column.
func (t flowTable) addCell(g *flowGraph, i, j, row, column int) {
	to := column
	if v := t.known[i][j]; v >= 0 {
		to = g.node(fmt.Sprintf("y%d%d", i+1, j+1), 3, float64(len(g.persons))+float64(t.people[i][j]-1)/2)
		g.edge(to, column, v)
	}
	for range t.people[i][j] {
		x := g.node(fmt.Sprintf("x%d", len(g.persons)+1), 2, float64(len(g.persons)))
		g.persons, g.cells = append(g.persons, x), append(g.cells, [2]int{i, j})
		g.edge(row, x, 1)
		g.edge(x, to, 1)
	}
}

// maximumFlows counts the sets of people that maximum flows pass through: every edge from the source is full, and no other is beyond its
// capacity. Which of parallel edges are used is no difference.
func (g *flowGraph) maximumFlows() (flows int) {
	for set := range 1 << len(g.persons) {
		if g.carries(set) {
			flows++
		}
	}
	return flows
}

// carries reports whether a maximum flow passes through just these people.
func (g *flowGraph) carries(set int) bool {
	through := make([]int, len(g.nodes)) // the flow that goes through each node
	for k, x := range g.persons {
		through[x] = set >> k & 1
	}
	for range 3 { // from the people to rows and known cells, to columns, to the sink
		for n := range g.nodes {
			g.pass(n, through)
		}
	}
	for _, e := range g.edges {
		layer := g.nodes[e.from].layer
		if layer == 0 && through[e.to] != e.parallel || layer >= 3 && through[e.from] > e.parallel {
			return false
		}
	}
	return true
}

// pass sums up what goes through a node of a row, a known cell or a column.
func (g *flowGraph) pass(n int, through []int) {
	layer, sum := g.nodes[n].layer, 0
	if layer != 1 && layer != 3 && layer != 4 {
		return
	}
	for _, e := range g.edges {
		switch {
		case layer == 1 && e.from == n:
			sum += through[e.to]
		case layer != 1 && e.to == n:
			sum += through[e.from]
		}
	}
	through[n] = sum
}

// dataSets counts the data sets with the sums of rows and columns, of which the known cells have at most their value, or just that.
func (t flowTable) dataSets(exactly bool) (sets int) {
	choose := func(n, k int) int {
		c := 1
		for i := range k {
			c = c * (n - i) / (i + 1)
		}
		return c
	}
	for first := 0; first <= t.people[0][0]; first++ {
		m := [2][2]int{{first, t.rows[0] - first}, {t.columns[0] - first, t.rows[1] - t.columns[0] + first}}
		ways := 1
		for i := range 2 {
			for j := range 2 {
				v := t.known[i][j]
				if m[i][j] < 0 || m[i][j] > t.people[i][j] || v >= 0 && (m[i][j] > v || exactly && m[i][j] < v) {
					ways = 0
					break
				}
				ways *= choose(t.people[i][j], m[i][j])
			}
		}
		if t.columns[1] == t.rows[0]+t.rows[1]-t.columns[0] {
			sets += ways
		}
	}
	return sets
}

func figure2Section() (report.Section, error) {
	t := example2()
	g := t.graph()
	flows, sets := g.maximumFlows(), t.dataSets(false)
	s := report.Section{
		ID: "contingency-figure2", Title: "A table as a flow graph", Source: source + ", figure 2 and Lemma 1",
		Intro: "Two by two cells; all row and column sums are 2, and the first cell is known to be 2. How many people are in a cell stands only in the paper's drawing: here 3, 2, 2 and 3.",
		Rule:  "The number of maximum flows and that of data sets, both counted one by one: equal.",
		Rows: []report.Row{
			{What: "maximum flows are the data sets with the sums, of a known cell at most its value", Published: "they correspond",
				Regenerated: fmt.Sprintf("%d flows, %d data sets", flows, sets), Verdict: report.Holds(flows == sets)},
			{What: "of these, with just the known value", Regenerated: fmt.Sprint(t.dataSets(true)), Origin: "the others are what the paper's second graph leaves out, by removing edges of known cells"},
		},
		Tables:  []report.Table{g.table()},
		Figures: []report.Figure{g.figure()},
	}
	return s, nil
}

// table lists the edges.
func (g *flowGraph) table() report.Table {
	t := report.Table{Caption: "The edges of the graph, with how many of capacity 1 run side by side.", Header: []string{"from", "to", "edges"}}
	for _, e := range g.edges {
		t.Rows = append(t.Rows, []string{g.nodes[e.from].name, g.nodes[e.to].name, fmt.Sprint(e.parallel)})
	}
	return t
}

// figure draws the graph: a line from node to node for each edge.
func (g *flowGraph) figure() report.Figure {
	single, several := chart.Line{Name: "one edge", Joined: true, Points: true}, chart.Line{Name: "two edges side by side", Joined: true, Points: true, Wide: true}
	for _, e := range g.edges {
		line := &single
		if e.parallel > 1 {
			line = &several
		}
		from, to := g.nodes[e.from], g.nodes[e.to]
		line.X = append(line.X, from.layer, to.layer, to.layer)
		line.Y = append(line.Y, from.place, to.place, math.NaN())
	}
	return report.Figure{
		Name:    "contingency-figure2",
		Caption: "Flow runs from the source on the left through rows, people and columns to the sink on the right. The three people of the known cell share a node, from which only two edges lead on.",
		Drawing: chart.Figure{
			Title: "The flow graph of a table of two by two cells", Subtitle: "figure 2 of Nabar and Mishra 2009; all sums are 2, the first cell is known to be 2",
			X: chart.Axis{Label: "0 source, 1 rows, 2 people, 3 known cell, 4 columns, 5 sink", Min: 0, Max: 5}, Y: chart.Axis{Label: "place in the layer"},
			Lines: []chart.Line{single, several},
		},
	}
}
