package ledger

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/policy"
)

// TestRecentAndReleased pins whose entries are shown, the order, what is left out, and that the visitor ends it.
func TestRecentAndReleased(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	at := time.Date(2036, 3, 1, 12, 0, 0, 0, time.UTC)
	l.setClock(func() time.Time { return at })
	record(t, l, reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1e8, Delta: 3})), []byte("first"))
	record(t, l, reserve(t, l, charge("bob", "b", accountant.Loss{Epsilon: 2e8})), []byte("second"))
	reserve(t, l, charge("ana", "c", accountant.Loss{Epsilon: 3e8})) // never answered

	var entries []Entry
	do(t, l.Recent(ctx, "ana", func(e Entry) bool {
		entries = append(entries, e)
		return true
	}))
	want := []Entry{
		{ID: 6, At: at, Analyst: "ana", Table: patients, Epoch: 1, Verdict: Charged, SQL: "SELECT c", Loss: accountant.Loss{Epsilon: 3e8}},
		{ID: 2, At: at, Analyst: "ana", Table: patients, Epoch: 1, Verdict: Charged, SQL: "SELECT a", Loss: accountant.Loss{Epsilon: 1e8, Delta: 3}},
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Error(diff)
	}
	var releases []accountant.Release
	visit := func(most int) func(*accountant.Release) bool {
		releases = nil
		return func(r *accountant.Release) bool {
			releases = append(releases, *r)
			return len(releases) < most
		}
	}
	do(t, l.Released(ctx, visit(9)))
	second := accountant.Release{ID: 2, Entry: 5, At: at, Epoch: 1, Question: question(patients, "b"), Loss: accountant.Loss{Epsilon: 2e8}}
	first := accountant.Release{ID: 1, Entry: 3, At: at, Epoch: 1, Question: question(patients, "a"), Loss: accountant.Loss{Epsilon: 1e8, Delta: 3}}
	second.Mechanism, first.Mechanism = releases[0].Mechanism, releases[0].Mechanism
	if diff := cmp.Diff([]accountant.Release{second, first}, releases); diff != "" {
		t.Error(diff)
	}
	do(t, l.Released(ctx, visit(1)))
	if len(releases) != 1 {
		t.Errorf("%d releases after the visitor had enough", len(releases))
	}
	if payload, err := l.Payload(ctx, 1); err != nil || string(payload) != "first" {
		t.Errorf("payload %q, %v", payload, err)
	}
	if _, err := l.Payload(ctx, 7); err == nil {
		t.Error("a release that does not exist has a payload")
	}
	var none policy.TableName
	if err := l.Recent(ctx, "eve", func(e Entry) bool { none = e.Table; return true }); err != nil || none != (policy.TableName{}) {
		t.Errorf("eve has entries: %v, %v", none, err)
	}
}
