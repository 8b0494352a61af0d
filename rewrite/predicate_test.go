package rewrite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// constants are what columns are compared with in random conditions: equal and unequal values, other types, other spellings, and
// values beyond the column's type.
var constants = map[string][]string{
	"city":         {"'Oslo'", "'Rome'", "''", "NULL", "'Oslo'::text", "'Rome '::varchar", "'NULL'", `'back\slash "quoted" {brace},'`},
	"plan":         {"'gold'", "'free'::varchar", "'a '", "NULL"},
	"birth_year":   {"5", "-5", "1990", "1990.0", "1990.5", "'1991'", "99999999999", "-99999999999", "NULL", "1991::int8", "5::float8", "'NaN'::float8", "1e3", "2147483647", "-2147483648", "-2147483649", "7::numeric", "'-Infinity'::float8", "5::int2"},
	"level":        {"3", "3.5", "4::int8", "40000", "'1'", "NULL", "-32768", "1.0::float4"},
	"points":       {"9007199254740993", "9007199254740992", "9007199254740992.0", "9007199254740993::float8", "'3'", "1.5", "3::float4", "NULL", "1e30"},
	"salary":       {"1.5", "1.50", "1000", "'NaN'", "'1000.01'", "3::int2", "NULL", "1e1"},
	"ratio":        {"2", "2.00", "0.333", "1.5", "3::int2", "-7", "12.5", "NULL", "'NaN'"},
	"score":        {"0.1", "1", "'Infinity'", "'NaN'", "1::int2", "0.1::float4", "'-0'", "0", "NULL", "4.0"},
	"weight":       {"0.1", "'0.1'", "0.1::float4", "0.2::float8", "5", "NULL"},
	"active":       {"true", "'f'", "NULL", "false", "'yes'::bool"},
	"code":         {"'a'", "'a  '", "'b'::text", "'a '::text", "'abc'", "'a  '::bpchar", "NULL", "'a'::varchar", "'a '::varchar"},
	"joined":       {"'2020-01-31'", "date '2020-01-01'", "'2020-01-31 00:00:00'::timestamp", "'2020-01-31 12:00:00'::timestamp", "'infinity'", "'infinity'::timestamp", "'-infinity'", "NULL"},
	"seen":         {"'2020-01-31'", "'2020-01-31 10:11:12.5'", "date '2020-02-01'", "'infinity'::date", "'-infinity'", "NULL"},
	"paid":         {"'2020-01-31 10:00:00+02'", "'2020-01-31 10:00:00Z'", "'2020-01-01 00:00:00+00'::timestamptz", "NULL"},
	"token":        {"'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "'{A0EEBC999C0B4EF8BB6D6BB9BD380A11}'::uuid", "NULL"},
	"\"Odd Name\"": {"'b'", "'B'", "NULL"},
}

var columnNames = func() []string {
	var names []string
	for _, c := range fixture().Tables[tableNamed("members")].Columns {
		if name := pgvalue.QuoteIdentifier(c.Name); constants[name] != nil {
			names = append(names, name)
		}
	}
	return names
}()

// pairs are columns that may be compared with one another.
var pairs = [][2]string{{"city", "plan"}, {"birth_year", "level"}, {"points", "birth_year"}, {"salary", "ratio"}, {"birth_year", "salary"},
	{"score", "weight"}, {"points", "score"}, {"level", "weight"}, {"id", "id"}, {"active", "active"}, {"score", "score"}, {"seen", "seen"}}

// A conditions makes random conditions over the given columns.
type conditions struct {
	*rand.Rand
	columns []string
	pairs   [][2]string
}

func (g *conditions) pick(values []string) string { return values[g.IntN(len(values))] }

func (g *conditions) condition(depth int) string {
	if depth > 0 {
		switch g.IntN(6) {
		case 0, 1:
			return g.list(depth, " AND ")
		case 2, 3:
			return g.list(depth, " OR ")
		case 4:
			return "NOT (" + g.condition(depth-1) + ")"
		default:
			return "(" + g.condition(depth-1) + ") IS " + g.pick([]string{"TRUE", "NOT TRUE", "FALSE", "NOT FALSE", "UNKNOWN", "NOT UNKNOWN"})
		}
	}
	return g.atom()
}

func (g *conditions) list(depth int, separator string) string {
	parts := make([]string, 2+g.IntN(2))
	for i := range parts {
		parts[i] = "(" + g.condition(g.IntN(depth)) + ")"
	}
	return strings.Join(parts, separator)
}

func (g *conditions) atom() string {
	column := g.pick(g.columns)
	constant := func() string { return g.pick(constants[column]) }
	operator := g.pick([]string{"=", "<>", "<", "<=", ">", ">=", "!="})
	not := g.pick([]string{"", "NOT "})
	switch g.IntN(10) {
	case 0:
		return constant() + " " + operator + " " + column
	case 1:
		return column + " IS " + not + "NULL"
	case 2:
		return column + " IS " + not + "DISTINCT FROM " + constant()
	case 3, 4:
		list := make([]string, 1+g.IntN(4))
		for i := range list {
			list[i] = constant()
		}
		return column + " " + not + "IN (" + strings.Join(list, ", ") + ")"
	case 5:
		return column + " " + not + "BETWEEN " + g.pick([]string{"", "SYMMETRIC "}) + constant() + " AND " + constant()
	case 6:
		if len(g.pairs) > 0 {
			pair := g.pairs[g.IntN(len(g.pairs))]
			return pair[0] + " " + g.pick([]string{operator, operator, "IS DISTINCT FROM", "IS NOT DISTINCT FROM"}) + " " + pair[1]
		}
	case 7:
		return g.pick([]string{"active", "NOT active", "true", "NULL", "1 = 1", "1 > 2", "'a' <> 'b'"})
	}
	return column + " " + operator + " " + constant()
}

// TestConditionsLikeTheServer counts the rows of random conditions as they are and by CountSQL. It also shows that questions with
// one canonical form have one answer: no two random conditions with one Question may differ.
func TestConditionsLikeTheServer(t *testing.T) {
	server := newTwin(t)
	g := &conditions{rand.New(rand.NewPCG(3, 4)), columnNames, pairs}
	answers := make(map[string]string)
	answered, refused := 0, 0
	rounds := 3000
	if testing.Short() {
		rounds = 500
	}
	for range rounds {
		sql := "SELECT count(*) FROM members WHERE " + g.condition(g.IntN(4))
		want, err := server.run(sql, nil, nil)
		switch v := analyze(t, sql).(type) {
		case *Answer:
			answered++
			bound, refusal := v.Queries[0].Bind(nil)
			if refusal != nil || err != nil {
				t.Fatalf("%s: %v, the server says %v", sql, refusal, err)
			}
			count, args := bound.CountSQL(bound.Counts)
			got := fmt.Sprintf("%q", server.query(count, args)[0][0])
			question := bound.Question(bound.Counts[0])
			if got != want.Rows[0] {
				t.Errorf("%s\n%s %q\ncounts %s instead of %s", sql, count, args, got, want.Rows[0])
			}
			if known, ok := answers[question]; ok && known != got {
				t.Errorf("%s\n%s\nis both %s and %s", sql, question, known, got)
			}
			answers[question] = got
		case *Refused:
			refused++
			var server *pgconn.PgError
			if v.Err.Code != pgerror.CodeNotSupported && (!errors.As(err, &server) || server.Code != v.Err.Code) {
				t.Errorf("%s\n%sthe server says %v", sql, describe(v), err)
			}
		}
	}
	if answered < rounds*2/3 {
		t.Errorf("%d answered, %d refused", answered, refused)
	}
	t.Logf("%d answered, %d refused, %d questions", answered, refused, len(answers))
}

// TestDomain compares DomainSQL with the condition itself, asked of the candidate cells: exactly if the condition is about keys
// alone, from above if it is not. It fails if a condition on another column, or a NULL, takes a cell away.
func TestDomain(t *testing.T) {
	server := newTwin(t)
	keys := []string{"active", "birth_year", "city"}
	cells := make([][]pgvalue.Value, len(keys))
	for _, active := range []pgvalue.Value{{Text: "t"}, {Text: "f"}, {Null: true}} {
		for _, year := range []pgvalue.Value{{Text: "1990"}, {Text: "5"}, {Text: "1991"}, {Null: true}} {
			for _, city := range []pgvalue.Value{{Text: "Oslo"}, {Text: "Rome"}, {Text: "O'slo"}, {Text: ""}, {Null: true}} {
				for i, v := range []pgvalue.Value{active, year, city} {
					cells[i] = append(cells[i], v)
				}
			}
		}
	}
	const candidates = `(SELECT * FROM unnest($1::bool[], $2::int[], $3::text[]) WITH ORDINALITY AS u(active, birth_year, city, o)) AS members`
	arrays := []string{pgvalue.ArrayOfValues(cells[0]), pgvalue.ArrayOfValues(cells[1]), pgvalue.ArrayOfValues(cells[2])}
	domain := func(condition string) (string, bool) {
		v, ok := analyze(t, "SELECT count(*) FROM members WHERE "+condition+" GROUP BY "+strings.Join(keys, ", ")).(*Answer)
		if !ok {
			return "", false
		}
		bound, refusal := v.Queries[0].Bind(nil)
		if refusal != nil {
			t.Fatal(refusal)
		}
		sql, args, ok := bound.DomainSQL(cells)
		if !ok {
			return fmt.Sprint(server.query("SELECT o FROM generate_series(1, $1::int) AS o", []string{fmt.Sprint(len(cells[0]))})), true
		}
		return fmt.Sprint(server.query(sql, args)), true
	}
	rounds := 500
	if testing.Short() {
		rounds = 150
	}
	g := &conditions{rand.New(rand.NewPCG(5, 6)), keys, nil}
	for range rounds {
		condition := g.condition(g.IntN(3))
		got, ok := domain(condition)
		if !ok {
			continue
		}
		if want := fmt.Sprint(server.query("SELECT o FROM "+candidates+" WHERE "+condition+" ORDER BY o", arrays)); got != want {
			t.Errorf("%s: cells %s instead of %s", condition, got, want)
		}
	}
	g = &conditions{rand.New(rand.NewPCG(7, 8)), []string{"active", "city", "plan", "level"}, pairs[:2]}
	for range rounds {
		condition := g.condition(1 + g.IntN(3))
		v, ok := analyze(t, "SELECT city, count(*) FROM members WHERE "+condition+" GROUP BY city").(*Answer)
		if !ok {
			continue
		}
		bound, refusal := v.Queries[0].Bind(nil)
		if refusal != nil {
			t.Fatal(refusal)
		}
		existing := server.cells(bound).Keys
		if sql, args, ok := bound.DomainSQL(existing); ok && len(existing[0]) != len(server.query(sql, args)) {
			t.Errorf("%s: the domain lacks groups that exist", condition)
		}
	}
}

// TestOneQuestion lists conditions that mean the same and must be one question, so that asking again is free.
func TestOneQuestion(t *testing.T) {
	for _, same := range [][]string{
		{"birth_year > 17", "birth_year >= 18", "17 < birth_year", "NOT birth_year <= 17", "birth_year > 17.0", "birth_year > 17.9", "birth_year >= '18'", "birth_year > 0017::int8", "birth_year >= 18 AND birth_year > 3", "birth_year IS NOT NULL AND birth_year >= 18", "(birth_year >= 18) IS TRUE", "NOT (birth_year < 18)", "birth_year NOT BETWEEN -2147483648 AND 17", "members.birth_year >= 18 AND true"},
		{"city IN ('Oslo', 'Rome')", "city IN ('Rome', 'Oslo', 'Rome')", "city = 'Rome' OR city = 'Oslo'", "city = ANY ('{Rome,Oslo}')", "NOT city NOT IN ('Oslo', 'Rome')", "city = ANY (ARRAY['Rome', 'Oslo'])", "NOT (city <> 'Rome' AND city <> 'Oslo')", "city IN ('Oslo', 'Rome', NULL)"},
		{"active", "active = true", "true = active", "active IS TRUE", "active <> false", "active = 'on'", "active > false", "NOT (NOT active)", "active IN (true)"},
		{"salary = 1.5", "salary = 1.50", "salary = '1.500'", "salary = 15e-1", "1.5 = salary"},
		{"birth_year BETWEEN 5 AND 9", "birth_year BETWEEN SYMMETRIC 9 AND 5", "birth_year >= 5 AND birth_year <= 9", "birth_year > 4 AND NOT birth_year >= 10", "birth_year < 10 AND birth_year > 4 AND birth_year < 100"},
		{"code = 'a'", "code = 'a   '", "code IN ('a', 'a ')"},
		{"active IS UNKNOWN", "active IS NULL", "NOT active IS NOT NULL"},
		{"joined >= '2020-01-31'", "joined >= '2020-01-31 00:00:00'::timestamp", "date '2020-01-31' <= joined"},
		{"paid = '2020-01-31 10:00:00+02'", "paid = '2020-01-31 08:00:00Z'", "paid = '2020-01-31T09:30:00.000+0130'"},
		{"token = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "token = '{a0eebc999c0b4ef8bb6d6bb9bd380a11}'"},
		{"level < birth_year AND city = 'x'", "city = 'x' AND birth_year > level"},
		{"1 = 0", "false", "city = NULL", "birth_year = 5.5", "birth_year > 5 AND birth_year < 6", "id IS NULL"},
		{"true", "1 = 1", "id IS NOT NULL", "active OR true", "id >= -2147483648"},
	} {
		want := question(t, same[0])
		for _, c := range same[1:] {
			if got := question(t, c); got != want {
				t.Errorf("%s: %s\n%s: %s", c, got, same[0], want)
			}
		}
	}
}

// TestManyQuestions lists conditions that are alike and differ.
func TestManyQuestions(t *testing.T) {
	seen := make(map[string]string)
	for _, c := range []string{
		"city = 'a'", "city = 'A'", "city = 'a '", "city = ' a'", "city IN ('a', 'b')", "city IN ('a'', ''b')", "city IN ('a, b')", "city = 'a OR b'",
		"plan = 'a'", "\"Odd Name\" = 'a'", "city <> 'a'", "city < 'a'", "city IS NULL", "city IS NOT NULL", "city IS DISTINCT FROM 'a'", "city NOT IN ('a', 'b')",
		"birth_year = 5", "birth_year = -5", "level = 5", "birth_year >= 5", "birth_year <= 5", "birth_year > 5 OR level > 5", "birth_year > 5 AND level > 5",
		"score = 0.1", "weight = 0.1", "weight = '0.1'", "points = 9007199254740993", "points = 9007199254740993::float8", "code = 'a'", "code = 'a'::text", "code = 'a '::text",
		"active", "NOT active", "active IS NOT TRUE", "active IS NOT FALSE", "(city = 'a' OR plan = 'b') AND active", "city = 'a' OR (plan = 'b' AND active)",
		"city = plan", "city <> plan", "city < plan", "city > plan", "joined = '2020-01-01'", "seen = '2020-01-01'", "city = '2020-01-01'",
		"CASE WHEN active THEN 5 ELSE 4 END / 2 = 2", "CASE WHEN active THEN 5.0 ELSE 4 END / 2 = 2", "CASE WHEN active THEN 5::float8 ELSE 4 END / 2 = 2",
		"GREATEST(5, NULL) / 2 = 2", "GREATEST(5.0, NULL) / 2 = 2",
	} {
		q := question(t, c)
		if other, ok := seen[q]; ok {
			t.Errorf("%s and %s are both %s", c, other, q)
		}
		seen[q] = c
	}
}

func analyze(t testing.TB, sql string) Verdict {
	t.Helper()
	v, err := Analyze(sql, testSession())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func question(t *testing.T, condition string) string {
	t.Helper()
	a, ok := analyze(t, "SELECT count(*) FROM members WHERE "+condition).(*Answer)
	if !ok {
		t.Fatalf("%s: not answered", condition)
	}
	bound, refusal := a.Queries[0].Bind(nil)
	if refusal != nil {
		t.Fatalf("%s: %v", condition, refusal)
	}
	return bound.Question(bound.Counts[0])
}
