package release

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/audited"
	"tacit/release/internal/epoch"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/release/seal"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// newCarriers is a ward with an audited table, of which no epoch is sealed.
func newCarriers(t *testing.T) *ward { return newWardOf(t, site.CarrierSchema, site.CarrierPolicy) }

// seal opens an epoch.
func (w *ward) seal(distinct bool) *seal.Epoch {
	w.T.Helper()
	sealed, err := w.trySeal(distinct)
	if err != nil {
		w.T.Fatal(err)
	}
	return sealed
}

func (w *ward) trySeal(distinct bool) (*seal.Epoch, error) {
	return seal.OpenEpoch(context.Background(), w.Policy, seal.Request{Table: carriers, Reason: "a test", Distinct: distinct, Random: strings.NewReader(strings.Repeat("x", 1<<16))})
}

var carriers = policy.TableName{Schema: "clinic", Name: "carriers"}

// shown prints cells as rows: keys, then counts.
func shown(cells *query.Cells) []string {
	var rows []string
	for i := range cells.Counts[0] {
		var fields []string
		for _, k := range cells.Keys {
			if k[i].Null {
				fields = append(fields, "-")
			} else {
				fields = append(fields, k[i].Text)
			}
		}
		for c := range cells.Counts {
			if cells.Suppressed[c] != nil && cells.Suppressed[c][i] {
				fields = append(fields, "NULL")
			} else {
				fields = append(fields, fmt.Sprint(cells.Counts[c][i]))
			}
		}
		rows = append(rows, strings.Join(fields, " "))
	}
	return rows
}

// answers asks and compares.
func (w *ward) answers(d *Gateway, sql string, want ...string) *reply.AuditReceipt {
	w.T.Helper()
	cells, receipt, err := w.ask(d, "ward_ana", sql)
	if err != nil {
		var refusal *pgerror.Refusal
		errors.As(err, &refusal)
		w.T.Fatalf("%s: %v: %#v", sql, err, refusal)
	}
	if diff := cmp.Diff(want, shown(cells[0])); diff != "" {
		w.T.Errorf("%s (-want +got):\n%s", sql, diff)
	}
	return receipt.Lines[0].Audit
}

// refuses asks for what is refused.
func (w *ward) refuses(d *Gateway, sql, message string) {
	w.T.Helper()
	_, _, err := w.ask(d, "ward_ana", sql)
	var refusal *pgerror.Refusal
	if !errors.As(err, &refusal) || !strings.Contains(refusal.Message, message) {
		w.T.Errorf("%s: %v, want a refusal that says %q", sql, err, message)
	}
}

// TestAuditedCounts asks in every form for counts that are released, and for some that are not. It fails if a count is not that of the rows, if one
// of a small group is shown, or if a public fact is taken for a secret.
func TestAuditedCounts(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	w.answers(d, "SELECT hair, count(*) FROM clinic.carriers GROUP BY hair", "blonde 600", "black 601", "brown 600", "white 4")
	r := w.answers(d, "SELECT hair, eye, count(*) FILTER (WHERE gene) FROM clinic.carriers GROUP BY hair, eye",
		"blonde black 104", "blonde blue 102", "blonde - 106", "black black 84", "black blue 83", "black - 86",
		"brown black 64", "brown blue 62", "brown - 66", "white red NULL")
	if r.Released != 9 || r.Suppressed != 1 || r.Spent <= 0 || r.Spent > 2e17 {
		t.Errorf("receipt %+v", r)
	}
	before := r.TableLeft
	for _, c := range []struct {
		sql  string
		want []string
	}{
		{"SELECT eye, hair, sum(gene::int), count(CASE WHEN gene THEN 1 END) FROM clinic.carriers WHERE hair IN ('black', 'white') GROUP BY 1, 2",
			[]string{"black black 84 84", "blue black 83 83", "red white NULL NULL", "- black 86 86"}},
		{"SELECT eye, count(*), count(*) FILTER (WHERE NOT gene) FROM clinic.carriers WHERE hair = 'brown' GROUP BY eye", []string{"black 200 136", "blue 200 138", "- 200 134"}},
		{"SELECT gene, count(*) FROM clinic.carriers WHERE hair = 'black' GROUP BY gene", []string{"f 348", "t 253"}},
		{"SELECT hair, gene, count(*) FROM clinic.carriers WHERE hair <> 'black' GROUP BY 1, 2",
			[]string{"blonde f 288", "blonde t 312", "brown f 408", "brown t 192", "white f NULL", "white t NULL"}},
		{"SELECT hair, eye, sum(gene::int), count(*) FROM clinic.carriers WHERE hair = 'brown' GROUP BY ROLLUP (hair, eye)",
			[]string{"brown black 64 200", "brown blue 62 200", "brown - 66 200", "brown - 192 600", "- - 192 600"}},
		{"SELECT count(*) FROM clinic.carriers WHERE gene AND hair <> 'white'", []string{"757"}},
		{"SELECT CASE WHEN gene THEN 'yes' ELSE hair END AS k, count(*) FROM clinic.carriers WHERE hair = 'blonde' GROUP BY 1", []string{"blonde 288", "yes 312"}},
		{"SELECT land, count(*) FROM clinic.carriers JOIN clinic.regions USING (region) GROUP BY land", []string{"down 904", "up 901"}},
		{"SELECT count(*) FROM clinic.carriers WHERE age > 200", []string{"0"}},
	} {
		if r := w.answers(d, c.sql, c.want...); r.Spent != 0 || r.TableLeft != before {
			t.Errorf("%s: not free: %+v", c.sql, r)
		}
	}
	// A tracker: everybody but one.
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'black' AND age <> 99", "NULL")
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'black' AND eye = 'blue' AND age = 99", "NULL")
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene", "NULL")
	w.refuses(d, "SELECT count(*) FROM clinic.carriers WHERE gene = (hair = 'black')", "different values")
	w.refuses(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND age < 30 OR NOT gene AND age > 40", "different values")
	// The books are read again by the next process.
	d.Close()
	d = w.open()
	if r := w.answers(d, "SELECT hair, sum(gene::int) FROM clinic.carriers GROUP BY hair", "blonde 312", "black 253", "brown 192", "white NULL"); r.TableLeft != before {
		t.Errorf("after a restart %v is left, not %v", r.TableLeft, before)
	}
}

// TestAuditedEpochs changes the table behind an epoch's back. It fails if rows that came later are counted, if a question is answered after
// rows went away, or if one that was answered before is not.
func TestAuditedEpochs(t *testing.T) {
	w := newCarriers(t)
	d := w.open()
	w.refuses(d, "SELECT hair, count(*) FROM clinic.carriers GROUP BY hair", "has no epoch yet")
	d.Close()
	if sealed := w.seal(false); sealed.Epoch != 1 || sealed.People != 1805 {
		t.Errorf("%+v", sealed)
	}
	w.Exec("INSERT INTO clinic.carriers SELECT i, 'black', 'blue', 44, 'north', true FROM generate_series(500, 800) AS i; UPDATE clinic.carriers SET gene = NOT gene WHERE id BETWEEN 600 AND 700")
	d = w.open()
	const blue = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'black' AND eye = 'blue'"
	w.answers(d, blue, "83")
	w.answers(d, "SELECT hair, count(*) FROM clinic.carriers GROUP BY hair", "blonde 600", "black 601", "brown 600", "white 4")
	w.Exec("DELETE FROM clinic.carriers WHERE id = 1")
	w.answers(d, blue, "83")
	for range 2 {
		w.refuses(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde' AND eye = 'blue'", "epoch of table clinic.carriers is over")
	}
	w.answers(d, blue, "83")
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE hair = 'white'", "4")
}

// TestAuditedCrash ends the process between the charge and the answer. It fails if the charge is forgotten, or if the next process
// takes what was decided for answered.
func TestAuditedCrash(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'"
	ctx := context.Background()
	audit, err := d.audited.Begin(reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}})
	if err == nil {
		err = audit.Prepare(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := audit.Parts[0]
	left, err := audit.Left(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	statement, err := p.Book.State.Begin(audited.AuditorQueries(p.Asked.Questions), left, [32]byte{})
	if err != nil {
		t.Fatal(err)
	}
	round, ok := statement.Next()
	if !ok || len(round.Open) != 1 {
		t.Fatalf("%+v", round)
	}
	if _, err := audit.Append(ctx, p, audited.Decided{Table: carriers, Round: round, Payload: round.Event().Payload, Questions: p.Asked.Questions}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	d = w.open()
	r := w.answers(d, sql, "312")
	if want := left.Table - 2*round.Charge; r.TableLeft != want {
		t.Errorf("%v is left, not %v", r.TableLeft, want)
	}
}

// TestSealedNeedsADecision opens counts with every reservation but that of their decision, which must be impossible.
func TestSealedNeedsADecision(t *testing.T) {
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
	statement, err := p.Book.State.Begin(audited.AuditorQueries(p.Asked.Questions), leftOf(t, audit), [32]byte{})
	if err != nil {
		t.Fatal(err)
	}
	round, _ := statement.Next()
	s, err := d.monitor.Curator.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer s.End()
	event := audited.Decided{Table: carriers, Round: round, Payload: round.Event().Payload, Questions: p.Asked.Questions}
	entry := accountant.AuditEntry{
		Analyst: "ward_ana", Table: carriers, Kind: auditor.EventRound, TableBudget: p.Table.Policy.Budget, Follows: p.Book.Last, Answers: p.Book.Answers, Payload: []byte("another"),
	}
	foreign, err := d.monitor.Ledger.AppendAudit(ctx, entry)
	if err != nil {
		t.Fatal(err)
	}
	entry.Table, entry.Payload, entry.Follows = policy.TableName{Schema: "clinic", Name: "others"}, event.Payload, 0
	elsewhere, err := d.monitor.Ledger.AppendAudit(ctx, entry)
	if err != nil {
		t.Fatal(err)
	}
	entry.Table, entry.Follows = carriers, foreign.Sequence
	own, err := d.monitor.Ledger.AppendAudit(ctx, entry)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := audited.ReadSealed(ctx, s, own, event, p)
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*ledger.AuditReservation{"none": nil, "that of nobody": {}, "of another decision": foreign, "of another table": elsewhere} {
		if _, err := audited.ReadSealed(ctx, s, r, event, p); !errors.Is(err, curator.ErrUnpaid) {
			t.Errorf("read with a reservation %s: %v", name, err)
		}
		if values, err := counts.Open(r, event); err == nil {
			t.Errorf("opened with a reservation %s: %v", name, values)
		}
	}
	for _, unread := range []*audited.Sealed{nil, {}} {
		if values, err := unread.Open(own, event); err == nil {
			t.Errorf("opened without counts: %v", values)
		}
	}
	if values, err := counts.Open(own, event); err != nil || !slices.Equal(values, []int64{312}) {
		t.Errorf("its own reservation opens %v, %v", values, err)
	}
	if err := d.monitor.Ledger.RecordAudit(ctx, own, []byte("1")); err != nil {
		t.Fatal(err)
	}
	if values, err := counts.Open(own, event); err == nil {
		t.Errorf("opened again after it was answered: %v", values)
	}
}

// TestOrderTellsNothing asks after somebody else asked the same with its keys in another order. It fails if rows come as the other wants them.
func TestOrderTellsNothing(t *testing.T) {
	var orders [2][]string
	for i, first := range []string{"hair, eye", "eye, hair"} {
		w := newCarriers(t)
		w.seal(false)
		d := w.open()
		if _, _, err := w.ask(d, "ward_bob", "SELECT "+first+", count(*) FROM clinic.carriers GROUP BY "+first); err != nil {
			t.Fatal(err)
		}
		cells, _, err := w.ask(d, "ward_ana", "SELECT hair, eye, count(*) FROM clinic.carriers GROUP BY hair, eye")
		if err != nil {
			t.Fatal(err)
		}
		orders[i] = shown(cells[0])
	}
	if diff := cmp.Diff(orders[0], orders[1]); diff != "" {
		t.Errorf("(-bob asked for hair first +bob asked for eyes first):\n%s", diff)
	}
}

// TestAuditedExplain compares what EXPLAIN predicts with what happens.
func TestAuditedExplain(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	const sql = "SELECT hair, eye, count(*), count(*) FILTER (WHERE gene) FROM clinic.carriers GROUP BY hair, eye"
	ask := reply.Request{Analyst: "ward_bob", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}}
	e, err := d.Explain(context.Background(), ask)
	if err != nil {
		t.Fatal(err)
	}
	_, receipt, err := d.Answer(context.Background(), ask)
	if err != nil {
		t.Fatal(err)
	}
	got := receipt.Lines[0].Audit
	var predicted reply.AuditTally
	for _, q := range e.Audits[0].Questions {
		predicted.Public += q.Public
		predicted.Free += q.Free
		predicted.Certified += q.Certified
		predicted.Released += q.Released
		predicted.Suppressed += q.Suppressed
	}
	if diff := cmp.Diff(got.AuditTally, predicted); diff != "" || e.Audits[0].Risk != got.Spent {
		t.Errorf("predicted risk %v, spent %v; (-happened +predicted):\n%s", e.Audits[0].Risk, got.Spent, diff)
	}
	if e.Audits[0].AnalystLeft == nil || *e.Audits[0].AnalystLeft != 1e16 || *got.AnalystLeft != 1e16-got.Spent {
		t.Errorf("of bob's share %v is left, and then %v", e.Audits[0].AnalystLeft, got.AnalystLeft)
	}
	text := strings.Join(e.Lines(), "\n")
	for _, line := range []string{"Audited Count on clinic.carriers", "  Counts: 10 public", "  Counts: 9 released, 1 suppressed (NULL)", "Risk of clinic.carriers", "Nothing was counted or charged."} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
	if _, err := e.JSON(); err != nil {
		t.Error(err)
	}
	w.T.Log(receipt.Notice())
}

// TestFactsAreStored reads back what was written, and refuses what is damaged.
func TestFactsAreStored(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	r, err := ledger.OpenReadOnly(context.Background(), w.Policy.Ledger)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	book, err := audited.OpenBook(context.Background(), r, carriers)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := book.Facts.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := epoch.DecodeFacts(stored)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(book.Facts, again, cmp.AllowUnexported(epoch.PublicFacts{}, epoch.Unit{})); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(again.Columns, []string{"hair", "eye", "age", "region"}) {
		t.Errorf("columns %q", again.Columns)
	}
	if filepath.Base(w.Policy.Ledger.SQLite) != "ward.db" {
		t.Error(w.Policy.Ledger.SQLite)
	}
}

func leftOf(t testing.TB, a *audited.Statement) auditor.Left {
	t.Helper()
	left, err := a.Left(context.Background(), a.Parts[0])
	if err != nil {
		t.Fatal(err)
	}
	return left
}
