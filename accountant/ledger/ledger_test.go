package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/policy"
)

var (
	patients = policy.TableName{Schema: "public", Name: "patients"}
	visits   = policy.TableName{Schema: "public", Name: "visits"}
)

func question(table policy.TableName, text string) accountant.Question {
	return accountant.Question{Table: table, Key: sha256.Sum256([]byte(text)), Text: text}
}

// charge is for one question, at a loss of (epsilon, delta).
func charge(analyst, text string, loss accountant.Loss) accountant.Charge {
	return accountant.Charge{
		Analyst: analyst, Accounting: accountant.Accounting{
			Table: patients, Adjacency: policy.AddRemove, Composition: policy.BasicComposition, Budget: policy.Budget{Epsilon: 1e9, Delta: 1e12},
		},
		Items: []accountant.Item{{Question: question(patients, text), Loss: loss, Mechanism: "geometric"}}, SQL: "SELECT " + text,
	}
}

// openAs opens a ledger for a role.
func openAs(path string, role Role) (*Ledger, error) {
	return Open(context.Background(), Options{Location: policy.LedgerLocation{SQLite: path}, Role: role})
}

func look(path string) (*Reader, error) {
	return OpenReadOnly(context.Background(), policy.LedgerLocation{SQLite: path})
}

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "ledger.db") }

// open opens a ledger; the test ends with a check of it.
func open(t testing.TB, path string) *Ledger {
	t.Helper()
	l, err := openAs(path, Serve)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		check(t, path)
	})
	return l
}

func check(t testing.TB, path string) {
	t.Helper()
	r, err := look(path)
	if err != nil {
		t.Errorf("at the end of the test: %v", err)
		return
	}
	defer r.Close()
	if err := r.Check(context.Background()); err != nil {
		t.Errorf("at the end of the test: %v", err)
	}
}

func reserve(t testing.TB, l *Ledger, c accountant.Charge) *Reservation {
	t.Helper()
	r, err := l.Reserve(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func record(t testing.TB, l *Ledger, r *Reservation, payloads ...[]byte) []*accountant.Release {
	t.Helper()
	releases, err := l.Record(context.Background(), r, payloads)
	if err != nil {
		t.Fatal(err)
	}
	return releases
}

func closeLedger(t testing.TB, l *Ledger) {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestReserveRecordLookup(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	c := charge("ana", "count by sex", accountant.Loss{Epsilon: 3e8})
	c.Items = append(c.Items, accountant.Item{Question: question(patients, "count by region"), Loss: accountant.Loss{Epsilon: 2e8, Delta: 5e11}, Mechanism: "geometric"})
	big := make([]byte, 5<<20)
	big[1<<20] = 7
	releases := record(t, l, reserve(t, l, c), []byte("first"), big)

	if want := [2]accountant.Loss{{Epsilon: 5e8, Delta: 5e11}, {Epsilon: 5e8, Delta: 5e11}}; balance(t, l, patients, "ana") != want {
		t.Errorf("balance is %v, want %v", balance(t, l, patients, "ana"), want)
	}
	if want := [2]accountant.Loss{{Epsilon: 5e8, Delta: 5e11}, {}}; balance(t, l, patients, "bob") != want {
		t.Errorf("balance of another analyst is %v, want %v", balance(t, l, patients, "bob"), want)
	}
	closeLedger(t, l)
	l = open(t, path)
	for i, want := range releases {
		got, ok, err := l.Lookup(ctx, accountant.Question{Table: patients, Key: want.Key}, 0)
		if err != nil || !ok {
			t.Fatalf("release %d is not found after reopening: %v", i, err)
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(bytes.Equal), cmp.Comparer(time.Time.Equal)); diff != "" {
			t.Errorf("release %d (-recorded +found):\n%s", i, diff)
		}
	}
	for name, q := range map[string]accountant.Question{
		"another text": question(patients, "count by age"), "another table": question(visits, "count by sex"),
	} {
		if _, ok, err := l.Lookup(ctx, q, 0); ok || err != nil {
			t.Errorf("%s: found %v, error %v", name, ok, err)
		}
	}
}

func TestEmptyPayloads(t *testing.T) {
	l := open(t, newPath(t))
	for i, payload := range [][]byte{nil, {}} {
		c := charge("ana", string(rune('a'+i)), accountant.Loss{Epsilon: 1})
		record(t, l, reserve(t, l, c), payload)
		if got, ok, err := l.Lookup(context.Background(), c.Items[0].Question, 0); err != nil || !ok || len(got.Payload) != 0 {
			t.Errorf("payload %#v: found %v, error %v", payload, ok, err)
		}
	}
}

func TestLookupReturnsTheNewestInTime(t *testing.T) {
	l := open(t, newPath(t))
	now := time.Date(2036, 3, 1, 12, 0, 0, 0, time.UTC)
	l.setClock(func() time.Time { return now })
	c := charge("ana", "count", accountant.Loss{Epsilon: 1e8})
	c.Items[0].Fresh = true
	for _, payload := range []string{"old", "new"} {
		record(t, l, reserve(t, l, c), []byte(payload))
		now = now.Add(time.Hour)
	}
	for _, step := range []struct {
		wait, maxAge time.Duration
		want         string
	}{
		{0, 0, "new"},
		{0, time.Hour, "new"}, // exactly of that age
		{0, 3 * time.Hour, "new"},
		{time.Nanosecond, time.Hour, ""},
		{0, 0, "new"},
	} {
		now = now.Add(step.wait)
		got, ok, err := l.Lookup(context.Background(), c.Items[0].Question, step.maxAge)
		if err != nil || ok != (step.want != "") || ok && string(got.Payload) != step.want {
			t.Errorf("%v later, no older than %v: %v, %v, %v; want %q", step.wait, step.maxAge, got, ok, err, step.want)
		}
	}
}

func TestBudgets(t *testing.T) {
	l := open(t, newPath(t))
	limit := &policy.Budget{Epsilon: 4e8, Delta: 1e12}
	for _, step := range []struct {
		name    string
		analyst string
		loss    accountant.Loss
		limit   *policy.Budget
		want    *accountant.OverBudgetError
	}{
		{"more than the cap at once", "ana", accountant.Loss{Epsilon: 4e8 + 1}, limit, &accountant.OverBudgetError{Table: patients, Of: "analyst", Needed: accountant.Loss{Epsilon: 4e8 + 1}, Remaining: accountant.Loss{Epsilon: 4e8, Delta: 1e12}}},
		{"the whole cap", "ana", accountant.Loss{Epsilon: 4e8}, limit, nil},
		{"more than what is left of the cap", "ana", accountant.Loss{Epsilon: 1}, limit, &accountant.OverBudgetError{Table: patients, Of: "analyst", Needed: accountant.Loss{Epsilon: 1}, Remaining: accountant.Loss{Delta: 1e12}}},
		{"another analyst", "bob", accountant.Loss{Epsilon: 5e8, Delta: 1e12}, nil, nil},
		{"delta beyond the table's", "bob", accountant.Loss{Delta: 1}, nil, &accountant.OverBudgetError{Table: patients, Of: "table", Needed: accountant.Loss{Delta: 1}, Remaining: accountant.Loss{Epsilon: 1e8}}},
		{"epsilon beyond the table's", "bob", accountant.Loss{Epsilon: 1e8 + 1}, nil, &accountant.OverBudgetError{Table: patients, Of: "table", Needed: accountant.Loss{Epsilon: 1e8 + 1}, Remaining: accountant.Loss{Epsilon: 1e8}}},
		{"the rest", "eve", accountant.Loss{Epsilon: 1e8}, nil, nil},
		{"a cap that was lowered below what is spent", "ana", accountant.Loss{}, &policy.Budget{Epsilon: 1e8}, &accountant.OverBudgetError{Table: patients, Of: "analyst", Needed: accountant.Loss{}, Remaining: accountant.Loss{}}},
		{"nothing, when nothing is left", "eve", accountant.Loss{}, nil, nil},
	} {
		before := balance(t, l, patients, step.analyst)
		c := charge(step.analyst, step.name, step.loss)
		c.Cap = step.limit
		_, err := l.Reserve(context.Background(), c)
		if step.want == nil {
			if err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
			continue
		}
		var over *accountant.OverBudgetError
		if !errors.As(err, &over) || *over != *step.want {
			t.Errorf("%s: %v, want %v", step.name, err, step.want)
		}
		if after := balance(t, l, patients, step.analyst); after != before {
			t.Errorf("%s: refused, and charged: %v, before %v", step.name, after, before)
		}
	}
}

// Releases without a guarantee have a budget of their own: neither amount buys the other.
func TestBudgetsOfReleases(t *testing.T) {
	l := open(t, newPath(t))
	budget := policy.Budget{Epsilon: 1e9, Delta: 1e12, Releases: 4}
	onReleases := &policy.Budget{Epsilon: policy.NoEpsilonCap, Delta: policy.NoDeltaCap, Releases: 2}
	onEpsilon := &policy.Budget{Epsilon: 3e8, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap}
	for _, step := range []struct {
		name    string
		analyst string
		loss    accountant.Loss
		limit   *policy.Budget
		want    string
	}{
		{"more than the table's", "bob", accountant.Loss{Releases: 5}, nil, "the table's budget does not cover it: needed: 5 releases without a guarantee; left: 4 releases without a guarantee"},
		{"more than the cap", "ana", accountant.Loss{Releases: 3}, onReleases, "the analyst's budget does not cover it: needed: 3 releases without a guarantee; left: 2 releases without a guarantee"},
		{"the whole cap", "ana", accountant.Loss{Releases: 2}, onReleases, ""},
		{"epsilon, which the cap does not name", "ana", accountant.Loss{Epsilon: 7e8, Delta: 1e11}, onReleases, ""},
		{"another one, with what the cap does not name", "ana", accountant.Loss{Epsilon: 1e8, Delta: 1e11, Releases: 1}, onReleases,
			"the analyst's budget does not cover it: needed: epsilon 0.1, delta 1e-7, 1 release without a guarantee; left: epsilon 0.3, delta 9e-7, 0 releases without a guarantee"},
		{"releases, which the cap does not name", "bob", accountant.Loss{Releases: 1}, onEpsilon, ""},
		{"epsilon that the cap names", "bob", accountant.Loss{Epsilon: 4e8}, onEpsilon, "the table's budget does not cover it: needed: epsilon 0.4; left: epsilon 0.3"},
		{"the last release, with epsilon", "bob", accountant.Loss{Epsilon: 3e8, Releases: 1}, onEpsilon, ""},
		{"nothing is left", "eve", accountant.Loss{Releases: 1}, nil, "the table's budget does not cover it: needed: 1 release without a guarantee; left: 0 releases without a guarantee"},
	} {
		before := balance(t, l, patients, step.analyst)
		c := charge(step.analyst, step.name, step.loss)
		c.Budget, c.Cap = budget, step.limit
		_, err := l.Reserve(context.Background(), c)
		var over *accountant.OverBudgetError
		if step.want == "" && err != nil || step.want != "" && (!errors.As(err, &over) || err.Error() != step.want) {
			t.Errorf("%s: %v, want %s", step.name, err, step.want)
		}
		want := before
		if step.want == "" {
			want = [2]accountant.Loss{before[0].Add(step.loss), before[1].Add(step.loss)}
		}
		if after := balance(t, l, patients, step.analyst); after != want {
			t.Errorf("%s: the balance is %v, want %v", step.name, after, want)
		}
	}
}

// A table that gave out releases without a guarantee is put under a mechanism with one, and the other way round: what the policy no
// longer allows is refused, and stands in nobody's way.
func TestSideOfABudgetTakenAway(t *testing.T) {
	l := open(t, newPath(t))
	asked := 0
	reserveUnder := func(loss accountant.Loss, b policy.Budget) error {
		asked++
		c := charge("ana", fmt.Sprint(asked), loss)
		c.Budget, c.Cap = b, &b
		_, err := l.Reserve(context.Background(), c)
		return err
	}
	private, public := policy.Budget{Epsilon: 3}, policy.Budget{Releases: 3}
	for i, step := range []struct {
		loss    accountant.Loss
		budget  policy.Budget
		allowed bool
	}{
		{accountant.Loss{Releases: 2}, public, true},
		{accountant.Loss{Epsilon: 2}, private, true},
		{accountant.Loss{Releases: 1}, private, false},
		{accountant.Loss{Epsilon: 1}, public, false},
		{accountant.Loss{Epsilon: 1, Releases: 1}, private, false},
		{accountant.Loss{Epsilon: 1, Releases: 1}, public, false},
		{accountant.Loss{}, public, false}, // as before: a budget that is overspent covers nothing
		{accountant.Loss{Releases: 1}, public, true},
		{accountant.Loss{Epsilon: 1}, private, true},
	} {
		if err := reserveUnder(step.loss, step.budget); (err == nil) != step.allowed {
			t.Errorf("step %d: %v under %+v: %v", i, step.loss, step.budget, err)
		}
	}
	if got, want := balance(t, l, patients, "ana")[0], (accountant.Loss{Epsilon: 3, Releases: 3}); got != want {
		t.Errorf("the balance is %v, want %v", got, want)
	}
}

func TestChargesAreAllOrNothing(t *testing.T) {
	l := open(t, newPath(t))
	c := charge("ana", "a", accountant.Loss{Epsilon: 6e8})
	c.Items = append(c.Items, accountant.Item{Question: question(patients, "b"), Loss: accountant.Loss{Epsilon: 6e8}})
	var over *accountant.OverBudgetError
	if _, err := l.Reserve(context.Background(), c); !errors.As(err, &over) {
		t.Fatalf("error %v, want over budget", err)
	}
	if want := (accountant.Loss{Epsilon: 12e8}); over.Needed != want {
		t.Errorf("needed %v, want %v", over.Needed, want)
	}
	if got := balance(t, l, patients, "ana"); got != [2]accountant.Loss{} {
		t.Errorf("charged %v", got)
	}
	if entries, err := l.Log(context.Background(), LogFilter{}); err != nil || len(entries) != 0 {
		t.Errorf("logged %v, %v", entries, err)
	}
}

// A sum beyond int64 must not come round to a small one, and infinity is beyond the largest budget.
func TestHugeLossesAreOverBudget(t *testing.T) {
	l := open(t, newPath(t))
	const huge = 1<<63 - 2 // of delta, policy.MaxDelta counts
	most := policy.Budget{Epsilon: 1<<63 - 1, Delta: 1<<63 - 1, Releases: 1<<63 - 1}
	c := charge("ana", "a", accountant.Loss{Epsilon: huge, Delta: policy.MaxDelta, Releases: huge})
	c.Budget = most
	reserve(t, l, c)
	for _, loss := range []accountant.Loss{{Epsilon: 1}, {Delta: 1}, {Epsilon: huge}, {Epsilon: huge, Delta: huge}, {Releases: 1}, {Releases: huge}} {
		c := charge("ana", "b", loss)
		c.Budget = most
		var over *accountant.OverBudgetError
		if _, err := l.Reserve(context.Background(), c); !errors.As(err, &over) {
			t.Errorf("%v on top of almost everything: %v", loss, err)
		}
	}
}

func TestAdjacenciesAreNotMixed(t *testing.T) {
	l := open(t, newPath(t))
	reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1}))
	c := charge("bob", "b", accountant.Loss{Epsilon: 1})
	c.Adjacency = policy.ReplaceOne
	_, err := l.Reserve(context.Background(), c)
	var adjacency *accountant.AdjacencyError
	if !errors.As(err, &adjacency) || adjacency.Recorded != policy.AddRemove || adjacency.Asked != policy.ReplaceOne {
		t.Errorf("error %v, want an AdjacencyError", err)
	}
	ctx := context.Background()
	if err := l.CheckAdjacency(ctx, c.Table, c.Adjacency); !errors.As(err, &adjacency) || *adjacency != (accountant.AdjacencyError{Table: c.Table, Recorded: policy.AddRemove, Asked: policy.ReplaceOne}) {
		t.Errorf("before it is charged: %v, want an AdjacencyError", err)
	}
	if err := errors.Join(l.CheckAdjacency(ctx, c.Table, policy.AddRemove), l.CheckAdjacency(ctx, visits, policy.ReplaceOne)); err != nil {
		t.Error(err)
	}
	c.Table, c.Items[0].Table = visits, visits
	reserve(t, l, c)
}

func TestFaultyCalls(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	for name, spoil := range map[string]func(*accountant.Charge){
		"no analyst":        func(c *accountant.Charge) { c.Analyst = "" },
		"no adjacency":      func(c *accountant.Charge) { c.Adjacency = "" },
		"no items":          func(c *accountant.Charge) { c.Items = nil },
		"another table":     func(c *accountant.Charge) { c.Items[0].Table = visits },
		"negative epsilon":  func(c *accountant.Charge) { c.Items[0].Loss.Epsilon = -1 },
		"negative delta":    func(c *accountant.Charge) { c.Items[0].Loss.Delta = -1 },
		"negative releases": func(c *accountant.Charge) { c.Items[0].Loss.Releases = -1 },
		"infinite releases": func(c *accountant.Charge) { c.Items[0].Loss.Releases = 1<<63 - 1 },
		"infinite epsilon":  func(c *accountant.Charge) { c.Items[0].Loss.Epsilon = 1<<63 - 1 },
		"both, to nought":   func(c *accountant.Charge) { c.Items = append(c.Items, c.Items[0]); c.Items[1].Loss.Epsilon = -1 },
		"cancelled context": nil,
	} {
		c, callCtx := charge("ana", "a", accountant.Loss{Epsilon: 1}), ctx
		if spoil == nil {
			cancelled, cancel := context.WithCancel(ctx)
			cancel()
			callCtx = cancelled
		} else {
			spoil(&c)
		}
		if r, err := l.Reserve(callCtx, c); err == nil || r != nil || errors.Is(err, accountant.ErrUnavailable) {
			t.Errorf("%s: reserved %v, error %v", name, r, err)
		}
	}
	r := reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1}))
	if _, err := l.Record(ctx, r, nil); err == nil {
		t.Error("recorded without a payload")
	}
	if _, err := l.Record(ctx, nil, nil); err == nil {
		t.Error("recorded without a reservation")
	}
	record(t, l, r, []byte("x"))
	if _, err := l.Record(ctx, r, [][]byte{[]byte("y")}); err == nil {
		t.Error("recorded twice")
	}
	other := open(t, newPath(t))
	if _, err := other.Record(ctx, reserve(t, l, charge("ana", "b", accountant.Loss{Epsilon: 1})), [][]byte{nil}); err == nil {
		t.Error("recorded in another ledger")
	}
}

func TestUnansweredReservationsStaySpent(t *testing.T) {
	path := newPath(t)
	l := open(t, path)
	r := reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 6e8}))
	closeLedger(t, l)
	l = open(t, path)
	if want := (accountant.Loss{Epsilon: 6e8}); balance(t, l, patients, "ana")[0] != want {
		t.Errorf("balance is %v", balance(t, l, patients, "ana"))
	}
	var over *accountant.OverBudgetError
	if _, err := l.Reserve(context.Background(), charge("ana", "b", accountant.Loss{Epsilon: 6e8})); !errors.As(err, &over) {
		t.Errorf("error %v, want over budget", err)
	}
	if _, err := l.Record(context.Background(), r, [][]byte{nil}); err == nil {
		t.Error("a reservation survived its ledger")
	}
}

// Many goroutines compete for the last of the budget. Whatever the interleaving, exactly as many succeed as it pays for.
func TestConcurrentReservesDoNotOverspend(t *testing.T) {
	const (
		price    = 7e6
		afforded = 100
	)
	l := open(t, newPath(t))
	limit := &policy.Budget{Epsilon: 30 * price}
	var granted, grantedToAna atomic.Int64
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for j := range 20 {
				c := charge([]string{"ana", "bob"}[i%2], fmt.Sprint(i, j), accountant.Loss{Epsilon: price})
				c.Budget = policy.Budget{Epsilon: afforded*price + price - 1}
				if i%2 == 0 {
					c.Cap = limit
				}
				r, err := l.Reserve(context.Background(), c)
				var over *accountant.OverBudgetError
				switch {
				case err == nil:
					granted.Add(1)
					if i%2 == 0 {
						grantedToAna.Add(1)
					}
					record(t, l, r, []byte("answer"))
				case !errors.As(err, &over):
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if granted.Load() != afforded || grantedToAna.Load() > 30 {
		t.Errorf("%d reservations were granted, %d to ana; want %d and at most 30", granted.Load(), grantedToAna.Load(), afforded)
	}
	if got := balance(t, l, patients, "ana"); got != [2]accountant.Loss{{Epsilon: afforded * price}, {Epsilon: price * policy.Epsilon(grantedToAna.Load())}} {
		t.Errorf("balance is %v", got)
	}
}

func TestLedgerFilesArePrivate(t *testing.T) {
	path := newPath(t)
	open(t, path)
	for _, name := range []string{path, path + "-wal", path + ".guard"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %o", name, mode)
		}
	}
}

func balance(t testing.TB, r interface {
	Balance(context.Context, accountant.Accounting, string, *policy.Budget) (accountant.Balance, error)
}, table policy.TableName, analyst string) [2]accountant.Loss {
	t.Helper()
	s, err := r.Balance(context.Background(), accountant.Accounting{Table: table, Composition: policy.BasicComposition}, analyst, nil)
	do(t, err)
	return [2]accountant.Loss{s.Lifetime, s.Own}
}

func do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
