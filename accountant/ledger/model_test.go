package ledger

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger/ledgertest"
	"tacit/policy"
)

// A simulation does the same to a ledger, through several processes' handles, and to the paper, and compares what comes of it.
type simulation struct {
	t        *testing.T
	rand     *rand.Rand
	location policy.LedgerLocation
	paper    *paper
	desks    []*desk
	waiting  []waitingReservation
	decided  []waitingDecision
	notes    []time.Time // of which what they say is there
	steps    map[string]int
}

// A desk is a process's handle of the ledger.
type desk struct {
	*Ledger
	store  *forgetfulStore
	skew   time.Duration // of its clock
	opened int           // how many answers had been recorded when it was opened
	gone   bool
}

// A waitingReservation is of a statement about one table or two.
type waitingReservation struct {
	desk         *desk
	reservations []*Reservation
	charges      []accountant.Charge
}

type waitingDecision struct {
	desk        *desk
	reservation *AuditReservation
	table       policy.TableName
}

var (
	modelTables   = []policy.TableName{patients, visits, {Schema: "Pub lic", Name: `vis"its`}}
	auditedTable  = policy.TableName{Schema: "public", Name: "auditedTable"}
	auditedTables = []policy.TableName{auditedTable, {Schema: "Pub lic", Name: "audited"}}
	modelAnalysts = []string{"ana", "bob", "ève"}
)

func (s *simulation) pick(n int) int { return s.rand.IntN(n) }

func (s *simulation) table() policy.TableName { return modelTables[s.pick(len(modelTables))] }

func (s *simulation) auditedTable() policy.TableName {
	return auditedTables[s.pick(len(auditedTables))]
}

func (s *simulation) analyst() string { return modelAnalysts[s.pick(len(modelAnalysts))] }

// desk is one of the ledger's handles, which has taken in what the others have written, and may fail to write when it does next.
func (s *simulation) desk() *desk {
	d := s.desks[s.pick(len(s.desks))]
	do(s.t, d.do(context.Background(), func(*batch) error { return nil }))
	if s.pick(16) == 0 {
		outcome := s.pick(outcomes)
		d.store.next.Store(int32(outcome))
		s.steps[fmt.Sprint("outcome ", outcome)]++
	}
	return d
}

func (s *simulation) lookup() {
	d, q, maxAge := s.desk(), s.question(s.table()), time.Duration(s.pick(4))*time.Hour
	want, wantOK := s.paper.lookup(d, q, maxAge)
	got, ok, err := d.Lookup(context.Background(), q, maxAge)
	if err != nil || ok != wantOK || ok && string(got.Payload) != want {
		s.t.Fatalf("%v no older than %v: found %v %v, error %v; the paper has %q %v", q, maxAge, ok, got, err, want, wantOK)
	}
}

func (s *simulation) standing() {
	d, analyst := s.desk(), s.analyst()
	c := accountant.Charge{Accounting: s.accounting(s.table())}
	c.Window, c.Partition = []time.Duration{0, 24 * time.Hour}[s.pick(2)], ""
	got, err := d.Balance(context.Background(), c.Accounting, analyst, nil)
	do(s.t, err)
	t, raised := s.paper.table(c.Table), s.paper.raised(&c)
	spent := addedUp(raised.Accounting, itemsOf(s.paper.counting(&c, d, "")))
	c.Window = 0
	lifetime := addedUp(raised.Accounting, itemsOf(s.paper.counting(&c, d, "")))
	frozen := t.frozen[""] != "" || t.frozen[analyst] != ""
	if got.Spent != spent || got.Lifetime != lifetime || got.Epoch != t.epoch || (got.Frozen != "") != frozen || got.Budget != raised.Budget {
		s.t.Fatalf("%s on %v stands as %+v; the paper has spent %v, lifetime %v, epoch %d, budget %v", analyst, c.Table, got, spent, lifetime,
			t.epoch, raised.Budget)
	}
	if own := s.paper.spent(c.Table, analyst); c.Composition == policy.BasicComposition && got.OwnLifetime != own {
		s.t.Fatalf("%s has spent %v on %v; the paper says %v", analyst, got.OwnLifetime, c.Table, own)
	}
}

func itemsOf(charges []*paperCharge) (items []accountant.Item) {
	for _, c := range charges {
		items = append(items, c.item)
	}
	return items
}

// act is a steward's.
func (s *simulation) act() {
	ctx, d, table, analyst := context.Background(), s.desk(), s.table(), ""
	if s.pick(2) == 0 {
		analyst = s.analyst()
	}
	// What is frozen is not left so for long.
	for name, t := range s.paper.tables {
		for who := range t.frozen {
			if s.pick(2) == 0 {
				table, analyst = name, who
			}
		}
	}
	t := s.paper.table(table)
	f := Freeze{Table: table, Analyst: analyst, By: "steward", Reason: "test"}
	var err error
	switch n := s.pick(6); {
	case t.frozen[analyst] != "":
		_, err = d.Thaw(ctx, f)
		delete(t.frozen, analyst)
	case n == 0:
		_, err = d.Freeze(ctx, f)
		t.frozen[analyst] = f.Reason
	case n == 1:
		_, err = d.OpenEpoch(ctx, table, "steward", "test")
		t.epoch++
		clear(t.granted)
	default:
		g := Grant{Table: table, Analyst: analyst, By: "steward", Reason: "test", Budget: policy.Budget{Epsilon: 1e7, Delta: policy.Delta(s.pick(2) * 3e9), Releases: int64(s.pick(2))}}
		_, err = d.Grant(ctx, g)
		t.granted[analyst] = t.granted[analyst].Add(accountant.Loss(g.Budget))
	}
	do(s.t, err)
	s.paper.enter(d)
	s.paper.shown++
}

// audit appends an event, most often behind the last one, by somebody who has most often seen all answers.
func (s *simulation) audit() {
	d, name := s.desk(), s.auditedTable()
	t := s.paper.table(name)
	e := accountant.AuditEntry{Analyst: s.analyst(), Table: name, Kind: "round", Risk: policy.Risk(max(0, s.pick(8)-2)), Payload: []byte(fmt.Sprint(s.rand.Uint64()))}
	last := len(t.events)
	e.Follows = int64(max(0, last-max(0, s.pick(6)-4)))
	e.Answers = t.answers()
	missed := e.Answers > 0 && s.pick(6) == 0
	if missed {
		e.Answers--
	}
	spent, own := s.paper.spent(name, ""), s.paper.spent(name, e.Analyst)
	e.TableBudget.Risk = max(0, spent.Risk+policy.Risk(s.pick(12)-2))
	over := e.Risk > 0 && spent.Risk+e.Risk > e.TableBudget.Risk
	if s.pick(2) == 0 {
		e.Cap = &policy.Budget{Risk: max(0, own.Risk+policy.Risk(s.pick(12)-2))}
		over = over || e.Risk > 0 && own.Risk+e.Risk > e.Cap.Risk
	}
	r, err := d.AppendAudit(context.Background(), e)
	var budget *accountant.OverBudgetError
	switch {
	case e.Follows < int64(last) || missed:
		if !errors.Is(err, ErrAuditMoved) {
			s.t.Fatalf("appended behind %d of %d, an answer missed: %t, with error %v", e.Follows, last, missed, err)
		}
	case over:
		if !errors.As(err, &budget) {
			s.t.Fatalf("appended with error %v; the paper says over the budget", err)
		}
	default:
		do(s.t, err)
		s.decided = append(s.decided, waitingDecision{d, r, name})
		t.events = append(t.events, paperEvent{analyst: e.Analyst, risk: e.Risk})
		s.paper.enter(d)
		s.paper.shown++
	}
}

// answer answers any event that waits, which only the last one of a table may be.
func (s *simulation) answer() {
	if len(s.decided) == 0 {
		return
	}
	i := s.pick(len(s.decided))
	d := s.decided[i]
	s.decided = append(s.decided[:i], s.decided[i+1:]...)
	answer := fmt.Sprint(s.rand.Uint64())
	err := d.desk.RecordAudit(context.Background(), d.reservation, []byte(answer))
	events := s.paper.table(d.table).events
	switch last := d.reservation.Sequence == int64(len(events)); {
	case last && err == nil:
		events[len(events)-1].answered, events[len(events)-1].answer = true, answer
		s.paper.enter(d.desk)
	case last || !errors.Is(err, ErrAuditMoved):
		s.t.Fatalf("answered event %d of %d with error %v", d.reservation.Sequence, len(events), err)
	}
}

func (s *simulation) history() {
	name := s.auditedTable()
	want := s.paper.table(name).events
	after := s.pick(len(want) + 1)
	got, err := s.desk().AuditEvents(context.Background(), name, int64(after))
	if err != nil || len(got) != len(want)-after {
		s.t.Fatalf("%d events behind %d, error %v; the paper has %d", len(got), after, err, len(want))
	}
	for i, e := range got {
		w := want[after+i]
		if e.Sequence != int64(after+i+1) || e.Analyst != w.analyst || e.Risk != w.risk || (e.Answer != nil) != w.answered || string(e.Answer) != w.answer {
			s.t.Fatalf("event %d is %+v, the paper's is %+v", after+i+1, e, w)
		}
	}
}

// note notes a refusal at once, not when the journal comes to it: the order of entries is the paper's.
func (s *simulation) note() {
	d := s.desk()
	d.events.write(loggedEvent{s.paper.time(d).UnixNano(), Event{Analyst: s.analyst(), Table: s.table(), Verdict: Refused, SQLState: "42501"}})
	s.notes = append(s.notes, s.paper.enter(d))
	s.paper.shown++
}

// thin drops what notes say by age, by number, or both. What is due is a beginning of them, since their times do not decrease, and so is what is too old of it.
// Each reason has an entry of its own.
func (s *simulation) thin() {
	d := s.desk()
	keep := policy.Keep{For: time.Duration(s.pick(3)*24) * time.Hour, Notes: int64(s.pick(3) * 20)}
	now, old := s.paper.time(d), 0
	for keep.For > 0 && old < len(s.notes) && s.notes[old].Before(now.Add(-keep.For)) {
		old++
	}
	due := old
	if keep.Notes > 0 {
		due = max(old, len(s.notes)-int(keep.Notes))
	}
	done, err := d.Thin(context.Background(), keep)
	if err != nil || done.Refused != int64(due) || done.Sum() != int64(due) {
		s.t.Fatalf("of %d notes %+v was dropped to keep %+v, %v; the paper says %d", len(s.notes), done, keep, err, due)
	}
	s.notes = s.notes[due:]
	for _, dropped := range []int{old, due - old} {
		if dropped > 0 {
			s.paper.enter(d)
			s.paper.shown += 1 - dropped
			s.steps["thinned"]++
		}
	}
}

func (s *simulation) wait() {
	s.paper.now = s.paper.now.Add(time.Duration(s.pick(600)) * time.Minute)
}

// reopen ends a process, and has another one in its place. What it was to answer may be adopted.
func (s *simulation) reopen() {
	i := s.pick(len(s.desks))
	closed := s.desks[i]
	closed.store.next.Store(writes) // a farewell that is lost is not repeated: the others wait for the lease
	do(s.t, closed.Close())
	closed.gone = true
	s.desks[i] = s.open(i)
	s.waiting = slices.DeleteFunc(s.waiting, func(w waitingReservation) bool { return w.desk == closed })
	s.decided = slices.DeleteFunc(s.decided, func(d waitingDecision) bool { return d.desk == closed })
}

// open opens a handle, with a clock that is right or a day off. Of a ledger in a file only the first is a proxy's.
func (s *simulation) open(i int) *desk {
	// A lease that nobody outlives here: a slow machine must not take the living for dead.
	o := Options{Location: s.location, Role: Serve, Lease: time.Hour}
	if s.location.SQLite != "" && i > 0 {
		o.Role = Steward
	}
	inner, err := openStore(context.Background(), o)
	do(s.t, err)
	d := &desk{store: &forgetfulStore{Store: inner}, skew: time.Duration(s.pick(3)-1) * 26 * time.Hour, opened: s.paper.recorded}
	d.Ledger, err = newLedger(context.Background(), d.store, o)
	do(s.t, err)
	d.sealEvery = 500
	d.setClock(func() time.Time { return s.paper.time(d) })
	for _, name := range auditedTables {
		t := s.paper.table(name)
		m, err := d.AuditMark(context.Background(), name)
		if err != nil || m.Sequence != int64(len(t.events)) || m.Answers != t.answers() {
			s.t.Fatalf("opened, the log of %v has come to %+v, %v; the paper has %d events and %d answers", name, m, err, len(t.events), t.answers())
		}
		if m.Answers > 0 && d.state.Checkpoint > 1 {
			s.steps["opened behind answers and a checkpoint"]++
		}
	}
	return d
}

// onBackEnds runs a test with a ledger in SQLite and one in PostgreSQL, which need not exist yet.
func onBackEnds(t *testing.T, test func(t *testing.T, location policy.LedgerLocation)) {
	t.Run("SQLite", func(t *testing.T) { test(t, policy.LedgerLocation{SQLite: newPath(t)}) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, ledgertest.NewPostgres(t)) })
}

var modelSeed = flag.Uint64("seed", 0, "repeats a run of TestLedgerAgainstPaper; 0: another one")

func TestLedgerAgainstPaper(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		t.Parallel()
		least, most := 3000, 30_000
		if testing.Short() {
			least = 1000
		}
		seed := *modelSeed
		if seed == 0 {
			seed = rand.Uint64()
		}
		t.Logf("-seed %d", seed)
		s := &simulation{
			t: t, rand: rand.New(rand.NewPCG(seed, 0)), location: location, paper: newPaper(), steps: make(map[string]int),
		}
		for i := range 2 {
			s.desks = append(s.desks, s.open(i))
		}
		for n := 0; n < least || n < most && s.missing() != ""; n++ {
			s.step()
		}
		for _, l := range s.desks {
			do(t, l.Close())
		}
		s.finish()
	})
}

// step does something, chosen by its weight.
func (s *simulation) step() {
	steps := []struct {
		weight int
		do     func()
	}{
		{60, s.reserve}, {30, s.record}, {5, s.abandon}, {40, s.lookup}, {30, s.standing}, {8, s.act}, {20, s.audit}, {15, s.answer},
		{10, s.history}, {6, s.note}, {2, s.thin}, {4, s.wait}, {6, s.reopen},
	}
	total := 0
	for _, step := range steps {
		total += step.weight
	}
	n := s.pick(total)
	for _, step := range steps {
		if n -= step.weight; n < 0 {
			step.do()
			return
		}
	}
}

// finish looks at what is left.
func (s *simulation) finish() {
	ctx := context.Background()
	r, err := OpenReadOnly(ctx, s.location)
	do(s.t, err)
	defer r.Close()
	entries, err := r.Log(ctx, LogFilter{})
	if err != nil || len(entries) != s.paper.shown {
		s.t.Errorf("%d log entries, error %v; the paper has %d", len(entries), err, s.paper.shown)
	}
	verified(s.t, r)
	if step := s.missing(); step != "" {
		s.t.Errorf("%q happened only %d times: little was tested (%v)", step, s.steps[step], s.steps)
	}
}

// missing is something that has not happened three times yet; empty if all has.
func (s *simulation) missing() string {
	for _, step := range []string{
		"reserve: ", "reserve: table", "reserve: analyst", "reserve: in flight", "reserve: frozen", "reserve: recorded",
		"reserve: table under pld", "reserve: table under advanced", "reserve: table under zcdp", "reserve: of two tables", "adopted", "record",
		"outcome 1", "outcome 2", "outcome 3", "thinned", "opened behind answers and a checkpoint",
	} {
		if s.steps[step] < 3 {
			return step
		}
	}
	return ""
}
