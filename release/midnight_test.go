package release

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tacit/release/internal/reply"
	"tacit/release/internal/site"
)

// TestCountsOverMidnight has the count of a day wait for a lock until the day is over. It fails if what is recorded then is taken for the whole day, as
// a part that was asked before or as a source of one.
func TestCountsOverMidnight(t *testing.T) {
	for _, first := range []string{"BETWEEN '2099-01-31' AND '2099-02-01'", "= '2099-02-01'"} {
		w, now := newGrowingWard(t, "20", byDay, "true"), newClock("2099-02-01 23:59:59")
		d := w.openAt(now)
		const sql = "SELECT admitted, count(*) FROM clinic.stays WHERE admitted %s GROUP BY admitted"
		w.answered(d, nil, fmt.Sprintf(sql, "= '2099-01-31'"))
		blocker := site.Connect(t, "postgres", w.Database)
		if _, err := blocker.PgConn().Exec(t.Context(), "BEGIN; LOCK TABLE clinic.stays").ReadAll(); err != nil {
			t.Fatal(err)
		}
		before, answered := w.charged(d, staysTable), make(chan error, 1)
		go func() {
			_, _, err := w.ask(d, "ward_ana", fmt.Sprintf(sql, first))
			answered <- err
		}()
		for w.charged(d, staysTable) == before { // then it has begun
			select {
			case err := <-answered:
				t.Fatalf("answered through a lock: %v", err)
			case <-time.After(5 * time.Millisecond):
			}
		}
		now.forward(2 * time.Second)
		if _, err := blocker.Exec(t.Context(), "ROLLBACK"); err != nil {
			t.Fatal(err)
		}
		if err := <-answered; err != nil {
			t.Fatal(err)
		}
		w.Exec("INSERT INTO clinic.stays (admitted, ward) SELECT '2099-02-01', 'a' FROM generate_series(1, 100)")
		if got := w.answered(d, nil, fmt.Sprintf(sql, "BETWEEN '2099-01-30' AND '2099-02-01'")); got.charged() != "2099-01-30 2099-02-01" || got.byKeys()["2099-02-01"] < 100 {
			t.Errorf("%s: %v, charged to %s", first, got.byKeys(), got.charged())
		}
		if got := w.answered(d, nil, fmt.Sprintf(sql, "BETWEEN '2099-01-29' AND '2099-02-01'")); got.charged() != "2099-01-29" {
			t.Errorf("%s: what was counted after midnight is charged again: %s", first, got.charged())
		}
	}
}

// TestPartsOfSeveralBlocks answers a statement in parts of which each is charged to other blocks. It fails if the notice adds up what no block has
// paid in all.
func TestPartsOfSeveralBlocks(t *testing.T) {
	w, now := newGrowingWard(t, "0.5", byDay, "true"), newClock("2099-03-01 06:00:00")
	d := w.openAt(now)
	const days = "SELECT admitted, count(*), count(*) FILTER (WHERE ward = 'a') FROM clinic.stays WHERE admitted BETWEEN '%s' AND '%s' GROUP BY admitted"
	w.answered(d, nil, fmt.Sprintf(days, "2099-01-02", "2099-01-03"))
	w.answered(d, nil, "SELECT admitted, count(*) FROM clinic.stays WHERE admitted = '2099-01-05' GROUP BY admitted")
	got := w.answered(d, nil, fmt.Sprintf(days, "2099-01-02", "2099-01-06")).receipt
	if got.Charged.Epsilon != 1e9 || !got.Uneven || !strings.Contains(got.Cost(), "charged at most epsilon 1 to blocks ") {
		t.Errorf("charged %v: %s", got.Charged, got.Cost())
	}
}

// TestSumsOverDays asks for sums over days, of which a finer release is known that was made before the last of them was over. It fails if they follow
// from it once that day is over, and if the others do not.
func TestSumsOverDays(t *testing.T) {
	w, now := newGrowingWard(t, "20", byDay, "true"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	w.answered(d, nil, "SELECT admitted, ward, count(*) FROM clinic.stays WHERE admitted BETWEEN '2099-01-25' AND '2099-02-05' GROUP BY admitted, ward")
	sum := func(where string) askedCells {
		return w.answered(d, func(r *reply.Request) { r.Zone = time.UTC }, "SELECT ward, count(*) FROM clinic.stays WHERE "+where+" GROUP BY ward")
	}
	if got := sum("admitted BETWEEN '2099-01-29' AND '2099-02-01'"); got.charged() != "free" {
		t.Errorf("on the same day: %s", got.charged())
	}
	now.forward(24 * time.Hour)
	for where, free := range map[string]bool{
		"admitted BETWEEN '2099-01-26' AND '2099-01-31'":                           true,
		"admitted > '2099-01-27' AND admitted < '2099-02-01'":                      true,
		"admitted IN ('2099-01-28', '2099-02-04')":                                 true, // that day has not begun, as before
		"admitted BETWEEN '2099-01-26' AND '2099-02-01'":                           false,
		"admitted IN ('2099-01-28', '2099-02-02')":                                 false,
		"admitted BETWEEN '2099-01-28' AND '2099-02-04'":                           false,
		"date_trunc('month', admitted) = '2099-01-01' AND admitted > '2099-01-28'": true,
	} {
		if got := sum(where); (got.charged() == "free") != free {
			t.Errorf("the next day, WHERE %s: charged to %s", where, got.charged())
		}
	}
	if got := sum("admitted BETWEEN '2099-01-29' AND '2099-02-01'"); got.charged() == "free" {
		t.Error("a derived answer is repeated after its last day is over")
	}
}
