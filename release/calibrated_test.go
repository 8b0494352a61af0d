package release

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/noisy"
	"tacit/release/internal/site"
	"tacit/rewrite/pgerror"
)

func gaussianConfig() mechanisms.Config {
	return mechanisms.Config{Kind: policy.Gaussian, Epsilon: 5e8, Delta: 1e12, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, KeepNegative: true, Random: battery.Seeded(1)}
}

// TestMechanismCacheTellsConfigurationsApart fails if a mechanism is returned for what another configuration, or other margins, asked for,
// or if what was asked before is made anew.
func TestMechanismCacheTellsConfigurationsApart(t *testing.T) {
	margins := func(sets [][]int) *mechanisms.Margins {
		m, err := mechanisms.NewMargins([]int{2, 3}, sets)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	changes := map[string]func(*mechanisms.Config){
		"none":            func(*mechanisms.Config) {},
		"kind":            func(c *mechanisms.Config) { c.Kind = policy.DiscreteGaussian },
		"epsilon":         func(c *mechanisms.Config) { c.Epsilon++ },
		"delta":           func(c *mechanisms.Config) { c.Delta++ },
		"adjacency":       func(c *mechanisms.Config) { c.Adjacency = policy.ReplaceOne },
		"sensitivity":     func(c *mechanisms.Config) { c.Sensitivity = 4 },
		"per cell":        func(c *mechanisms.Config) { c.Sensitivity, c.PerCell = 4, 4 },
		"negative counts": func(c *mechanisms.Config) { c.KeepNegative = false },
		"calibration":     func(c *mechanisms.Config) { c.Calibration = policy.PDPCalibration },
		"margins":         func(c *mechanisms.Config) { c.Margins = margins([][]int{{0}}) },
		"other margins":   func(c *mechanisms.Config) { c.Margins = margins([][]int{{1}}) },
	}
	var cache live.MechanismCache
	made := make(map[string]*mechanisms.Mechanism)
	for range 2 {
		for name, change := range changes {
			c := gaussianConfig()
			change(&c)
			m, err := cache.Mechanism(c)
			if err != nil {
				t.Fatal(err)
			}
			if before, ok := made[name]; ok && before != m {
				t.Errorf("%s: made twice", name)
			}
			for other, o := range made {
				if other != name && o == m {
					t.Errorf("%s and %s have one mechanism", name, other)
				}
			}
			made[name] = m
		}
	}
}

// TestMechanismCacheIsBounded asks for more than the cache holds, failures among it, from several goroutines.
func TestMechanismCacheIsBounded(t *testing.T) {
	var cache live.MechanismCache
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 3 * live.MostCalibrated {
				c := gaussianConfig()
				c.Kind, c.Epsilon = policy.Geometric, policy.Epsilon(1e9+i)
				if i%10 == 0 {
					c.Kind, c.Epsilon, c.Delta = policy.Gaussian, 1, policy.Delta(i+1)
				}
				if m, err := cache.Mechanism(c); (err != nil) != (i%10 == 0) || err == nil && m.Loss().Epsilon != c.Epsilon {
					t.Errorf("%+v: %v, %v", c, m, err)
				}
			}
		})
	}
	all.Wait()
	if n := len(cache.Made); n != live.MostCalibrated {
		t.Errorf("%d mechanisms are held, want %d", n, live.MostCalibrated)
	}
}

// calibrations are those of one state's cache.
func calibrations(d *Gateway) int {
	c := d.monitor.Current().Calibrated
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return len(c.Made)
}

// TestJoinsShareMechanisms fails if statements about a join, or with fitted totals, have mechanisms made that others had made before.
func TestJoinsShareMechanisms(t *testing.T) {
	text := strings.ReplaceAll(strings.ReplaceAll(patientsPolicy, "epsilon: 100,", "epsilon: 100, negative: keep, totals: least-squares,"), "epsilon: 80,", "epsilon: 80, negative: keep, totals: least-squares,")
	w := newWardOf(t, patientsSchema, text)
	d := w.open()
	const from = " FROM clinic.patients p JOIN clinic.visits v ON v.patient = p.id"
	for _, c := range []struct {
		sql  string
		held int
	}{
		{"SELECT house, count(*) FROM clinic.visits GROUP BY house", 0},
		{"SELECT count(*)" + from, 1},
		{"SELECT count(*)" + from + " WHERE illness = 'flu'", 1},
		{"SELECT sex, count(*)" + from + " GROUP BY sex", 2}, // that of a threshold is at hand
		{"SELECT count(DISTINCT p.id)" + from, 3},            // without keys
		{"SELECT sex, v.house, count(*)" + from + " GROUP BY 1, 2", 3},
		{"SELECT sex, count(*)" + from + " GROUP BY ROLLUP (sex)", 4}, // that of the sensitivity that it asks for
		{"SELECT sex, count(*)" + from + " WHERE illness = 'flu' GROUP BY ROLLUP (sex)", 4},
		{"SELECT house, count(*) FROM clinic.visits GROUP BY ROLLUP (house)", 5},
		{"SELECT house, count(*) FROM clinic.visits WHERE illness = 'flu' GROUP BY ROLLUP (house)", 5},
	} {
		for range 2 {
			if _, err := w.explain(d, "ward_ana", c.sql); err != nil {
				t.Fatal(err)
			}
			if got := calibrations(d); got != c.held {
				t.Errorf("%s: %d mechanisms are held, want %d", c.sql, got, c.held)
			}
		}
	}
	first, err := noisy.NewQueryPlan(context.Background(), d.monitor.Curator, w.query(d, "SELECT count(*)"+from), d.monitor.Current())
	if err != nil {
		t.Fatal(err)
	}
	second, err := noisy.NewQueryPlan(context.Background(), d.monitor.Curator, w.query(d, "SELECT count(*) AS n"+from), d.monitor.Current())
	if err != nil {
		t.Fatal(err)
	}
	if first.Questions[0].Mechanism != second.Questions[0].Mechanism {
		t.Error("one question has two mechanisms")
	}
}

// TestJoinWithTooMuchNoise has two tables of which each has noise that can be made: one has a small epsilon for persons of one row, the
// other many rows of a person. Their joined rows need a variance of more than 2^40, their joined persons do not. It fails if that is an
// error without an SQLSTATE, if it is charged, or if it is said of counts that have noise.
func TestJoinWithTooMuchNoise(t *testing.T) {
	text := strings.NewReplacer(
		"{kind: geometric, epsilon: 80, delta: 2e-9}", "{kind: gaussian, epsilon: 0.0001, delta: 1e-9}",
		"rows: 3, groups: 3", "rows: 1, groups: 1",
		"{kind: geometric, epsilon: 100, delta: 1e-9}", "{kind: gaussian, epsilon: 100, delta: 1e-9}",
		"rows: 4, groups: 2", "rows: 500, groups: 2",
	).Replace(patientsPolicy)
	w := newWardOf(t, patientsSchema, text)
	d := w.open()
	const from = " FROM clinic.patients p JOIN clinic.visits v ON v.patient = p.id"
	for _, ask := range []func(sql string) error{
		func(sql string) error { _, _, err := w.ask(d, "ward_ana", sql); return err },
		func(sql string) error { _, err := w.explain(d, "ward_ana", sql); return err },
	} {
		err := ask("SELECT count(*)" + from)
		var refusal *pgerror.Refusal
		if !errors.As(err, &refusal) {
			t.Fatalf("joined rows: %v, want a refusal", err)
		}
		if refusal.Code != "0A000" || !strings.Contains(refusal.Hint, "sub-select") || !strings.Contains(refusal.Hint, "steward") || !strings.Contains(refusal.Detail, "0.0001 and 1e-9") {
			t.Errorf("%+v", refusal)
		}
		if !strings.Contains(err.Error(), "variance") {
			t.Errorf("the log has no reason: %v", err)
		}
	}
	for name, spent := range w.balances(d) {
		if spent.Epsilon != 0 {
			t.Errorf("%s was charged %v", name, spent)
		}
	}
	for _, sql := range []string{
		"SELECT count(DISTINCT p.id)" + from,
		"SELECT a.n, b.n FROM (SELECT count(*) n FROM clinic.patients) a, (SELECT count(*) n FROM clinic.visits) b",
	} {
		if _, _, err := w.ask(d, "ward_ana", sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// TestTableWithTooMuchNoise wants the door to stay closed, or the old policy in force, and the error to name the table, the kind and the
// remedy.
func TestTableWithTooMuchNoise(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, site.VisitsPolicy)
	d := w.open()
	bad := *w.Policy
	table := *bad.Tables[0]
	table.Mechanism = policy.Mechanism{Kind: policy.DiscreteGaussian, Epsilon: 1, Delta: 1}
	bad.Tables = []*policy.Table{&table}
	err := d.Reload(t.Context(), &bad)
	if err == nil {
		t.Fatal("a table without noise was accepted")
	}
	for _, want := range []string{"table clinic.visits", "discrete-gaussian", "persons ", "raise epsilon or delta"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in: %v", want, err)
		}
	}
	if got := w.cells(d, "SELECT count(*) FROM clinic.visits"); got == "" {
		t.Error("the old policy is not in force")
	}
	t.Log(err)
}
