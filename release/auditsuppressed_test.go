package release

import (
	"context"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/audited"
	"tacit/release/seal"
)

// events are how many events the log of the carriers has.
func (w *ward) events(d *Gateway) int64 {
	w.T.Helper()
	n, err := d.monitor.Ledger.LastAudit(context.Background(), carriers)
	if err != nil {
		w.T.Fatal(err)
	}
	return n
}

// TestSuppressedOnce repeats statements of which all is suppressed. It fails if a repetition is written down on an unchanged history, if the
// first or one on another history is not, if a repetition is answered otherwise, or if the log does not replay.
func TestSuppressedOnce(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	const one, other = "SELECT count(*) FROM clinic.carriers WHERE gene AND age = 99", "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'white'"
	for i, step := range []struct {
		sql, want string
		events    int64
	}{
		{one, "NULL", 2}, {one, "NULL", 2}, {other, "NULL", 3}, {one, "NULL", 3},
		{"SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312", 4},
		{one, "NULL", 5}, {one, "NULL", 5}, {"SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312", 5},
	} {
		w.answers(d, step.sql, step.want)
		if n := w.events(d); n != step.events {
			t.Errorf("step %d: the log has %d events, not %d", i, n, step.events)
		}
	}
	// Another analyst has another part of the budget left, and so a decision of her own.
	if _, _, err := w.ask(d, "ward_bob", one); err != nil || w.events(d) != 6 {
		t.Errorf("%d events, %v", w.events(d), err)
	}
	w.replays()
	d.Close()
	d = w.open() // which passes over suppressed rounds
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
}

// replays makes all decisions again.
func (w *ward) replays() {
	w.T.Helper()
	if proof, err := seal.Replay(context.Background(), w.Policy.Ledger, carriers); err != nil || len(proof.Differences) > 0 {
		w.T.Errorf("replay: %+v, %v", proof, err)
	}
}

// TestRefusalsKeepTheBook refuses statements in ways that leave no doubt of what the log has. It fails if the log is read anew, which takes
// as long as the log is.
func TestRefusalsKeepTheBook(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
	book := func() *audited.Book {
		d.monitor.Mu.Lock()
		defer d.monitor.Mu.Unlock()
		return d.audited.Books[carriers]
	}
	before := book()
	w.Exec("DELETE FROM clinic.carriers WHERE id = 1")
	for range 2 { // the first is charged and finds the epoch over
		w.refuses(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'brown'", "epoch of table clinic.carriers is over")
	}
	if before == nil || book() != before {
		t.Error("the log is read again after a refusal")
	}
	if r := w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312"); r.TableLeft != tableLeft(t, before, w) {
		t.Errorf("%v is left, by the book %v", r.TableLeft, tableLeft(t, before, w))
	}
	w.replays()
}

// tableLeft is what is left of delta by the book.
func tableLeft(t *testing.T, b *audited.Book, w *ward) policy.Risk {
	t.Helper()
	return w.Policy.Tables[0].Budget.Risk - b.State.Charged()
}

// TestRestorePassesOver reads a log of many rounds that let nothing out. It fails if they are read one by one, or if the state differs.
func TestRestorePassesOver(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND age = 99", "NULL")
	ctx := context.Background()
	events, err := d.monitor.Ledger.AuditEvents(ctx, carriers, 1)
	if err != nil {
		t.Fatal(err)
	}
	payload := append(events[0].Payload, strings.Repeat("damaged", 3)...)
	if _, err := d.monitor.Ledger.AppendAudit(ctx, accountant.AuditEntry{
		Analyst: "ward_ana", Table: carriers, Kind: events[0].Kind, TableBudget: w.Policy.Tables[0].Budget, Follows: 2, Payload: payload,
	}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	d = w.open()
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
	d.Close()
	if _, err := seal.Replay(ctx, w.Policy.Ledger, carriers); err == nil {
		t.Error("tacit replay passes over what is damaged")
	}
}
