package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestNeighboursThroughTheWire asks the same question many times of two databases that differ in one person and compares how
// often each answer comes: no set of answers may be more than exp(epsilon) times as likely on one side.
//
// Each ask is a different question with the same true answer (a filter that excludes an age nobody has), so each is a draw of its
// own. For every threshold c the events {answer >= c} and {answer < c} are tested. By the inequality of Dvoretzky, Kiefer and
// Wolfowitz with Massart's constant, some empirical frequency of n independent draws is off by more than r = sqrt(ln(2/p)/2n) with
// probability at most p, for all thresholds together. p = 1e-6/2 for each of the two sides keeps the false-failure probability
// below 1e-6.
func TestNeighboursThroughTheWire(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	without := newSite(t, siteOptions{budget: "100000", mechanism: "negative: keep"})
	with := newSite(t, siteOptions{budget: "100000", mechanism: "negative: keep", extra: "INSERT INTO public.people VALUES (999999, 'east', 'F', 30, 'flu', 'the one')"})
	compare(t, without, with, "people")
}

// TestNeighboursWithManyRowsThroughTheWire does the same with a person of a hundred rows, of which four are counted.
func TestNeighboursWithManyRowsThroughTheWire(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	const visits = `
  public.visits:
    person: {column: patient, rows: 4, groups: 2}
    mechanism: {kind: geometric, epsilon: 0.5, negative: keep}
    budget: {epsilon: 100000}
    derive: false
    columns: {region: {values: [east, north]}, age: {range: [0, 99]}}
`
	const schema = "CREATE TABLE public.visits (patient int, region text, age int);" +
		"INSERT INTO public.visits SELECT i % 500, 'north', 30 FROM generate_series(1, 2000) AS i;" +
		"INSERT INTO public.visits SELECT NULL, 'east', 30 FROM generate_series(1, 100) AS i;"
	without := newSite(t, siteOptions{tables: visits, extra: schema})
	with := newSite(t, siteOptions{tables: visits, extra: schema + "INSERT INTO public.visits SELECT 1000, 'east', i % 50 FROM generate_series(1, 100) AS i"})
	compare(t, without, with, "visits")
}

// compare samples both sites at epsilon 0.5.
func compare(t *testing.T, without, with *site, table string) {
	t.Helper()
	const draws = 15_000
	a, b := sample(t, without, table, draws), sample(t, with, table, draws)
	epsilon := 0.5
	slack := math.Sqrt(math.Log(2*2/1e-6) / float64(2*draws))
	tell := false // whether the test could tell a noise that is half as wide
	for c := int64(-40); c <= 40; c++ {
		above := [2]float64{frequency(a, c), frequency(b, c)}
		for _, p := range [][2]float64{{above[0], above[1]}, {above[1], above[0]}, {1 - above[0], 1 - above[1]}, {1 - above[1], 1 - above[0]}} {
			if p[0]-slack > math.Exp(epsilon)*(p[1]+slack) {
				t.Errorf("answers around %d have frequencies %.4f and %.4f: more than exp(%v) apart", c, p[0], p[1], epsilon)
			}
			tell = tell || p[0]-slack > math.Exp(epsilon/2)*(p[1]+slack)
		}
	}
	if !tell {
		t.Error("the two databases look alike to within exp(epsilon/2): the test has no power, or the noise is too wide")
	}
}

// sample asks how many people live in the east: none, but for the one person.
func sample(t *testing.T, s *site, table string, draws int) []int64 {
	t.Helper()
	const perStatement = 200
	s.serve()
	conn := s.connect("ana")
	var answers []int64
	for len(answers) < draws {
		var sql strings.Builder
		sql.WriteString("SELECT ")
		for i := range perStatement {
			if i > 0 {
				sql.WriteString(", ")
			}
			fmt.Fprintf(&sql, "count(*) FILTER (WHERE age <> %d)", 1000+len(answers)+i)
		}
		sql.WriteString(" FROM " + table + " WHERE region = 'east'")
		result := conn.PgConn().ExecParams(context.Background(), sql.String(), nil, nil, nil, nil).Read()
		if result.Err != nil {
			t.Fatal(result.Err)
		}
		answers = append(answers, integers(t, result)...)
	}
	return answers
}

func integers(t *testing.T, r *pgconn.Result) []int64 {
	t.Helper()
	var out []int64
	for _, row := range r.Rows {
		for _, v := range row {
			var n int64
			if _, err := fmt.Sscan(string(v), &n); err != nil {
				t.Fatal(err)
			}
			out = append(out, n)
		}
	}
	return out
}

// frequency is the share of answers that are at least c.
func frequency(answers []int64, c int64) float64 {
	n := 0
	for _, a := range answers {
		if a >= c {
			n++
		}
	}
	return float64(n) / float64(len(answers))
}
