package rewrite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// trapRows are rows whose values are equal and do not look alike, or lie where orders end.
const trapRows = `INSERT INTO members (id, plan, salary, ratio, score, weight, code, joined, seen, paid, city, birth_year, points, level) VALUES
	(1001, 'gold', 1.5, 1.50, '-0', '-0', 'a', 'infinity', '-infinity', 'infinity', 'Oslo ', 1990, 9007199254740993, 1),
	(1002, 'gold ', 1.50, 1.5, 0, 0, 'a ', '-infinity', 'infinity', '-infinity', 'Oslo', 1990, 9007199254740992, 1),
	(1003, 'gold', 2, 2.000, 'NaN', 'NaN', 'ab ', '2020-01-31', '2020-01-31 23:59:59.999999', '2020-01-31 23:59:59.999999Z', 'oslo', -1990, -5, 3),
	(1004, 'Gold', 2.00, 2, 'Infinity', '-Infinity', '', '2020-02-01', '2020-02-01', '2020-02-01 00:00:00Z', 'Øslo', 1991, 5, 3),
	(1005, 'gold', 'NaN', 'Infinity', 0.1, 0.1, '  b', '4713-01-01 BC', '4713-01-01 BC', '2020-01-31 08:00:00.000001Z', 'Rome', NULL, NULL, NULL),
	(1006, 'gold', 3, 2.0000000000000000000000000, 4, 4, 'a', NULL, NULL, NULL, NULL, 1, 1, 1)`

// hasValue reports whether an extent has a value as the server prints it. ok is false if this package does not read it.
func hasValue(e extent.Extent, c *expr.Column, v pgvalue.Value) (has, ok bool) {
	if v.Null {
		return e.Null, true
	}
	if e.Any {
		return true, true
	}
	d, refusal := pgvalue.ReadDatum(c.TypeOID, v.Text)
	if refusal != nil {
		return false, false
	}
	if expr.TellsTexts(c.TypeOID) {
		return e.HasText(d.Text), true
	}
	p, ok := extent.PointOf(d)
	return len(extent.Intersect(e.Spans, []extent.Span{expr.SpanOf(expr.Equal, p)})) > 0, ok
}

// valuesOf are the different values of a column in rows that meet the WHERE of a query, or in those that do not.
func (t *twin) valuesOf(c *expr.Column, q *query.BoundQuery, meet bool) []pgvalue.Value {
	t.tb.Helper()
	w := expr.SQLWriter{Column: q.Column}
	text := w.Value(c) + "::text"
	if c.TypeOID == pgvalue.Bpchar {
		text = "rtrim(" + text + ")"
	}
	sql := "SELECT DISTINCT " + text + " FROM " + q.Tables(&w) + " WHERE coalesce(" + w.Formula(q.Where) + ", false) = " + fmt.Sprint(meet)
	var values []pgvalue.Value
	for _, row := range t.query(sql, w.Args) {
		values = append(values, pgvalue.Value{Text: string(row[0]), Null: row[0] == nil})
	}
	return values
}

// flooredCondition compares the beginning of the unit in which a time lies with times around beginnings, in brackets.
func (g *conditions) flooredCondition() string {
	value := g.pick([]string{"joined", "seen", "seen::date", "joined::timestamp"})
	times := []string{"'2020-01-01'", "'2020-01-31'", "'2020-02-01'", "'2019-12-30'", "'2020-01-27'", "'2020-01-31 10:00:00'", "'2020-01-31 10:11:12.5'", "'2020-01-01 00:00:01'", "'infinity'"}
	switch unit := g.pick([]string{"hour", "day", "week", "month", "quarter", "year", "Month", "decade", ""}); {
	case g.IntN(4) == 0:
		value = g.pick([]string{"extract(year FROM ", "date_part('year', ", "extract('month' FROM "}) + value + ")"
		times = []string{"2020", "2019", "2021", "2020.5", "2019.5", "1", "-5", "1e9"}
	case unit != "":
		value = "date_trunc('" + unit + "', " + value + ")"
	}
	operator := g.pick([]string{"=", "<>", "<", "<=", ">", ">="})
	if g.IntN(4) == 0 {
		return "(" + value + g.pick([]string{"", " NOT"}) + " IN (" + g.pick(times) + ", " + g.pick(times) + "))"
	}
	return "(" + value + " " + operator + " " + g.pick(times) + ")"
}

// TestWithinHoldsAllRows compares extents with the values that rows which meet random conditions have: each must be in the extent of its
// column. It fails if an extent is taken from a comparison that the server makes otherwise (in binary floating point, without trailing
// blanks, of infinite values), if NULL is lost, or if AND and OR are mixed up. Where an atom's extent is said to be exact, rows that do
// not meet it must lie outside.
func TestWithinHoldsAllRows(t *testing.T) {
	server := newTwin(t)
	server.exec(trapRows)
	g := &conditions{rand.New(rand.NewPCG(11, 12)), columnNames, pairs}
	narrow, exact, unread := 0, 0, 0
	rounds := 1300
	if testing.Short() {
		rounds = 260
	}
	for range rounds {
		condition := g.condition(g.IntN(4))
		if g.IntN(3) == 0 {
			condition = g.flooredCondition() + g.pick([]string{"", " AND ", " OR "})
			if !strings.HasSuffix(condition, ")") {
				condition += "(" + g.atom() + ")"
			}
		}
		q := server.bound("SELECT count(*) FROM members WHERE " + condition)
		if q == nil {
			continue
		}
		for i := range q.Table.Columns {
			c := &q.Table.Columns[i]
			if pgvalue.FamilyOf(c.TypeOID) == pgvalue.NoFamily || c.Name == "id" {
				continue
			}
			e := q.Within(c.Name, q.Where)
			if e.Any && e.Null {
				continue
			}
			narrow++
			for _, v := range server.valuesOf(c, q, true) {
				has, ok := hasValue(e, c, v)
				if !ok {
					unread++
				} else if !has {
					t.Errorf("%s: a row has %s = %q (NULL %t), which is not in %v", condition, c.Name, v.Text, v.Null, e)
				}
			}
			if atom, isExact := expr.ExtentOfAtom(q.Where, c); isExact {
				exact++
				for _, v := range server.valuesOf(c, q, false) {
					if has, ok := hasValue(atom, c, v); ok && has {
						t.Errorf("%s: no row with %s = %q (NULL %t) meets it, which is in %v", condition, c.Name, v.Text, v.Null, atom)
					}
				}
			}
		}
	}
	if narrow < 3000*rounds/1300 || exact < 150*rounds/1300 {
		t.Errorf("only %d extents are narrow, and %d exact", narrow, exact)
	}
	t.Logf("%d narrow extents, %d exact ones, %d values not read", narrow, exact, unread)
}

// TestWithinOfKnownConditions fails if a bound is lost or on the wrong side.
func TestWithinOfKnownConditions(t *testing.T) {
	for _, test := range []struct{ condition, column, want string }{
		{"birth_year > 1990", "birth_year", "[1991,)"},
		{"birth_year BETWEEN 1980 AND 1990", "birth_year", "[1980,1990]"},
		{"birth_year BETWEEN 1980 AND 1990", "level", "any value, NULL"},
		{"birth_year < 1980 OR birth_year > 1990", "birth_year", "(,1979], [1991,)"},
		{"birth_year < 1980 OR level = 3", "birth_year", "any value, NULL"},
		{"birth_year < 1980 OR birth_year IS NULL AND level = 3", "birth_year", "(,1979], NULL"},
		{"birth_year NOT IN (5, 7)", "birth_year", "(,5), (5,7), (7,)"},
		{"birth_year IN (5, 7) AND birth_year > 6", "birth_year", "[7,7]"},
		{"birth_year IS NOT NULL", "birth_year", "any value"},
		{"birth_year IS NULL", "birth_year", "NULL"},
		{"birth_year > level", "birth_year", "any value"},
		{"birth_year / 10 = 199", "birth_year", "any value, NULL"},
		{"birth_year > 5 AND birth_year < 6", "birth_year", "nothing"},
		{"points = 9007199254740993::float8", "points", "any value"},
		{"salary < 1.50", "salary", "(,3/2)"},
		{"score > '-Infinity' AND score < 'NaN'", "score", "(-infinity,NaN)"},
		{"weight = 0.5", "weight", "[1/2,1/2]"},
		{"city IN ('Oslo', 'Rome')", "city", "'Oslo', 'Rome'"},
		{"city <> 'Oslo'", "city", "any value but 'Oslo'"},
		{"city <> 'Oslo' OR city IS NULL", "city", "any value but 'Oslo', NULL"},
		{"city > 'Oslo'", "city", "any value"},
		{"city IN ('Oslo', 'Rome') AND city <> 'Oslo'", "city", "'Rome'"},
		{"city = 'Oslo' OR city <> 'Oslo'", "city", "any value"},
		{`"Odd Name" = 'a'`, "Odd Name", "any value"},
		{"code = 'a '::text", "code", "'a '"},
		{"code = 'a '::varchar", "code", "any value"},
		{"code = 'a  '", "code", "'a'"},
		{"active", "active", "'t'"},
		{"active IS NOT TRUE", "active", "'f', NULL"},
		{"joined < '2020-01-31'::timestamp", "joined", "(,1580428800000000)"},
		{"joined = 'infinity'", "joined", "[infinity,infinity]"},
		{"extract(year FROM joined) = 1970", "joined", "[0,31536000000000)"},
		{"extract(year FROM seen) > 1969.5", "seen", "[0,)"},
		{"date_trunc('day', seen) IN ('1970-01-01', '1970-01-02')", "seen", "[0,172800000000)"},
		{"date_trunc('month', joined) < '1970-02-01'", "joined", "(,2678400000000)"},
		{"date_trunc('month', seen::date) <= '1970-01-02'", "seen", "(,2678400000000)"},
		{"date_trunc('hour', seen::date) = '1970-01-01'", "seen", "any value, NULL"},
		{"date_trunc('month', seen) <> '1970-01-01'", "seen", "any value"},
		{"date_trunc('decade', seen) = '1970-01-01'", "seen", "any value, NULL"},
		{"extract(month FROM joined) = 1", "joined", "any value, NULL"},
		{"date_trunc('month', paid) = '1970-01-01 00:00:00+00'", "paid", "any value, NULL"},
		{"level = 3 AND birth_year = 5", "no such column", "any value, NULL"},
	} {
		a, ok := analyze(t, "SELECT count(*) FROM members WHERE "+test.condition).(*Answer)
		if !ok {
			t.Errorf("%s: not answered", test.condition)
			continue
		}
		q, refusal := a.Queries[0].Bind(nil)
		if refusal != nil {
			t.Fatal(refusal)
		}
		if got := q.Within(test.column, q.Where).String(); got != test.want {
			t.Errorf("%s: %s is within %s, want %s", test.condition, test.column, got, test.want)
		}
	}
}

// TestExtentsAreSets compares the algebra of extents with sets of a few values. It fails if a cut is on the wrong side of a value, or NULL
// or a complement is lost.
func TestExtentsAreSets(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, c := range []*expr.Column{{TypeOID: pgvalue.Numeric}, {TypeOID: pgvalue.Text}} {
		values := []pgvalue.Value{{Null: true}, {Text: "-1"}, {Text: "0"}, {Text: "0.5"}, {Text: "1"}, {Text: "2"}, {Text: "NaN"}}
		random := func() extent.Extent {
			op := []expr.Operator{expr.Equal, expr.Unequal, expr.Less, expr.LessEqual, expr.Greater, expr.GreaterEqual}[r.IntN(6)]
			var list []pgvalue.Datum
			for range 1 + r.IntN(3) {
				d, _ := pgvalue.ReadDatum(c.TypeOID, values[1+r.IntN(len(values)-1)].Text)
				list = append(list, d)
			}
			if op != expr.Equal && op != expr.Unequal {
				list = list[:1]
			}
			e, _ := expr.ExtentOfValues(c, op, list)
			return e.Union(extent.Extent{Null: r.IntN(3) == 0})
		}
		for range 5000 {
			e, f := random(), random()
			subset := true
			for _, v := range values {
				inE, _ := hasValue(e, c, v)
				inF, _ := hasValue(f, c, v)
				subset = subset && (!inE || inF)
				if got, _ := hasValue(e.Union(f), c, v); got != (inE || inF) {
					t.Fatalf("%v in the union of %v and %v: %t", v, e, f, got)
				}
				if got, _ := hasValue(e.Intersection(f), c, v); got != (inE && inF) {
					t.Fatalf("%v in the intersection of %v and %v: %t", v, e, f, got)
				}
			}
			if e.Within(f) && !subset {
				t.Fatalf("%v is within %v", e, f)
			}
			if !e.Intersection(f).Within(e) || !e.Within(e.Union(f)) || !e.Within(extent.Everything()) || !(extent.Extent{}).Within(e) {
				t.Fatalf("%v and %v: their intersection and union are not below and above", e, f)
			}
		}
	}
}

// TestWithinOfLongLists fails if unions and intersections go through all values again for each part: it would take minutes.
func TestWithinOfLongLists(t *testing.T) {
	column := &expr.Column{Name: "n", TypeOID: pgvalue.Int8}
	var wide, points expr.AnyOf
	var narrow expr.All
	for i := range int64(15_000) {
		wide = append(wide, expr.Comparison{Column: column, Op: expr.Equal, Value: pgvalue.IntegerDatum(pgvalue.Int8, 2*i)})
		points = append(points, expr.All{expr.Comparison{Column: column, Op: expr.Greater, Value: pgvalue.IntegerDatum(pgvalue.Int8, 3*i)}, expr.Comparison{Column: column, Op: expr.Less, Value: pgvalue.IntegerDatum(pgvalue.Int8, 3*i+2)}})
		narrow = append(narrow, expr.Comparison{Column: column, Op: expr.Unequal, Value: pgvalue.IntegerDatum(pgvalue.Int8, 4*i)})
	}
	e := expr.ExtentOf(expr.All{wide, narrow, points}, column)
	for _, test := range []struct {
		n    int64
		want bool
	}{{4, false}, {10, true}, {8, false}, {22, true}, {12, false}} { // even, of the form 3i+1, and no multiple of 4
		if got, _ := hasValue(e, column, pgvalue.Value{Text: fmt.Sprint(test.n)}); got != test.want {
			t.Errorf("%d: %t", test.n, got)
		}
	}
}
