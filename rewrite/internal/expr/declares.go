package expr

import (
	"fmt"
	"io"
	"sync"

	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
)

// Declares reports whether all values of a stored column in an extent are declared. NULL is, of every column.
func (c *Column) Declares(e extent.Extent) bool {
	if c.TypeOID == pgvalue.Bool && len(c.Domain) == 2 {
		return true
	}
	if e.Any || e.Except || !c.Declared() || c.Range == nil && len(c.Domain) == 0 {
		return !e.Any && !e.Except && len(e.Texts) == 0 && len(e.Spans) == 0
	}
	declared, ok := c.declared()
	if !ok {
		return false
	}
	if step := extent.StepOf(c.TypeOID); step > 0 {
		e.Spans, declared.Spans = extent.Whole(e.Spans, step), extent.Whole(declared.Spans, step)
	}
	return e.Within(declared)
}

// DeclaresNone reports whether no declared value of a stored column is in an extent, which has others; nor is NULL, if the column can be that.
func (c *Column) DeclaresNone(e extent.Extent) bool {
	none := extent.Extent{}
	if len(c.Domain) == 0 || e.Any || e.Null && !c.NotNull || e.Within(none) {
		return false
	}
	declared, ok := c.declared()
	declared.Null = false
	return ok && e.Intersection(declared).Within(none)
}

// WriteDomain writes what identifies the declared domain: its values or its ends, of which one that is the present day has no part.
func (c *Column) WriteDomain(w io.Writer) {
	switch {
	case c.Until != "" && c.Range != nil:
		fmt.Fprintf(w, "from %q to today", c.Range.Least.Text)
	case c.Range != nil && c.Step != nil:
		fmt.Fprintf(w, "from %q to %q by %s", c.Range.Least.Text, c.Range.Greatest.Text, c.Step.RatString())
	case c.Range != nil:
		fmt.Fprintf(w, "from %q to %q", c.Range.Least.Text, c.Range.Greatest.Text)
	case c.Until != "" && len(c.Domain) > 0:
		fmt.Fprintf(w, "%q to today", c.Domain[:1])
	default:
		fmt.Fprintf(w, "%q", c.Domain)
	}
}

// A declaration is what a domain declares, found out once.
type declaration struct {
	once     sync.Once
	declared extent.Extent
	ok       bool

	spanOnce        sync.Once
	least, greatest pgvalue.Datum
	tiny            int
	spanned         bool
}

// RememberDomain has the column, and its copies, find out once what Domain declares. Domain is not to be changed afterwards.
func (c *Column) RememberDomain() { c.declaration = new(declaration) }

// declared are the declared values and NULL; ok is false if what they are is not known. It is not to be changed.
func (c *Column) declared() (declared extent.Extent, ok bool) {
	d := c.declaration
	if d == nil {
		return c.readDomain()
	}
	d.once.Do(func() { d.declared, d.ok = c.readDomain() })
	return d.declared, d.ok
}

func (c *Column) readDomain() (declared extent.Extent, ok bool) {
	declared.Null = true
	if c.Range != nil {
		declared.Spans = c.Range.extent().Spans
		return declared, true
	}
	for _, text := range c.Domain {
		if TellsTexts(c.TypeOID) {
			declared.Texts = append(declared.Texts, text)
			continue
		}
		d, refusal := pgvalue.ReadDatum(c.TypeOID, text)
		if refusal != nil {
			return declared, false
		}
		p, ok := extent.PointOf(d)
		if !ok {
			return declared, false
		}
		declared.Spans = append(declared.Spans, SpanOf(Equal, p))
	}
	declared.Texts, declared.Spans = extent.SortedTexts(declared.Texts), extent.Unite(declared.Spans)
	return declared, true
}
