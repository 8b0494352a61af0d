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
	"tacit/auditor"
	"tacit/rewrite"
)

// TestAuditedTwoDoors asks two doors on one ledger about the same table at once. It fails if a count is shown that is not that of the rows,
// if a decision was made on a history that had moved on, or if more was risked than there is.
func TestAuditedTwoDoors(t *testing.T) {
	twoDoors(t, newCarriers, func(w *ward, first, second *Door) {
		w.seal(false)
		doors := []*Door{first, second}
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
						w.t.Errorf("%s: %v", sql, err)
					case cells[0].Suppressed[0] == nil && cells[0].Counts[0][0] != int64(truth[hair]):
						w.t.Errorf("%s: %v, %s", sql, shown(cells[0]), receipt.Notice())
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
	twoDoors(t, newCarriers, func(w *ward, first, second *Door) {
		w.seal(false)
		const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'"
		blocker := connect(w.t, "postgres", w.database)
		if _, err := blocker.PgConn().Exec(context.Background(), "BEGIN; LOCK TABLE clinic.carriers").ReadAll(); err != nil {
			w.t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, _, err := first.Answer(ctx, Ask{Analyst: "ward_ana", SQL: sql, Queries: []*rewrite.BoundQuery{w.query(first, sql)}})
		if refusalCode(err) != "57014" {
			w.t.Errorf("a count that was cancelled: %v", err)
		}
		if _, err := blocker.Exec(context.Background(), "ROLLBACK"); err != nil {
			w.t.Error(err)
		}
		began := time.Now()
		w.answers(second, sql, "312")
		if took := time.Since(began); took > 20*time.Second {
			w.t.Errorf("the other door has waited for %v", took)
		}
		w.replays()
	})
}

// decideOnly decides about a statement, and neither writes down nor opens anything.
func (w *ward) decideOnly(d *Door, sql string) (*auditing, *auditor.Statement, decided) {
	w.t.Helper()
	audit, err := d.newAuditing(Ask{Analyst: "ward_ana", SQL: sql, Queries: []*rewrite.BoundQuery{w.query(d, sql)}})
	if err == nil {
		err = audit.prepare(context.Background())
	}
	if err != nil {
		w.t.Fatal(err)
	}
	p := audit.parts[0]
	statement, err := p.book.state.Begin(auditorQueries(p.asked.questions), leftOf(w.t, audit), [32]byte{})
	if err != nil {
		w.t.Fatal(err)
	}
	round, _ := statement.Next()
	return audit, statement, decided{table: carriers, round: round, payload: round.Event().Payload, questions: p.asked.questions}
}

// TestAuditedLateAnswer decides on a history whose last event has no answer yet, and has the answer come before the decision is written down.
// It fails if the decision is charged: it does not know what the answer let out.
func TestAuditedLateAnswer(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	ctx := context.Background()
	early, statement, event := w.decideOnly(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'")
	reservation, err := early.charge(ctx, early.parts[0], event)
	if err != nil {
		t.Fatal(err)
	}
	d.forgetBook(carriers) // as if the early statement were another proxy's
	late, _, next := w.decideOnly(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair IN ('blonde', 'black')")
	values, err := early.parts[0].counts.open(reservation, event)
	if err != nil {
		t.Fatal(err)
	}
	if err := early.record(ctx, early.parts[0], reservation, values, statement); err != nil {
		t.Fatal(err)
	}
	if _, err := late.charge(ctx, late.parts[0], next); !errors.Is(err, accountant.ErrAuditMoved) {
		t.Errorf("decided without an answer that was recorded: %v", err)
	}
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
	w.replays()
}

// TestAuditedMissedAnswer gives a door a history whose last event has no answer yet, and has the answer come, and another event behind it,
// before the door is asked. It fails if the door decides on what it has of the history and the new event, without that answer.
func TestAuditedMissedAnswer(t *testing.T) {
	twoDoors(t, newCarriers, func(w *ward, first, second *Door) {
		w.seal(false)
		ctx := context.Background()
		const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'"
		early, statement, event := w.decideOnly(first, sql)
		part := early.parts[0]
		reservation, err := early.charge(ctx, part, event)
		if err != nil {
			w.t.Fatal(err)
		}
		book, err := presentBook(ctx, second.ledger, carriers, nil, 0) // it does not wait for the answer
		if err != nil {
			w.t.Fatal(err)
		}
		second.keepBook(carriers, book)
		values, err := part.counts.open(reservation, event)
		if err == nil {
			err = early.record(ctx, part, reservation, values, statement)
		}
		if err != nil {
			w.t.Fatal(err)
		}
		w.answers(first, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'black'", "253")
		if r := w.answers(second, sql, "312"); r.Free != 1 {
			w.t.Errorf("an answer that the log has is not free: %+v", r)
		}
		w.replays()
	})
}

// TestAuditedLeftBehind has a door decide at once on events that another proxy has just written: its book has them from the ledger, which
// takes them in for its sums a moment later. It fails if a decision reckons with a budget of before them.
func TestAuditedLeftBehind(t *testing.T) {
	twoDoors(t, newCarriers, func(w *ward, first, second *Door) {
		w.seal(false)
		const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = '%s' AND age %s 50"
		for _, hair := range []string{"blonde", "black", "brown"} {
			for i, d := range []*Door{first, second} {
				query := fmt.Sprintf(sql, hair, []string{"<", ">="}[i])
				d.forgetBook(carriers)
				if _, _, err := w.ask(d, "ward_ana", query); err != nil {
					w.t.Errorf("%s: %v", query, err)
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
	w.exec("INSERT INTO clinic.carriers SELECT 90000 + i, 'blonde', 'blue', 40, 'north', i <= 100 FROM generate_series(1, 200) AS i")
	w.answers(d, sql, "600")
	if sealed := w.seal(false); sealed.Epoch != 2 {
		t.Errorf("epoch %d", sealed.Epoch)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
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
	if _, err := d.ledger.Freeze(context.Background(), accountant.Freeze{Table: carriers, By: "steward", Reason: "a test"}); err != nil {
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
	events, err := d.ledger.AuditEvents(context.Background(), carriers, 0)
	if err != nil || len(events) != 3 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	pending := slices.Clone(events[:2])
	pending[1].Answer = nil
	for _, c := range []struct {
		name   string
		events []accountant.AuditEvent
		mark   accountant.AuditMark
		want   bool
	}{
		{"a living proxy's", pending, accountant.AuditMark{Sequence: 2, Alive: true}, true},
		{"one that the ledger has not taken in yet", pending, accountant.AuditMark{Sequence: 1}, true},
		{"a dead proxy's", pending, accountant.AuditMark{Sequence: 2}, false},
		{"one's own", pending, accountant.AuditMark{Sequence: 2, Alive: true, Own: true}, false},
		{"an answered one", events[:2], accountant.AuditMark{Sequence: 2, Alive: true}, false},
		{"a suppression", events, accountant.AuditMark{Sequence: 3, Alive: true}, false},
		{"an epoch", events[:1], accountant.AuditMark{Sequence: 1, Alive: true}, false},
		{"none", nil, accountant.AuditMark{}, false},
	} {
		if got := awaitsAnswer(c.events, c.mark); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
