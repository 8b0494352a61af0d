package release

import (
	"context"
	"strings"
	"testing"
	"time"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/rewrite"
)

// TestOldNotesAreThinned drops what old notes say once the policy that is put in force says so, by the gateway's clock. Nothing is charged anew, answers are repeated as
// before, and an analyst's history has what was charged and what is not old.
func TestOldNotesAreThinned(t *testing.T) {
	w, c := newWard(t), newClock("2099-11-19 13:03:20")
	d := w.openAt(c)
	before := w.cells(d, bySex)
	w.mustAsk(d, "ward_ana", bySex)
	w.awaitEntries(d, ledger.Replayed, 1)
	c.forward(3 * 24 * time.Hour)
	w.mustAsk(d, "ward_ana", bySex)
	w.awaitEntries(d, ledger.Replayed, 2)
	thin := func(want int64) {
		t.Helper()
		if done, err := d.Thin(t.Context()); err != nil || done.Sum() != want {
			t.Errorf("%+v was dropped, %v; want %d", done, err, want)
		}
	}
	thin(0)
	changed := *w.Policy
	changed.Version, changed.Keep = "2", policy.Keep{For: 2 * 24 * time.Hour}
	if err := d.Reload(context.Background(), &changed); err != nil {
		t.Fatal(err)
	}
	thin(1)
	thin(0)
	if after := w.cells(d, bySex); after != before {
		t.Errorf("the answer was %s and is %s", before, after)
	}
	w.awaitEntries(d, ledger.Replayed, 2)
	charged := w.awaitEntries(d, ledger.Charged, 1)
	if len(charged) != 1 {
		t.Errorf("charged: %v", charged)
	}
	d.Close()
	d = w.openAt(c)
	history := w.report(d, "ward_ana", rewrite.HistoryReport)
	if n := strings.Count(history, "|charged|"); n != 1 || strings.Count(history, "|replayed|") != 2 || strings.Count(history, "\n") != 3 {
		t.Errorf("the history is\n%s", history)
	}
}
