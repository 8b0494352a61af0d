package rewrite

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// An OuterQuery is the analyst's statement with relations of cells in place of protected tables, printed from the tree.
type OuterQuery struct {
	// Arrays are what the relations of cells are made of.
	Arrays []Array

	// pieces are the text between the arrays; slots[i] is the array between pieces[i] and pieces[i+1].
	pieces []string
	slots  []int
}

// An Array is one column of one query's cells.
type Array struct {
	Query int    // index in Answer.Queries
	Key   int    // index in CountQuery.Keys, -1 for a count
	Count int    // index in query.Cells.Counts, -1 for a key; both -1 for the grouping sets of cells that come in such
	Type  string // qualified: pg_catalog.int8[]
	End   End    // one of an interval; then Count is an index in CountQuery.Intervals, and Key -1
}

// An End of an interval.
type End int

const (
	NoEnd End = iota
	LowEnd
	HighEnd
)

// WithParameters is the statement with the arrays as parameters $first, $first+1 and so on, in the order of Arrays.
func (r *OuterQuery) WithParameters(first int) string {
	return r.fill(func(array int) string { return "$" + strconv.Itoa(first+array) })
}

// WithLiterals is the statement with the arrays' text as string constants.
func (r *OuterQuery) WithLiterals(literals []string) string {
	return r.fill(func(array int) string { return pgvalue.QuoteConstant(literals[array]) })
}

func (r *OuterQuery) fill(array func(int) string) string {
	var b strings.Builder
	for i, piece := range r.pieces {
		b.WriteString(piece)
		if i < len(r.slots) {
			b.WriteString(array(r.slots[i]))
		}
	}
	return b.String()
}

// Literals is the text of each array, as array_in reads it.
func (r *OuterQuery) Literals(cells []*query.Cells) []string {
	literals := make([]string, len(r.Arrays))
	for i, a := range r.Arrays {
		c := cells[a.Query]
		switch {
		case a.End != NoEnd:
			literals[i] = endsLiteral(c, a)
		case a.Key >= 0:
			literals[i] = pgvalue.ArrayOfValues(c.Keys[a.Key])
		case a.Count >= 0 && c.Values != nil && c.Values[a.Count] != nil:
			literals[i] = pgvalue.ArrayOfValues(c.Values[a.Count])
		case a.Count >= 0:
			literals[i] = pgvalue.ArrayOfCounts(c.Counts[a.Count], suppressedCells(c, a.Count))
		default:
			literals[i] = pgvalue.ArrayOfCounts(c.Sets, nil)
		}
	}
	return literals
}

// endsLiteral is the text of an array of ends. Beside longer arrays what is missing is NULL: no interval is known.
func endsLiteral(c *query.Cells, a Array) string {
	if a.Count >= len(c.Ends) {
		return "{}"
	}
	ends := c.Ends[a.Count]
	if a.End == LowEnd {
		return pgvalue.ArrayOfCounts(ends.Low, ends.Unknown)
	}
	return pgvalue.ArrayOfCounts(ends.High, ends.Unknown)
}

func (a Array) typeNode() *pg.TypeName {
	t := pgtree.TypeNode(strings.Split(strings.TrimSuffix(a.Type, "[]"), "."), nil)
	t.ArrayBounds = []*pg.Node{pg.MakeIntNode(-1)}
	return t
}

// A printer prints a tree once, with marks where arrays go.
type printer struct {
	nonce  string
	arrays []Array
}

func newPrinter() *printer {
	var random [16]byte
	rand.Read(random[:]) // never fails
	return &printer{nonce: hex.EncodeToString(random[:])}
}

// array adds an array and returns the node that stands for it.
func (p *printer) array(a Array) *pg.Node {
	p.arrays = append(p.arrays, a)
	return pgtree.CastNode(pg.MakeAConstStrNode(p.mark(len(p.arrays)-1), -1), a.typeNode())
}

// mark cannot occur in the statement by chance or by design: the nonce was drawn after the analyst wrote it.
func (p *printer) mark(i int) string { return "tacit " + p.nonce + " " + strconv.Itoa(i) }

// print prints a statement and splits it at the marks.
func (p *printer) print(tree *pg.ParseResult) (*OuterQuery, *pgerror.Refusal) {
	text, err := pgtree.Print(tree)
	if err != nil {
		return nil, unprintable.With()
	}
	r := &OuterQuery{Arrays: p.arrays}
	for text != "" {
		piece, rest, found := strings.Cut(text, "'tacit "+p.nonce+" ")
		r.pieces = append(r.pieces, piece)
		if !found {
			break
		}
		number, rest, _ := strings.Cut(rest, "'")
		slot, err := strconv.Atoi(number)
		if err != nil || slot < 0 || slot >= len(p.arrays) {
			return nil, unprintable.With()
		}
		r.slots = append(r.slots, slot)
		text = rest
	}
	for i := range p.arrays { // a parameter that nothing uses has no type
		if !slices.Contains(r.slots, i) {
			return nil, unprintable.With()
		}
	}
	return r, nil
}

// suppressedCells marks the withheld cells of a count, nil if there are none.
func suppressedCells(c *query.Cells, count int) []bool {
	if c.Suppressed == nil {
		return nil
	}
	return c.Suppressed[count]
}
