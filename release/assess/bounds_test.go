package assess_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"tacit/policy"
	"tacit/release/assess"
	"tacit/release/internal/site"
)

const visitsByHouse = "SELECT house, count(*) FROM clinic.visits GROUP BY house"

// TestBiasOfBounds fails if an assessment takes what the bounds leave for the truth: of 100 persons 4 of their 6 visits are counted, and of one 4 of
// 200, so that 396 rows are missing from the cells.
func TestBiasOfBounds(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, site.VisitsPolicy)
	q := w.assess(assess.Request{SQL: visitsByHouse}).Questions[0]
	if q.LeftOut == nil || *q.LeftOut != 396 || q.Total != 404 {
		t.Fatalf("%+v", q)
	}
	for _, m := range q.Mechanisms {
		if m.Kind == policy.Geometric && (math.Abs(m.L1Bias-396) > 0.01 || m.Error < 100) {
			t.Errorf("%s has a bias of %v and an error of %v", m.Kind, m.L1Bias, m.Error)
		}
	}
	persons := w.assess(assess.Request{SQL: "SELECT house, count(DISTINCT patient) FROM clinic.visits GROUP BY house"}).Questions[0]
	if persons.LeftOut == nil || *persons.LeftOut != 100 || persons.Total != 201 {
		t.Errorf("of persons: %+v", persons)
	}
}

// TestCompareBounds fails if a bound is said to leave out more or less than it does. With hardly any noise the bounds are proposed that leave out
// nothing, with the fewest groups that do.
func TestCompareBounds(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, site.VisitsPolicy)
	all, err := assess.CompareBounds(context.Background(), w.Policy, visitsByHouse)
	if err != nil {
		t.Fatal(err)
	}
	b := all[0]
	if b.Persons != 101 || b.TotalRows != 800 || b.TotalGroups != 301 || b.Cells != 4 {
		t.Errorf("%+v", b)
	}
	want := map[[2]int][2]int64{ // rows and groups: rows and groups that are kept
		{1, 1}: {101, 101}, {4, 1}: {204, 101}, {4, 2}: {404, 201}, {4, 4}: {404, 301}, {8, 2}: {408, 201}, {8, 4}: {608, 301}, {250, 1}: {400, 101}, {250, 4}: {800, 301},
	}
	for i, c := range b.Choices {
		kept, ok := want[[2]int{c.Rows, c.Groups}]
		if ok && (math.Abs(800*(1-c.RowsLeftOut)-float64(kept[0])) > 1e-6 || math.Abs(301*(1-c.GroupsLeftOut)-float64(kept[1])) > 1e-6) {
			t.Errorf("%+v, want %v kept", c, kept)
		}
		if ok {
			delete(want, [2]int{c.Rows, c.Groups})
		}
		if (c.Rows == 4 && c.Groups == 2) != (i == b.Today) || (c.Rows == 250 && c.Groups == 4) != (i == b.Proposed) {
			t.Errorf("%+v is choice %d, today's is %d, and %d is proposed", c, i, b.Today, b.Proposed)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	for _, c := range b.Choices {
		if c.Rows > 250 || c.Groups > 4 {
			t.Errorf("%+v, though smaller bounds leave nothing out", c)
		}
	}
}

// TestCompareBoundsOfRows fails if bounds are compared where there are none.
func TestCompareBoundsOfRows(t *testing.T) {
	w := newStays(t, "kind: geometric, epsilon: 1", randomStays(10))
	if _, err := assess.CompareBounds(context.Background(), w.Policy, "SELECT count(*) FROM "+w.Policy.Tables[0].Name.String()); err == nil {
		t.Error("bounds of rows that are persons")
	}
}

// TestAssessOneTable asks about persons of one table by what they have in another. It fails if figures are given, which would be by the terms of one
// table alone.
func TestAssessOneTable(t *testing.T) {
	const patients = "  clinic.patients:\n    person: {column: id, rows: 1, groups: 1}\n    mechanism: {kind: geometric, epsilon: 1}\n    budget: {epsilon: 10}\n    columns: {sex: {values: [F, M]}}\n"
	w := newWardOf(t, site.VisitsSchema+"CREATE TABLE clinic.patients (id int NOT NULL, sex text NOT NULL);",
		strings.Replace(site.VisitsPolicy, "tables:\n", "tables:\n"+patients, 1))
	const visitors = "SELECT sex, count(*) FROM clinic.patients AS p WHERE EXISTS (SELECT FROM clinic.visits AS v WHERE v.patient = p.id) GROUP BY sex"
	ctx := context.Background()
	if _, err := assess.Assess(ctx, w.Policy, assess.Request{SQL: visitors}); err == nil || !strings.Contains(err.Error(), "more than one protected table") {
		t.Errorf("assessed: %v", err)
	}
	if _, err := assess.CompareBounds(ctx, w.Policy, visitors); err == nil || !strings.Contains(err.Error(), "two protected tables") {
		t.Errorf("bounds compared: %v", err)
	}
}

// TestBoundsOfCountsAlone asks about sums. It fails if figures are given, which would be of the parts that a sum is released in.
func TestBoundsOfCountsAlone(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, strings.Replace(site.VisitsPolicy, "cost: {}", "cost: {range: [0, 10]}", 1))
	ctx := context.Background()
	for _, sql := range []string{"SELECT house, sum(cost) FROM clinic.visits GROUP BY house", "SELECT count(*), avg(cost) FROM clinic.visits"} {
		if _, err := assess.CompareBounds(ctx, w.Policy, sql); err == nil || !strings.Contains(err.Error(), "adds up numbers") {
			t.Errorf("bounds of %s: %v", sql, err)
		}
	}
	own := "SELECT count(DISTINCT patient) FROM clinic.visits v WHERE EXISTS (SELECT FROM clinic.visits w WHERE w.patient = v.patient AND w.house = 'east')"
	a, err := assess.Assess(ctx, w.Policy, assess.Request{SQL: own})
	if err != nil || len(a.Questions) != 1 || a.Questions[0].Total != 1 {
		t.Errorf("persons by what they have in the same table: %+v, %v", a, err)
	}
}
