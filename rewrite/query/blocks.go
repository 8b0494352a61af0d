package query

import (
	"math/big"
	"slices"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
)

// Blocks are the blocks of the table (see policy.Blocks) in which a row must lie to change a count of the query, by name. nil means all of
// them: if the table has no blocks, if WHERE and FILTER say nothing of their column that can be relied on, or if they let no row pass.
//
// A row outside of these blocks does not meet WHERE and FILTER, so that the true counts of all cells are the same with it and without it.
func (q *BoundQuery) Blocks(c Count) []string {
	b := q.Table.Policy.Blocks
	if b == nil || len(q.personGroups()) > 0 { // whose rows may be in other blocks
		return nil
	}
	column := q.Table.Column(b.Column)
	if column == nil {
		return nil
	}
	e := q.WithinCount(b.Column, c)
	if e.Any {
		return nil
	}
	p := blockReader{b, column}
	names, ok := p.read(e)
	if !ok || len(names) == 0 {
		return nil
	}
	return names
}

// A blockReader finds the blocks of values of a column. Where it does not know which they are it says so, and all are taken.
type blockReader struct {
	blocks *policy.Blocks
	column *expr.Column
}

func (p blockReader) read(e extent.Extent) (names []string, ok bool) {
	switch {
	case p.blocks.Domain.Range != nil:
		names, ok = p.ofRange(e.Spans)
	case expr.TellsTexts(p.column.TypeOID):
		names, ok = p.ofTexts(e)
	default:
		names, ok = p.ofPoints(e.Spans)
	}
	if e.Null && !p.column.NotNull {
		names = append(names, policy.NullBlock)
	}
	return names, ok
}

// ofRange are the blocks of a range that spans of values meet. A number between two whole ones, or a time of a day, is in the block of
// the whole number or the day, in UTC, below it; what is infinite, or no number, is outside.
func (p blockReader) ofRange(spans []extent.Span) (names []string, ok bool) {
	r := p.blocks.Domain.Range
	if r.Dates != pgvalue.IsTime(p.column.TypeOID) || !r.Dates && pgvalue.FamilyOf(p.column.TypeOID) != pgvalue.Numbers {
		return nil, false
	}
	outside := false
	for _, s := range spans {
		first, last := p.lowest(s.From), p.highest(s.To)
		if r.Today && last > r.Last {
			return nil, false // what is behind the last block now will be in blocks of its own
		}
		outside = outside || first < r.First || last > r.Last
		for _, name := range p.blocks.Between(first, last) {
			if len(names) == 0 || names[len(names)-1] != name { // spans rise
				names = append(names, name)
			}
		}
	}
	if len(names) > policy.MaxBlocks {
		return nil, false
	}
	if outside {
		names = append(names, policy.OutsideBlock)
	}
	return names, true
}

// lowest is the least whole number, or day, that values behind a cut lie in, as far as it is in the range: what lies before that counts as
// the number before it.
func (p blockReader) lowest(c extent.Cut) int64 {
	n, whole := p.floor(c.At)
	if discrete := pgvalue.IsInteger(p.column.TypeOID) || p.column.TypeOID == pgvalue.Date; discrete && whole && c.After {
		n.Add(n, big.NewInt(1))
	}
	return p.clip(n)
}

// highest is the greatest one that values before a cut lie in.
func (p blockReader) highest(c extent.Cut) int64 {
	n, whole := p.floor(c.At)
	if whole && !c.After {
		n.Sub(n, big.NewInt(1))
	}
	return p.clip(n)
}

// floor is the whole number, or day, in which a point lies, and whether it lies at its beginning.
func (p blockReader) floor(at extent.Point) (n *big.Int, whole bool) {
	r := p.blocks.Domain.Range
	switch {
	case at.Rank < extent.Finite:
		return big.NewInt(r.First - 1), false
	case at.Rank > extent.Finite:
		return big.NewInt(r.Last + 1), false
	}
	value := at.Value
	if r.Dates {
		value = new(big.Rat).Quo(value, big.NewRat(pgvalue.Day.Microseconds(), 1))
	}
	return new(big.Int).Div(value.Num(), value.Denom()), value.IsInt() // Euclidean, so floor: the denominator is positive
}

// clip takes what lies beyond the range for the number next to it.
func (p blockReader) clip(n *big.Int) int64 {
	r := p.blocks.Domain.Range
	switch {
	case n.Cmp(big.NewInt(r.First)) < 0:
		return r.First - 1
	case n.Cmp(big.NewInt(r.Last)) > 0:
		return r.Last + 1
	}
	return n.Int64()
}

// values are the declared values in canonical form, with the names of their blocks. Of two that are equal the first in the order of texts
// gives the name.
func (p blockReader) values() (canonical []pgvalue.Datum, names []string, ok bool) {
	seen := make(map[string]bool)
	for _, text := range slices.Sorted(slices.Values(p.blocks.Domain.Values)) {
		d, refusal := pgvalue.ReadDatum(p.column.TypeOID, text)
		if refusal != nil {
			return nil, nil, false
		}
		if !seen[d.Text] {
			seen[d.Text] = true
			canonical, names = append(canonical, d), append(names, p.blocks.Value(text))
		}
	}
	return canonical, names, true
}

// ofTexts are the blocks of declared values among texts.
func (p blockReader) ofTexts(e extent.Extent) (names []string, ok bool) {
	values, all, ok := p.values()
	for i, v := range values {
		if e.HasText(v.Text) {
			names = append(names, all[i])
		}
	}
	if e.Except || len(e.Texts) > len(names) {
		names = append(names, policy.OutsideBlock)
	}
	return names, ok
}

// ofPoints are the blocks of declared values in spans.
func (p blockReader) ofPoints(spans []extent.Span) (names []string, ok bool) {
	values, all, ok := p.values()
	inside := 0 // the spans of one declared value and nothing else
	for i, v := range values {
		at, known := extent.PointOf(v)
		if !known {
			return nil, false
		}
		value := expr.SpanOf(expr.Equal, at)
		after, _ := slices.BinarySearchFunc(spans, value.To, func(s extent.Span, to extent.Cut) int { return s.To.Compare(to) })
		if after == len(spans) || spans[after].From.Compare(value.From) > 0 {
			continue
		}
		names = append(names, all[i])
		if spans[after].From.Compare(value.From) == 0 && spans[after].To.Compare(value.To) == 0 {
			inside++
		}
	}
	if inside < len(spans) {
		names = append(names, policy.OutsideBlock)
	}
	return names, ok
}
