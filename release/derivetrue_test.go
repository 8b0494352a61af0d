package release

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tacit/release/internal/site"
)

// A statementMaker makes counts of people at random, of few keys and conditions, so that many follow from others.
type statementMaker struct{ r *rand.Rand }

func (m statementMaker) some(pool []string, most int) (chosen []string) {
	for range m.r.IntN(most + 1) {
		if item := pool[m.r.IntN(len(pool))]; !slices.Contains(chosen, item) {
			chosen = append(chosen, item)
		}
	}
	return chosen
}

func (m statementMaker) statement(keys []string) string {
	conditions := m.some([]string{
		"age < 50", "age >= 20", "age BETWEEN 10 AND 29", "age = 7", "region = 'north'", "region IN ('north', 'east')", "region <> 'east'",
		"sex = 'F'", "sex IS NULL", "sex IS NOT NULL", "(region = 'south' OR sex = 'M')", "(age > 30 OR region = 'south')", "age % 3 = 1",
	}, 2)
	count := "count(*)"
	if m.r.IntN(5) == 0 {
		count = []string{"count(sex)", "count(*) FILTER (WHERE age < 50)", "count(*) FILTER (WHERE sex = 'M')"}[m.r.IntN(3)]
	}
	where, group := "", ""
	if len(conditions) > 0 {
		where = " WHERE " + strings.Join(conditions, " AND ")
	}
	if len(keys) > 0 {
		group = " GROUP BY " + strings.Join(keys, ", ")
	}
	return "SELECT " + strings.Join(append(slices.Clone(keys), count), ", ") + " FROM clinic.people" + where + group
}

// With noise that is nothing but with probability 4e-9 for each cell, from a seeded source, answers are true, whether they are new or
// derived: the server counts the same. Thousands of cells are compared, so chance alone would make it fail with probability below 1e-4 if
// the source were not seeded.
func TestDerivedAnswersAreTrue(t *testing.T) {
	text := strings.Replace(wardPolicy, "    derive: false\n", "", 1)
	text = strings.Replace(text, "limits: {cells: 200}", "limits: {cells: 2000}", 1)
	text = strings.Replace(text, "budget: {epsilon: 1000, delta: 1e-8}", "budget: {epsilon: 1000000, delta: 1e-8, composition: basic}", 1)
	w := newWardOf(t, wardSchema, text)
	w.Exec("DELETE FROM clinic.people WHERE region = 'atlantis'")
	d := w.open()
	super := site.Connect(t, "postgres", w.Database)
	m := statementMaker{rand.New(rand.NewPCG(6, 6))}
	stored := []string{"region", "sex", "age"}
	computed := append([]string{"age / 10", "upper(region)", "coalesce(sex, '?')", "CASE WHEN age < 50 THEN 'young' ELSE 'old' END"}, stored...)
	derived, most := 0, 0
	questions := 300
	if testing.Short() {
		questions = 100
	}
	for range questions {
		sql := m.statement(m.some(stored, 3))
		if m.r.IntN(3) > 0 {
			sql = m.statement(m.some(computed, 2))
		}
		got := w.answered(d, nil, sql)
		if d := got.receipt.Derived; d != nil {
			derived++
			most = max(most, d.Cells)
		}
		truth := make(map[string]int64)
		rows, err := super.Query(context.Background(), sql)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				t.Fatal(err)
			}
			key := make([]string, len(values)-1)
			for i, v := range values[:len(key)] {
				if key[i] = fmt.Sprint(v); v == nil {
					key[i] = "NULL"
				}
			}
			truth[strings.Join(key, " ")] = values[len(key)].(int64)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		shown := got.byKeys()
		for key, n := range shown {
			if truth[key] != n {
				t.Errorf("%s: %q is %d, and %d is shown; %+v", sql, key, truth[key], n, got.receipt.Derived)
			}
		}
		for key, n := range truth {
			if _, ok := shown[key]; !ok && n != 0 {
				t.Errorf("%s: %q is missing, with %d; %+v", sql, key, n, got.receipt.Derived)
			}
		}
	}
	if derived < questions/6 || most < 20 {
		t.Errorf("%d answers were derived, of at most %d cells each: too few to tell anything", derived, most)
	}
}
