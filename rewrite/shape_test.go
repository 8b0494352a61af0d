package rewrite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// boundQuery is the one query of a statement over the fixture.
func boundQuery(tb testing.TB, sql string) *query.BoundQuery {
	tb.Helper()
	a, ok := analyze(tb, sql).(*Answer)
	if !ok {
		tb.Fatalf("%s: not answered", sql)
	}
	values := sampleValues(a.ParamOIDs)
	q, refusal := a.Queries[0].Bind(values, sampleConstants(a)...)
	if refusal != nil {
		tb.Fatalf("%s: %v", sql, refusal)
	}
	return q
}

// TestShapeText fixes the form in which shapes are kept: a ledger holds them for years.
func TestShapeText(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT count(*) FROM members": `{"shape":1,"aggregate":"count(*)","source":"public.members"}`,
		"SELECT birth_year / 10, city, count(*) FILTER (WHERE active) FROM members WHERE city IN ('Rome', 'Oslo') AND lower(plan) = 'gold' GROUP BY 1, 2": `{"shape":1,"aggregate":"count(*)","source":"public.members",` +
			`"where":[{"columns":["city"],"atom":{"test":"in","values":["Oslo","Rome"]}},{"text":"lower(plan) = 'gold'","columns":["plan"]}],` +
			`"filter":[{"columns":["active"],"atom":{"test":"=","values":["t"]}}],` +
			`"keys":[{"text":"(birth_year / 10)","type":23,"inputs":["birth_year"]},{"stored":true,"inputs":["city"]}],` +
			`"columns":[{"name":"active","type":16,"typmod":-1},{"name":"birth_year","type":23,"typmod":-1},` +
			`{"name":"city","type":25,"typmod":-1,"domain":"VIBPAlIWERZ7_9A4aJJWgA"},{"name":"plan","type":1043,"typmod":14,"not_null":true,"domain":"uVwILLzvkZ5FmOjjE037YQ"}]}`,
		"SELECT count(*) FILTER (WHERE level > 3) FROM members WHERE city = 'Oslo' OR level IS NULL": `{"shape":1,"aggregate":"count(*)","source":"public.members",` +
			`"where":[{"text":"(city = 'Oslo' OR level IS NULL)","columns":["city","level"]},{"columns":["level"],"atom":{"test":">=","values":["4"]}}],` +
			`"columns":[{"name":"city","type":25,"typmod":-1,"domain":"VIBPAlIWERZ7_9A4aJJWgA"},{"name":"level","type":21,"typmod":-1}]}`,
	} {
		q := boundQuery(t, sql)
		got, ok := q.Shape(q.Counts[0])
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s (ok %t, -want +got):\n%s", sql, ok, diff)
		}
	}
}

// TestShapesAreShort fails if a shape repeats the values of a list, or is not read back as what was written.
func TestShapesAreShort(t *testing.T) {
	list := "'" + strings.Repeat("Ulm", 300) + "', 'Oslo'"
	for _, where := range []string{"city IN (%s)", "city NOT IN (%s) AND level IS NULL", "city IN (%s) AND salary > 1 AND points = 3::float8 AND code = 'a ' AND joined > '2020-01-01' AND active"} {
		q := boundQuery(t, "SELECT count(*) FROM members WHERE "+strings.Replace(where, "%s", list, 1)+" GROUP BY city, plan, code")
		want, ok := q.CountShape(q.Counts[0])
		if !ok {
			t.Fatalf("%s has no shape", where)
		}
		text, _ := want.Text()
		if strings.Count(text, "UlmUlmUlm") > 100 || len(text) > 1900 {
			t.Errorf("%s: %d bytes: %s", where, len(text), text)
		}
		if got, ok := query.ParseShape(text); !ok || !cmp.Equal(got, want) {
			t.Errorf("%s is read as another (-want +got):\n%s", text, cmp.Diff(want, got))
		}
	}
}

// TestNoShape lists counts from which nothing may be derived. Each fails if its clause in Shape is forgotten.
func TestNoShape(t *testing.T) {
	for _, sql := range []string{
		"SELECT count(DISTINCT city) FROM members",
		"SELECT count(*) FROM visits",
		"SELECT count(DISTINCT member_id) FROM visits",
		"SELECT count(*) FROM members m JOIN cities c ON c.city = m.city",
		"SELECT count(*) FROM members m LEFT JOIN cities c ON c.city = m.city GROUP BY c.country",
		"SELECT count(*) FROM members WHERE city = NULL",
		"SELECT count(*) FILTER (WHERE false) FROM members GROUP BY city",
		"SELECT hair, gene, count(*) FROM carriers GROUP BY ROLLUP (hair, gene)",
		"SELECT count(*) FROM members WHERE city IN ('" + strings.Repeat("x", query.MaxShapeBytes) + "', 'y')",
	} {
		q := boundQuery(t, sql)
		if shape, ok := q.Shape(q.Counts[0]); ok {
			t.Errorf("%.80s has shape %.200s", sql, shape)
		}
	}
}

// TestChangedColumnsDeriveNothing fails if a shape is compared with columns that are no longer what they were.
func TestChangedColumnsDeriveNothing(t *testing.T) {
	const statement = "SELECT count(*) FROM members WHERE level = 3 GROUP BY city, length(plan)"
	q := boundQuery(t, statement)
	shape, ok := q.Shape(q.Counts[0])
	if _, same := derivedFrom(shape, q, q.Counts[0]); !ok || !same {
		t.Fatalf("%s does not follow from itself", statement)
	}
	for name, change := range map[string]func(c *expr.Column){
		"type":           func(c *expr.Column) { c.TypeOID = pgvalue.Bpchar },
		"modifier":       func(c *expr.Column) { c.Typmod = 99 },
		"collation":      func(c *expr.Column) { c.Collation = `pg_catalog."C"` },
		"nullable":       func(c *expr.Column) { c.NotNull = !c.NotNull },
		"domain":         func(c *expr.Column) { c.Domain = append([]string{"Ulm"}, c.Domain...) },
		"order":          func(c *expr.Column) { c.Domain = []string{"Rome", "Bern", "Oslo"} },
		"no domain":      func(c *expr.Column) { c.Domain = nil },
		"another column": func(c *expr.Column) { c.Name = "town" },
	} {
		changed := boundQuery(t, statement)
		for _, column := range []string{"city", "plan", "level"} {
			c := changed.Table.Column(column)
			if name == "no domain" && column == "level" || name == "order" && column != "city" {
				continue
			}
			was := *c
			change(c)
			fresh := *changed
			fresh.Digests = &query.DomainDigests{}
			if _, ok := derivedFrom(shape, &fresh, fresh.Counts[0]); ok {
				t.Errorf("derived though %s is another of column %s", name, column)
			}
			*c = was
		}
	}
}

// FuzzShape looks for crashes on stored shapes, and for texts that are read as a shape that would be written in another way.
func FuzzShape(f *testing.F) {
	var queries []*query.BoundQuery
	for _, sql := range []string{
		"SELECT count(*) FROM members",
		"SELECT city, count(*) FROM members WHERE birth_year BETWEEN 5 AND 9 AND plan IN ('gold', 'a') GROUP BY city",
		"SELECT city, birth_year / 10, active, count(*) FILTER (WHERE salary > 1.5) FROM members WHERE code = 'a' AND (seen < '2020-01-31' OR joined IS NULL) GROUP BY 1, 2, 3",
		"SELECT count(*) FROM members WHERE score <> 0.1 AND \"Odd Name\" = 'b' AND token IS NOT NULL AND level NOT IN (3, 4) AND points > 3",
	} {
		q := boundQuery(f, sql)
		queries = append(queries, q)
		shape, _ := q.Shape(q.Counts[0])
		f.Add(shape)
	}
	f.Add(`{"shape":1,"aggregate":"count(*)","source":"public.members","keys":[{"text":"x","type":1186}]}`)
	f.Add(`{"shape":1,"aggregate":"count(*)","source":"public.members","where":[{"text":"city = ''","columns":["city"],"atom":{"test":"in","type":25,"values":[""]}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, ok := query.ParseShape(text)
		if !ok {
			return
		}
		if again, ok := s.Text(); !ok || again != text {
			t.Errorf("%q is written %q", text, again)
		}
		for _, q := range queries {
			if d, ok := s.Derive(q, q.Counts[0]); ok {
				d.SQL(make([][]pgvalue.Value, len(s.Keys)))
				d.Projection()
			}
		}
	})
}
