package rewrite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/query"
)

// aggregatesOfStays are what the stays of a guest can yield, and comparisons of it.
var aggregatesOfStays = []struct{ aggregate, condition string }{
	{"count(*)", "> 3"},
	{"count(rate)", "BETWEEN 2 AND 4"},
	{"count(1) FILTER (WHERE floor > 1)", "= 0"},
	{"count(DISTINCT house)", "<> 2"},
	{"count(DISTINCT upper(\"group\")) FILTER (WHERE rate IS NOT NULL)", "< 2"},
	{"min(day)", "<= '2020-01-01'"},
	{"max(day)", "= 'infinity'"},
	{"max(score)", "= 'NaN'"},
	{"min(rate)", "IS NOT NULL"},
	{"sum(floor)", "> 6"},
	{"avg(floor) FILTER (WHERE rate IS NOT NULL)", "< 1.7"},
	{"max(floor) FILTER (WHERE house = 'x')", "IN (1, 3)"},
	{"bool_or(rate > 1.5)", "IS TRUE"},
	{"every(floor < 3)", "IS NOT TRUE"},
}

// randomByPersons asks for counts of guests by what their stays yield. form tells the place of the aggregates' conditions.
func randomByPersons(r *rand.Rand) string {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	x, y, z := aggregatesOfStays[r.IntN(len(aggregatesOfStays))], aggregatesOfStays[r.IntN(len(aggregatesOfStays))], aggregatesOfStays[r.IntN(len(aggregatesOfStays))]
	inner := fmt.Sprintf("SELECT guest, %s AS x, %s AS y, %s IS NULL AS z FROM stays", x.aggregate, y.aggregate, z.aggregate)
	if r.IntN(2) == 0 {
		inner += " WHERE " + pick("floor > 1", "house = 'x' OR day IS NULL", "\"group\" <> 'g'")
	}
	inner += " GROUP BY " + pick("guest", "1", "stays.guest")
	if r.IntN(3) == 0 {
		inner += fmt.Sprintf(" HAVING %s %s", z.aggregate, z.condition)
	}
	keys := pick("", "x", "x, y", "z", "CASE WHEN x "+x.condition+" THEN y END", "x IS NULL")
	sql := fmt.Sprintf("SELECT %scount(*), count(*) FILTER (WHERE y %s), count(x), count(DISTINCT guest) FROM (%s) AS t", strings.TrimPrefix(keys+", ", ", "), y.condition, inner)
	if r.IntN(2) == 0 {
		sql += " WHERE x " + x.condition
	}
	if keys != "" {
		sql += " GROUP BY " + keys
	}
	return sql
}

func byPersonsQuery(t *testing.T, sql string, person expr.Person) *query.BoundQuery {
	t.Helper()
	session := staysSession(person.Rows, person.Groups)
	for _, table := range session.Catalog.Tables {
		table.Column("floor").Domain = []string{"0", "1", "2", "3"}
	}
	v, err := Analyze(sql, session)
	if err != nil {
		t.Fatal(err)
	}
	a, ok := v.(*Answer)
	if !ok {
		t.Fatalf("%s: %s", sql, describe(v))
	}
	q, refusal := a.Queries[0].Bind(nil)
	if refusal != nil {
		t.Fatal(refusal)
	}
	return q
}

// TestSensitivityOfCountsByPersons takes one person with all her rows away, and asks random questions about what each person's rows yield before and
// after: each count changes by at most 1 in all cells together, whatever the bounds of a person are, and some change by 1. It fails if a person has
// more than one row, if rows without a person are counted, or if her rows change what is found of others.
func TestSensitivityOfCountsByPersons(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable)
	r := rand.New(rand.NewPCG(31, 31))
	reached := 0
	rounds := 12
	if testing.Short() {
		rounds = 5
	}
	for range rounds {
		server.exec("TRUNCATE stays; INSERT INTO stays VALUES " + strings.Join(randomStays(r), ", "))
		for range 30 {
			sql := randomByPersons(r)
			q := byPersonsQuery(t, sql, expr.Person{Rows: 1 + r.IntN(20), Groups: 1})
			with := server.counts(q)
			for _, guest := range []string{"= 'a'", "= ''", "IS NULL"} {
				server.exec("BEGIN; DELETE FROM stays WHERE guest " + guest)
				without := server.counts(q)
				server.exec("ROLLBACK")
				total, _ := distances(with, without, len(q.Counts))
				for i, c := range q.Counts {
					if s := q.Sensitivity(c); s != 1 || q.PerCell(c) != 1 {
						t.Fatalf("%s\nthe sensitivity is %d", sql, s)
					}
					most := int64(1)
					if guest == "IS NULL" {
						most = 0
					}
					if total[i] > most {
						t.Errorf("%s\nwithout those whose guest %s count %d changes by %d", sql, guest, i+1, total[i])
					}
					reached += int(total[i])
				}
			}
		}
	}
	if reached < 100*rounds/12 {
		t.Errorf("counts changed by %d in all: the questions are too narrow", reached)
	}
}

// TestCountsByPersonsAreServers compares random questions about tables without rows of nobody with the same statement run as it is. Stays have infinite
// days, NaN and NULL in them.
func TestCountsByPersonsAreServers(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable)
	r := rand.New(rand.NewPCG(32, 32))
	rounds := 10
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		server.exec("TRUNCATE stays; INSERT INTO stays VALUES " + strings.Join(randomStays(r), ", ") + "; DELETE FROM stays WHERE guest IS NULL")
		for range 30 {
			sql := randomByPersons(r)
			got := server.counts(byPersonsQuery(t, sql, expr.Person{Rows: 2, Groups: 1}))
			want := make(map[string]int)
			for _, row := range server.query(sql, nil) {
				want[fmt.Sprintf("%s", row[len(row)-4:])]++
			}
			have := make(map[string]int)
			for _, counts := range got {
				have[fmt.Sprint(counts)]++
			}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("%s\ncounts (-want +got):\n%s", sql, diff)
			}
		}
	}
}

// randomJoinByPersons asks for counts of stays, or of guests, by what their meals yield.
func randomJoinByPersons(r *rand.Rand) string {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	from := pick("stays s", "(SELECT guest, min(floor) AS floor, count(*) AS house FROM stays GROUP BY guest) AS s")
	meals := "(SELECT eater, count(*) AS n, max(day) AS last FROM meals WHERE dish = 'soup' GROUP BY eater" + pick("", " HAVING min(floor) IS NOT NULL") + ") AS m"
	sql := "SELECT count(*) AS a, count(DISTINCT m.eater) AS b, count(last) AS c FROM " + pick(from+" JOIN "+meals+" ON s.guest = m.eater WHERE true", meals+", "+from+" WHERE m.eater = guest")
	sql += pick("", " AND n > 1", " AND (n > 1 OR s.floor = 2)", " AND s.floor > 1")
	return sql + pick("", " GROUP BY house", " GROUP BY n", " GROUP BY LEAST(n, 2), s.floor", " GROUP BY last", " GROUP BY n > s.floor")
}

// TestJoinsByPersons takes a person with her rows of both tables, or of either, away from joins of rows with what aggregates yield of each person's, and
// compares the joins with the server's own where bounds leave out nothing.
func TestJoinsByPersons(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable + ";" + mealsTable)
	r := rand.New(rand.NewPCG(33, 33))
	all, changed := expr.Person{Rows: 500, Groups: 500}, int64(0)
	rounds := 10
	if testing.Short() {
		rounds = 4
	}
	for range rounds {
		server.exec("TRUNCATE stays, meals; INSERT INTO stays VALUES " + strings.Join(randomStays(r), ", ") +
			"; INSERT INTO meals VALUES " + strings.Join(randomMeals(r), ", ") + "; DELETE FROM stays WHERE guest IS NULL")
		for range 25 {
			sql := randomJoinByPersons(r)
			got, want := make(map[string]int), make(map[string]int)
			for _, counts := range server.counts(dinnerQuery(t, sql, all, all)) {
				got[fmt.Sprint(counts)]++
			}
			for _, row := range server.query("SELECT a, b, c FROM ("+sql+") AS t", nil) {
				want[fmt.Sprintf("%s", row)]++
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\ncounts (-want +got):\n%s", sql, diff)
			}
			q := dinnerQuery(t, sql, expr.Person{Rows: 3, Groups: 2}, expr.Person{Rows: 2, Groups: 1})
			with := server.counts(q)
			for _, removed := range []string{"DELETE FROM stays WHERE guest = 'a'; DELETE FROM meals WHERE eater = 'a'", "DELETE FROM stays WHERE guest = 'a'", "DELETE FROM meals WHERE eater = 'a'"} {
				server.exec("BEGIN; " + removed)
				without := server.counts(q)
				server.exec("ROLLBACK")
				total, most := distances(with, without, len(q.Counts))
				for i, c := range q.Counts {
					if s := int64(q.Sensitivity(c)); total[i] > s || most[i] > int64(q.PerCell(c)) {
						t.Errorf("%s\n%s\ncount %d changes by %d, in one cell by %d, its sensitivity is %d", sql, removed, i+1, total[i], most[i], s)
					}
					changed += total[i]
				}
			}
		}
	}
	if changed < int64(50*rounds) {
		t.Errorf("counts changed by %d in all: the questions are too narrow", changed)
	}
}

// TestPersonsAreToldApartByTheirNames fails if rows are grouped by a collation that equates different names: a person less would change what is found of
// another.
func TestPersonsAreToldApartByTheirNames(t *testing.T) {
	session := staysSession(3, 1)
	for _, table := range session.Catalog.Tables {
		table.Person.Column.Collation = `"public"."caseless"`
	}
	v, err := Analyze("SELECT count(*) FROM (SELECT guest FROM stays GROUP BY guest HAVING count(*) > 1) AS t", session)
	if err != nil {
		t.Fatal(err)
	}
	q, refusal := v.(*Answer).Queries[0].Bind(nil)
	if refusal != nil {
		t.Fatal(refusal)
	}
	if sql, _ := q.CountSQL(q.Counts); !strings.Contains(sql, `GROUP BY ((t."guest" COLLATE pg_catalog."C") COLLATE pg_catalog."C")`) {
		t.Error(sql)
	}
}

// TestCountsByPersonsNeedNoise refuses what mechanisms that add no noise would make of them.
func TestCountsByPersonsNeedNoise(t *testing.T) {
	session := staysSession(3, 1)
	for _, table := range session.Catalog.Tables {
		table.Policy.Mechanism.Kind = policy.Suppression
	}
	v, err := Analyze("SELECT n, count(*) FROM (SELECT guest, count(*) AS n FROM stays GROUP BY guest) AS t GROUP BY n", session)
	if err != nil {
		t.Fatal(err)
	}
	if refused, ok := v.(*Refused); !ok || !strings.HasPrefix(refused.Err.Message, "persons cannot be counted by their rows") {
		t.Errorf("%s", describe(v))
	}
}
