package release

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/site"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// lossSchema has two tables of persons that are filled by the test.
const lossSchema = `
CREATE SCHEMA lab;
CREATE TABLE lab.people (id int NOT NULL, sex text NOT NULL, n int NOT NULL);
CREATE TABLE lab.events (id int NOT NULL, kind text NOT NULL);
`

// lossPolicy has verbs for the mechanism, the adjacency and the bounds of a person.
const lossPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%%[1]s:%%[2]d/%%[3]s?sslmode=disable
  curator: postgres://ward_curator@%%[1]s:%%[2]d/%%[3]s?sslmode=disable
ledger: sqlite:ward.db
auth: trust
analysts: {ward_ana: {}}
tables:
  lab.people:
    person: {column: id, rows: %[3]d, groups: %[3]d}
    adjacency: %[2]s
    mechanism: %[1]s
    budget: {epsilon: 100, delta: 0.01}
    columns: {sex: {values: [F, M]}, n: {range: [0, 2]}}
  lab.events:
    person: {column: id, rows: 2, groups: 2}
    adjacency: %[2]s
    mechanism: %[1]s
    budget: {epsilon: 100, delta: 0.01}
    columns: {kind: {}}
`

// hasEvents is a condition on the person of a row.
const hasEvents = "EXISTS (SELECT FROM lab.events e WHERE e.id = p.id AND e.kind = 'a')"

// lossQuestions are asked of people. In the second half a person's events can move her from one cell to another.
var lossQuestions = []struct {
	sql string
	// tight says under which adjacencies some neighbours have the whole loss.
	tight string
}{
	{"SELECT count(*) FROM lab.people p WHERE " + hasEvents, "add-remove"},
	{"SELECT count(DISTINCT id) FROM lab.people p WHERE NOT " + hasEvents + " AND n > 0", "add-remove"},
	{"SELECT sex, count(*) FROM lab.people p WHERE " + hasEvents + " GROUP BY sex", "add-remove, replace-one"},
	{"SELECT sex, count(*) FILTER (WHERE " + hasEvents + ") FROM lab.people p GROUP BY sex", "add-remove, replace-one"},
	{"SELECT " + hasEvents + ", count(*) FROM lab.people p GROUP BY 1", "add-remove"},
	{"SELECT " + hasEvents + ", sex, count(DISTINCT id) FROM lab.people p GROUP BY 1, 2", "add-remove"},
	{"SELECT CASE WHEN " + hasEvents + " THEN sex = 'F' ELSE sex = 'M' END, count(*) FROM lab.people p GROUP BY 1", "add-remove, replace-one"},
	{"SELECT CASE WHEN " + hasEvents + " THEN sex = 'F' ELSE sex = 'M' END, count(DISTINCT id) FROM lab.people p GROUP BY 1", ""},
	{"SELECT CASE WHEN " + hasEvents + " THEN 'x' ELSE sex END, count(*) FROM lab.people p GROUP BY 1", "add-remove"},
	{"SELECT sum(n), count(*) FROM lab.people p WHERE " + hasEvents, "add-remove"},
	{"SELECT sex, avg(n), count(*) FROM lab.people p WHERE n < 2 OR " + hasEvents + " GROUP BY sex", ""},
	{"SELECT " + hasEvents + ", avg(n), var_pop(n) FROM lab.people p GROUP BY 1", "add-remove"},
	{"SELECT sex, count(*) FROM lab.people p WHERE (n > 0) = " + hasEvents + " GROUP BY sex", ""},
	{"SELECT count(*) FILTER (WHERE n > 0 OR " + hasEvents + "), count(DISTINCT id) FROM lab.people p", ""},
	{"SELECT sum(n) FROM lab.people p WHERE (n > 0) = " + hasEvents, ""},
	{"SELECT sum(CASE WHEN " + hasEvents + " THEN n ELSE 2 - n END) FROM lab.people p", "add-remove, replace-one"},
}

// personRows are the rows of one person in both tables.
type personRows struct{ people, events string } // lists of VALUES

// personsRows are what one person can have: up to one row more than the bound, and events or none.
func personsRows(bound int) (all []personRows) {
	var lists []string
	add := func(string) {}
	kinds := []string{"('F', 0)", "('F', 2)", "('M', 0)", "('M', 2)"}
	add = func(list string) {
		lists = append(lists, list)
		for _, k := range kinds {
			if last := strings.LastIndex(list, "("); strings.Count(list, "(") <= bound && (last < 0 || list[last:] <= k) {
				add(strings.TrimPrefix(list+", "+k, ", "))
			}
		}
	}
	add("")
	for _, people := range lists {
		for _, events := range []string{"", "('a')", "('b')", "('a'), ('b')"} {
			all = append(all, personRows{people, events})
		}
	}
	return all
}

// A cellVector is what is counted of some rows.
type cellVector map[cellNumber]int64

// A cellNumber is one of the numbers of a cell.
type cellNumber struct {
	keys  string
	place int
}

func (v cellVector) plus(other cellVector, times int64) cellVector {
	sum := maps.Clone(v)
	for k, n := range other {
		sum[k] += times * n
	}
	return sum
}

// A lossLab counts with the SQL of the curator.
type lossLab struct {
	w        *ward
	conn     *pgconn.PgConn
	prepared map[string]string // names of statements, by their SQL
}

func newLossLab(w *ward) *lossLab {
	w.T.Helper()
	return &lossLab{w, site.Connect(w.T, "postgres", w.Database).PgConn(), make(map[string]string)}
}

// run runs a statement that is planned once.
func (l *lossLab) run(sql string, args ...string) *pgconn.Result {
	l.w.T.Helper()
	name, ok := l.prepared[sql]
	if !ok {
		name = fmt.Sprint("statement", len(l.prepared))
		if _, err := l.conn.Prepare(context.Background(), name, sql, nil); err != nil {
			l.w.T.Fatalf("%s: %v", sql, err)
		}
		l.prepared[sql] = name
	}
	var params [][]byte
	for _, a := range args {
		params = append(params, []byte(a))
	}
	r := l.conn.ExecPrepared(context.Background(), name, params, nil, nil).Read()
	if r.Err != nil {
		l.w.T.Fatalf("%s: %v", sql, r.Err)
	}
	return r
}

// fill makes these persons' rows the only ones.
func (l *lossLab) fill(persons ...personRows) {
	l.w.T.Helper()
	sql := "DELETE FROM lab.people; DELETE FROM lab.events"
	for i, p := range persons {
		if p.people != "" {
			sql += fmt.Sprintf("; INSERT INTO lab.people SELECT %d, v.* FROM (VALUES %s) AS v", i, p.people)
		}
		if p.events != "" {
			sql += fmt.Sprintf("; INSERT INTO lab.events SELECT %d, v.* FROM (VALUES %s) AS v", i, p.events)
		}
	}
	if _, err := l.conn.Exec(context.Background(), sql).ReadAll(); err != nil {
		l.w.T.Fatalf("%s: %v", sql, err)
	}
}

// counted are the cells of some counts, in the order of query.ReadNumbers.
func (l *lossLab) counted(q *query.BoundQuery, counts []query.Count) cellVector {
	l.w.T.Helper()
	sql, args := q.CountSQL(counts)
	v := make(cellVector)
	for _, row := range l.run(sql, args...).Rows {
		key := ""
		for _, k := range row[:len(q.Keys)] {
			key += fmt.Sprintf("%q ", k)
		}
		numbers, err := query.ReadNumbers(counts, row[len(q.Keys):])
		if err != nil {
			l.w.T.Fatal(err)
		}
		for i, n := range numbers {
			v[cellNumber{key, i}] = n
		}
	}
	return v
}

// neighbours calls a function for pairs of all that can be counted of persons by whom two databases differ: her rows in both tables, or in one of
// them, come or go; or they are exchanged for those of another. What is counted of a person does not depend on others.
func neighbours(adjacency string, of map[personRows]cellVector, each func(a, b cellVector)) {
	both := func(a, b cellVector) { each(a, b); each(b, a) }
	for her, v := range of {
		without := of[personRows{people: her.people}]
		if adjacency == "add-remove" {
			both(v, cellVector{})
			both(v, without)
			continue
		}
		for his, w := range of {
			each(v, w)                                                              // in both tables, and in people alone, as nothing is counted of who has events alone
			each(v.plus(of[personRows{people: his.people}], 1), without.plus(w, 1)) // in events alone
		}
	}
}

// distances are how far apart in the l1 norm, in the square of the l2 norm, and in one place.
func distances(a, b cellVector) (l1, squared, most int64) {
	for _, d := range a.plus(b, -1) {
		d = max(d, -d)
		l1, squared, most = l1+d, squared+d*d, max(most, d)
	}
	return l1, squared, most
}

// TestConditionsOnPersonsKeepTheirLoss enumerates the rows that persons can have in a table that is counted, and in one that a condition asks about. It
// compares what is released of neighbours. As noise is independent, the largest ratio of probabilities is the product of those of all numbers
// that are released. With noise that is half as wide, the epsilon is passed. So are what mechanisms are told of the distances of neighbours, on which
// Gaussian noise and the composition of losses rest: the l2 norm, and how many cells move by 1.
func TestConditionsOnPersonsKeepTheirLoss(t *testing.T) {
	const epsilon = 1.0
	for _, adjacency := range []string{"add-remove", "replace-one"} {
		for _, bound := range []int{1, 2} {
			if testing.Short() && (bound == 1) != (adjacency == "replace-one") {
				continue
			}
			w := newWardOf(t, lossSchema, fmt.Sprintf(lossPolicy, "{kind: geometric, epsilon: 1, delta: 1e-6, negative: keep}", adjacency, bound))
			d := w.open()
			l := newLossLab(w)
			var queries []*query.BoundQuery
			for _, question := range lossQuestions {
				queries = append(queries, w.query(d, question.sql))
			}
			reached := false
			for i, of := range l.ofEach(queries, bound) {
				q, question := queries[i], lossQuestions[i]
				name := fmt.Sprintf("%s, %d rows, %s", adjacency, bound, question.sql)
				if whole := worstLoss(t, q, adjacency, of, 1); whole > epsilon+1e-6 {
					t.Errorf("%s: the loss is %v", name, whole)
				}
				if strings.Contains(question.tight, adjacency) {
					if half := worstLoss(t, q, adjacency, of, 2); half <= 1.5*epsilon {
						t.Errorf("%s: with noise half as wide the loss is %v", name, half)
					}
				}
				if len(q.Counts) == 1 {
					reached = checkTerms(t, name, q, adjacency, of) || reached
				}
			}
			if !reached && bound > 1 {
				t.Errorf("%s: no neighbours are as far apart as is stated", adjacency)
			}
		}
	}
}

// checkTerms compares the distances of neighbours with those that are stated, and says whether the l2 norm is reached.
func checkTerms(t *testing.T, name string, q *query.BoundQuery, adjacency string, of map[personRows]cellVector) (reached bool) {
	t.Helper()
	var l1, squared, most int64
	neighbours(adjacency, of, func(a, b cellVector) {
		n1, n2, n := distances(a, b)
		l1, squared, most = max(l1, n1), max(squared, n2), max(most, n)
	})
	for _, kind := range []policy.Kind{policy.Gaussian, policy.DiscreteGaussian, policy.Geometric} {
		config := live.MechanismConfig(live.Terms(q), live.SensitivityOf(q, q.Counts[0]), battery.Seeded(1))
		config.Kind = kind
		m, err := mechanisms.New(config)
		if err != nil {
			t.Fatal(err)
		}
		term := m.Term()
		if kind != policy.Geometric && squared > term.Squared {
			t.Errorf("%s, %s: the square of the l2 norm is %d, and %d is stated", name, kind, squared, term.Squared)
		}
		if term.Moves > 0 && (most > 1 || l1 > term.Moves) {
			t.Errorf("%s, %s: a cell moves by %d, all together by %d, and %d moves by 1 are stated", name, kind, most, l1, term.Moves)
		}
		reached = reached || squared == term.Squared
	}
	return reached
}

// ofEach counts each person by herself, and some pairs of persons together: what is counted of them must be the sum.
func (l *lossLab) ofEach(queries []*query.BoundQuery, bound int) []map[personRows]cellVector {
	l.w.T.Helper()
	of := make([]map[personRows]cellVector, len(queries))
	var last personRows
	for i, p := range personsRows(bound) {
		l.fill(p)
		for j, q := range queries {
			if i == 0 {
				of[j] = make(map[personRows]cellVector)
			}
			of[j][p] = l.counted(q, q.Counts)
		}
		if i%7 == 3 && oneEach(p, last) { // of more rows it is left to a hash of the person which are counted
			l.fill(p, last)
			for j, q := range queries {
				if l1, _, _ := distances(l.counted(q, q.Counts), of[j][p].plus(of[j][last], 1)); l1 != 0 {
					l.w.T.Errorf("of %v and %v together other rows are counted than of each", p, last)
				}
			}
		}
		last = p
	}
	return of
}

func oneEach(persons ...personRows) bool {
	for _, p := range persons {
		if strings.Count(p.people, "(") > 1 {
			return false
		}
	}
	return true
}

// worstLoss is the largest loss of neighbours where the noise is that of so many times the epsilon of the policy.
func worstLoss(t *testing.T, q *query.BoundQuery, adjacency string, of map[personRows]cellVector, times int) (worst float64) {
	t.Helper()
	var laws []mechanisms.Law // by place
	for _, c := range q.Counts {
		config := live.MechanismConfig(live.Terms(q), live.SensitivityOf(q, c), battery.Seeded(1))
		config.Epsilon = config.Epsilon * policy.Epsilon(times) / policy.Epsilon(len(q.Counts)) // they share a loss where numbers are added up
		m, err := mechanisms.New(config)
		if err != nil {
			t.Fatal(err)
		}
		law, ok := m.Law()
		if !ok {
			t.Fatal("noise without a law")
		}
		for range c.Columns() {
			laws = append(laws, law)
		}
	}
	known := make(map[[2]int64]float64) // by place and distance
	neighbours(adjacency, of, func(a, b cellVector) {
		loss := 0.0
		for key, d := range a.plus(b, -1) {
			at := [2]int64{int64(key.place), max(d, -d)}
			if _, ok := known[at]; !ok {
				known[at] = lossOfMove(laws[at[0]], at[1])
			}
			loss += known[at]
		}
		worst = max(worst, loss)
	})
	return worst
}

// lossOfMove is the largest logarithm of the ratio of a law's probabilities at a distance.
func lossOfMove(law mechanisms.Law, distance int64) (worst float64) {
	for z := -2 * distance; z <= distance; z++ {
		worst = max(worst, math.Abs(math.Log(law.Probability(z+distance)/law.Probability(z))))
	}
	return worst
}

// TestThresholdOfConditionsOnPersons asks for keys that are not declared beside a condition on persons. Under add-remove all that only one
// of two neighbours can show has a probability of delta at most, and what both can show a loss of epsilon. It has more than half of these
// with noise that is half as wide. Under replace-one two persons could come to one key that nobody had, and no threshold is made.
func TestThresholdOfConditionsOnPersons(t *testing.T) {
	const epsilon, delta = 1.0, 1e-3
	keys := []string{
		"SELECT n, " + hasEvents + ", count(DISTINCT id) FROM lab.people p GROUP BY 1, 2",
		"SELECT n, CASE WHEN " + hasEvents + " THEN sex = 'F' ELSE sex = 'M' END, count(DISTINCT id) FROM lab.people p GROUP BY 1, 2",
	}
	undeclared := strings.Replace(lossPolicy, "n: {range: [0, 2]}", "n: {}", 1)
	w := newWardOf(t, lossSchema, fmt.Sprintf(undeclared, "{kind: geometric, epsilon: 1, delta: 1e-3, negative: keep}", "add-remove", 2))
	d := w.open()
	l := newLossLab(w)
	for _, sql := range keys {
		q := w.query(d, sql)
		of := l.ofEach([]*query.BoundQuery{q}, 2)[0]
		for times := 1; times <= 2; times++ {
			config := live.MechanismConfig(live.Terms(q), live.SensitivityOf(q, q.Counts[0]), battery.Seeded(1))
			config.Epsilon *= policy.Epsilon(times)
			m, err := mechanisms.New(config)
			if err != nil {
				t.Fatal(err)
			}
			shown, ok := m.ExpectSelection([]int64{1, 2})
			law, _ := m.Law()
			if !ok {
				t.Fatal("no threshold")
			}
			var loss, told float64
			neighbours("add-remove", of, func(a, b cellVector) {
				moved, none := 0.0, 1.0
				for key, n := range a {
					if b[key] == 0 {
						none *= shown[n-1].Suppressed
					}
				}
				for _, n := range a.plus(b, -1) { // with other persons in all of these cells
					moved += lossOfMove(law, max(n, -n))
				}
				loss, told = max(loss, moved), max(told, 1-none)
			})
			if times == 1 && (loss > epsilon+1e-6 || told > delta) || times == 2 && loss <= 1.5*epsilon {
				t.Errorf("%s: with %d times the epsilon a loss of %v and a delta of %v", sql, times, loss, told)
			}
			if told < delta/10 {
				t.Errorf("%s: a delta of %v says nothing", sql, told)
			}
		}
	}
	w = newWardOf(t, lossSchema, fmt.Sprintf(undeclared, "{kind: geometric, epsilon: 1, delta: 1e-3, negative: keep}", "replace-one", 2))
	d = w.open()
	for _, sql := range keys {
		var refusal *pgerror.Refusal
		if _, _, err := w.ask(d, "ward_ana", sql); !errors.As(err, &refusal) || !strings.Contains(refusal.Message, "another table") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	for _, sql := range []string{
		"SELECT n, count(DISTINCT id) FROM lab.people p WHERE " + hasEvents + " GROUP BY 1",
		"SELECT sex, " + hasEvents + ", count(*) FROM lab.people p GROUP BY 1, 2",
	} {
		if _, _, err := w.ask(d, "ward_ana", sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// TestTotalsOfConditionsOnPersonsAreFitted asks for totals of keys by which a person moves where these are fitted.
func TestTotalsOfConditionsOnPersonsAreFitted(t *testing.T) {
	w := newWardOf(t, lossSchema, fmt.Sprintf(lossPolicy, "{kind: geometric, epsilon: 1, delta: 1e-6, negative: keep, totals: least-squares}", "add-remove", 2))
	d := w.open()
	for _, sql := range []string{
		"SELECT sex, " + hasEvents + ", count(*) FROM lab.people p GROUP BY CUBE (1, 2)",
		"SELECT sex, n, count(*) FILTER (WHERE n > 0 OR " + hasEvents + ") FROM lab.people p GROUP BY ROLLUP (1, 2)",
	} {
		if _, _, err := w.ask(d, "ward_ana", sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}
