package release

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// TestCountsByPersons counts persons by how many visits they have. Of the 200 visits of one person none is left out, though no more than 4 count
// otherwise, nor is she counted more than once; the 50 visits of nobody are in no group. It fails if a threshold, known keys or a repetition are charged
// otherwise than for a table whose rows are persons.
func TestCountsByPersons(t *testing.T) {
	w := newWardOf(t, patientsSchema, patientsPolicy)
	d := w.open()
	const by = "(SELECT patient, count(*) AS n, count(DISTINCT house) AS houses, bool_or(illness = 'gout') AS gout FROM clinic.visits GROUP BY patient) AS t"
	for _, c := range []struct {
		sql, want string
		loss      accountant.Loss
	}{
		{"SELECT n, count(*) FROM " + by + " GROUP BY n", "6 100 \n", accountant.Loss{Epsilon: 100e9, Delta: 1e9}},
		{"SELECT LEAST(n, 7), count(*) FROM " + by + " GROUP BY 1", "1 0 \n2 0 \n3 0 \n4 0 \n5 0 \n6 100 \n7 1 \n", accountant.Loss{Epsilon: 100e9}},
		{"WITH v AS (SELECT patient AS p, count(*) FROM clinic.visits GROUP BY p) SELECT count AS n, count(*) FROM v GROUP BY 1", "6 100 \n", accountant.Loss{}},
		{"SELECT n, count(*) FROM " + by + " WHERE n BETWEEN 5 AND 7 GROUP BY n", "5 0 \n6 100 \n7 0 \n", accountant.Loss{Epsilon: 100e9}},
		{"SELECT count(*), count(DISTINCT patient) FROM " + by + " WHERE n > 6 AND gout", "1 1 \n", accountant.Loss{Epsilon: 100e9}},
		{"SELECT houses = 3, gout, count(*) FROM " + by + " GROUP BY 1, 2", "f f 0 \nf t 1 \nf NULL 0 \nt f 100 \nt t 0 \nt NULL 0 \n", accountant.Loss{Epsilon: 100e9}},
		{"SELECT count(*) FROM (SELECT patient FROM clinic.visits WHERE house = 'north' GROUP BY patient HAVING count(*) = 2) AS t", "100 \n", accountant.Loss{Epsilon: 100e9}},
		{"SELECT count(*) FROM (SELECT patient FROM clinic.visits WHERE house = 'north' GROUP BY patient HAVING count(*) = 3) AS t", "0 \n", accountant.Loss{Epsilon: 100e9}},
	} {
		before := w.balances(d)["visits"]
		if got := w.cells(d, c.sql); got != c.want {
			t.Errorf("%s\ngot:\n%swant:\n%s", c.sql, got, c.want)
		}
		after := w.balances(d)["visits"]
		if spent := (accountant.Loss{Epsilon: after.Epsilon - before.Epsilon, Delta: after.Delta - before.Delta}); spent != c.loss {
			t.Errorf("%s: %v was charged, want %v", c.sql, spent, c.loss)
		}
	}
	_, receipt, err := w.ask(d, "ward_ana", "SELECT sum(n), avg(n) FROM "+by)
	if err != nil || !strings.Contains(receipt.Notice(), `; count(*) OF (clinic.visits PER patient): each sum within`) {
		t.Errorf("%v, %v", receipt, err)
	}
	if balances := w.balances(d); len(balances) != 1 {
		t.Errorf("charged: %v", balances)
	}
}

// TestBoundsOfPersonsAreTold fails if an answer is given again though the bound has changed that its numbers for each person were held to.
func TestBoundsOfPersonsAreTold(t *testing.T) {
	w := newWardOf(t, patientsSchema, patientsPolicy)
	d := w.open()
	const sql = "SELECT count(*) FROM (SELECT patient, count(*) AS n FROM clinic.visits GROUP BY patient) AS t WHERE n::int * 300000000 > 0"
	charges := func() bool {
		before := w.balances(d)["visits"].Epsilon
		w.cells(d, sql)
		return w.balances(d)["visits"].Epsilon > before
	}
	if !charges() || charges() {
		t.Error("a repetition is not free")
	}
	w.reload(d, strings.Replace(patientsPolicy, "person: {column: patient, rows: 4,", "person: {column: patient, rows: 5,", 1))
	if !charges() {
		t.Error("an answer under another bound is given again")
	}
}

// TestNeighboursByPersons asks the same question many times of two tables that differ in one person, who has hundreds of rows, or has one in the other:
// how many persons have more than three rows, and how many have not. No event may be more than exp(epsilon) times as likely on one side. With noise that
// is half as wide, some event has to be. It is TestNeighbours for counts by persons.
//
// The events are {many >= c}, {few >= c} and {many >= c, few < c'} and their complements for five c and c' around the counts: 70 at most, each looked at in two
// directions, for two adjacencies. As there, a frequency exceeds its bound by more than the slack with probability 1e-9 at most: 3e-7 in all. With noise that
// is half as wide the mean excess is 0.45 at the middle c (add-remove), and 0.26 at both (replace-one), which is more than twice the slack. With -short only the first adjacency is looked at,
// for which a fourth of the draws are enough.
func TestNeighboursByPersons(t *testing.T) {
	const perRound, epsilon = 80, 0.8
	rounds := 60
	var tables, schema strings.Builder
	schema.WriteString("CREATE SCHEMA lab;")
	name := func(adjacency string, half, more bool) string {
		return fmt.Sprintf("%s_half_%t_more_%t", strings.ReplaceAll(adjacency, "-", "_"), half, more)
	}
	adjacencies := []string{"add-remove", "replace-one"}
	if testing.Short() {
		rounds, adjacencies = 16, adjacencies[:1]
	}
	for _, adjacency := range adjacencies {
		for _, half := range []bool{false, true} {
			for _, more := range []bool{false, true} {
				table := name(adjacency, half, more)
				fmt.Fprintf(&schema, "CREATE TABLE lab.%[1]s (who int, age int); INSERT INTO lab.%[1]s SELECT i, 30 FROM generate_series(1, 8) AS i, generate_series(1, CASE WHEN i > 4 THEN 1 ELSE 5 END);", table)
				switch {
				case more:
					fmt.Fprintf(&schema, "INSERT INTO lab.%s SELECT 9, i FROM generate_series(1, 700) AS i;", table)
				case adjacency == "replace-one":
					fmt.Fprintf(&schema, "INSERT INTO lab.%s VALUES (10, 30);", table)
				}
				e := epsilon
				if half {
					e *= 2
				}
				fmt.Fprintf(&tables, "  lab.%s:\n    person: {column: who, rows: 3, groups: 2}\n    adjacency: %s\n    mechanism: {kind: geometric, epsilon: %.3f, negative: keep}\n    budget: {epsilon: 1000}\n    columns: {age: {range: [0, 99]}}\n",
					table, adjacency, e)
			}
		}
	}
	w := newWardOf(t, schema.String(), wardPolicy[:strings.Index(wardPolicy, "public:")]+"tables:\n"+tables.String())
	for _, table := range w.Policy.Tables { // more than a steward would grant
		table.Budget.Epsilon = 1e15
	}
	d := w.open()
	draws := make(map[string][][2]int64) // of those who have few and many
	asks := make(map[string]reply.Request)
	for round := range rounds {
		w.forget(d, round)
		for _, adjacency := range adjacencies {
			for i := range 4 {
				table := name(adjacency, i < 2, i%2 == 0)
				if round == 0 {
					counts := make([]string, perRound)
					for j := range counts {
						counts[j] = fmt.Sprintf("count(*) FILTER (WHERE n <> %d)", 1000+j)
					}
					sql := fmt.Sprintf("SELECT n > 3, %s FROM (SELECT who, count(*) AS n FROM lab.%s GROUP BY who) AS t GROUP BY 1", strings.Join(counts, ", "), table)
					asks[table] = reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}}
				}
				cells, receipt, err := d.Answer(context.Background(), asks[table])
				if err != nil || strings.Contains(receipt.Notice(), "(answered ") {
					t.Fatal(err, receipt)
				}
				for _, shown := range cells[0].Counts {
					draws[table] = append(draws[table], [2]int64{shown[0], shown[1]})
				}
			}
		}
	}
	slack := math.Sqrt((1 + math.Exp(2*epsilon)) * math.Log(1e9) / float64(2*perRound*rounds))
	for _, adjacency := range adjacencies {
		for _, half := range []bool{false, true} {
			without, with := draws[name(adjacency, half, false)], draws[name(adjacency, half, true)]
			excess := max(excessOf(without, with, epsilon), excessOf(with, without, epsilon)) - slack
			if !half && excess > 0 {
				t.Errorf("%s: an answer exceeds exp(%v) by %.3f more than chance", adjacency, epsilon, excess)
			}
			if half && excess <= 0 {
				t.Errorf("%s: noise that is half as wide is not found out (%.3f)", adjacency, excess)
			}
		}
	}
}

// excessOf is the largest p - exp(epsilon) q of the frequencies of an event in two samples of pairs.
func excessOf(p, q [][2]int64, epsilon float64) float64 {
	frequency := func(sample [][2]int64, event func(few, many int64) bool) float64 {
		n := 0.0
		for _, s := range sample {
			if event(s[0], s[1]) {
				n++
			}
		}
		return n / float64(len(sample))
	}
	largest := math.Inf(-1)
	look := func(event func(few, many int64) bool) {
		for _, is := range []bool{true, false} {
			e := func(few, many int64) bool { return event(few, many) == is }
			largest = max(largest, frequency(p, e)-math.Exp(epsilon)*frequency(q, e))
		}
	}
	for c := int64(3); c <= 7; c++ {
		look(func(_, many int64) bool { return many >= c })
		look(func(few, _ int64) bool { return few >= c })
		for other := int64(3); other <= 7; other++ {
			look(func(few, many int64) bool { return many >= c && few < other })
		}
	}
	return largest
}
