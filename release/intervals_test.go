package release

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/rewrite/query"
)

var oneInTwenty = big.NewRat(1, 20)

// rowMechanism is that of counts of the people's rows.
func (w *ward) rowMechanism(d *Gateway, table policy.TableName) *mechanisms.Mechanism {
	return d.monitor.Current().Mechanisms[table][live.SensitivityOfRow]
}

// compareEnds compares the ends of the first interval with those that each cell is to have; without ok, none is known.
func compareEnds(t *testing.T, sql string, cells *query.Cells, want func(cell int) (mechanisms.Interval, bool)) {
	t.Helper()
	if len(cells.Ends) == 0 || len(cells.Ends[0].Low) != len(cells.Counts[0]) {
		t.Fatalf("%s: %d cells have the ends %+v", sql, len(cells.Counts[0]), cells.Ends)
	}
	ends := cells.Ends[0]
	for i := range cells.Counts[0] {
		in, ok := want(i)
		switch {
		case ends.Unknown[i] != !ok:
			t.Errorf("%s: cell %d has an interval: %t, want %t", sql, i, !ends.Unknown[i], ok)
		case ok && (ends.Low[i] != in.Low || ends.High[i] != in.High):
			t.Errorf("%s: cell %d with %d is between %d and %d, want %v", sql, i, cells.Counts[0][i], ends.Low[i], ends.High[i], in)
		}
	}
}

// TestIntervalsOfEachCell: a cell has the interval of the way in which it was answered, also when the answer is repeated. It fails if a derived
// cell has the width of one of its parts, or that of the cell with the most parts, and if the count behind a threshold has the width of
// its noise, which is too narrow.
func TestIntervalsOfEachCell(t *testing.T) {
	w := newWardOf(t, wardSchema, strings.ReplaceAll(noisyWardPolicy(), "derive: false", "derive: true"))
	d := w.open()
	m := w.rowMechanism(d, PeopleTable)
	added := map[string]int{"t": 30, "f": 270, "NULL": 3}
	for range 2 {
		fine := w.answered(d, nil, "SELECT age, region, count(*), tacit.low(count(*)) FROM clinic.people GROUP BY age, region")
		compareEnds(t, "by age and region", fine.cells, func(i int) (mechanisms.Interval, bool) {
			return m.Interval(fine.cells.Counts[0][i], false, oneInTwenty)
		})
		coarse := w.answered(d, nil, "SELECT age < 10 AS young, count(*), tacit.low(count(*)) FROM clinic.people GROUP BY age < 10")
		if coarse.receipt.Derived == nil || len(coarse.cells.Counts[0]) != 3 {
			t.Fatalf("%+v of %+v", coarse.receipt, coarse.cells)
		}
		keys, counts := coarse.tuples()
		compareEnds(t, "young", coarse.cells, func(i int) (mechanisms.Interval, bool) {
			width, ok := m.SumWithin(added[keys[i][0]], oneInTwenty)
			return mechanisms.Around(counts[i], width), ok
		})
		found := w.answered(d, nil, "SELECT illness, count(*), tacit.low(count(*), 0.99), count(*) FILTER (WHERE sex = 'F'), tacit.high(count(*) FILTER (WHERE sex = 'F')) FROM clinic.people GROUP BY illness")
		compareEnds(t, "illness", found.cells, func(i int) (mechanisms.Interval, bool) {
			return m.SelectedInterval(found.cells.Counts[0][i], big.NewRat(1, 100))
		})
		beside := query.Cells{Counts: found.cells.Counts[1:], Ends: found.cells.Ends[1:]}
		compareEnds(t, "women by illness", &beside, func(i int) (mechanisms.Interval, bool) { return m.Interval(beside.Counts[0][i], false, oneInTwenty) })
	}
}

// TestIntervalsOfTotals: the error of a total is told for as many cells as totals add up, and for no other number; behind a threshold for none.
func TestIntervalsOfTotals(t *testing.T) {
	w := newWardOf(t, wardSchema, noisyWardPolicy())
	d := w.open()
	m := w.rowMechanism(d, PeopleTable)
	totals := w.answered(d, nil, "SELECT region, sex, count(*), tacit.low(count(*)) FROM clinic.people GROUP BY ROLLUP (region, sex)").cells
	want := make(map[int]int64)
	for _, size := range []int{1, 3, 9} { // cells, regions of which each has three, and all
		want[size], _ = m.SumWithin(size, oneInTwenty)
	}
	got := make(map[int]int64)
	for i, width := range totals.Ends[0].High {
		if !totals.Ends[0].Unknown[i] {
			got[i+1] = width
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	found := w.answered(d, nil, "SELECT illness, count(*), tacit.low(count(*)) FROM clinic.people GROUP BY ROLLUP (illness)").cells
	if diff := cmp.Diff([]query.Ends{{}}, found.Ends); diff != "" {
		t.Errorf("behind a threshold: %s", diff)
	}
}

// TestIntervalsInParts: cells of an answer in parts have intervals wherever they come from.
func TestIntervalsInParts(t *testing.T) {
	w, now := newGrowingWard(t, "0.1", byDay, "true"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	m := w.rowMechanism(d, staysTable)
	for day := range 3 {
		sql := strings.Replace(lastDays(now.now()), "count(*)", "count(*), tacit.within(count(*))", 1)
		got := w.answered(d, nil, sql)
		if got.receipt.InParts != (day > 0) {
			t.Errorf("day %d is answered %s", day, got.receipt.How())
		}
		compareEnds(t, sql, got.cells, func(i int) (mechanisms.Interval, bool) { return m.Interval(got.cells.Counts[0][i], false, oneInTwenty) })
		now.forward(24 * time.Hour)
	}
}

// TestIntervalsOfKinds: of counts that are withheld it is known that they are small, of moved counts nothing; a count of different values is not
// above the number of those that are declared.
func TestIntervalsOfKinds(t *testing.T) {
	const kind, sql = "{kind: geometric, epsilon: 20, delta: 1e-9}", "SELECT region, count(*), tacit.low(count(*)) FROM clinic.people GROUP BY region"
	withheld := newWardOf(t, wardSchema, strings.Replace(wardPolicy, kind, "{kind: dp-suppression, epsilon: 1, k: 50}", 1))
	d := withheld.open()
	m, hidden := withheld.rowMechanism(d, PeopleTable), 0
	shown := withheld.answered(d, nil, sql).cells
	compareEnds(t, "dp-suppression", shown, func(i int) (mechanisms.Interval, bool) {
		if shown.Suppressed[0][i] {
			hidden++
			return mechanisms.Interval{Low: 0, High: 49 + m.HalfWidth95()}, true
		}
		return m.Interval(shown.Counts[0][i], false, oneInTwenty)
	})
	if hidden == 0 {
		t.Error("nothing is withheld")
	}
	moved := newWardOf(t, wardSchema, strings.NewReplacer(kind, "{kind: dp-swapping, epsilon: 20, quasi: [region], accept: no-guarantee}",
		"budget: {epsilon: 1000, delta: 1e-8}", "budget: {releases: 10}").Replace(wardPolicy))
	compareEnds(t, "dp-swapping", moved.answered(moved.open(), nil, sql).cells, func(int) (mechanisms.Interval, bool) { return mechanisms.Interval{}, false })

	clipped := newWardOf(t, wardSchema, noisyWardPolicy())
	values := clipped.answered(clipped.open(), nil, "SELECT count(DISTINCT sex), tacit.high(count(DISTINCT sex)) FROM clinic.people").cells
	if high := values.Ends[0].High[0]; high > 2 {
		t.Errorf("up to %d different values of 2", high)
	}
}

// TestIntervalsOfAuditedCounts: what an auditor shows is exact, and of what it withholds nothing is known.
func TestIntervalsOfAuditedCounts(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	known, unknown := 0, 0
	for _, sql := range []string{
		"SELECT count(*), tacit.low(count(*)) FROM clinic.carriers WHERE gene AND age = 99",
		"SELECT count(*), tacit.low(count(*)) FROM clinic.carriers WHERE gene AND hair = 'blonde'",
	} {
		cells := w.answered(d, nil, sql).cells
		exact := cells.Suppressed[0] == nil
		if exact {
			known++
			compareEnds(t, sql, &query.Cells{Counts: cells.Counts, Ends: []query.Ends{{Low: cells.Ends[0].Low, High: cells.Ends[0].High, Unknown: make([]bool, 1)}}},
				func(i int) (mechanisms.Interval, bool) {
					return mechanisms.Interval{Low: cells.Counts[0][i], High: cells.Counts[0][i]}, true
				})
			continue
		}
		unknown++
		compareEnds(t, sql, cells, func(int) (mechanisms.Interval, bool) { return mechanisms.Interval{}, false })
	}
	if known != 1 || unknown != 1 {
		t.Errorf("%d shown, %d withheld", known, unknown)
	}
}

// The test of cells relies on noise so large that the widths of its cells differ.
func TestWidthsDiffer(t *testing.T) {
	w := newWardOf(t, wardSchema, noisyWardPolicy())
	m := w.rowMechanism(w.open(), PeopleTable)
	last := int64(math.MinInt64)
	for _, cells := range []int{1, 3, 30, 270} {
		width, ok := m.SumWithin(cells, oneInTwenty)
		if !ok || width <= last {
			t.Errorf("%d cells are within ±%d, fewer within ±%d", cells, width, last)
		}
		last = width
	}
}
