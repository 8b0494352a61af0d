package extent

import (
	"math/big"
	"slices"
	"strings"

	"tacit/rewrite/internal/pgvalue"
)

// An Extent is a set of values of one column, NULL among them or not: of those that rows can have, a superset. The zero Extent is
// empty.
type Extent struct {
	// Null says that NULL is one of the values.
	Null bool
	// Spans hold the values of a type whose order this package knows, apart from each other and rising.
	Spans []Span
	// Texts are values in canonical form, sorted, or with Except all others but these, of a type of which only equality is known.
	Texts  []string
	Except bool
	// Any says that all values but NULL are among them; then Spans and Texts are empty.
	Any bool
}

// Everything is the extent of all values, NULL among them.
func Everything() Extent { return Extent{Null: true, Any: true} }

// NotNull is the extent of all values but NULL.
func NotNull() Extent { return Extent{Any: true} }

// A point is a place in the order of numbers or of times: a finite value, or what lies beyond all of these. Times are counted in
// microseconds since 1970.
type Point struct {
	Rank  pointRank
	Value *big.Rat // of a finite one
}

type pointRank int

const (
	beforeAll pointRank = iota - 2
	minusInfinity
	Finite
	plusInfinity
	notANumber // greater than infinity, as the server sees it
	afterAll
)

func (p Point) compare(q Point) int {
	if p.Rank != q.Rank || p.Rank != Finite {
		return int(p.Rank - q.Rank)
	}
	return p.Value.Cmp(q.Value)
}

// A cut is between two values: right before a point, or right after it.
type Cut struct {
	At    Point
	After bool
}

// Compare is below 0 if a cut comes before another, 0 if they are the same, and above 0 otherwise.
func (c Cut) Compare(d Cut) int {
	if sign := c.At.compare(d.At); sign != 0 {
		return sign
	}
	switch {
	case c.After == d.After:
		return 0
	case c.After:
		return 1
	}
	return -1
}

// Lowest is before everything, Highest after it.
var (
	Lowest  = Cut{At: Point{Rank: beforeAll}}
	Highest = Cut{At: Point{Rank: afterAll}}
)

// A span has the values between two cuts, of which the first is the lower.
type Span struct{ From, To Cut }

// PointOf is where a constant lies.
func PointOf(d pgvalue.Datum) (p Point, ok bool) {
	switch {
	case d.IsNaN():
		return Point{Rank: notANumber}, true
	case d.Infinite("Infinity"):
		return Point{Rank: plusInfinity}, true
	case d.Infinite("-Infinity"):
		return Point{Rank: minusInfinity}, true
	case d.Number != nil:
		return Point{Finite, d.Number}, true
	case pgvalue.IsTime(d.OID):
		return Point{Finite, new(big.Rat).SetInt64(d.Micros)}, true
	}
	return Point{}, false
}

// After reports whether one constant is greater than another, or may be.
func After(a, b pgvalue.Datum) bool {
	p, ok := PointOf(a)
	q, ok2 := PointOf(b)
	return !ok || !ok2 || p.compare(q) > 0
}

// Unite sorts spans and joins those that meet.
func Unite(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return a.From.Compare(b.From) })
	var united []Span
	for _, s := range spans {
		if last := len(united) - 1; last >= 0 && s.From.Compare(united[last].To) <= 0 {
			if s.To.Compare(united[last].To) > 0 {
				united[last].To = s.To
			}
			continue
		}
		united = append(united, s)
	}
	return united
}

// Intersect goes through two lists of spans that are apart and rising.
func Intersect(a, b []Span) []Span {
	var common []Span
	for len(a) > 0 && len(b) > 0 {
		s := Span{a[0].From, a[0].To}
		if b[0].From.Compare(s.From) > 0 {
			s.From = b[0].From
		}
		if b[0].To.Compare(s.To) < 0 {
			s.To = b[0].To
		}
		if s.From.Compare(s.To) < 0 {
			common = append(common, s)
		}
		if a[0].To.Compare(b[0].To) < 0 {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return common
}

// Gaps are the values that are in none of the spans, which are apart and rising.
func Gaps(spans []Span) []Span {
	var between []Span
	from := Lowest
	for _, s := range spans {
		if from.Compare(s.From) < 0 {
			between = append(between, Span{from, s.From})
		}
		from = s.To
	}
	if from.Compare(Highest) < 0 {
		between = append(between, Span{from, Highest})
	}
	return between
}

// ofTexts reports whether the extent's values, as far as they are told apart, are texts.
func (e Extent) ofTexts() bool { return e.Except || len(e.Texts) > 0 }

// Union has the values of either. Both are of one column.
func (e Extent) Union(f Extent) Extent {
	u := Extent{Null: e.Null || f.Null, Any: e.Any || f.Any}
	switch {
	case u.Any:
	case e.ofTexts() || f.ofTexts():
		u.Texts, u.Except = uniteTexts(e, f)
	default:
		u.Spans = Unite(slices.Concat(e.Spans, f.Spans))
	}
	return u
}

// Intersection has the values of both, which are of one column.
func (e Extent) Intersection(f Extent) Extent {
	null := e.Null && f.Null
	switch {
	case e.Any:
		f.Null = null
		return f
	case f.Any:
		e.Null = null
		return e
	case e.ofTexts() || f.ofTexts():
		texts, except := intersectTexts(e, f)
		return Extent{Null: null, Texts: texts, Except: except}
	}
	return Extent{Null: null, Spans: Intersect(e.Spans, f.Spans)}
}

// Combine applies union or intersection to many extents, two by two, so that the large ones are not gone through for each of the others.
// empty is what there is of none.
func Combine(extents []Extent, empty Extent, two func(e, f Extent) Extent) Extent {
	switch len(extents) {
	case 0:
		return empty
	case 1:
		return extents[0]
	}
	half := len(extents) / 2
	return two(Combine(extents[:half], empty, two), Combine(extents[half:], empty, two))
}

// uniteTexts follows from intersectTexts by de Morgan.
func uniteTexts(e, f Extent) (texts []string, except bool) {
	e.Except, f.Except = !e.Except, !f.Except
	texts, except = intersectTexts(e, f)
	return texts, !except
}

func intersectTexts(e, f Extent) (texts []string, except bool) {
	switch {
	case e.Except && f.Except:
		return SortedTexts(slices.Concat(e.Texts, f.Texts)), true
	case e.Except:
		e, f = f, e
	}
	return slices.DeleteFunc(slices.Clone(e.Texts), func(t string) bool { return !f.HasText(t) }), false
}

// SortedTexts sorts texts and keeps each once. It changes the list.
func SortedTexts(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// HasText reports whether a value of a type of which only equality is known is among those of the extent.
func (e Extent) HasText(text string) bool {
	_, found := slices.BinarySearch(e.Texts, text)
	return e.Any || found != e.Except
}

// Within reports whether all values of e are among those of f.
func (e Extent) Within(f Extent) bool {
	switch {
	case e.Null && !f.Null:
		return false
	case f.Any:
		return true
	case e.Any: // though f may name all that there are: true and false
		return false
	case e.ofTexts() || f.ofTexts():
		outside, except := intersectTexts(e, Extent{Texts: f.Texts, Except: !f.Except})
		return len(outside) == 0 && !except
	}
	return slices.EqualFunc(Intersect(e.Spans, f.Spans), e.Spans, func(a, b Span) bool {
		return a.From.Compare(b.From) == 0 && a.To.Compare(b.To) == 0
	})
}

// String prints the extent for people.
func (e Extent) String() string {
	var parts []string
	if e.Any {
		parts = append(parts, "any value")
	}
	for _, s := range e.Spans {
		parts = append(parts, s.String())
	}
	if e.Except {
		parts = append(parts, "any value")
		if len(e.Texts) > 0 {
			parts[len(parts)-1] += " but " + quoteAll(e.Texts)
		}
	} else if len(e.Texts) > 0 {
		parts = append(parts, quoteAll(e.Texts))
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
		quoted[i] = pgvalue.QuoteString(t)
	}
	return strings.Join(quoted, ", ")
}

// String prints a span as PostgreSQL prints ranges.
func (s Span) String() string {
	open, closed := "[", "]"
	if s.From.After || s.From.At.Rank == beforeAll {
		open = "("
	}
	if !s.To.After {
		closed = ")"
	}
	return open + s.From.At.String() + "," + s.To.At.String() + closed
}

func (p Point) String() string {
	switch p.Rank {
	case minusInfinity:
		return "-infinity"
	case plusInfinity:
		return "infinity"
	case notANumber:
		return "NaN"
	case Finite:
		return p.Value.RatString()
	}
	return ""
}
