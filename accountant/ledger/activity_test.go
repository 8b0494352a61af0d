package ledger

import (
	"context"
	"testing"

	"tacit/accountant"
	"tacit/policy"
)

// What a ledger does is counted: commits of changes, and where answers were found. A change that is refused is none.
func TestActivity(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		l := openAt(t, location)
		record(t, l, reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1e8})), []byte("answer"))
		if a := l.Activity(); a.Commits.All < 2 || a.Queued.All < 2 || a.Writes != 0 || a.Kept+a.Read+a.Missing > 0 {
			t.Errorf("committed: %+v", a)
		}
		closeLedger(t, l)
		l = openAt(t, location)
		for _, key := range []string{"a", "a", "a", "nobody asked"} {
			if _, _, err := l.Lookup(context.Background(), question(patients, key), 0); err != nil {
				t.Fatal(err)
			}
		}
		before := l.Activity()
		if before.Kept != 2 || before.Read != 1 || before.Missing != 1 {
			t.Errorf("looked up: %+v", before)
		}
		dear := charge("ana", "dear", accountant.Loss{Epsilon: 1e18})
		if _, err := l.Reserve(context.Background(), dear); err == nil {
			t.Fatal("it was not refused")
		}
		if now := l.Activity(); now.Queued.All != before.Queued.All {
			t.Errorf("a refused charge is counted: %+v", now)
		}
	})
}
