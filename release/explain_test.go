package release

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/release/internal/reply"
	"tacit/rewrite/pgerror"
)

// explain takes the count queries of a statement to the door.
func (w *ward) explain(d *Gateway, analyst, sql string) (*reply.Explanation, error) {
	w.T.Helper()
	return d.Explain(context.Background(), Request{Analyst: analyst, SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
}

// TestExplain explains a question before and after it is answered. It fails if explaining charges, runs on the curator's connection,
// or tells another cost than is charged then.
func TestExplain(t *testing.T) {
	w := newWard(t)
	d := w.open()
	const sql = `SELECT region, count(*), count(*) FILTER (WHERE age > 50) FROM clinic.people GROUP BY region`
	want := strings.TrimLeft(`
Sanitized Count on clinic.people
  Question: count(*) FROM clinic.people GROUP BY region
  Cost: epsilon 20
  Expected Error: within ±0 with probability 95% (geometric noise)
  Cells: at most 3
Sanitized Count on clinic.people
  Question: count(*) FILTER (WHERE age >= 51) FROM clinic.people GROUP BY region
  Cost: epsilon 20
  Expected Error: within ±0 with probability 95% (geometric noise)
  Cells: at most 3
Budget of clinic.people
  Cost: epsilon 40
  Left: epsilon 1000, delta 0.00000001
  Left of Yours: epsilon 40
  Covered: yes
Nothing was counted or charged.`, "\n")
	for range 2 {
		e, err := w.explain(d, "ward_bob", sql)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(strings.Join(e.Lines(), "\n"), "1e-8", "0.00000001")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	_, receipt, err := w.ask(d, "ward_bob", `SELECT region, count(*) FROM clinic.people GROUP BY region`)
	if err != nil {
		t.Fatal(err)
	}
	if left := receipt.Lines[0].AnalystLeft.Epsilon.String(); left != "20.000000004" {
		t.Errorf("after one count of epsilon 20 there is %s left: explaining was charged", left)
	}
	d.monitor.Curator.Close()
	e, err := w.explain(d, "ward_bob", sql)
	if err != nil {
		t.Fatal(err)
	}
	if q := e.Questions; !q[0].Recorded || q[0].Loss.Epsilon != 0 || q[1].Recorded || !e.Tables[0].Covered || e.Tables[0].Loss != q[1].Loss {
		t.Errorf("one of two is recorded: %+v", e)
	}
	for sql, covered := range map[string]bool{
		`SELECT count(*), count(age) FROM clinic.people`:                                                                   false, // a cap
		`SELECT count(*), count(*) FILTER (WHERE region = 'south') FROM clinic.staff`:                                      false, // a budget
		`SELECT count(*) FROM clinic.staff`:                                                                                true,
		`SELECT (SELECT count(*) FROM clinic.staff), (SELECT count(*) FROM clinic.staff)`:                                  true, // one question
		`SELECT region, count(*) FROM clinic.people GROUP BY region HAVING count(*) > (SELECT count(*) FROM clinic.staff)`: true,
	} {
		e, err := w.explain(d, "ward_bob", sql)
		if err != nil || e.Tables[0].Covered != covered {
			t.Errorf("%s: %+v, %v", sql, e, err)
		}
	}
}

// TestExplainUnknownKeys: no cells are told of, but the threshold, and its delta.
func TestExplainUnknownKeys(t *testing.T) {
	w := newWard(t)
	d := w.open()
	e, err := w.explain(d, "ward_ana", `SELECT illness, count(*) FROM clinic.people GROUP BY illness`)
	if err != nil {
		t.Fatal(err)
	}
	q := e.Questions[0]
	if q.Threshold < 2 || q.Cells != 0 || q.Loss.Delta == 0 || e.Tables[0].AnalystLeft != nil {
		t.Errorf("%+v", e)
	}
	text, err := e.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var parsed []struct {
		Plan struct {
			NodeType  string `json:"Node Type"`
			Questions []map[string]any
		}
	}
	if err := json.Unmarshal([]byte(text), &parsed); err != nil || parsed[0].Plan.NodeType != "Sanitized Counts" ||
		parsed[0].Plan.Questions[0]["Cells"] != nil || parsed[0].Plan.Questions[0]["Threshold"] == nil {
		t.Errorf("%v in %s", err, text)
	}
	if _, err := w.explain(d, "stranger", `SELECT count(*) FROM clinic.people`); !errors.As(err, new(*pgerror.Refusal)) {
		t.Errorf("a stranger was answered: %v", err)
	}
	if _, err := w.explain(d, "ward_ana", `SELECT id, region, count(*) FROM clinic.staff GROUP BY id, region`); !errors.As(err, new(*pgerror.Refusal)) {
		t.Errorf("too many cells were explained: %v", err)
	}
}

// TestExplainAdjacency changes the adjacency of a table that was counted, which needs a restart. It fails if EXPLAIN says that what would be
// refused is covered, or refuses what is free.
func TestExplainAdjacency(t *testing.T) {
	w := newWard(t)
	d := w.open()
	const kept, changed = "SELECT count(*) FROM clinic.staff", "SELECT count(*) FROM clinic.people"
	w.cells(d, changed)
	w.cells(d, kept)
	d.Close()
	w.Policy = w.changed(func(table *policy.Table) { table.Adjacency = policy.ReplaceOne })
	d = w.open()
	if names := d.OtherAdjacency(context.Background()); !slices.Equal(names, []policy.TableName{w.Policy.Tables[0].Name}) {
		t.Errorf("the adjacency was changed of %v", names)
	}
	for _, sql := range []string{changed, "SELECT count(sex) FROM clinic.people"} {
		_, _, answered := w.ask(d, "ward_ana", sql)
		_, explained := w.explain(d, "ward_ana", sql)
		var a, e *pgerror.Refusal
		if !errors.As(answered, &a) || !errors.As(explained, &e) || a.Code != "55000" || *a != *e {
			t.Errorf("%s: the answer is refused with %v, EXPLAIN with %v", sql, answered, explained)
		}
	}
	for _, sql := range []string{kept, "SELECT count(region) FROM clinic.staff"} {
		if explained, err := w.explain(d, "ward_ana", sql); err != nil || !explained.Tables[0].Covered {
			t.Errorf("%s: %+v, %v", sql, explained, err)
		}
	}
}
