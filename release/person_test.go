package release

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/noisy"
	"tacit/release/internal/site"
)

// TestPersonsWithManyRows pins what one person counts for. It fails if rows are counted unbounded or those of nobody are, if rows
// beyond the bound are counted in a FILTER, and if a threshold is reached by the many rows of one person.
func TestPersonsWithManyRows(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, site.VisitsPolicy)
	d := w.open()
	for _, c := range []struct{ name, sql, want string }{
		{"four rows of each person", "SELECT count(*) FROM clinic.visits", "404 \n"},
		{"persons", "SELECT count(DISTINCT patient) FROM clinic.visits", "101 \n"},
		{"persons with a filter", "SELECT count(DISTINCT v.patient) FILTER (WHERE illness = 'flu') FROM clinic.visits AS v", "100 \n"},
		{"rows after WHERE", "SELECT count(*) FROM clinic.visits WHERE illness = 'gout'", "4 \n"},
		{"a group of one person, declared", "SELECT count(*), count(DISTINCT patient) FROM clinic.visits WHERE house = 'east' GROUP BY house", "east 4 1 \n"},
		{"unknown keys are selected by their persons", "SELECT count(DISTINCT patient) FROM clinic.visits GROUP BY illness", "cold 100 \nflu 100 \n"},
		{"and counted in rows besides", "SELECT count(*) FILTER (WHERE house = 'east') FROM clinic.visits GROUP BY illness", "cold 0 \nflu 0 \n"},
	} {
		if got := w.cells(d, c.sql); got != c.want {
			t.Errorf("%s: %s\ngot:\n%swant:\n%s", c.name, c.sql, got, c.want)
		}
	}
	total := func(sql string) (sum int) {
		for _, line := range strings.Split(strings.TrimSpace(w.cells(d, sql)), "\n") {
			var key string
			var n int
			fmt.Sscan(line, &key, &n)
			sum += n
		}
		return sum
	}
	if n := total("SELECT house, count(DISTINCT patient) FROM clinic.visits GROUP BY house"); n != 201 {
		t.Errorf("100 persons in two of three houses and one in one are %d", n)
	}
	if n := total("SELECT house, count(*) FROM clinic.visits GROUP BY house"); n != 404 {
		t.Errorf("100 persons with two visits in each of two houses and one with 4 are %d", n)
	}
}

// TestNoiseOfEachQuestion compares each question's mechanism with that of its sensitivity, built anew.
func TestNoiseOfEachQuestion(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, strings.Replace(site.VisitsPolicy, "epsilon: 100,", "epsilon: 1,", 1))
	d := w.open()
	noise := func(sensitivity int64) *mechanisms.Mechanism {
		g, err := mechanisms.New(mechanisms.Config{
			Kind: policy.Geometric, PerCell: perCell(sensitivity),
			Epsilon: 1e9, Delta: 1e9, Adjacency: policy.AddRemove, Sensitivity: sensitivity, Random: rand.Reader,
		})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, c := range []struct {
		sql           string
		sensitivities []int64 // of the questions, in the order in which they are charged
		delta         policy.Delta
	}{
		{"SELECT count(*), count(DISTINCT patient) FROM clinic.visits", []int64{4, 1}, 0},
		{"SELECT count(DISTINCT patient), count(*) FROM clinic.visits GROUP BY house", []int64{2, 4}, 0},
		{"SELECT count(illness) FROM clinic.visits GROUP BY illness", []int64{2, 4}, 1e9},
		{"SELECT count(DISTINCT patient) FROM clinic.visits GROUP BY illness", []int64{2}, 0}, // free by now
	} {
		p, err := noisy.NewQueryPlan(context.Background(), d.monitor.Curator, w.query(d, c.sql), d.monitor.Current())
		if err != nil {
			t.Fatal(err)
		}
		widest := int64(0)
		for i, q := range p.Questions {
			want := noise(c.sensitivities[i])
			widest = max(widest, want.HalfWidth95())
			if q.Mechanism.HalfWidth95() != want.HalfWidth95() || q.Mechanism.Threshold() != want.Threshold() {
				t.Errorf("%s: question %d has noise of ±%d, want ±%d", c.sql, i+1, q.Mechanism.HalfWidth95(), want.HalfWidth95())
			}
		}
		_, receipt, err := w.ask(d, "ward_ana", c.sql)
		if err != nil {
			t.Fatal(err)
		}
		line := receipt.Lines[0]
		if len(p.Questions) != len(c.sensitivities) || line.HalfWidth95 != widest {
			t.Errorf("%s: %d questions, and a receipt of ±%d, want ±%d", c.sql, len(p.Questions), line.HalfWidth95, widest)
		}
		if p.ByThreshold && line.Threshold != noise(2).Threshold() {
			t.Errorf("%s: threshold %d, want %d", c.sql, line.Threshold, noise(2).Threshold())
		}
		if line.Charged.Delta != c.delta {
			t.Errorf("%s: charged %v, want a delta of %v", c.sql, line.Charged, c.delta)
		}
		if !strings.Contains(receipt.Notice(), "; each person counts for at most 4 rows in 2 groups, and rows beyond that are left out (how many is not known); ") {
			t.Errorf("%s: the notice is %q", c.sql, receipt.Notice())
		}
	}
}

// TestOtherBoundsAreOtherQuestions changes the policy: what was answered under other bounds is not the answer, unless the bounds
// make no difference.
func TestOtherBoundsAreOtherQuestions(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, site.VisitsPolicy)
	path := filepath.Join(filepath.Dir(w.Policy.Ledger.SQLite), "policy.yaml")
	text := fmt.Sprintf(site.VisitsPolicy, site.Cluster.Host, site.Cluster.Port, w.Database)
	d := w.open()
	statements := []string{
		"SELECT count(*) FROM clinic.visits", "SELECT count(*) FROM clinic.visits GROUP BY house",
		"SELECT count(DISTINCT patient) FROM clinic.visits GROUP BY house", "SELECT count(DISTINCT patient) FROM clinic.visits",
	}
	for _, sql := range statements {
		w.cells(d, sql)
	}
	for person, reloads := range map[string]bool{
		"{column: patient, rows: 5, groups: 1}": true, "row": false, "{column: cost, rows: 4, groups: 2}": false,
	} {
		other, err := policy.Parse(path, []byte(strings.Replace(text, "{column: patient, rows: 4, groups: 2}", person, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Reload(t.Context(), other); (err == nil) != reloads {
			t.Errorf("reload with person: %s: %v", person, err)
		}
	}
	for i, c := range []struct {
		person string
		free   []bool
	}{
		{"{column: patient, rows: 4, groups: 2}", []bool{true, true, true, true}},
		{"{column: patient, rows: 5, groups: 2}", []bool{false, false, true, true}},
		{"{column: patient, rows: 4, groups: 1}", []bool{true, false, false, true}},
		{"{column: cost, rows: 4, groups: 2}", []bool{false, false, false, false}},
	} {
		if testing.Short() && i%2 == 0 {
			continue
		}
		other, err := policy.Parse(path, []byte(strings.Replace(text, "{column: patient, rows: 4, groups: 2}", c.person, 1)))
		if err != nil {
			t.Fatal(err)
		}
		changed := &ward{&site.Site{T: t, Database: w.Database, Policy: other}}
		changed.Harden(other)
		d.Close()
		d = changed.open()
		for j, sql := range statements {
			_, receipt, err := changed.ask(d, "ward_ana", strings.Replace(sql, "patient", other.Tables[0].Person.Column, 1))
			if err != nil {
				t.Fatal(err)
			}
			if got := receipt.Lines[0].New == 0; got != c.free[j] {
				t.Errorf("%s, %s: free: %t", c.person, sql, got)
			}
		}
	}
}

// TestPersonsAreCharged follows the balance: a count of rows by unknown keys is two questions.
func TestPersonsAreCharged(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, site.VisitsPolicy)
	d := w.open()
	for _, step := range []struct {
		sql  string
		want accountant.Loss
	}{
		{"SELECT count(*) FROM clinic.visits", accountant.Loss{Epsilon: 100e9}},
		{"SELECT illness, count(*) FROM clinic.visits GROUP BY illness", accountant.Loss{Epsilon: 200e9, Delta: 1e9}},
		{"SELECT illness, count(DISTINCT patient) FROM clinic.visits GROUP BY illness", accountant.Loss{}},
		{"SELECT illness, count(*) FROM clinic.visits GROUP BY illness", accountant.Loss{}},
	} {
		_, receipt, err := w.ask(d, "ward_bob", step.sql)
		if err != nil {
			t.Fatal(err)
		}
		if got := receipt.Lines[0].Charged; got != step.want {
			t.Errorf("%s: charged %v, want %v", step.sql, got, step.want)
		}
	}
}
