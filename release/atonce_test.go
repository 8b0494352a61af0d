package release

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tacit/release/internal/live"
)

// noisyWardPolicy is that of the ward with so little epsilon that noise is what is seen.
func noisyWardPolicy() string {
	return strings.NewReplacer("kind: geometric, epsilon: 20, delta: 1e-9", "kind: geometric, epsilon: 0.1, delta: 1e-9",
		"cells: 200", "cells: 2000").Replace(wardPolicy)
}

// TestAllCountsAtOnce asks for 202 cells, most of them of 2 or 3 people. The notice, and EXPLAIN, bound all of them at once where the statement
// chooses by counts, by the tails of geometric noise: with a = exp(-0.1), w is the least with 202 * 2 a^(w+1)/(1+a) <= 0.05. It fails if
// the three largest of them are said to be within what holds for one.
func TestAllCountsAtOnce(t *testing.T) {
	w := newWardOf(t, wardSchema, noisyWardPolicy())
	d := w.open()
	a, bound := math.Exp(-0.1), 0
	for 202*2*math.Pow(a, float64(bound+1))/(1+a) > 0.05 {
		bound++
	}
	const shows = "SELECT age, region, count(*) FROM clinic.people WHERE region <> 'east' GROUP BY age, region"
	atOnce := fmt.Sprintf("; all 202 counts at once within ±%d, also those that are chosen by size; ", bound)
	for _, c := range []struct {
		sql     string
		chooses bool
	}{
		{shows, false},
		{shows + " ORDER BY age", false},
		{shows + " ORDER BY count(*) DESC LIMIT 3", true},
		{shows + " HAVING count(*) > 50", true},
		{"SELECT max(n) FROM (" + shows + ") AS c(age, region, n)", true},
	} {
		_, receipt, err := w.ask(d, "ward_ana", c.sql)
		if err != nil {
			t.Fatal(err)
		}
		if notice := receipt.Notice(); !strings.Contains(notice, "each count within ±30 with probability 95%; ") || strings.Contains(notice, atOnce) != c.chooses {
			t.Errorf("%s: %s", c.sql, notice)
		}
		e, err := w.explain(d, "ward_ana", c.sql)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("  Error of All at Once: all 202 counts within ±%d with probability 95%%", bound)
		if lines := e.Lines(); slices.Contains(lines, line) != c.chooses {
			t.Errorf("EXPLAIN %s: %s", c.sql, strings.Join(lines, "\n"))
		}
	}
}

// TestChosenByThreshold fails if cells that a threshold of truncated noise shows are bounded by more or less than that noise, or if other counts
// beside them are not.
func TestChosenByThreshold(t *testing.T) {
	w := newWardOf(t, wardSchema, noisyWardPolicy())
	d := w.open()
	const sql = "SELECT illness, count(*), count(*) FILTER (WHERE sex = 'F') FROM clinic.people GROUP BY illness ORDER BY 2 DESC"
	for _, want := range []string{"reached 179 are shown, so small groups are overstated; all 4 counts at once within ±178, also those that are chosen by size; charged", "free"} {
		_, receipt, err := w.ask(d, "ward_ana", sql)
		if err != nil || !strings.Contains(receipt.Notice(), want) {
			t.Errorf("%v, %v, want %s", receipt, err, want)
		}
	}
}

// TestTotalsAreBounded fails if the ± of a cell passes for that of a total: what is said of totals holds for sums of as many cells as there can be
// in one, and for all totals where the statement chooses among them. Where a threshold leaves out cells, nothing is said but that.
func TestTotalsAreBounded(t *testing.T) {
	w := newWardOf(t, wardSchema, noisyWardPolicy())
	d := w.open()
	made := d.monitor.Current().Mechanisms[PeopleTable][live.SensitivityOfRow]
	for _, c := range []struct {
		sql           string
		cells, totals int
	}{
		{"SELECT region, sex, count(*) FROM clinic.people GROUP BY ROLLUP (region, sex)", 9, 1},
		{"SELECT region, sex, count(*) FROM clinic.people GROUP BY ROLLUP (region, sex) ORDER BY count(*) DESC", 9, 9 + 3 + 1},
		{"SELECT region, sex, count(*) FROM clinic.people GROUP BY GROUPING SETS ((region), (sex)) ORDER BY 3", 3, 6},
		{"SELECT region, sex, count(*) FROM clinic.people WHERE region = 'north' GROUP BY CUBE (region, sex)", 3, 1},
		{"SELECT age, age / 10, count(*) FROM clinic.people WHERE age < 20 GROUP BY ROLLUP (age / 10, age)", 20, 1},
	} {
		within, _ := made.SumsWithin95(c.cells, c.totals)
		_, receipt, err := w.ask(d, "ward_ana", c.sql)
		if want := fmt.Sprintf("; totals add up the noise of their cells, at most %d, within ±%d; ", c.cells, within); err != nil || !strings.Contains(receipt.Notice(), want) {
			t.Errorf("%s: %v, %v, want %s", c.sql, receipt, err, want)
		}
	}
	const missing = "; totals add up the cells that are shown and leave out all others, so that they are too small: no ± holds for them; "
	_, receipt, err := w.ask(d, "ward_ana", "SELECT region, illness, count(*) FROM clinic.people GROUP BY ROLLUP (region, illness)")
	if err != nil || !strings.Contains(receipt.Notice(), missing) {
		t.Errorf("%v, %v", receipt, err)
	}
}
