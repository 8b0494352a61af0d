package release

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"tacit/accountant/ledger"
	"tacit/mechanisms"
	"tacit/release/internal/sources"
)

const (
	youngBySex = "SELECT region, sex, count(*) FROM clinic.people WHERE age < 5 GROUP BY region, sex"
	youngByAge = "SELECT region, age, count(*) FROM clinic.people WHERE age < 5 GROUP BY region, age"
	young      = "SELECT region, count(*), tacit.low(count(*)) FROM clinic.people WHERE age < 5 GROUP BY region"
)

// A count that follows from two releases is the mean of what they give, weighted by the inverse of the cells that each adds up; it is free, says of which
// releases it was made, and is more exact than that of one.
func TestMeansOfReleases(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	m := w.rowMechanism(d, PeopleTable)
	bySex := w.answered(d, nil, youngBySex)
	one := w.answered(d, nil, young)
	byAge := w.answered(d, nil, youngByAge)
	before := w.spent(d)
	got := w.answered(d, nil, young)
	r := got.receipt.Derived
	if r == nil || r.Means != 1 || !slices.Equal(r.Releases, []int64{1, 2}) || r.Cells != 8 || w.spent(d) != before {
		t.Fatalf("%+v", got.receipt)
	}
	region := func(key []string) string { return key[0] }
	three, five := bySex.rollUp(region), byAge.rollUp(region)
	const first, second = 8, 5 // of 1/3 and 1/5, as parts of 16, without their common divisor
	for key, n := range got.byKeys() {
		mean := float64(first*three[key]+second*five[key]) / (first + second)
		if float64(n) != math.RoundToEven(mean) {
			t.Errorf("%s: %d of %d and %d", key, n, three[key], five[key])
		}
	}
	sum, ok := m.WeightedWithin([]mechanisms.Weighted{{Weight: first, Cells: 3}, {Weight: second, Cells: 5}}, big.NewRat(1, 20))
	width := (2*sum + first + second) / (2 * (first + second))
	if !ok || got.receipt.HalfWidth95 != width || 100*width >= 95*one.receipt.HalfWidth95 {
		t.Errorf("±%d, not ±%d; of one release ±%d", got.receipt.HalfWidth95, width, one.receipt.HalfWidth95)
	}
	compareEnds(t, young, got.cells, func(i int) (mechanisms.Interval, bool) { return mechanisms.Around(got.cells.Counts[0][i], width), true })
	e, err := w.explain(d, "ward_ana", young)
	if err != nil {
		t.Fatal(err)
	}
	text := undated(strings.Join(e.Lines(), "\n"))
	for _, want := range []string{
		"  Cost: free (derived from releases 1, 2, answered before: each count is a weighted mean of what they give, of at most 8 noisy cells; rows with undeclared values of age or sex are left out)",
		fmt.Sprintf("  Expected Error: within ±%d with probability 95%% (geometric noise)", width),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("EXPLAIN has no line %q:\n%s", want, text)
		}
	}
	entries := w.awaitEntries(d, ledger.Derived, 2)
	if !slices.Equal(entries[0].Releases, []int64{1, 2}) || !slices.Equal(entries[1].Releases, []int64{1}) {
		t.Errorf("the log has %+v", entries)
	}
}

// awaitEntries waits for as many entries of the log with a verdict, the newest first.
func (w *ward) awaitEntries(d *Gateway, verdict ledger.Verdict, n int) []ledger.Entry {
	w.T.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		entries, err := d.monitor.Ledger.Log(context.Background(), ledger.LogFilter{Verdict: verdict})
		if err != nil {
			w.T.Fatal(err)
		}
		if len(entries) >= n {
			return entries
		}
		if time.Now().After(deadline) {
			w.T.Fatalf("the log has %+v", entries)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// The answer depends on the ledger, the policy and the statement alone: it is the same after a reload, from another process, where nothing is remembered,
// and where one person's row is another one or gone; also what is said of it, and what it costs. No protected row is read.
func TestMeansDependOnTheLedger(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	w := derivingWard(t)
	d := w.open()
	w.answered(d, nil, youngBySex)
	w.answered(d, nil, youngByAge)
	first := w.answered(d, nil, young)
	before := w.spent(d)
	same := func(what string) {
		t.Helper()
		got := w.answered(d, nil, young)
		if cellText(got.cells) != cellText(first.cells) || fmt.Sprint(got.cells.Ends) != fmt.Sprint(first.cells.Ends) ||
			undated(got.receipt.String()) != undated(first.receipt.String()) || w.spent(d) != before {
			t.Errorf("%s: at first %s, then %s: %s", what, cellText(first.cells), cellText(got.cells), got.receipt)
		}
	}
	same("again")
	d.noisy.Derivables = sources.Known{}
	if err := d.Reload(t.Context(), w.Policy); err != nil {
		t.Fatal(err)
	}
	same("after a reload")
	for _, change := range []string{"UPDATE clinic.people SET region = 'east', sex = 'M', age = 4 WHERE id = 2", "DELETE FROM clinic.people WHERE id = 1", "TRUNCATE clinic.people"} {
		w.Exec(change)
		d.Close()
		d = w.open()
		same(change)
	}
}

// An answer stays what it is while what is recorded tells little more; what was asked itself keeps its answer.
func TestMeansStay(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	const total = "SELECT count(*) FROM clinic.people WHERE age < 5 AND region = 'north'"
	w.answered(d, nil, youngBySex)
	first := w.answered(d, nil, total)
	w.answered(d, nil, "SELECT region, sex, age, count(*) FROM clinic.people WHERE age < 10 GROUP BY region, sex, age")
	w.answered(d, asksFresh, "SELECT sex, region, age, count(*) FROM clinic.people WHERE age < 15 AND region <> 'south' GROUP BY sex, region, age")
	if got := w.answered(d, nil, total); cellText(got.cells) != cellText(first.cells) || !slices.Equal(got.receipt.Derived.Releases, []int64{1}) {
		t.Errorf("of 15 cells and of 3: %v", got.receipt)
	}
	w.answered(d, asksFresh, youngByAge)
	if got := w.answered(d, nil, total); got.receipt.Derived.Means != 1 || len(got.receipt.Derived.Releases) < 2 {
		t.Errorf("of 5 cells and of 3: %v", got.receipt)
	}
	own := w.answered(d, asksFresh, total)
	w.answered(d, asksFresh, "SELECT age < 3, region, count(*) FROM clinic.people WHERE age < 5 GROUP BY age < 3, region")
	if got := w.answered(d, nil, total); got.receipt.Derived != nil || got.receipt.Replayed != 1 || cellText(got.cells) != cellText(own.cells) {
		t.Errorf("asked itself: %v", got.receipt)
	}
}

// Totals of means have a ± that holds for them, and so do all counts at once.
func TestTotalsOfMeans(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	w.answered(d, nil, youngBySex)
	w.answered(d, nil, youngByAge)
	m := w.rowMechanism(d, PeopleTable)
	got := w.answered(d, nil, "SELECT region, count(*), tacit.low(count(*)) FROM clinic.people WHERE age < 5 GROUP BY ROLLUP (region)")
	if r := got.receipt; r.Derived == nil || r.Derived.Means != 1 || r.Totals == nil {
		t.Fatalf("%+v", got.receipt)
	}
	sum, _ := m.WeightedWithin([]mechanisms.Weighted{{Weight: 8, Cells: 9}, {Weight: 5, Cells: 15}}, big.NewRat(1, 40))
	if want := (2*sum + 3*13) / (2 * 13); got.receipt.Totals.HalfWidth95 != want || got.cells.Ends[0].High[2] != want {
		t.Errorf("the total is within ±%d and ±%d, not ±%d", got.receipt.Totals.HalfWidth95, got.cells.Ends[0].High[2], want)
	}
	chosen := w.answered(d, nil, "SELECT region, count(*) FROM clinic.people WHERE age < 5 GROUP BY region ORDER BY 2 DESC LIMIT 1").receipt
	if chosen.AtOnce == nil || !chosen.AtOnce.Known || chosen.AtOnce.HalfWidth95 <= chosen.HalfWidth95 {
		t.Errorf("at once: %+v", chosen.AtOnce)
	}
}
