package rewrite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/query"
)

// manyJoined are statements over joins of persons with many rows in both tables.
var manyJoined = []string{
	"SELECT count(*), count(DISTINCT a.eater) FROM meals a JOIN meals b ON a.eater = b.eater",
	"SELECT count(*), count(DISTINCT a.eater) FROM meals a JOIN meals b ON a.eater = b.eater WHERE a.floor >= b.floor GROUP BY a.dish",
	"SELECT count(*), count(DISTINCT s.guest) FILTER (WHERE s.floor < m.floor) FROM stays s JOIN meals m ON s.guest = m.eater",
	"SELECT count(*), count(DISTINCT m.eater) FROM stays s JOIN meals m ON s.guest = m.eater WHERE m.dish = 'soup' GROUP BY s.house, m.floor",
}

// TestWorkOfJoins joins tables in which one person has 3,000 rows, and counts the rows that all steps of the server's plan make together. It fails if
// rows of a person are bounded after the join alone: then there are nine million.
func TestWorkOfJoins(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable + ";" + mealsTable + `;
		INSERT INTO meals SELECT CASE WHEN i > 3000 THEN 'g' || i ELSE 'a' END, (ARRAY['soup', 'rice', 'cake'])[1 + i % 3], i % 70, '2020-01-01'::date + i % 900 FROM generate_series(1, 23000) AS i;
		INSERT INTO stays SELECT eater, 'x', floor, 1, 1, 'a', day, 'g', '' FROM meals; ANALYZE`)
	bounds := expr.Person{Rows: 4, Groups: 2}
	for i, sql := range manyJoined {
		if testing.Short() && i%2 != 0 {
			continue
		}
		q := dinnerQuery(t, sql, bounds, bounds)
		counted, args := q.CountSQL(q.Counts)
		made := server.rowsMade(counted, args)
		// Two scans of 23,000 rows, each of which is sorted and ranked; and 100 times 100 rows of one person and 20,000 of others, sorted and ranked twice.
		if most := 600_000.0; made > most {
			t.Errorf("%s: %.0f rows are made, %.0f at most were expected", sql, made, most)
		}
		t.Logf("%s: %.0f rows", sql, made)
	}
}

// A planStep is a step of a plan as EXPLAIN prints it.
type planStep struct {
	Rows    float64    `json:"Actual Rows"`
	Loops   float64    `json:"Actual Loops"`
	Dropped float64    `json:"Rows Removed by Filter"`
	Joined  float64    `json:"Rows Removed by Join Filter"`
	Steps   []planStep `json:"Plans"`
}

func (s planStep) made() float64 {
	made := (s.Rows + s.Dropped + s.Joined) * s.Loops
	for _, step := range s.Steps {
		made += step.made()
	}
	return made
}

// rowsMade runs a statement, and sums the rows that come from each step of its plan, or are dropped there.
func (t *twin) rowsMade(sql string, args []string) float64 {
	t.tb.Helper()
	var plans []struct{ Plan planStep }
	if err := json.Unmarshal(t.query("EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) "+sql, args)[0][0], &plans); err != nil {
		t.tb.Fatal(err)
	}
	return plans[0].Plan.made()
}

// fillMany gives person a more rows in both tables than are joined, beside others, in random order.
func (t *twin) fillMany(r *rand.Rand, stays, meals []string) {
	t.tb.Helper()
	for _, rows := range [][]string{stays, meals} {
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	}
	t.exec("TRUNCATE stays, meals; INSERT INTO stays VALUES " + strings.Join(stays, ", ") + "; INSERT INTO meals VALUES " + strings.Join(meals, ", "))
}

func manyRows(r *rand.Rand) (stays, meals []string) {
	for range 5 {
		stays, meals = append(stays, randomStays(r)...), append(meals, randomMeals(r)...)
	}
	for i := range 250 {
		meals = append(meals, fmt.Sprintf("('a', '%s', %d, NULL)", []string{"soup", "rice", "cake"}[r.IntN(3)], i%30))
		stays = append(stays, fmt.Sprintf("('a', '%s', %d, 1, 1, 'a', NULL, 'g', '')", []string{"x", "y"}[r.IntN(2)], i%40))
	}
	return stays, meals
}

// TestSensitivityOfManyJoined takes a person out of both tables who has more rows in each than are joined. It fails if her rows in place of others' are
// joined then, or if the order in which rows are stored decides which of hers are.
func TestSensitivityOfManyJoined(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable + ";" + mealsTable)
	r := rand.New(rand.NewPCG(19, 19))
	reached := false
	rounds, random := 3, 8
	if testing.Short() {
		rounds, random = 1, 3
	}
	for range rounds {
		stays, meals := manyRows(r)
		var statements []string
		for range random {
			statements = append(statements, randomDinners(r))
		}
		statements = append(statements, manyJoined...)
		bounds := expr.Person{Rows: 2 + r.IntN(4), Groups: 2}
		queries := make([]*query.BoundQuery, len(statements))
		with := make([]map[string][]int64, len(statements))
		server.fillMany(r, stays, meals)
		for i, sql := range statements {
			queries[i] = dinnerQuery(t, sql, bounds, bounds)
			with[i] = server.counts(queries[i])
		}
		server.fillMany(r, stays, meals)
		for i, sql := range statements {
			if diff := cmp.Diff(with[i], server.counts(queries[i])); diff != "" {
				t.Errorf("%s, stored in another order:\n%s", sql, diff)
			}
		}
		for _, removed := range []string{"DELETE FROM stays WHERE guest = 'a'; DELETE FROM meals WHERE eater = 'a'", "DELETE FROM meals WHERE eater = 'a'"} {
			server.exec("BEGIN; " + removed)
			for i, q := range queries {
				total, _ := distances(with[i], server.counts(q), len(q.Counts))
				for j, c := range q.Counts {
					if total[j] > int64(q.Sensitivity(c)) {
						t.Errorf("%s\n%s: count %d changes by %d, its sensitivity is %d", statements[i], removed, j+1, total[j], q.Sensitivity(c))
					}
					reached = reached || !c.Persons && total[j] == int64(q.Sensitivity(c))
				}
			}
			server.exec("ROLLBACK")
		}
	}
	if !reached {
		t.Error("no count of rows ever changed by its sensitivity")
	}
}

// TestJoinedRowsAreInTheQuestion wants another identity where other rows are joined, and none of it where one table has one row of each person.
func TestJoinedRowsAreInTheQuestion(t *testing.T) {
	many, few := expr.Person{Rows: 400, Groups: 2}, expr.Person{Rows: 4, Groups: 2}
	one := expr.Person{Rows: 1, Groups: 1, Unique: true}
	for _, c := range []struct {
		stays, meals expr.Person
		want         string
	}{
		{few, few, " JOINING 100 AND 100 ROWS"}, {many, many, " JOINING 400 AND 400 ROWS"}, {many, one, ""},
	} {
		for _, counted := range []string{"count(*)", "count(DISTINCT guest)", "count(DISTINCT guest) FILTER (WHERE stays.floor = 1)"} {
			q := dinnerQuery(t, "SELECT "+counted+" FROM stays JOIN meals ON guest = eater", c.stays, c.meals)
			question := q.Question(q.Counts[0])
			if strings.Contains(question, "JOINING") != (c.want != "") || !strings.Contains(question, c.want) {
				t.Errorf("%v, %v: %s", c.stays, c.meals, question)
			}
			// WHERE chooses the rows that are joined, FILTER does not.
			if strings.Contains(counted, "FILTER") && strings.Contains(question, "FILTER") != (c.want != "") {
				t.Errorf("%v, %v: %s", c.stays, c.meals, question)
			}
		}
	}
}
