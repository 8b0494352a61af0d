package release

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
)

// newDailyWard is a growing ward whose declared days end today.
func newDailyWard(t *testing.T, epsilon, blocks, derive string) *ward {
	t.Helper()
	text := strings.NewReplacer("EPSILON", epsilon, "BLOCKS", blocks, "DERIVE", derive, "2099-12-31", "today").Replace(growingPolicy)
	return newWardOf(t, growingSchema, text)
}

// tomorrow goes on to the next day, and has the gateway see it.
func (w *ward) tomorrow(d *Gateway, now *clock) {
	w.T.Helper()
	now.forward(24 * time.Hour)
	if err := d.Refresh(context.Background()); err != nil {
		w.T.Fatal(err)
	}
}

func (a askedCells) charged() string {
	switch {
	case a.receipt.Charged == (accountant.Loss{}):
		return "free"
	case a.receipt.Blocks == nil || len(a.receipt.Blocks.Names) == 0:
		return "all"
	}
	return strings.Join(a.receipt.Blocks.Names, " ")
}

// TestRangeEndsToday asks on two days for all days of a range that ends today. It fails if days are shown that have not come, if the second day's
// answer lacks its own, or if more is charged then than what is new.
func TestRangeEndsToday(t *testing.T) {
	w, now := newDailyWard(t, "20", byDay, "true"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	const sql = "SELECT admitted, count(*) FROM clinic.stays WHERE admitted >= '2099-01-25' GROUP BY admitted"
	first := w.answered(d, nil, sql)
	days, _ := first.tuples()
	if last := days[len(days)-1][0]; len(days) != 8 || last != "2099-02-01" || slices.Contains(first.receipt.Blocks.Names, "outside") || len(first.receipt.Blocks.Names) != 8 {
		t.Errorf("the first day: %v, charged to %s", days, first.charged())
	}
	now.forward(20 * time.Hour) // it is the next day, and the catalog has not been read again
	if late := w.answered(d, nil, sql); late.charged() != "free" || len(late.cells.Counts[0]) != 8 {
		t.Errorf("before the catalog is read: charged to %s, %d days", late.charged(), len(late.cells.Counts[0]))
	}
	now.forward(-20 * time.Hour)
	w.tomorrow(d, now)
	next := w.answered(d, nil, sql)
	if got := next.byKeys(); len(got) != 9 || got["2099-02-02"] != w.truth(sql)["2099-02-02"] || next.charged() != "2099-02-01 2099-02-02" {
		t.Errorf("the next day: %v, charged to %s", got, next.charged())
	}
	e, err := w.explain(d, "ward_ana", sql)
	if err != nil || !strings.Contains(strings.Join(e.Lines(), "\n"), "admitted <= date '2099-02-02'") {
		t.Errorf("EXPLAIN does not name the day: %v, %v", e, err)
	}
}

// TestOldQuestionsOfGrowingRanges asks questions on two days whose cells no later day can change. It fails if the second one is charged, or gets
// another answer: nothing is derived here.
func TestOldQuestionsOfGrowingRanges(t *testing.T) {
	w, now := newDailyWard(t, "0.5", "", "false"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	statements := []string{
		"SELECT admitted, count(*) FROM clinic.stays WHERE admitted BETWEEN '2099-01-05' AND '2099-01-10' GROUP BY admitted",
		"SELECT date_trunc('month', admitted), count(*) FROM clinic.stays WHERE date_trunc('month', admitted) = '2099-01-01' GROUP BY 1",
		"SELECT admitted, count(*) FROM clinic.stays WHERE admitted <= '2099-02-01' GROUP BY admitted",
		"SELECT ward, count(*) FROM clinic.stays WHERE extract(dow FROM admitted) = 1 GROUP BY ward",
		"SELECT count(*) FROM clinic.stays WHERE date_part('year', admitted) = 2099",
	}
	answers := make([]string, len(statements))
	for i, sql := range statements {
		answers[i] = w.cells(d, sql)
	}
	w.Exec("INSERT INTO clinic.stays (admitted, ward) SELECT '2099-01-07', 'a' FROM generate_series(1, 1000)")
	for range 2 {
		w.tomorrow(d, now)
		for i, sql := range statements {
			if again := w.answered(d, nil, sql); again.charged() != "free" || again.receipt.Replayed != 1 || w.cells(d, sql) != answers[i] {
				t.Errorf("%s: charged to %s, %s; before %s", sql, again.charged(), w.cells(d, sql), answers[i])
			}
		}
	}
	if got := w.answered(d, nil, strings.Replace(statements[2], "<= '2099-02-01'", "IS NOT NULL", 1)); got.charged() == "free" || len(got.cells.Counts[0]) != 34 {
		t.Errorf("all days: %d, charged to %s", len(got.cells.Counts[0]), got.charged())
	}
}

// TestBlocksOfDaysToCome fails if what is charged today for rows of days to come leaves the blocks of these days their whole budget tomorrow.
func TestBlocksOfDaysToCome(t *testing.T) {
	w, now := newDailyWard(t, "6000", byDay, "false"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	if got := w.answered(d, nil, "SELECT count(*) FROM clinic.stays WHERE admitted >= '2099-02-01'"); got.charged() != "all" {
		t.Errorf("an open end is charged to %s", got.charged())
	}
	w.tomorrow(d, now)
	for _, day := range []string{"= '2099-02-02'", "= '2099-01-03'", "<= '2099-02-02' AND admitted > '2099-02-01'"} {
		if _, _, err := w.ask(d, "ward_ana", fmt.Sprintf("SELECT count(*) FROM clinic.stays WHERE admitted %s", day)); err == nil {
			t.Errorf("%s: answered for more than the budget of its block", day)
		}
	}
}

// TestTodayNeedsTimes fails if a column of texts may have a range that ends today.
func TestTodayNeedsTimes(t *testing.T) {
	w, now := newDailyWard(t, "0.5", "", "true"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	text := strings.NewReplacer("EPSILON", "0.5", "BLOCKS", "", "DERIVE", "true", "ward: {values: [a, b]}", "ward: {range: [2099-01-01, today]}").Replace(growingPolicy)
	if err := d.Reload(context.Background(), w.Reparse(text)); err == nil || !strings.Contains(err.Error(), "declared domain does not fit the column") {
		t.Errorf("put in force: %v", err)
	}
}

// TestValuesOfGrowingRanges draws a median of the days on two days. It fails if the second one repeats what was drawn among other days.
func TestValuesOfGrowingRanges(t *testing.T) {
	w, now := newDailyWard(t, "20", "", "false"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	const sql = "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY admitted) FROM clinic.stays"
	for _, when := range []string{"first", "second"} {
		if line := w.outcome(d, "ward_ana", sql).receipt.Lines[0]; line.New != 1 {
			t.Errorf("the %s day: %s", when, line)
		}
		if line := w.outcome(d, "ward_ana", sql).receipt.Lines[0]; line.Replayed != 1 {
			t.Errorf("the %s day, again: %s", when, line)
		}
		w.tomorrow(d, now)
	}
}
