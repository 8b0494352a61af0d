package rewrite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// mealsTable holds meals of the guests of stays.
const mealsTable = `CREATE TABLE meals (eater varchar(9), dish text, floor int, day date)`

// dinnersSession protects stays and meals with bounds of their own.
func dinnersSession(stays, meals expr.Person) *Session {
	s := staysSession(stays.Rows, stays.Groups)
	name := tableNamed("meals")
	column := func(name string, oid pgvalue.OID, typeName string) expr.Column {
		return expr.Column{Name: name, TypeOID: oid, TypeName: "pg_catalog." + typeName, Typmod: -1, Formatted: typeName}
	}
	meals.Column = column("eater", pgvalue.Varchar, "varchar")
	s.Catalog.Tables[name] = &expr.Table{
		Policy: &policy.Table{Name: name, Mechanism: policy.Mechanism{Kind: policy.Geometric}}, OID: 2, Person: &meals,
		Columns:  []expr.Column{column("dish", pgvalue.Text, "text"), column("floor", pgvalue.Int4, "int4"), column("day", pgvalue.Date, "date")},
		Unlisted: []string{"eater"},
	}
	resolve := s.Resolve
	s.Resolve = func(relation string) (policy.TableName, bool, error) {
		if relation == name.Name {
			return name, true, nil
		}
		return resolve(relation)
	}
	return s
}

func dinnerQuery(t *testing.T, sql string, stays, meals expr.Person) *query.BoundQuery {
	t.Helper()
	v, err := Analyze(sql, dinnersSession(stays, meals))
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

func randomMeals(r *rand.Rand) []string {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	var rows []string
	for range 30 {
		rows = append(rows, "("+strings.Join([]string{
			pick("'a'", "'a'", "'b'", "'c'", "'e'", "''", "NULL"), pick("'soup'", "'rice'", "NULL"), pick("1", "2", "NULL"), pick("'2020-01-01'", "'infinity'", "NULL"),
		}, ", ")+")")
	}
	return rows
}

// randomDinners asks for counts over a join of stays with meals, or of either with itself.
func randomDinners(r *rand.Rand) string {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	keys := []string{"s.house", "s.floor", "m.floor", "dish", "s.rate", "upper(dish)", "CASE WHEN s.floor = m.floor THEN dish END"}
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	from := pick("stays s JOIN meals m ON s.guest = m.eater", "meals m JOIN stays s ON s.guest = m.eater AND m.floor <= s.floor", "stays s, meals m",
		"(SELECT eater AS who, * FROM meals WHERE floor = 1) m JOIN (SELECT guest AS who, house, floor, rate, day FROM stays WHERE floor < 3) s ON m.who = s.who")
	person := pick("s.guest", "m.eater")
	if strings.Contains(from, "who") {
		person = pick("m.who", "s.who")
	}
	condition := func() string {
		return pick("s.floor > 1", "m.floor = s.floor", "dish = 'soup' OR s.day IS NULL", "m.day > s.day", "s.house = 'x'")
	}
	sql := fmt.Sprintf("SELECT count(*), count(DISTINCT %[1]s), count(dish), count(*) FILTER (WHERE %[2]s), count(DISTINCT %[1]s) FILTER (WHERE %[3]s), count(DISTINCT dish), "+
		"count(DISTINCT m.day) FILTER (WHERE %[2]s) FROM %[4]s", person, condition(), condition(), from)
	var where []string
	if from == "stays s, meals m" {
		where = append(where, "m.eater = s.guest")
	}
	if r.IntN(2) == 0 {
		where = append(where, "("+condition()+")")
	}
	if len(where) > 0 {
		sql += " WHERE " + strings.Join(where, " AND ")
	}
	if n := r.IntN(4); n > 0 {
		sql += " GROUP BY " + strings.Join(keys[:n], ", ")
	}
	return sql
}

// TestSensitivityOfJoins takes one person with all her rows out of both tables, or out of either, and asks random questions of the
// join before and after: no count may change by more than its sensitivity, and some must change by as much. It fails if joined rows
// are not bounded per person, if the rows that are kept of one depend on those of another, and if the noise is that of one table's
// bounds and the rows those of the other's.
func TestSensitivityOfJoins(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable + ";" + mealsTable)
	r := rand.New(rand.NewPCG(17, 17))
	reached := make(map[string]bool)
	rounds := 8
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		server.exec("TRUNCATE stays, meals; INSERT INTO stays VALUES " + strings.Join(randomStays(r), ", ") +
			"; INSERT INTO meals VALUES " + strings.Join(randomMeals(r), ", "))
		for range 25 {
			groups := 1 + r.IntN(3)
			stays, meals := expr.Person{Rows: groups + r.IntN(4), Groups: groups}, expr.Person{Rows: groups + r.IntN(4), Groups: 1 + r.IntN(groups)}
			sql := randomDinners(r)
			q := dinnerQuery(t, sql, stays, meals)
			with := server.counts(q)
			for _, removed := range []string{"DELETE FROM stays WHERE guest = 'a'; DELETE FROM meals WHERE eater = 'a'", "DELETE FROM meals WHERE eater = 'a'", "DELETE FROM stays WHERE guest = 'a'"} {
				server.exec("BEGIN; " + removed)
				without := server.counts(q)
				server.exec("ROLLBACK")
				total, most := distances(with, without, len(q.Counts))
				for i, c := range q.Counts {
					sensitivity := int64(q.Sensitivity(c))
					if want := max(stays.Rows, meals.Rows); !c.Persons && sensitivity != int64(want) {
						t.Errorf("%s\nthe sensitivity of rows is %d, want %d", sql, sensitivity, want)
					}
					if total[i] > sensitivity || c.Persons && most[i] > 1 {
						t.Errorf("%s\n%s\n%v, %v: count %d changes by %d, in one cell by %d, its sensitivity is %d", sql, removed, stays, meals, i+1, total[i], most[i], sensitivity)
					}
					if total[i] == sensitivity {
						reached[fmt.Sprint(c.Persons, len(q.Keys) > 0, sensitivity)] = true
					}
				}
			}
		}
	}
	for _, want := range []string{"false true 6", "false false 6", "true true 3", "true false 1"} {
		if !reached[want] {
			t.Errorf("no count (of persons, with keys, sensitivity) %s ever changed by its sensitivity", want)
		}
	}
}

// TestSameRowsSameJoins stores the rows of both tables in another order. It fails if joined rows are chosen by the columns of one
// table alone.
func TestSameRowsSameJoins(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable + ";" + mealsTable)
	r := rand.New(rand.NewPCG(18, 18))
	stays, meals := randomStays(r), randomMeals(r)
	fill := func() {
		server.exec("TRUNCATE stays, meals; INSERT INTO stays VALUES " + strings.Join(stays, ", ") + "; INSERT INTO meals VALUES " + strings.Join(meals, ", "))
	}
	bounds := expr.Person{Rows: 4, Groups: 2}
	fill()
	n := 40
	if testing.Short() {
		n = 15
	}
	statements := make([]string, n)
	var want []map[string][]int64
	for i := range statements {
		statements[i] = randomDinners(r)
		want = append(want, server.counts(dinnerQuery(t, statements[i], bounds, bounds)))
	}
	for range 3 {
		r.Shuffle(len(stays), func(i, j int) { stays[i], stays[j] = stays[j], stays[i] })
		r.Shuffle(len(meals), func(i, j int) { meals[i], meals[j] = meals[j], meals[i] })
		fill()
		for i, sql := range statements {
			if diff := cmp.Diff(want[i], server.counts(dinnerQuery(t, sql, bounds, bounds))); diff != "" {
				t.Errorf("%s:\n%s", sql, diff)
			}
		}
	}
}

// TestPersonsOfOtherCollations wants the refusal to name the collations, and not the types, which are one.
func TestPersonsOfOtherCollations(t *testing.T) {
	s := dinnersSession(expr.Person{Rows: 4, Groups: 2}, expr.Person{Rows: 4, Groups: 2})
	s.Catalog.Tables[tableNamed("meals")].Person.Column.Collation = `pg_catalog."C"`
	v, err := Analyze("SELECT count(*) FROM stays JOIN meals ON guest = eater", s)
	if err != nil {
		t.Fatal(err)
	}
	if refused, ok := v.(*Refused); !ok || !strings.HasSuffix(refused.Err.Message, "since the collations of their persons differ") {
		t.Errorf("%s", describe(v))
	}
}

// TestPersonsOfJoinsAreAlike wants joins refused whose persons are told apart in different ways, or whose losses do not add up.
func TestPersonsOfJoinsAreAlike(t *testing.T) {
	bounds := expr.Person{Rows: 4, Groups: 2}
	for name, change := range map[string]func(*expr.Table){
		"none":              func(*expr.Table) {},
		"no person":         func(t *expr.Table) { t.Person = nil },
		"another type":      func(t *expr.Table) { t.Person.Column.TypeOID = pgvalue.Bpchar },
		"another adjacency": func(t *expr.Table) { t.Policy.Adjacency = policy.ReplaceOne },
		"a collation":       func(t *expr.Table) { t.Person.Column.Collation = `pg_catalog."C"` },
	} {
		s := dinnersSession(bounds, bounds)
		change(s.Catalog.Tables[tableNamed("meals")])
		if name == "a collation" { // of both, so that it is one
			change(s.Catalog.Tables[tableNamed("stays")])
		}
		v, err := Analyze("SELECT count(*) FROM stays JOIN meals ON guest = eater", s)
		if err != nil {
			t.Fatal(err)
		}
		_, refused := v.(*Refused)
		if refused != (name != "none") {
			t.Errorf("%s: %s", name, describe(v))
		}
	}
}
