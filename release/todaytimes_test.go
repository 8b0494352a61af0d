package release

import (
	"slices"
	"strings"
	"testing"

	"tacit/accountant"
)

// newTimedWard is a growing ward whose stays begin at times of a type, and whose days end today.
func newTimedWard(t *testing.T, oid, blocks string) *ward {
	t.Helper()
	schema := strings.NewReplacer("admitted date", "admitted "+oid, "SELECT DATE '2099-01-01' + d", "SELECT TIMESTAMP '2099-01-01 23:30' + d * INTERVAL '1 day'").Replace(growingSchema)
	text := strings.NewReplacer("EPSILON", "20", "BLOCKS", blocks, "DERIVE", "true", "2099-12-31", "today").Replace(growingPolicy)
	return newWardOf(t, "SET timezone = 'UTC';"+schema, text)
}

// dayOfStay is the day of a time in UTC.
var dayOfStay = map[string]string{"timestamp": "admitted::date", "timestamptz": "(admitted AT TIME ZONE 'UTC')::date"}

// TestTimesEndToday asks on two days for all days of times whose range ends today. It fails if days are shown that have not come, if the second day's
// answer lacks its own, or if more is charged then than what is new.
func TestTimesEndToday(t *testing.T) {
	for oid, day := range dayOfStay {
		if testing.Short() && oid != "timestamptz" {
			continue
		}
		w, now := newTimedWard(t, oid, byDay), newClock("2099-02-01 06:00:00")
		d := w.openAt(now)
		sql := "SELECT " + day + ", count(*) FROM clinic.stays WHERE admitted >= '2099-01-25 00:00:00Z' GROUP BY 1"
		first := w.answered(d, nil, sql)
		days, _ := first.tuples()
		if last := days[len(days)-1][0]; len(days) != 8 || last != "2099-02-01" || len(first.receipt.Blocks.Names) != 8 || slices.Contains(first.receipt.Blocks.Names, "outside") {
			t.Errorf("%s, the first day: %v, charged to %s", oid, days, first.charged())
		}
		w.tomorrow(d, now)
		next := w.answered(d, nil, sql)
		if got := next.byKeys(); len(got) != 9 || got["2099-02-02"] != w.truth(sql)["2099-02-02"] || !strings.HasSuffix(next.charged(), "2099-02-02") {
			t.Errorf("%s, the next day: %v, charged to %s", oid, got, next.charged())
		}
		e, err := w.explain(d, "ward_ana", sql)
		if err != nil || !strings.Contains(strings.Join(e.Lines(), "\n"), "admitted < "+oid+" '2099-02-03 00:00:00") {
			t.Errorf("%s: EXPLAIN does not name the day: %v, %v", oid, e, err)
		}
	}
}

// TestBlocksOfTimes asks for counts of times. It fails if one is charged to other blocks than those of the days, in UTC, in which its times lie.
func TestBlocksOfTimes(t *testing.T) {
	for oid := range dayOfStay {
		if testing.Short() && oid != "timestamp" {
			continue
		}
		w, now := newTimedWard(t, oid, byDay), newClock("2099-02-01 06:00:00")
		d := w.openAt(now)
		for where, blocks := range map[string]string{
			"admitted < '2099-01-02 00:00:00Z' AND admitted >= '2099-01-01 00:00:00Z'":      "2099-01-01",
			"admitted <= '2099-01-04 00:00:00Z' AND admitted > '2099-01-03 00:00:00Z'":      "2099-01-03 2099-01-04",
			"admitted BETWEEN '2099-01-05 22:00:00Z' AND '2099-01-05 23:59:59.999999Z'":     "2099-01-05",
			"admitted > '2099-01-31 12:00:00Z'":                                             "all", // and what is to come
			"admitted < '2099-01-02 12:00:00Z'":                                             "2099-01-01 2099-01-02 outside",
			"admitted = 'infinity'":                                                         "all",
			"admitted >= '2099-01-07 00:00:00Z' AND admitted <= '2099-01-07 23:59:59.999Z'": "2099-01-07",
		} {
			if got := w.answered(d, nil, "SELECT count(*) FROM clinic.stays WHERE "+where); got.charged() != blocks {
				t.Errorf("%s, %s: charged to %s, want %s", oid, where, got.charged(), blocks)
			}
		}
	}
}

// TestSumsToTheEndOfTheYear adds up times of a range that ends today, whose bounds reach to the end of the year. It fails if an answer is repeated, or
// another follows from it, under other bounds; or if it is not repeated under the same ones.
func TestSumsToTheEndOfTheYear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for oid := range dayOfStay {
		w, now := newTimedWard(t, oid, ""), newClock("2099-12-30 06:00:00")
		d := w.openAt(now)
		const sql = "SELECT ward, avg(extract(epoch FROM admitted - '2099-01-01 00:00:00Z')) FROM clinic.stays GROUP BY ward"
		const sum = "SELECT sum(extract(epoch FROM admitted - '2099-01-01 00:00:00Z')) FROM clinic.stays"
		for _, when := range []struct {
			day  string
			free bool
		}{{"2099-12-30", false}, {"2099-12-31", true}, {"2100-01-01", false}, {"2100-01-02", true}} {
			e, err := w.explain(d, "ward_ana", sum)
			if err != nil || (e.Questions[0].Loss == accountant.Loss{}) != when.free {
				t.Errorf("%s, %s: before anything is asked the sum of both wards costs %v, %v", oid, when.day, e.Questions[0].Loss, err)
			}
			first := w.answered(d, nil, sql)
			if free := first.charged() == "free"; free != when.free || free != (first.receipt.New == 0) {
				t.Errorf("%s, %s: charged to %s, %d new", oid, when.day, first.charged(), first.receipt.New)
			}
			if derived := w.answered(d, nil, sum); derived.charged() != "free" {
				t.Errorf("%s, %s: the sum of both wards is charged to %s", oid, when.day, derived.charged())
			}
			w.tomorrow(d, now)
		}
	}
}
