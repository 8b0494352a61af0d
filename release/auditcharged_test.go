package release

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/policy"
	"tacit/release/internal/audited"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/release/seal"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// move appends an event to the log of the carriers behind the auditor's back, as another proxy would: a round that was decided and charged.
func (w *ward) move(d *Gateway) {
	w.T.Helper()
	ctx := context.Background()
	const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'brown'"
	state, err := audited.OpenBook(ctx, d.monitor.Ledger, carriers)
	if err != nil {
		w.T.Fatal(err)
	}
	other := &audited.Statement{Answerer: d.audited, Ledger: d.monitor.Ledger, Request: reply.Request{Analyst: "ward_ana", SQL: sql}, State: d.monitor.Current()}
	p := other.Part(w.query(d, sql).Table)
	p.Queries = []audited.AuditedQuery{{Query: w.query(d, sql)}}
	if err := other.PrepareTable(ctx, p); err != nil {
		w.T.Fatal(err)
	}
	statement, err := state.State.Begin(audited.AuditorQueries(p.Asked.Questions), auditor.Left{Table: 2e17 - state.State.Charged(), Analyst: 1e17}, [32]byte{})
	if err != nil {
		w.T.Fatal(err)
	}
	round, _ := statement.Next()
	if _, err := d.monitor.Ledger.AppendAudit(ctx, accountant.AuditEntry{
		Analyst: "ward_bob", Table: carriers, Kind: auditor.EventRound, TableBudget: p.Table.Policy.Budget, Risk: round.Charge,
		Follows: state.Last, Answers: state.Answers, Payload: round.Event().Payload,
	}); err != nil {
		w.T.Fatal(err)
	}
}

// TestAuditedRetry has another proxy write the log between statements. It fails if a statement is decided about on a history that has moved
// on, or if it is not answered.
func TestAuditedRetry(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
	w.move(d)
	before := w.events(d)
	r := w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'black' AND age < 90", "252")
	if n := w.events(d); n != before+1 || r.Released != 1 {
		t.Errorf("%d events after %d; %+v", n, before, r)
	}
	w.replays()
}

// TestPartlyCharged has a statement fail after something was charged for it. It fails if it is told that nothing was.
func TestPartlyCharged(t *testing.T) {
	for _, refusal := range []*pgerror.Refusal{
		reply.RefuseUnavailable.With(), reply.RefuseAuditFlood.With(carriers), reply.RefuseChangedAuditor.With(carriers),
		reply.RefuseOverBudget(&accountant.OverBudgetError{Table: carriers, Of: "table", Needed: accountant.Loss{Risk: 1}}, nil),
	} {
		var told *pgerror.Refusal
		if err := reply.PartlyCharged(errors.Join(refusal, errors.New("why"))); !errors.As(err, &told) || !strings.Contains(err.Error(), "why") {
			t.Fatal(err)
		}
		if strings.Contains(strings.ToLower(told.Detail), "nothing was charged") || !strings.Contains(told.Detail, "stays charged") || told.Message != refusal.Message {
			t.Errorf("%+v", told)
		}
	}
	w := newWardOf(t, site.CarrierSchema+"CREATE TABLE clinic.more AS SELECT * FROM clinic.carriers;", strings.Replace(site.CarrierPolicy, "tables:", `tables:
  clinic.more: {person: row, mechanism: {kind: geometric, epsilon: 1}, budget: {epsilon: 10}, columns: {}}`, 1))
	w.seal(false)
	d := w.open()
	w.Exec("DELETE FROM clinic.carriers WHERE id = 1")
	w.refuses(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'brown'", "epoch of table clinic.carriers is over")
	const both = "SELECT (SELECT count(*) FROM clinic.more), (SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde')"
	_, _, err := w.ask(d, "ward_ana", both)
	var told *pgerror.Refusal
	if !errors.As(err, &told) || !strings.Contains(told.Detail, "stays charged") {
		t.Errorf("%+v, %v", told, err)
	}
	if spent := w.charged(d, policy.TableName{Schema: "clinic", Name: "more"}); spent.Epsilon == 0 {
		t.Errorf("%+v", spent)
	}
}

// TestAuditedRecordFails has the log move on between the reading of counts and their recording. It fails if anything is shown that was not
// recorded, or if the next statement does not find the history as the log has it.
func TestAuditedRecordFails(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	ctx := context.Background()
	const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'"
	audit, err := d.audited.Begin(reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}})
	if err == nil {
		err = audit.Prepare(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := audit.Parts[0]
	left := leftOf(t, audit)
	statement, err := p.Book.State.Begin(audited.AuditorQueries(p.Asked.Questions), left, [32]byte{})
	if err != nil {
		t.Fatal(err)
	}
	round, _ := statement.Next()
	event := audited.Decided{Table: carriers, Round: round, Payload: round.Event().Payload, Questions: p.Asked.Questions}
	reservation, err := audit.Charge(ctx, p, event)
	if err != nil {
		t.Fatal(err)
	}
	w.move(d)
	values, err := p.Counts.Open(reservation, event)
	if err != nil {
		t.Fatal(err)
	}
	if err := audit.Record(ctx, p, reservation, values, statement); !errors.Is(err, ledger.ErrAuditMoved) {
		t.Errorf("recorded behind another event: %v", err)
	}
	d.audited.ForgetBook(carriers)
	// Both are charged and unanswered, and asked anew.
	r := w.answers(d, sql, "312")
	if r.Released != 1 || r.TableLeft >= left.Table-2*round.Charge {
		t.Errorf("%+v", r)
	}
	w.replays()
}

// TestAuditedCrashAfterRecording ends the process after an answer was recorded and before it was shown. It fails if asking again is charged, or
// answered otherwise.
func TestAuditedCrashAfterRecording(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	ctx := context.Background()
	const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'"
	audit, err := d.audited.Begin(reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}})
	if err == nil {
		err = audit.Prepare(ctx)
	}
	if err == nil {
		err = audit.Answer(ctx) // and shows nothing
	}
	if err != nil {
		t.Fatal(err)
	}
	left := leftOf(t, audit)
	d.Close()
	d = w.open()
	if r := w.answers(d, sql, "312"); r.Free != 1 || r.TableLeft != left.Table {
		t.Errorf("%+v, and %v was left", r, left.Table)
	}
}

// TestTwoAuditedTables asks about two audited tables at once. It fails if one is answered from the other's rows or book, or charged for it.
func TestTwoAuditedTables(t *testing.T) {
	tables := site.CarrierPolicy[strings.Index(site.CarrierPolicy, "  clinic.carriers:"):]
	other := policy.TableName{Schema: "clinic", Name: "voters"}
	w := newWardOf(t, site.CarrierSchema+"CREATE TABLE clinic.voters AS SELECT id, hair, eye, age, region, NOT gene AS gene FROM clinic.carriers; ALTER TABLE clinic.voters ALTER gene SET NOT NULL;",
		site.CarrierPolicy+strings.Replace(tables, "carriers", "voters", 1))
	w.seal(false)
	if _, err := seal.OpenEpoch(context.Background(), w.Policy, seal.Request{Table: other, Random: strings.NewReader(strings.Repeat("x", 1<<16))}); err != nil {
		t.Fatal(err)
	}
	d := w.open()
	const sql = "SELECT (SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'), (SELECT count(*) FROM clinic.voters WHERE gene AND hair = 'blonde')"
	for _, free := range []bool{false, true} {
		cells, receipt, err := w.ask(d, "ward_ana", sql)
		if err != nil {
			t.Fatal(err)
		}
		if shown(cells[0])[0] != "312" || shown(cells[1])[0] != "288" || len(receipt.Lines) != 2 {
			t.Errorf("%q %q %+v", shown(cells[0]), shown(cells[1]), receipt.Lines)
		}
		for _, line := range receipt.Lines {
			if (line.Audit.Spent == 0) != free {
				t.Errorf("%v: spent %v", line.Table, line.Audit.Spent)
			}
		}
	}
}

// TestPublicTablesChange changes a public table that an audited one is joined with. It fails if whom a count counts is remembered.
func TestPublicTablesChange(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	const sql = "SELECT land, count(*) FROM clinic.carriers JOIN clinic.regions USING (region) GROUP BY land"
	w.answers(d, sql, "down 904", "up 901")
	w.Exec("UPDATE clinic.regions SET land = 'up'")
	w.answers(d, sql, "up 1805")
}
