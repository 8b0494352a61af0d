package expr

import (
	"fmt"
	"io"
	"math/big"
	"sync"

	"tacit/rewrite/internal/pgvalue"
)

// Declares reports whether all values of a stored column in an extent are declared. NULL is, of every column.
func (c *Column) Declares(e Extent) bool {
	if c.TypeOID == pgvalue.Bool && len(c.Domain) == 2 {
		return true
	}
	if e.Any || e.Except || len(c.Domain) == 0 {
		return !e.Any && !e.Except && len(e.Texts) == 0 && len(e.Spans) == 0
	}
	declared, ok := c.declared()
	if !ok {
		return false
	}
	if step := stepOf(c.TypeOID); step > 0 {
		e.Spans, declared.Spans = wholeSpans(e.Spans, step), wholeSpans(declared.Spans, step)
	}
	return e.Within(declared)
}

// DeclaresNone reports whether no declared value of a stored column is in an extent, which has others; nor is NULL, if the column can be that.
func (c *Column) DeclaresNone(e Extent) bool {
	none := Extent{}
	if len(c.Domain) == 0 || e.Any || e.Null && !c.NotNull || e.Within(none) {
		return false
	}
	declared, ok := c.declared()
	declared.Null = false
	return ok && e.Intersection(declared).Within(none)
}

// WriteDomain writes what identifies the declared domain: its values, or the first one of those that end at the present day.
func (c *Column) WriteDomain(w io.Writer) {
	if c.Until != "" && len(c.Domain) > 0 {
		fmt.Fprintf(w, "%q to today", c.Domain[:1])
		return
	}
	fmt.Fprintf(w, "%q", c.Domain)
}

// A declaration is what a domain declares, found out once.
type declaration struct {
	once     sync.Once
	declared Extent
	ok       bool
}

// RememberDomain has the column, and its copies, find out once what Domain declares. Domain is not to be changed afterwards.
func (c *Column) RememberDomain() { c.declaration = new(declaration) }

// declared are the declared values and NULL; ok is false if what they are is not known. It is not to be changed.
func (c *Column) declared() (declared Extent, ok bool) {
	d := c.declaration
	if d == nil {
		return c.readDomain()
	}
	d.once.Do(func() { d.declared, d.ok = c.readDomain() })
	return d.declared, d.ok
}

func (c *Column) readDomain() (declared Extent, ok bool) {
	declared.Null = true
	for _, text := range c.Domain {
		if TellsTexts(c.TypeOID) {
			declared.Texts = append(declared.Texts, text)
			continue
		}
		d, refusal := pgvalue.ReadDatum(c.TypeOID, text)
		if refusal != nil {
			return declared, false
		}
		p, ok := PointOf(d)
		if !ok {
			return declared, false
		}
		declared.Spans = append(declared.Spans, SpanOf(Equal, p))
	}
	declared.Texts, declared.Spans = sortedTexts(declared.Texts), unite(declared.Spans)
	return declared, true
}

// stepOf is how far the values of a type are apart, as points; 0 if they are not evenly spaced.
func stepOf(oid pgvalue.OID) int64 {
	switch {
	case pgvalue.IsInteger(oid):
		return 1
	case oid == pgvalue.Date:
		return pgvalue.Day.Microseconds()
	}
	return 0
}

// wholeSpans have the same multiples of a step as spans that are apart and rising, and the numbers up to the next multiple behind each, so that
// neighbours meet.
func wholeSpans(spans []Span, step int64) []Span {
	var whole []Span
	for _, s := range spans {
		if s = (Span{wholeCut(s.From, step), wholeCut(s.To, step)}); s.From.Compare(s.To) < 0 {
			whole = append(whole, s)
		}
	}
	return unite(whole)
}

// wholeCut is before the first multiple of a step behind a cut.
func wholeCut(c Cut, step int64) Cut {
	if c.At.Rank != Finite {
		return c
	}
	size := new(big.Rat).SetInt64(step)
	steps := new(big.Rat).Quo(c.At.Value, size)
	n := new(big.Int).Div(steps.Num(), steps.Denom()) // Euclidean, so floor: the denominator is positive
	if !steps.IsInt() || c.After {
		n.Add(n, big.NewInt(1))
	}
	return Cut{At: Point{Finite, size.Mul(size, new(big.Rat).SetInt(n))}}
}
