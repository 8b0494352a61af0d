package release

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/release/internal/audited"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/rewrite/query"
)

// TestAuditedTwoDoors asks two doors on one ledger about the same table at once. It fails if a count is shown that is not that of the rows,
// if a decision was made on a history that had moved on, or if more was risked than there is.
func TestAuditedTwoDoors(t *testing.T) {
	twoDoors(t, newCarriers, func(w *ward, first, second *Gateway) {
		w.seal(false)
		doors := []*Gateway{first, second}
		truth := map[string]int{"blonde": 312, "black": 253, "brown": 192}
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				for _, hair := range []string{"blonde", "black", "brown"} {
					sql := fmt.Sprintf("SELECT count(*) FROM clinic.carriers WHERE gene AND hair = '%s' AND age >= %d", hair, i%2)
					cells, receipt, err := w.ask(doors[i%2], "ward_ana", sql)
					switch {
					case refusalCode(err) == "40001":
					case err != nil:
						w.T.Errorf("%s: %v", sql, err)
					case cells[0].Suppressed[0] == nil && cells[0].Counts[0][0] != int64(truth[hair]):
						w.T.Errorf("%s: %v, %s", sql, shown(cells[0]), receipt.Notice())
					}
				}
			})
		}
		all.Wait()
		w.replays()
		for _, d := range doors {
			w.answers(d, "SELECT hair, count(*) FILTER (WHERE gene) FROM clinic.carriers WHERE hair <> 'white' GROUP BY hair", "blonde 312", "black 253", "brown 192")
		}
		w.replays()
	})
}

// TestAuditedRoundThatFailed cancels a count of an audited table that was charged: the other door does not wait for its answer.
func TestAuditedRoundThatFailed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	twoDoors(t, newCarriers, func(w *ward, first, second *Gateway) {
		w.seal(false)
		const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'"
		blocker := site.Connect(w.T, "postgres", w.Database)
		if _, err := blocker.PgConn().Exec(context.Background(), "BEGIN; LOCK TABLE clinic.carriers").ReadAll(); err != nil {
			w.T.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, _, err := first.Answer(ctx, reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(first, sql)}})
		if refusalCode(err) != "57014" {
			w.T.Errorf("a count that was cancelled: %v", err)
		}
		if _, err := blocker.Exec(context.Background(), "ROLLBACK"); err != nil {
			w.T.Error(err)
		}
		began := time.Now()
		w.answers(second, sql, "312")
		if took := time.Since(began); took > 20*time.Second {
			w.T.Errorf("the other door has waited for %v", took)
		}
		w.replays()
	})
}

// decideOnly decides about a statement, and neither writes down nor opens anything.
func (w *ward) decideOnly(d *Gateway, sql string) (*audited.Statement, *auditor.Statement, audited.Decided) {
	w.T.Helper()
	audit, err := d.audited.Begin(reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}})
	if err == nil {
		err = audit.Prepare(context.Background())
	}
	if err != nil {
		w.T.Fatal(err)
	}
	p := audit.Parts[0]
	statement, err := p.Book.State.Begin(audited.AuditorQueries(p.Asked.Questions), leftOf(w.T, audit), [32]byte{})
	if err != nil {
		w.T.Fatal(err)
	}
	round, _ := statement.Next()
	return audit, statement, audited.Decided{Table: carriers, Round: round, Payload: round.Event().Payload, Questions: p.Asked.Questions}
}

// TestAuditedLateAnswer decides on a history whose last event has no answer yet, and has the answer come before the decision is written down.
// It fails if the decision is charged: it does not know what the answer let out.
func TestAuditedLateAnswer(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	ctx := context.Background()
	early, statement, event := w.decideOnly(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'")
	reservation, err := early.Charge(ctx, early.Parts[0], event)
	if err != nil {
		t.Fatal(err)
	}
	d.audited.ForgetBook(carriers) // as if the early statement were another proxy's
	late, _, next := w.decideOnly(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair IN ('blonde', 'black')")
	values, err := early.Parts[0].Counts.Open(reservation, event)
	if err != nil {
		t.Fatal(err)
	}
	if err := early.Record(ctx, early.Parts[0], reservation, values, statement); err != nil {
		t.Fatal(err)
	}
	if _, err := late.Charge(ctx, late.Parts[0], next); !errors.Is(err, ledger.ErrAuditMoved) {
		t.Errorf("decided without an answer that was recorded: %v", err)
	}
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
	w.replays()
}

// TestAuditedMissedAnswer gives a door a history whose last event has no answer yet, and has the answer come, and another event behind it,
// before the door is asked. It fails if the door decides on what it has of the history and the new event, without that answer.
func TestAuditedMissedAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	twoDoors(t, newCarriers, func(w *ward, first, second *Gateway) {
		w.seal(false)
		ctx := context.Background()
		const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'"
		early, statement, event := w.decideOnly(first, sql)
		part := early.Parts[0]
		reservation, err := early.Charge(ctx, part, event)
		if err != nil {
			w.T.Fatal(err)
		}
		book, err := audited.PresentBook(ctx, second.monitor.Ledger, carriers, nil, 0) // it does not wait for the answer
		if err != nil {
			w.T.Fatal(err)
		}
		second.audited.KeepBook(carriers, book)
		values, err := part.Counts.Open(reservation, event)
		if err == nil {
			err = early.Record(ctx, part, reservation, values, statement)
		}
		if err != nil {
			w.T.Fatal(err)
		}
		w.answers(first, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'black'", "253")
		if r := w.answers(second, sql, "312"); r.Free != 1 {
			w.T.Errorf("an answer that the log has is not free: %+v", r)
		}
		w.replays()
	})
}

// TestAuditedLeftBehind has a door decide at once on events that another proxy has just written: its book has them from the ledger, which
// takes them in for its sums a moment later. It fails if a decision reckons with a budget of before them.
func TestAuditedLeftBehind(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	twoDoors(t, newCarriers, func(w *ward, first, second *Gateway) {
		w.seal(false)
		const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = '%s' AND age %s 50"
		for _, hair := range []string{"blonde", "black", "brown"} {
			for i, d := range []*Gateway{first, second} {
				query := fmt.Sprintf(sql, hair, []string{"<", ">="}[i])
				d.audited.ForgetBook(carriers)
				if _, _, err := w.ask(d, "ward_ana", query); err != nil {
					w.T.Errorf("%s: %v", query, err)
				}
			}
		}
		w.replays()
	})
}

// TestSealBesideDoor seals epochs while a door is open: within moments it answers as of the new one.
func TestSealBesideDoor(t *testing.T) {
	w := newCarriers(t)
	d := w.open()
	const sql = "SELECT count(*) FROM clinic.carriers WHERE hair = 'blonde'"
	w.refuses(d, sql, "has no epoch yet")
	w.seal(false)
	w.answers(d, sql, "600")
	w.Exec("INSERT INTO clinic.carriers SELECT 90000 + i, 'blonde', 'blue', 40, 'north', i <= 100 FROM generate_series(1, 200) AS i")
	w.answers(d, sql, "600")
	if sealed := w.seal(false); sealed.Epoch != 2 {
		t.Errorf("epoch %d", sealed.Epoch)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		cells, _, err := w.ask(d, "ward_ana", sql)
		if err != nil {
			t.Fatal(err)
		}
		if shown(cells[0])[0] == "800" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("10 seconds after the seal the door answers %s", shown(cells[0]))
		}
	}
	w.replays()
}

// TestAuditedFrozen freezes an audited table: nothing new is decided, and what follows from released counts is still shown.
func TestAuditedFrozen(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	const known = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'"
	w.answers(d, known, "312")
	if _, err := d.monitor.Ledger.Freeze(context.Background(), ledger.Freeze{Table: carriers, By: "steward", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	const fresh = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'black'"
	w.refuses(d, fresh, "table clinic.carriers is frozen")
	if e, err := w.explain(d, "ward_ana", fresh); err != nil || !slices.Contains(e.Lines(), "  Frozen: a test") {
		t.Errorf("EXPLAIN says %+v, %v", e, err)
	}
	if r := w.answers(d, known, "312"); r.Frozen != "a test" || !strings.HasSuffix(r.String(), "; frozen: a test") {
		t.Errorf("the receipt says %s", r)
	}
}

// TestAwaitsAnswer tells which of the events of others are waited for.
func TestAwaitsAnswer(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'white'", "NULL")
	events, err := d.monitor.Ledger.AuditEvents(context.Background(), carriers, 0)
	if err != nil || len(events) != 3 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	pending := slices.Clone(events[:2])
	pending[1].Answer = nil
	for _, c := range []struct {
		name   string
		events []accountant.AuditEvent
		mark   ledger.AuditMark
		want   bool
	}{
		{"a living proxy's", pending, ledger.AuditMark{Sequence: 2, Alive: true}, true},
		{"one that the ledger has not taken in yet", pending, ledger.AuditMark{Sequence: 1}, true},
		{"a dead proxy's", pending, ledger.AuditMark{Sequence: 2}, false},
		{"one's own", pending, ledger.AuditMark{Sequence: 2, Alive: true, Own: true}, false},
		{"an answered one", events[:2], ledger.AuditMark{Sequence: 2, Alive: true}, false},
		{"a suppression", events, ledger.AuditMark{Sequence: 3, Alive: true}, false},
		{"an epoch", events[:1], ledger.AuditMark{Sequence: 1, Alive: true}, false},
		{"none", nil, ledger.AuditMark{}, false},
	} {
		if got := audited.AwaitsAnswer(c.events, c.mark); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
