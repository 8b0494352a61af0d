package rewrite

import (
	"math/big"
	"slices"
	"strings"
)

// An Extent is a set of values of one column, NULL among them or not: of those that rows can have, a superset. The zero Extent is
// empty.
type Extent struct {
	// Null says that NULL is one of the values.
	Null bool
	// spans hold the values of a type whose order this package knows, apart from each other and rising.
	spans []span
	// texts are values in canonical form, sorted, or with except all others but these, of a type of which only equality is known.
	texts  []string
	except bool
	// any says that all values but NULL are among them; then spans and texts are empty.
	any bool
}

// everything is the extent of all values, NULL among them.
func everything() Extent { return Extent{Null: true, any: true} }

// notNull is the extent of all values but NULL.
func notNull() Extent { return Extent{any: true} }

// A point is a place in the order of numbers or of times: a finite value, or what lies beyond all of these. Times are counted in
// microseconds since 1970.
type point struct {
	rank  pointRank
	value *big.Rat // of a finite one
}

type pointRank int

const (
	beforeAll pointRank = iota - 2
	minusInfinity
	finite
	plusInfinity
	notANumber // greater than infinity, as the server sees it
	afterAll
)

func (p point) compare(q point) int {
	if p.rank != q.rank || p.rank != finite {
		return int(p.rank - q.rank)
	}
	return p.value.Cmp(q.value)
}

// A cut is between two values: right before a point, or right after it.
type cut struct {
	at    point
	after bool
}

func (c cut) compare(d cut) int {
	if sign := c.at.compare(d.at); sign != 0 {
		return sign
	}
	switch {
	case c.after == d.after:
		return 0
	case c.after:
		return 1
	}
	return -1
}

var (
	lowest  = cut{at: point{rank: beforeAll}}
	highest = cut{at: point{rank: afterAll}}
)

// A span has the values between two cuts, of which the first is the lower.
type span struct{ from, to cut }

// pointOf is where a constant lies.
func pointOf(d datum) (p point, ok bool) {
	switch {
	case d.isNaN():
		return point{rank: notANumber}, true
	case d.infinite("Infinity"):
		return point{rank: plusInfinity}, true
	case d.infinite("-Infinity"):
		return point{rank: minusInfinity}, true
	case d.number != nil:
		return point{finite, d.number}, true
	case isTime(d.oid):
		return point{finite, new(big.Rat).SetInt64(d.micros)}, true
	}
	return point{}, false
}

// spanOf has the values that compare with a constant as an operator, but for unequal, says.
func spanOf(op operator, p point) span {
	before, after := cut{p, false}, cut{p, true}
	switch op {
	case equal:
		return span{before, after}
	case less:
		return span{lowest, before}
	case lessEqual:
		return span{lowest, after}
	case greater:
		return span{after, highest}
	case greaterEqual:
		return span{before, highest}
	}
	panic("rewrite: internal error: the values unequal to one are not one span")
}

// unite sorts spans and joins those that meet.
func unite(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.from.compare(b.from) })
	var united []span
	for _, s := range spans {
		if last := len(united) - 1; last >= 0 && s.from.compare(united[last].to) <= 0 {
			if s.to.compare(united[last].to) > 0 {
				united[last].to = s.to
			}
			continue
		}
		united = append(united, s)
	}
	return united
}

// intersect goes through two lists of spans that are apart and rising.
func intersect(a, b []span) []span {
	var common []span
	for len(a) > 0 && len(b) > 0 {
		s := span{a[0].from, a[0].to}
		if b[0].from.compare(s.from) > 0 {
			s.from = b[0].from
		}
		if b[0].to.compare(s.to) < 0 {
			s.to = b[0].to
		}
		if s.from.compare(s.to) < 0 {
			common = append(common, s)
		}
		if a[0].to.compare(b[0].to) < 0 {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return common
}

// gaps are the values that are in none of the spans, which are apart and rising.
func gaps(spans []span) []span {
	var between []span
	from := lowest
	for _, s := range spans {
		if from.compare(s.from) < 0 {
			between = append(between, span{from, s.from})
		}
		from = s.to
	}
	if from.compare(highest) < 0 {
		between = append(between, span{from, highest})
	}
	return between
}

// ofTexts reports whether the extent's values, as far as they are told apart, are texts.
func (e Extent) ofTexts() bool { return e.except || len(e.texts) > 0 }

// union has the values of either. Both are of one column.
func (e Extent) union(f Extent) Extent {
	u := Extent{Null: e.Null || f.Null, any: e.any || f.any}
	switch {
	case u.any:
	case e.ofTexts() || f.ofTexts():
		u.texts, u.except = uniteTexts(e, f)
	default:
		u.spans = unite(slices.Concat(e.spans, f.spans))
	}
	return u
}

// intersection has the values of both, which are of one column.
func (e Extent) intersection(f Extent) Extent {
	null := e.Null && f.Null
	switch {
	case e.any:
		f.Null = null
		return f
	case f.any:
		e.Null = null
		return e
	case e.ofTexts() || f.ofTexts():
		texts, except := intersectTexts(e, f)
		return Extent{Null: null, texts: texts, except: except}
	}
	return Extent{Null: null, spans: intersect(e.spans, f.spans)}
}

// combine applies union or intersection to many extents, two by two, so that the large ones are not gone through for each of the others.
// empty is what there is of none.
func combine(extents []Extent, empty Extent, two func(e, f Extent) Extent) Extent {
	switch len(extents) {
	case 0:
		return empty
	case 1:
		return extents[0]
	}
	half := len(extents) / 2
	return two(combine(extents[:half], empty, two), combine(extents[half:], empty, two))
}

// uniteTexts follows from intersectTexts by de Morgan.
func uniteTexts(e, f Extent) (texts []string, except bool) {
	e.except, f.except = !e.except, !f.except
	texts, except = intersectTexts(e, f)
	return texts, !except
}

func intersectTexts(e, f Extent) (texts []string, except bool) {
	switch {
	case e.except && f.except:
		return sortedTexts(slices.Concat(e.texts, f.texts)), true
	case e.except:
		e, f = f, e
	}
	return slices.DeleteFunc(slices.Clone(e.texts), func(t string) bool { return !f.hasText(t) }), false
}

func sortedTexts(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

func (e Extent) hasText(text string) bool {
	_, found := slices.BinarySearch(e.texts, text)
	return e.any || found != e.except
}

// within reports whether all values of e are among those of f.
func (e Extent) within(f Extent) bool {
	switch {
	case e.Null && !f.Null:
		return false
	case f.any:
		return true
	case e.any: // though f may name all that there are: true and false
		return false
	case e.ofTexts() || f.ofTexts():
		outside, except := intersectTexts(e, Extent{texts: f.texts, except: !f.except})
		return len(outside) == 0 && !except
	}
	return slices.EqualFunc(intersect(e.spans, f.spans), e.spans, func(a, b span) bool {
		return a.from.compare(b.from) == 0 && a.to.compare(b.to) == 0
	})
}

// String prints the extent for people.
func (e Extent) String() string {
	var parts []string
	if e.any {
		parts = append(parts, "any value")
	}
	for _, s := range e.spans {
		parts = append(parts, s.String())
	}
	if e.except {
		parts = append(parts, "any value")
		if len(e.texts) > 0 {
			parts[len(parts)-1] += " but " + quoteAll(e.texts)
		}
	} else if len(e.texts) > 0 {
		parts = append(parts, quoteAll(e.texts))
	}
	if e.Null {
		parts = append(parts, "NULL")
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = quoteString(t)
	}
	return strings.Join(quoted, ", ")
}

// String prints a span as PostgreSQL prints ranges.
func (s span) String() string {
	open, closed := "[", "]"
	if s.from.after || s.from.at.rank == beforeAll {
		open = "("
	}
	if !s.to.after {
		closed = ")"
	}
	return open + s.from.at.String() + "," + s.to.at.String() + closed
}

func (p point) String() string {
	switch p.rank {
	case minusInfinity:
		return "-infinity"
	case plusInfinity:
		return "infinity"
	case notANumber:
		return "NaN"
	case finite:
		return p.value.RatString()
	}
	return ""
}
