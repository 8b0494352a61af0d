package console

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
)

// The overview counts the statements that the log has: with refusals in which no table was made out, and without seals, whose risk counts.
func TestOverviewCountsAsLog(t *testing.T) {
	s := newPlayed(t)
	ctx, carriers := context.Background(), policy.TableName{Schema: "public", Name: "patients"}
	l, err := ledger.Open(ctx, ledger.Options{Location: s.policy.Ledger, Role: ledger.Serve, Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	l.Note(ledger.Event{Analyst: "ana", Verdict: ledger.Refused, SQL: "DO $$$$", SQLState: "42501", Reason: "no"})
	if _, err := l.AppendAudit(ctx, accountant.AuditEntry{Analyst: "a steward", Table: carriers, Kind: "seal", Payload: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := ledger.OpenReadOnly(ctx, s.policy.Ledger)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	entries, err := r.Log(ctx, ledger.LogFilter{Statements: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range []string{"stan", "ana"} {
		var charged, free, refused int
		for _, e := range entries {
			if e.At.Before(now.AddDate(0, 0, 1-shownDays).Truncate(24*time.Hour)) || who == "ana" && e.Analyst != who || e.Kind == "seal" {
				continue
			}
			switch e.Verdict {
			case ledger.Charged:
				charged++
			case ledger.Replayed, ledger.Derived:
				free++
			case ledger.Refused:
				refused++
			}
		}
		want := fmt.Sprintf("%d statements charged, %d free and %d refused", charged, free, refused)
		if body := s.as(who).get("/").body; !strings.Contains(body, want) {
			t.Errorf("%s: no %q in\n%.1500s", who, want, body)
		}
	}
}
