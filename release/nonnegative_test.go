package release

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/policy"
)

// fittedTables are the counts of the workload, beside what their sums are compared with.
var fittedTables = []string{
	"SELECT age, count(*), tacit.low(count(*)), tacit.high(count(*)) FROM clinic.people GROUP BY age",
	"SELECT region, sex, count(*), tacit.low(count(*)), tacit.high(count(*)) FROM clinic.people GROUP BY region, sex",
	"SELECT region, count(*) FROM clinic.people GROUP BY region",
	"SELECT count(*) FROM clinic.people",
}

// refitted changes how negative counts of the workload are shown, and nothing else.
func (w *ward) refitted(d *Gateway, nonnegative bool, version string) {
	w.T.Helper()
	changed := w.changed(func(t *policy.Table) {
		workload := *t.Workload
		workload.Nonnegative = nonnegative
		t.Workload = &workload
	})
	changed.Version = version
	if err := d.Reload(context.Background(), changed); err != nil {
		w.T.Fatal(err)
	}
}

// TestNonnegativeWorkload: with negative: fit no count that follows from a workload is below 0, and they add up but for rounding. It costs nothing, and may be
// switched on and off; each time the same question has the answer that it had. Intervals are those of the counts that were measured.
func TestNonnegativeWorkload(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	w := newWardOf(t, wardSchema, measuredPolicy(strings.Replace(noisyWorkload, "epsilon: 1,", "epsilon: 0.2,", 1)))
	d := w.open()
	ask := func() (answers []askedCells, text string) {
		for _, sql := range fittedTables {
			a := w.answered(d, nil, sql)
			answers = append(answers, a)
			text += cellText(a.cells)
		}
		return answers, text
	}
	measured, before := ask()
	spent := w.spent(d)
	if spent.Epsilon != 2e8 {
		t.Fatalf("spent %v", spent)
	}
	below := slices.ContainsFunc(measured[0].cells.Counts[0], func(n int64) bool { return n < 0 })
	if !below || strings.Contains(measured[0].receipt.String(), "fitted") {
		t.Fatalf("there is nothing to fit: %s", before)
	}
	w.refitted(d, true, "fitted")
	fitted, after := ask()
	for k, a := range fitted {
		for i, n := range a.cells.Counts[0] {
			if n < 0 {
				t.Errorf("%s: a count of %d", fittedTables[k], n)
			}
			if k > 1 {
				continue
			}
			was, ends := measured[k].cells, a.cells.Ends
			low, high := min(n, was.Ends[0].Low[i]), max(n, was.Ends[0].High[i])
			if ends[0].Low[i] != low || ends[0].High[i] != high {
				t.Errorf("%s: %d, measured as %d in %d to %d, is told to be in %d to %d", fittedTables[k], n, was.Counts[0][i], was.Ends[0].Low[i], was.Ends[0].High[i],
					ends[0].Low[i], ends[0].High[i])
			}
		}
	}
	total := fitted[3].cells.Counts[0][0]
	for k, a := range fitted[:3] {
		sum := int64(0)
		for _, n := range a.cells.Counts[0] {
			sum += n
		}
		if off, most := sum-total, int64(len(a.cells.Counts[0])+1)/2; off > most || off < -most {
			t.Errorf("%s: the sum is %d, the total %d", fittedTables[k], sum, total)
		}
	}
	if text := fitted[0].receipt.String(); !strings.Contains(text, "with probability 95% before all were fitted so that none is below 0, which changed these by up to ") {
		t.Errorf("the notice: %s", text)
	}
	e, err := w.explain(d, "ward_ana", fittedTables[0])
	if err != nil || !strings.Contains(strings.Join(e.Lines(), "\n"), "\n  Bias: the error is that before all were fitted so that none is below 0, which changed these by up to ") {
		t.Errorf("%v: %v", err, e.Lines())
	}
	// A bound that is asked for is one of counts as they were measured.
	if got := w.answered(d, within(1000), fittedTables[1]); got.receipt.Charged != (accountant.Loss{}) || cellText(got.cells) != cellText(measured[1].cells) {
		t.Errorf("asked within a bound: %s, %s", cellText(got.cells), got.receipt)
	}
	d.Close()
	d = w.open()
	w.refitted(d, true, "fitted again")
	if _, again := ask(); again != after {
		t.Errorf("after a restart: %s, not %s", again, after)
	}
	w.refitted(d, false, "as measured")
	if _, again := ask(); again != before {
		t.Errorf("as measured: %s, not %s", again, before)
	}
	if got := w.spent(d); got != spent {
		t.Errorf("%v was charged besides %v", got, spent)
	}
}

// TestNonnegativeBeforeItIsMeasured: EXPLAIN says what fitting does before anything is measured, and nothing of how far.
func TestNonnegativeBeforeItIsMeasured(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(noisyWorkload+", negative: fit"))
	d := w.open()
	e, err := w.explain(d, "ward_ana", fittedTables[0])
	if err != nil || !strings.Contains(strings.Join(e.Lines(), "\n"), "\n  Bias: the error is that before all are fitted so that none is below 0, which makes small ones too large on average, and changes others for it\n") {
		t.Errorf("%v: %v", err, e.Lines())
	}
}
