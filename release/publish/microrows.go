package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"tacit/mechanisms/microdata"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// A microRows holds the rows of a protected table as they are read for a publication: each column as numbers of its different values.
type microRows struct {
	publication *policy.Publication
	name        policy.TableName
	// columns are the quasi-identifiers, then those that are compared only, then those that are published only.
	columns []MicroColumn
	// seen is how many of them the mechanism sees.
	seen  int
	count int
}

// A MicroColumn is a column as it was read.
type MicroColumn struct {
	Source query.Column
	// declared is what the mechanism knows of the column without the rows; nil: it has to learn it from them.
	declared *microdata.Column
	quasi    bool
	Values   dictionary
	Codes    []int32 // by row; noCode is NULL
}

const noCode int32 = -1

// A dictionary numbers different texts in the order in which they come.
type dictionary struct {
	numbers map[string]int32
	texts   []string
}

func (d *dictionary) Code(text []byte) int32 {
	if text == nil {
		return noCode
	}
	if n, ok := d.numbers[string(text)]; ok {
		return n
	}
	if d.numbers == nil {
		d.numbers = make(map[string]int32)
	}
	n := int32(len(d.texts))
	d.texts = append(d.texts, string(text))
	d.numbers[d.texts[n]] = n
	return n
}

func isText(oid uint32) bool {
	return oid == pgtype.TextOID || oid == pgtype.VarcharOID || oid == pgtype.BPCharOID
}

// newMicroRows plans what is read, and settles what is declared of it.
func newMicroRows(ctx context.Context, s *curator.Snapshot, c *policy.Publication, t *query.Table) (*microRows, error) {
	m := &microRows{publication: c, name: c.Of}
	names := slices.Clone(c.Quasi)
	add := func(more []string) {
		for _, name := range more {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	add(c.Compare)
	m.seen = len(names)
	add(c.Columns)
	for i, name := range names {
		at := slices.IndexFunc(t.Columns, func(c query.Column) bool { return c.Name == name })
		column := MicroColumn{Source: t.Columns[at], quasi: i < len(c.Quasi)}
		if i < m.seen {
			var err error
			if column.declared, err = declaredColumn(ctx, s, c, t, at); err != nil {
				return nil, fmt.Errorf("column %q: %w", name, err)
			}
			if column.declared != nil {
				column.declared.Quasi = column.quasi
			}
		}
		m.columns = append(m.columns, column)
	}
	return m, nil
}

// declaredColumn is a column whose domain the policy tells; nil if it does not. Every column may hold NULL: that is also what a value
// outside the domain counts as.
func declaredColumn(ctx context.Context, s *curator.Snapshot, c *policy.Publication, t *query.Table, at int) (*microdata.Column, error) {
	source, domain := t.Columns[at], t.Policy.Columns[at].Domain
	column := &microdata.Column{Name: source.Name, Nullable: true}
	hierarchy, ok := c.Hierarchies[source.Name]
	switch {
	case ok:
		var err error
		column.Hierarchy, err = canonicalHierarchy(ctx, s, source, hierarchy)
		return column, err
	case domain.Range != nil && source.TypeOID != pgtype.DateOID && domain.Range.Dates:
		return nil, errors.New("its range is one of times, which are not divided into intervals here; publish a column of dates")
	case domain.Range != nil:
		column.Numeric, column.Min, column.Max = true, domain.Range.First, domain.Range.Last
	case source.Domain != nil:
		column.Values = source.Domain
	default:
		return nil, nil
	}
	return column, checkMerged(c, column)
}

// canonicalHierarchy is a hierarchy whose values are written as those that are read. If the column's domain is declared besides, it has
// the same values.
func canonicalHierarchy(ctx context.Context, s *curator.Snapshot, source query.Column, h policy.Hierarchy) (*microdata.Hierarchy, error) {
	leaves, err := curator.CanonicalValues(ctx, s, source, h.Leaves())
	if err != nil {
		return nil, err
	}
	if source.Domain != nil {
		sorted, declared := slices.Sorted(slices.Values(leaves)), slices.Sorted(slices.Values(source.Domain))
		if !slices.Equal(sorted, declared) {
			return nil, fmt.Errorf("its hierarchy has %d values, its declared domain %d, and they are not the same", len(sorted), len(declared))
		}
	}
	next := 0
	var node func(policy.Hierarchy) microdata.Node
	node = func(h policy.Hierarchy) microdata.Node {
		if len(h.Children) == 0 {
			next++
			return microdata.Node{Label: leaves[next-1]}
		}
		n := microdata.Node{Label: h.Label}
		for _, child := range h.Children {
			n.Children = append(n.Children, node(child))
		}
		return n
	}
	return microdata.NewHierarchy(node(h))
}

// maxMerged is how many values a column without a hierarchy may have if they are listed where they are merged.
const maxMerged = 1000

func checkMerged(c *policy.Publication, column *microdata.Column) error {
	if c.Kind.Generalises() && !c.Reconstruct && len(column.Values) > maxMerged {
		return fmt.Errorf("more than %d values would be listed where they are merged; give the column a hierarchy or a range, or write output: values", maxMerged)
	}
	return nil
}

// statement selects the columns in canonical form, so that no row's spelling shows, and by qualified names.
func (m *microRows) statement() string {
	items := make([]string, len(m.columns))
	for i := range m.columns {
		source := &m.columns[i].Source
		items[i] = query.CanonicalKey("t."+curator.QuoteIdentifier(source.Name), source.TypeOID)
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM " + curator.QuoteTable(m.name) + " AS t"
}

// ProgressStep is after how many rows progress is told.
const ProgressStep = 100_000

func (m *microRows) read(ctx context.Context, s *curator.Inspection, progress func(string, int64)) error {
	return s.Rows(ctx, m.statement(), nil, func(row [][]byte) error {
		for i, v := range row {
			c := &m.columns[i]
			c.Codes = append(c.Codes, c.Values.Code(v))
		}
		m.count++
		if m.count%ProgressStep == 0 {
			progress("reading", int64(m.count))
		}
		return nil
	})
}

// table is what the mechanism sees. Domains that were not declared are learnt from the rows.
func (m *microRows) table() (*microdata.Table, error) {
	columns := make([]microdata.Column, m.seen)
	for i := range columns {
		c := &m.columns[i]
		if c.declared != nil {
			columns[i] = *c.declared
			continue
		}
		columns[i] = LearntColumn(c)
		if c.quasi {
			if err := checkMerged(m.publication, &columns[i]); err != nil {
				return nil, fmt.Errorf("column %q: %w", c.Source.Name, err)
			}
		}
	}
	t, err := microdata.NewTable(columns)
	if err != nil {
		return nil, err
	}
	cells := make([][]microdata.Cell, m.seen)
	for i := range cells {
		cells[i] = m.columns[i].cells(t, i)
	}
	row := make([]microdata.Cell, m.seen)
	for r := range m.count {
		for i := range row {
			row[i] = microdata.Null
			if code := m.columns[i].Codes[r]; code != noCode {
				row[i] = cells[i][code]
			}
		}
		if err := t.Append(row); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// cells are those of the different values; Null for what is outside the domain.
func (c *MicroColumn) cells(t *microdata.Table, column int) []microdata.Cell {
	numeric := t.Columns()[column].Numeric
	cells := make([]microdata.Cell, len(c.Values.texts))
	for i, text := range c.Values.texts {
		cells[i] = microdata.Null
		if !numeric {
			if cell, err := t.Category(column, text); err == nil {
				cells[i] = cell
			}
		} else if n, ok := numberOf(text, c.Source.TypeOID); ok {
			if cell, err := t.Number(column, n); err == nil {
				cells[i] = cell
			}
		}
	}
	return cells
}

// numberOf is a whole number, or a date as days since 1970-01-01.
func numberOf(text string, oid uint32) (int64, bool) {
	if oid == pgtype.DateOID {
		date, err := time.Parse(time.DateOnly, text)
		return date.Unix() / (24 * 60 * 60), err == nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// numberText is what numberOf reads.
func numberText(n int64, oid uint32) string {
	if oid == pgtype.DateOID {
		return time.Unix(n*24*60*60, 0).UTC().Format(time.DateOnly)
	}
	return strconv.FormatInt(n, 10)
}

// LearntColumn has the values that the rows have. Integers and dates are numbers if they are not too far apart (and no date is
// infinite); everything else is a category, in the order of values.
func LearntColumn(c *MicroColumn) microdata.Column {
	column := microdata.Column{Name: c.Source.Name, Nullable: true, Quasi: c.quasi, FromData: true}
	if query.IsInteger(c.Source.TypeOID) || c.Source.TypeOID == pgtype.DateOID {
		if low, high, ok := c.numbers(); ok {
			column.Numeric, column.Min, column.Max = true, low, high
			return column
		}
	}
	column.Values = slices.Clone(c.Values.texts)
	slices.SortFunc(column.Values, valueOrder(c.Source.TypeOID))
	if len(column.Values) == 0 {
		column.Values = []string{""} // a column of NULL
	}
	return column
}

// numbers are the least and the greatest value, if all are numbers that a mechanism can take.
func (c *MicroColumn) numbers() (low, high int64, ok bool) {
	for i, text := range c.Values.texts {
		n, ok := numberOf(text, c.Source.TypeOID)
		if !ok {
			return 0, 0, false
		}
		if i == 0 {
			low, high = n, n
		}
		low, high = min(low, n), max(high, n)
	}
	return low, high, uint64(high)-uint64(low) < 1<<31-1
}

// valueOrder compares canonical texts of a type by value; those of most types are in the order of their bytes.
func valueOrder(oid uint32) func(a, b string) int {
	switch oid {
	case pgtype.NumericOID, pgtype.Float4OID, pgtype.Float8OID:
		return func(a, b string) int {
			x, errX := strconv.ParseFloat(a, 64)
			y, errY := strconv.ParseFloat(b, 64)
			if errX != nil || errY != nil {
				return strings.Compare(a, b)
			}
			return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
		}
	}
	return func(a, b string) int { return cells.CompareValues(oid, query.Value{Text: a}, query.Value{Text: b}) }
}
