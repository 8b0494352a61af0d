package accountant

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"tacit/policy"
)

// A model is a ledger as one would write it on paper: lists, searched from the end.
type model struct {
	now      time.Time
	charges  []modelCharge
	releases []modelRelease
	events   int
	audits   map[policy.TableName][]modelAudit
}

type modelAudit struct {
	analyst  string
	risk     policy.Risk
	answered bool
	answer   string
}

type modelCharge struct {
	table   policy.TableName
	analyst string
	loss    Loss
}

type modelRelease struct {
	question Question
	at       time.Time
	payload  string
}

func (m *model) spent(table policy.TableName, analyst string) (balance [2]Loss) {
	for _, c := range m.charges {
		if c.table == table {
			balance[0] = balance[0].Add(c.loss)
			if c.analyst == analyst {
				balance[1] = balance[1].Add(c.loss)
			}
		}
	}
	for _, a := range m.audits[table] {
		balance[0].Risk += a.risk
		if a.analyst == analyst {
			balance[1].Risk += a.risk
		}
	}
	return balance
}

// affords says whether a charge fits into its budgets, in arithmetic of its own.
func (m *model) affords(c Charge) (of string) {
	spent := m.spent(c.Table, c.Analyst)
	var epsilon policy.Epsilon
	var delta policy.Delta
	var releases int64
	for _, item := range c.Items {
		epsilon += item.Loss.Epsilon
		delta += item.Loss.Delta
		releases += item.Loss.Releases
	}
	for i, budget := range []*policy.Budget{&c.TableBudget, c.Cap} {
		if budget == nil {
			continue
		}
		private := budget.Epsilon != policy.NoEpsilonCap && spent[i].Epsilon+epsilon > budget.Epsilon ||
			budget.Delta != policy.NoDeltaCap && spent[i].Delta+delta > budget.Delta
		others := budget.Releases != policy.NoReleasesCap && spent[i].Releases+releases > budget.Releases
		if private && (epsilon > 0 || delta > 0 || releases == 0) || others && releases > 0 {
			return []string{"table", "analyst"}[i]
		}
	}
	return ""
}

func (m *model) lookup(q Question, maxAge time.Duration) (payload string, ok bool) {
	for i := len(m.releases) - 1; i >= 0; i-- {
		r := m.releases[i]
		if r.question.Key == q.Key && r.question.Table == q.Table && (maxAge == 0 || m.now.Sub(r.at) <= maxAge) {
			return r.payload, true
		}
	}
	return "", false
}

// A simulation does the same to a ledger and to the model, and compares what comes of it.
type simulation struct {
	t       *testing.T
	rand    *rand.Rand
	path    string
	ledger  *Ledger
	model   model
	waiting []waiting
	decided []decided
}

type decided struct {
	reservation *AuditReservation
	table       policy.TableName
}

type waiting struct {
	reservation *Reservation
	items       []Item
}

var modelTables = []policy.TableName{patients, visits, {Schema: "Pub lic", Name: `vis"its`}}

func (s *simulation) pick(n int) int { return s.rand.IntN(n) }

func (s *simulation) table() policy.TableName { return modelTables[s.pick(len(modelTables))] }

func (s *simulation) analyst() string { return []string{"ana", "bob", "ève"}[s.pick(3)] }

func (s *simulation) question(table policy.TableName) Question {
	return question(table, fmt.Sprintf("question %d", s.pick(20)))
}

// loss is most often one of a mechanism with a guarantee, else of one without, and sometimes of both.
func (s *simulation) loss() (l Loss) {
	kind := s.pick(8)
	if kind != 0 {
		l.Epsilon, l.Delta = policy.Epsilon(s.pick(5)), policy.Delta(s.pick(3))
	}
	if kind < 2 {
		l.Releases = int64(s.pick(3))
	}
	return l
}

// budget is about what is spent.
func (s *simulation) budget(spent Loss) policy.Budget {
	return policy.Budget{
		Epsilon: spent.Epsilon + policy.Epsilon(s.pick(12)-2), Delta: spent.Delta + policy.Delta(s.pick(8)-1),
		Releases: max(0, spent.Releases+int64(s.pick(6)-1)),
	}
}

// cap is a budget that need not name every amount.
func (s *simulation) cap(spent Loss) *policy.Budget {
	b := s.budget(spent)
	if s.pick(3) == 0 {
		b.Epsilon = policy.NoEpsilonCap
	}
	if s.pick(3) == 0 {
		b.Delta = policy.NoDeltaCap
	}
	if s.pick(3) == 0 {
		b.Releases = policy.NoReleasesCap
	}
	return &b
}

func (s *simulation) reserve() {
	c := Charge{Analyst: s.analyst(), Table: s.table(), Adjacency: policy.AddRemove, SQL: "SELECT"}
	for range 1 + s.pick(3) {
		c.Items = append(c.Items, Item{
			Question: s.question(c.Table), Loss: s.loss(), Mechanism: "geometric",
		})
	}
	// Budgets move about around what is spent, as if the policy were edited.
	spent := s.model.spent(c.Table, c.Analyst)
	c.TableBudget = s.budget(spent[0])
	if s.pick(2) == 0 {
		c.Cap = s.cap(spent[1])
	}
	want := s.model.affords(c)
	r, err := s.ledger.Reserve(context.Background(), c)
	var over *OverBudgetError
	switch {
	case err == nil && want == "":
		s.waiting = append(s.waiting, waiting{r, c.Items})
		s.model.events++
		for _, item := range c.Items {
			s.model.charges = append(s.model.charges, modelCharge{c.Table, c.Analyst, item.Loss})
		}
	case !errors.As(err, &over) || over.Of != want:
		s.t.Fatalf("reserved with error %v; the model says over the budget of %q", err, want)
	}
}

// audit appends an event, most often behind the last one.
func (s *simulation) audit() {
	e := AuditEntry{Analyst: s.analyst(), Table: s.table(), Kind: "round", Risk: policy.Risk(max(0, s.pick(8)-2)), Payload: []byte(fmt.Sprint(s.rand.Uint64()))}
	last := len(s.model.audits[e.Table])
	e.Follows = int64(max(0, last-max(0, s.pick(6)-4)))
	spent := s.model.spent(e.Table, e.Analyst)
	e.TableBudget.Risk = spent[0].Risk + policy.Risk(s.pick(12)-2)
	over := e.Risk > 0 && spent[0].Risk+e.Risk > e.TableBudget.Risk
	if s.pick(2) == 0 {
		e.Cap = &policy.Budget{Risk: spent[1].Risk + policy.Risk(s.pick(12)-2)}
		over = over || e.Risk > 0 && spent[1].Risk+e.Risk > e.Cap.Risk
	}
	r, err := s.ledger.AppendAudit(context.Background(), e)
	var budget *OverBudgetError
	switch {
	case e.Follows < int64(last):
		if !errors.Is(err, ErrAuditMoved) {
			s.t.Fatalf("appended behind %d of %d with error %v", e.Follows, last, err)
		}
	case over:
		if !errors.As(err, &budget) {
			s.t.Fatalf("appended with error %v; the model says over the budget", err)
		}
	case err != nil:
		s.t.Fatal(err)
	default:
		s.decided = append(s.decided, decided{r, e.Table})
		s.model.audits[e.Table] = append(s.model.audits[e.Table], modelAudit{analyst: e.Analyst, risk: e.Risk})
		s.model.events++
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
	err := s.ledger.RecordAudit(context.Background(), d.reservation, []byte(answer))
	events := s.model.audits[d.table]
	switch last := d.reservation.Sequence == int64(len(events)); {
	case last && err == nil:
		events[len(events)-1].answered, events[len(events)-1].answer = true, answer
	case last || !errors.Is(err, ErrAuditMoved):
		s.t.Fatalf("answered event %d of %d with error %v", d.reservation.Sequence, len(events), err)
	}
}

func (s *simulation) history() {
	table := s.table()
	want := s.model.audits[table]
	after := s.pick(len(want) + 1)
	got, err := s.ledger.AuditEvents(context.Background(), table, int64(after))
	if err != nil || len(got) != len(want)-after {
		s.t.Fatalf("%d events behind %d, error %v; the model has %d", len(got), after, err, len(want))
	}
	for i, e := range got {
		w := want[after+i]
		if e.Sequence != int64(after+i+1) || e.Analyst != w.analyst || e.Risk != w.risk || (e.Answer != nil) != w.answered || string(e.Answer) != w.answer {
			s.t.Fatalf("event %d is %+v, the model's is %+v", after+i+1, e, w)
		}
	}
}

// record records any reservation that waits, not always the first one.
func (s *simulation) record() {
	if len(s.waiting) == 0 {
		return
	}
	i := s.pick(len(s.waiting))
	w := s.waiting[i]
	s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
	var payloads [][]byte
	for _, item := range w.items {
		payload := fmt.Sprint(s.rand.Uint64())
		payloads = append(payloads, []byte(payload))
		s.model.releases = append(s.model.releases, modelRelease{item.Question, s.model.now, payload})
	}
	record(s.t, s.ledger, w.reservation, payloads...)
	if _, err := s.ledger.Record(context.Background(), w.reservation, payloads); err == nil {
		s.t.Fatal("recorded twice")
	}
}

func (s *simulation) lookup() {
	q, maxAge := s.question(s.table()), time.Duration(s.pick(4))*time.Hour
	want, wantOK := s.model.lookup(q, maxAge)
	got, ok, err := s.ledger.Lookup(context.Background(), q, maxAge)
	if err != nil || ok != wantOK || ok && string(got.Payload) != want {
		s.t.Fatalf("%v no older than %v: found %v %v, error %v; the model has %q %v", q, maxAge, ok, got, err, want, wantOK)
	}
}

func (s *simulation) balance() {
	table, analyst := s.table(), s.analyst()
	if got, want := balance(s.t, s.ledger, table, analyst), s.model.spent(table, analyst); got != want {
		s.t.Fatalf("balance of %s on %v is %v, the model's is %v", analyst, table, got, want)
	}
}

func (s *simulation) note() {
	s.ledger.Note(Event{Analyst: s.analyst(), Table: s.table(), Verdict: Refused, SQLState: "42501"})
	s.model.events++
}

func (s *simulation) wait() { s.model.now = s.model.now.Add(time.Duration(s.pick(60)) * time.Minute) }

// reopen closes the ledger, checks it, and forgets the reservations that were not recorded.
func (s *simulation) reopen() {
	closeLedger(s.t, s.ledger)
	check(s.t, s.path)
	s.waiting, s.decided = nil, nil
	s.open()
}

func (s *simulation) open() {
	s.ledger = open(s.t, s.path)
	s.ledger.now = func() time.Time { return s.model.now }
}

func TestLedgerAgainstModel(t *testing.T) {
	const operations = 6000
	for seed := range uint64(3) {
		s := &simulation{t: t, rand: rand.New(rand.NewPCG(seed, 0)), path: newPath(t)}
		s.model.audits = make(map[policy.TableName][]modelAudit)
		s.model.now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		s.open()
		for range operations {
			switch n := s.pick(250); {
			case n < 60:
				s.reserve()
			case n < 100:
				s.record()
			case n < 150:
				s.lookup()
			case n < 190:
				s.balance()
			case n < 194:
				s.note()
			case n < 199:
				s.wait()
			case n < 220:
				s.audit()
			case n < 235:
				s.answer()
			case n < 249:
				s.history()
			default:
				s.reopen()
			}
		}
		closeLedger(t, s.ledger)
		s.open()
		entries, err := s.ledger.Log(context.Background(), LogFilter{})
		if err != nil || len(entries) != s.model.events {
			t.Errorf("%d log entries, error %v; the model has %d", len(entries), err, s.model.events)
		}
		if len(s.model.charges) < operations/20 || len(s.model.releases) < operations/20 {
			t.Errorf("only %d charges and %d releases: little was tested", len(s.model.charges), len(s.model.releases))
		}
		if n := len(s.model.audits[patients]); n < operations/100 {
			t.Errorf("only %d events of an auditor: little was tested", n)
		}
	}
}
