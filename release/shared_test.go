package release

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// twoDoors runs a test with two doors that have one ledger and draw other noise: as two proxies on a ledger in PostgreSQL, and as two that
// have one ledger of SQLite open, so that what one has in flight the other finds in the ledger alone. With -short it is PostgreSQL's alone.
func twoDoors(t *testing.T, make func(*testing.T) *ward, test func(w *ward, first, second *Gateway)) {
	t.Run("sqlite", func(t *testing.T) {
		if testing.Short() {
			t.Skip("takes long")
		}
		w := make(t)
		first := w.open()
		test(w, first, w.beside(first))
	})
	t.Run("postgres", func(t *testing.T) {
		w := make(t)
		w.shareLedger()
		test(w, w.open(), w.another())
	})
}

// beside opens a second door on the first one's ledger.
func (w *ward) beside(first *Gateway) *Gateway {
	w.T.Helper()
	elsewhere := *w.Policy
	elsewhere.Ledger = policy.LedgerLocation{SQLite: w.T.TempDir() + "/unused.db"}
	d, err := Open(context.Background(), Config{Policy: &elsewhere, Random: rand.NewChaCha8([32]byte{99})})
	if err != nil {
		w.T.Fatal(err)
	}
	d.monitor.Mu.Lock()
	unused := d.monitor.Ledger
	d.monitor.Ledger = first.monitor.Ledger
	d.monitor.Mu.Unlock()
	unused.Close()
	w.T.Cleanup(func() {
		d.monitor.Mu.Lock()
		d.monitor.Ledger = nil // it is the first door's to close
		d.monitor.Mu.Unlock()
		d.Close()
	})
	return d
}

// shareLedger puts the ledger into a database of its own, with a login of its own.
func (w *ward) shareLedger() {
	w.T.Helper()
	database := site.Cluster.CreateDatabase(w.T)
	site.RunScript(w.T, "postgres", database, `
DO $$ BEGIN CREATE ROLE ward_ledger LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
GRANT CREATE ON DATABASE "`+database+`" TO ward_ledger;`)
	w.Policy.Ledger = policy.LedgerLocation{Postgres: site.Cluster.URL("ward_ledger", database), Guard: w.T.TempDir()}
}

// another opens a door as a proxy on another machine does: it has the ledger alone in common.
func (w *ward) another() *Gateway {
	w.T.Helper()
	elsewhere := *w.Policy
	elsewhere.Ledger.Guard = w.T.TempDir()
	d, err := Open(context.Background(), Config{Policy: &elsewhere, Random: rand.NewChaCha8([32]byte{99})})
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { d.Close() })
	return d
}

// hold keeps counts of the people waiting until release is called.
func (w *ward) hold() (release func()) {
	w.T.Helper()
	blocker := site.Connect(w.T, "postgres", w.Database)
	if _, err := blocker.PgConn().Exec(context.Background(), "BEGIN; LOCK TABLE clinic.people").ReadAll(); err != nil {
		w.T.Fatal(err)
	}
	return func() {
		if _, err := blocker.Exec(context.Background(), "ROLLBACK"); err != nil {
			w.T.Error(err)
		}
	}
}

// An outcome is what an analyst was told.
type outcome struct {
	cells   string
	receipt *reply.Receipt
	err     error
}

func (w *ward) outcome(d *Gateway, analyst, sql string) outcome {
	cells, receipt, err := w.ask(d, analyst, sql)
	if err != nil {
		return outcome{err: err}
	}
	return outcome{cells: cellText(cells[0]), receipt: receipt}
}

// begin asks in the background.
func (w *ward) begin(d *Gateway, analyst, sql string) <-chan outcome {
	done := make(chan outcome, 1)
	go func() { done <- w.outcome(d, analyst, sql) }()
	return done
}

// awaitSpent waits until the log has so much.
func (w *ward) awaitSpent(d *Gateway, epsilon policy.Epsilon) {
	w.T.Helper()
	for deadline := time.Now().Add(time.Minute); w.spent(d).Epsilon < epsilon; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.T.Fatalf("%v spent after a minute, want epsilon %v", w.spent(d), epsilon)
		}
	}
}

// newNoisyWard is a ward with so much noise that two draws over a hundred cells are never the same: those of a cell are with a probability
// of less than 0.05.
func newNoisyWard(t *testing.T) *ward {
	t.Helper()
	w := newWard(t)
	w.Policy.Tables[0].Mechanism.Epsilon = 1e8
	w.Policy.Tables[0].Mechanism.KeepNegative = true
	return w
}

const byAge = "SELECT age, count(*) FROM clinic.people GROUP BY age"

// TestTwoDoorsOneRelease asks two doors the same new question while no count can end: one counts, the other waits for it, and both show
// one release for one charge. It fails if a door that waits counts by itself, or shows what it drew.
func TestTwoDoorsOneRelease(t *testing.T) {
	twoDoors(t, newNoisyWard, func(w *ward, first, second *Gateway) {
		free := w.hold()
		asked := []<-chan outcome{w.begin(first, "ward_ana", byAge)}
		w.awaitSpent(first, 1e8)
		for range 4 {
			asked = append(asked, w.begin(second, "ward_bob", byAge), w.begin(first, "ward_bob", byAge))
		}
		time.Sleep(100 * time.Millisecond) // so that they wait, which shows nothing if they do not yet
		free()
		shown := make(map[string]int)
		for i, done := range asked {
			o := <-done
			if o.err != nil {
				w.T.Fatal(o.err)
			}
			shown[o.cells]++
			if line := o.receipt.Lines[0]; line.New != 0 && i > 0 || line.Charged != (accountant.Loss{}) && i > 0 {
				w.T.Errorf("analyst %d, who waited, has the receipt %s", i, line)
			}
		}
		if len(shown) != 1 {
			w.T.Errorf("%d different answers to one question", len(shown))
		}
		if got := w.spent(first); got.Epsilon != 1e8 {
			w.T.Errorf("%v spent, want epsilon 0.1", got)
		}
	})
}

// TestWaitingEndsWithItsStatement cancels a statement that waits for another door: it costs nothing and leaves nothing behind.
func TestWaitingEndsWithItsStatement(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	twoDoors(t, newWard, func(w *ward, first, second *Gateway) {
		free := w.hold()
		counting := w.begin(first, "ward_ana", byAge)
		w.awaitSpent(first, 20e9)
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		_, _, err := second.Answer(ctx, reply.Request{Analyst: "ward_bob", SQL: byAge, Queries: []*query.BoundQuery{w.query(second, byAge)}})
		if refusalCode(err) != "57014" {
			w.T.Errorf("cancelled while waiting: %v", err)
		}
		free()
		if o := <-counting; o.err != nil {
			w.T.Error(o.err)
		}
		if got := w.spent(first); got.Epsilon != 20e9 {
			w.T.Errorf("%v spent, want epsilon 20", got)
		}
	})
}

// TestFailedCountIsNotWaitedFor fails a count for which another door waits: the other asks anew, for a charge of its own, and both charges
// stay.
func TestFailedCountIsNotWaitedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	twoDoors(t, newWard, func(w *ward, first, second *Gateway) {
		free := w.hold()
		ctx, cancel := context.WithCancel(context.Background())
		failed := make(chan error, 1)
		q := w.query(first, byAge)
		go func() {
			_, _, err := first.Answer(ctx, reply.Request{Analyst: "ward_ana", SQL: byAge, Queries: []*query.BoundQuery{q}})
			failed <- err
		}()
		w.awaitSpent(first, 20e9)
		waiting := w.begin(second, "ward_bob", byAge)
		time.Sleep(50 * time.Millisecond)
		cancel()
		if err := <-failed; refusalCode(err) != "57014" {
			w.T.Errorf("a cancelled count ended in %v", err)
		}
		w.awaitSpent(first, 40e9)
		free()
		if o := <-waiting; o.err != nil || o.receipt.Lines[0].Charged.Epsilon != 20e9 {
			w.T.Errorf("whoever waited was told %+v", o)
		}
		if got := w.spent(first); got.Epsilon != 40e9 {
			w.T.Errorf("%v spent, want epsilon 40", got)
		}
	})
}

// TestEpochWhileCounting opens an epoch while a question of the former one is being counted: what was drawn for the former epoch is not shown
// and not recorded, the question is charged again, and what is shown then is what is replayed.
func TestEpochWhileCounting(t *testing.T) {
	w := newNoisyWard(t)
	d := w.open()
	ctx := context.Background()
	before := w.outcome(d, "ward_ana", byAge)
	free := w.hold()
	const other = "SELECT age, count(*) FROM clinic.people WHERE age >= 0 GROUP BY age"
	counting := w.begin(d, "ward_ana", other)
	w.awaitSpent(d, 2e8)
	if _, err := d.monitor.Ledger.OpenEpoch(ctx, PeopleTable, "steward", "the year's end"); err != nil {
		t.Fatal(err)
	}
	free()
	shown := <-counting
	if shown.err != nil {
		t.Fatal(shown.err)
	}
	if got := w.spent(d); got.Epsilon != 3e8 {
		t.Errorf("%v charged in both epochs, want epsilon 0.3", got)
	}
	if charged := shown.receipt.Lines[0].Charged.Epsilon; charged != 2e8 {
		t.Errorf("a statement that was charged in two epochs says %v", charged)
	}
	if again := w.outcome(d, "ward_bob", other); again.cells != shown.cells || again.receipt.Lines[0].Replayed != 1 {
		t.Error("what was shown is not what is replayed")
	}
	after := w.outcome(d, "ward_ana", byAge)
	if after.cells == before.cells || after.receipt.Lines[0].Charged.Epsilon != 1e8 {
		t.Errorf("an answer of the former epoch was replayed: %s", after.receipt.Notice())
	}
	if standing := w.standing(d, "ward_ana"); standing.Epoch != 2 || standing.Spent.Epsilon > 2e8 {
		t.Errorf("in the new epoch: %+v", standing)
	}
}

// standing is how the people's table and an analyst without a cap stand.
func (w *ward) standing(d *Gateway, analyst string) accountant.Balance {
	w.T.Helper()
	s, err := d.monitor.Ledger.Balance(context.Background(), d.monitor.Current().Accounting[PeopleTable], analyst, nil)
	if err != nil {
		w.T.Fatal(err)
	}
	return s
}

// TestFrozen freezes the table, and then one analyst: what is new is refused with the steward's words and without a charge, EXPLAIN says so
// beforehand, and what was answered before stays free.
func TestFrozen(t *testing.T) {
	w := newWard(t)
	d := w.open()
	ctx := context.Background()
	w.cells(d, "SELECT count(*) FROM clinic.people")
	spent := w.spent(d)
	for _, c := range []struct{ frozen, message string }{
		{"", "table clinic.people is frozen: nothing new is answered"},
		{"ward_ana", "you are frozen on table clinic.people: nothing new is answered"},
	} {
		act := ledger.Freeze{Table: PeopleTable, Analyst: c.frozen, By: "steward", Reason: "a complaint is looked into."}
		if _, err := d.monitor.Ledger.Freeze(ctx, act); err != nil {
			t.Fatal(err)
		}
		const fresh = "SELECT count(*) FROM clinic.people WHERE age = 40"
		_, _, err := w.ask(d, "ward_ana", fresh)
		var r *pgerror.Refusal
		if !errors.As(err, &r) || r.Code != "55000" || r.Message != c.message || !strings.Contains(r.Detail, "a complaint is looked into. Nothing was charged.") {
			t.Errorf("frozen for %q: %v", c.frozen, err)
		}
		e, err := w.explain(d, "ward_ana", fresh)
		if err != nil || e.Tables[0].Covered || !strings.Contains(strings.Join(e.Lines(), "\n"), "Frozen: a complaint is looked into.\n  Covered: no (frozen)") {
			t.Errorf("frozen for %q, EXPLAIN says %+v, %v", c.frozen, e, err)
		}
		o := w.outcome(d, "ward_ana", "SELECT count(*) FROM clinic.people")
		if o.err != nil || o.receipt.Lines[0].Replayed != 1 || !strings.Contains(o.receipt.Notice(), "frozen: a complaint") {
			t.Errorf("frozen for %q, a repeated question: %+v", c.frozen, o)
		}
		if report := w.report(d, "ward_ana", rewrite.BudgetReport); !strings.Contains(report, "|a complaint is looked into.|\n") {
			t.Errorf("frozen for %q, tacit.budget is\n%s", c.frozen, report)
		}
		if c.frozen != "" {
			w.mustAsk(d, "ward_bob", fresh)
			spent = w.spent(d)
		}
		if got := w.spent(d); got != spent {
			t.Errorf("frozen for %q, %v was charged", c.frozen, got)
		}
		if _, err := d.monitor.Ledger.Thaw(ctx, act); err != nil {
			t.Fatal(err)
		}
		w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.people WHERE sex = 'F' AND age = "+fmt.Sprint(41+len(c.frozen)))
		spent = w.spent(d)
	}
}

// TestOrphanIsAdopted leaves a charge behind that nobody answered, as a crash does: who asks the question next is answered under it.
func TestOrphanIsAdopted(t *testing.T) {
	w := newWard(t)
	d := w.open()
	ctx := context.Background()
	a, err := d.noisy.Plan(ctx, reply.Request{Analyst: "ward_ana", SQL: byAge, Queries: []*query.BoundQuery{w.query(d, byAge)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Reserve(ctx, a.Tasks()); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = w.open()
	o := w.outcome(d, "ward_bob", byAge)
	if o.err != nil {
		t.Fatal(o.err)
	}
	if line := o.receipt.Lines[0]; line.Adopted != 1 || line.New != 0 || line.Charged != (accountant.Loss{}) || !strings.Contains(line.String(), "; free (answered under an earlier charge);") {
		t.Errorf("an orphan's receipt: %s", line)
	}
	if got := w.spent(d); got.Epsilon != 20e9 {
		t.Errorf("%v spent, want epsilon 20", got)
	}
	if again := w.outcome(d, "ward_ana", byAge); again.cells != o.cells || again.receipt.Lines[0].Replayed != 1 {
		t.Error("what was shown under an adopted charge is not replayed")
	}
	d.Close() // writes out what is noted
	d = w.open()
	want := "time|clinic|people|replayed|0|0|NULL|" + byAge + "|0|0|NULL|\n"
	if history := w.report(d, "ward_bob", rewrite.HistoryReport); history != want {
		t.Errorf("the history of whom the charge was taken over for is\n%s", history)
	}
}

// TestLedgerCheckThatCannotBeMade lets nobody log in to the ledger's server any more. That opens the ledger to no analyst: the door stays open for
// some minutes, and then says that it is the ledger which cannot be used; once the server takes logins again so does the door answer.
func TestLedgerCheckThatCannotBeMade(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	w := newWard(t)
	w.shareLedger()
	d := w.open()
	ctx := context.Background()
	const sql = "SELECT count(*) FROM clinic.people"
	w.mustAsk(d, "ward_ana", sql)
	limit := func(logins int) {
		site.RunScript(t, "postgres", "postgres", fmt.Sprintf("ALTER ROLE ward_ledger CONNECTION LIMIT %d", logins))
	}
	limit(0)
	defer limit(-1)
	if err := d.Refresh(ctx); err != nil || d.LedgerError() != nil {
		t.Errorf("the door is closed: %v, %v", err, d.LedgerError())
	}
	w.mustAsk(d, "ward_ana", sql)
	d.monitor.Mu.Lock()
	d.monitor.Apart = time.Now().Add(-2 * live.ConfirmedFor)
	d.monitor.Mu.Unlock()
	if err := d.Refresh(ctx); err != nil || d.LedgerError() == nil {
		t.Errorf("after a time in which the ledger could not be checked: %v, %v", err, d.LedgerError())
	}
	if _, _, err := w.ask(d, "ward_ana", sql); refusalCode(err) != "58030" {
		t.Errorf("after a time in which the ledger could not be checked: %v", err)
	}
	limit(-1)
	if err := d.Refresh(ctx); err != nil || d.LedgerError() != nil {
		t.Errorf("the door stays closed: %v, %v", err, d.LedgerError())
	}
	w.mustAsk(d, "ward_ana", sql)
}

// TestLedgerAway takes the ledger's server away: what the proxy remembers is answered and explained, and what would be charged is refused with the
// same words whether it is asked or explained.
func TestLedgerAway(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	w := newWard(t)
	w.shareLedger()
	relay, err := site.Cluster.NewRelay()
	if err != nil {
		t.Fatal(err)
	}
	defer relay.Close()
	w.Policy.Ledger.Postgres = strings.Replace(w.Policy.Ledger.Postgres, fmt.Sprintf(":%d/", site.Cluster.Port), fmt.Sprintf(":%d/", relay.Port), 1)
	d := w.open()
	const known, fresh = "SELECT count(*) FROM clinic.people", "SELECT count(*) FROM clinic.people WHERE age = 3"
	w.mustAsk(d, "ward_ana", known)
	relay.SetAway(true)
	time.Sleep(300 * time.Millisecond) // so that the door has seen it
	if o := w.outcome(d, "ward_bob", known); o.err != nil || o.receipt.Lines[0].Replayed != 1 {
		t.Errorf("what the proxy remembers: %+v", o)
	}
	if e, err := w.explain(d, "ward_bob", known); err != nil || !e.Questions[0].Recorded {
		t.Errorf("EXPLAIN of what the proxy remembers: %+v, %v", e, err)
	}
	if report := w.report(d, "ward_ana", rewrite.BudgetReport); !strings.HasPrefix(report, "clinic|people|1000|19.99") {
		t.Errorf("tacit.budget is\n%s", report)
	}
	_, _, asked := w.ask(d, "ward_ana", fresh)
	_, explained := w.explain(d, "ward_ana", fresh)
	if refusalCode(asked) != "58030" || refusalCode(explained) != "58030" {
		t.Errorf("a new question is refused with %v, and EXPLAIN of it with %v", asked, explained)
	}
	relay.SetAway(false)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if o := w.outcome(d, "ward_ana", fresh); o.err == nil {
			break
		} else if refusalCode(o.err) != "58030" || time.Now().After(deadline) {
			t.Fatalf("when the ledger is back: %v", o.err)
		}
	}
}

// TestWindow wants the window and the lifetime beside each other, wherever an analyst looks.
func TestWindow(t *testing.T) {
	w := newWard(t)
	w.Policy.Tables[0].Window = 30 * 24 * time.Hour
	d := w.open()
	o := w.outcome(d, "ward_ana", "SELECT count(*) FROM clinic.people")
	if o.err != nil {
		t.Fatal(o.err)
	}
	if want := "left of 30 days: table epsilon 980, delta 5e-9; spent since the epoch: epsilon 20, delta 5e-9"; !strings.HasSuffix(o.receipt.Notice(), want) {
		t.Errorf("the notice is %s, want …%s", o.receipt.Notice(), want)
	}
	e, err := w.explain(d, "ward_ana", "SELECT count(*) FROM clinic.people WHERE age = 3")
	if err != nil {
		t.Fatal(err)
	}
	lines := e.Lines()
	for _, want := range []string{"  Window: 30 days", "  Spent Since the Epoch: epsilon 20, delta 5e-9"} {
		if !slices.Contains(lines, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(lines, "\n"))
		}
	}
	report := w.report(d, "ward_ana", rewrite.BudgetReport)
	if lines := strings.Split(report, "\n"); !strings.Contains(lines[0], "|pld|19.99") || !strings.HasSuffix(lines[0], "|30|1|NULL|") || !strings.HasSuffix(lines[1], "|NULL|1|NULL|") {
		t.Errorf("tacit.budget is\n%s", report)
	}
}
