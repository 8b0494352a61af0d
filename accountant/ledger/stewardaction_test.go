package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/policy"
)

func TestGrant(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	limit := &policy.Budget{Epsilon: 10, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap}
	affords := func(text string, epsilon policy.Epsilon) string {
		c := charge("ana", text, accountant.Loss{Epsilon: epsilon})
		c.Budget, c.Cap = policy.Budget{Epsilon: 12}, limit
		_, err := l.Reserve(ctx, c)
		var over *accountant.OverBudgetError
		if errors.As(err, &over) {
			return over.Of
		}
		do(t, err)
		return ""
	}
	grant := func(analyst string, epsilon policy.Epsilon) {
		t.Helper()
		_, err := l.Grant(ctx, Grant{Table: patients, Analyst: analyst, Budget: policy.Budget{Epsilon: epsilon}, By: "root", Reason: "a study"})
		do(t, err)
	}
	if of := affords("a", 11); of != "analyst" {
		t.Errorf("over the budget of %q", of)
	}
	grant("ana", 2)
	if of := affords("a", 11); of != "" {
		t.Errorf("over the budget of %q", of)
	}
	if of := affords("b", 2); of != "table" {
		t.Errorf("over the budget of %q", of)
	}
	grant("", 3)
	grant("bob", 100)
	if of := affords("b", 2); of != "analyst" {
		t.Errorf("over the budget of %q", of)
	}
	closeLedger(t, l)
	l = open(t, path)
	s, err := l.Balance(ctx, accountant.Accounting{Table: patients, Composition: policy.BasicComposition, Budget: policy.Budget{Epsilon: 12}}, "ana", limit)
	do(t, err)
	if s.Budget.Epsilon != 15 || s.Left.Epsilon != 4 || s.Cap.Epsilon != 12 || s.OwnLeft.Epsilon != 1 || s.Own.Epsilon != 11 {
		t.Errorf("the standing is %+v", s)
	}
	if limit.Epsilon != 10 {
		t.Error("the caller's cap was changed")
	}
	for name, g := range map[string]Grant{
		"nothing":     {Table: patients, By: "root", Reason: "x"},
		"less":        {Table: patients, By: "root", Reason: "x", Budget: policy.Budget{Epsilon: -1}},
		"nobody's":    {Table: patients, Reason: "x", Budget: policy.Budget{Epsilon: 1}},
		"no reason":   {Table: patients, By: "root", Budget: policy.Budget{Epsilon: 1}},
		"no table":    {By: "root", Reason: "x", Budget: policy.Budget{Epsilon: 1}},
		"a zero byte": {Table: patients, By: "root", Reason: "\x00", Budget: policy.Budget{Epsilon: 1}},
	} {
		if _, err := l.Grant(ctx, g); err == nil {
			t.Errorf("%s was granted", name)
		}
	}
	entries, err := l.Log(ctx, LogFilter{Verdict: Granted})
	do(t, err)
	if len(entries) != 3 || entries[0].Analyst != "bob" || entries[0].Loss.Epsilon != 100 || entries[0].By != "root" || entries[0].Reason != "a study" {
		t.Errorf("the log says %+v", entries)
	}
}

func TestFreeze(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	freeze := Freeze{Table: patients, By: "root", Reason: "an incident"}
	kept := charge("ana", "kept", accountant.Loss{Epsilon: 1})
	record(t, l, reserve(t, l, kept), nil)
	begun := reserve(t, l, charge("ana", "begun", accountant.Loss{Epsilon: 1}))
	hers := freeze
	hers.Analyst = "bob"
	_, err := l.Freeze(ctx, hers)
	do(t, err)
	var frozen *accountant.FrozenError
	if _, err := l.Reserve(ctx, charge("bob", "a", accountant.Loss{Epsilon: 1})); !errors.As(err, &frozen) || *frozen != (accountant.FrozenError{Table: patients, Analyst: "bob", Reason: "an incident"}) {
		t.Errorf("error %v, want a FrozenError", err)
	}
	reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1}))
	_, err = l.Freeze(ctx, freeze)
	do(t, err)
	for name, err := range map[string]error{
		"a charge":        func() error { _, err := l.Reserve(ctx, charge("ana", "b", accountant.Loss{})); return err }(),
		"what it costs":   l.Afford(ctx, []accountant.Charge{charge("ana", "b", accountant.Loss{})}),
		"an audit":        func() error { _, err := l.AppendAudit(ctx, auditEntry("ana", 0, 0)); return err }(),
		"a second freeze": func() error { _, err := l.Freeze(ctx, freeze); return err }(),
	} {
		if !errors.As(err, &frozen) || *frozen != (accountant.FrozenError{Table: patients, Reason: "an incident"}) {
			t.Errorf("%s: %v, want a FrozenError", name, err)
		}
	}
	record(t, l, begun, []byte("what was reserved may be recorded"))
	if _, ok, err := l.Lookup(ctx, kept.Items[0].Question, 0); err != nil || !ok {
		t.Errorf("what was recorded is not found: %v", err)
	}
	_, err = l.Thaw(ctx, freeze)
	do(t, err)
	var not *notFrozenError
	if _, err := l.Thaw(ctx, freeze); !errors.As(err, &not) {
		t.Errorf("thawed twice: %v", err)
	}
	reserve(t, l, charge("ana", "b", accountant.Loss{Epsilon: 1}))
	if _, err := l.Reserve(ctx, charge("bob", "c", accountant.Loss{Epsilon: 1})); !errors.As(err, &frozen) || frozen.Analyst != "bob" {
		t.Errorf("error %v, want a FrozenError", err)
	}
}

func TestEpoch(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	now := time.Date(2036, 3, 1, 12, 0, 0, 0, time.UTC)
	l.setClock(func() time.Time { return now })
	a := charge("ana", "a", accountant.Loss{Epsilon: 1e9, Delta: 5})
	record(t, l, reserve(t, l, a), []byte("old"))
	free := charge("bob", "b", accountant.Loss{})
	free.Composition = policy.BasicComposition
	begun := reserve(t, l, free)
	_, err := l.Grant(ctx, Grant{Table: patients, Budget: policy.Budget{Epsilon: 5}, By: "root", Reason: "x"})
	do(t, err)
	_, err = l.OpenEpoch(ctx, patients, "root", "all others")
	do(t, err)
	if _, ok, err := l.Lookup(ctx, a.Items[0].Question, 0); ok || err != nil {
		t.Errorf("an answer of the epoch before is found: %v, %v", ok, err)
	}
	if _, err := l.Record(ctx, begun, [][]byte{nil}); !errors.Is(err, ErrLost) {
		t.Errorf("recorded with %v what was asked in the epoch before", err)
	}
	over := charge("ana", "c", accountant.Loss{Epsilon: 1e9 + 1})
	var budget *accountant.OverBudgetError
	if _, err := l.Reserve(ctx, over); !errors.As(err, &budget) {
		t.Errorf("a grant has outlived its epoch: %v", err)
	}
	a.Items[0].Shape = "s"
	record(t, l, reserve(t, l, a), []byte("new"))
	closeLedger(t, l)
	l = open(t, path)
	if found, ok, err := l.Lookup(ctx, a.Items[0].Question, 0); err != nil || !ok || string(found.Payload) != "new" {
		t.Errorf("the answer is %v, %v, %v", found, ok, err)
	}
	s, err := l.Balance(ctx, a.Accounting, "ana", nil)
	do(t, err)
	want := accountant.Balance{
		Epoch: 2, Began: now, Budget: a.Budget, Spent: accountant.Loss{Epsilon: 1e9, Delta: 5}, Left: accountant.Loss{Delta: 1e12 - 5}, Own: accountant.Loss{Epsilon: 1e9, Delta: 5},
		Elsewhere: accountant.BlockBalance{Spent: accountant.Loss{Epsilon: 1e9, Delta: 5}, Left: accountant.Loss{Delta: 1e12 - 5}},
		Lifetime:  accountant.Loss{Epsilon: 1e9, Delta: 5}, OwnLifetime: accountant.Loss{Epsilon: 1e9, Delta: 5},
		Earlier: []accountant.EpochTotal{{Epoch: 1, Ended: now, Reason: "all others", Spent: accountant.Loss{Epsilon: 1e9, Delta: 5}}},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("the standing (-want +got):\n%s", diff)
	}
	if d, err := l.Derivable(ctx, patients, 0, 9); err != nil || d.Epoch != 2 || len(d.Releases) != 1 || d.Releases[0].Shape != "s" {
		t.Errorf("derivable are %v, %v", d, err)
	}
	other := a
	other.Adjacency = policy.ReplaceOne
	var adjacency *accountant.AdjacencyError
	if _, err := l.Reserve(ctx, other); !errors.As(err, &adjacency) {
		t.Errorf("another adjacency in the next epoch: %v", err)
	}
	appendAudit(t, l, func() accountant.AuditEntry { e := auditEntry("ana", 1, 0); e.Table = visits; return e }())
	if _, err := l.OpenEpoch(ctx, visits, "root", "x"); err == nil {
		t.Error("an epoch of an audited table was opened")
	}
}

// Stewards' commands write while a proxy does: each sees what the other has written before it, and no charge is lost or made twice.
func TestWritingBesideAProxy(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	const each = 40
	var all sync.WaitGroup
	for command := range 3 {
		all.Go(func() {
			beside, err := openAs(path, Steward)
			if err != nil {
				t.Error(err)
				return
			}
			defer beside.Close()
			for i := range each {
				if _, err := beside.Grant(ctx, Grant{Table: patients, Budget: policy.Budget{Epsilon: 1}, By: "root", Reason: "x"}); err != nil {
					t.Error(err)
				}
				r, err := beside.Reserve(ctx, charge("root", fmt.Sprint(command, i), accountant.Loss{Epsilon: 1e6}))
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := beside.Record(ctx, r, [][]byte{nil}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range each {
		record(t, l, reserve(t, l, charge("ana", fmt.Sprint(i), accountant.Loss{Epsilon: 1e6})), nil)
	}
	all.Wait()
	c := charge("ana", "the rest", accountant.Loss{Epsilon: 1e9 - 4*each*1e6 + 3*each})
	var over *accountant.OverBudgetError
	c.Items[0].Loss.Epsilon++
	if _, err := l.Reserve(ctx, c); !errors.As(err, &over) {
		t.Errorf("error %v, want over budget", err)
	}
	c.Items[0].Loss.Epsilon--
	reserve(t, l, c)
}

// An act on a basis is refused once another act has changed the table. What left all as it was does not count, nor does what is declined, which looks at no basis.
func TestBasis(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	basis := func() Basis {
		t.Helper()
		o, err := l.Outlook(ctx, charge("ana", "q", accountant.Loss{}).Accounting, "", nil, accountant.Loss{})
		do(t, err)
		return o.Basis
	}
	freeze := Freeze{Table: patients, By: "root", Reason: "an incident"}
	grant := Grant{Table: patients, Budget: policy.Budget{Epsilon: 1}, By: "root", Reason: "a study"}
	request, err := l.Request(ctx, "ana", patients, accountant.Loss{Epsilon: 1}, "for the report")
	do(t, err)

	seen := basis()
	_, err = l.Freeze(ctx, freeze)
	do(t, err)
	grant.Basis = seen
	if _, err := l.Grant(ctx, grant); !errors.Is(err, ErrActedMeanwhile) {
		t.Errorf("granted on a basis from before a freeze: %v", err)
	}
	if _, err := l.Decline(ctx, request, "root", "no"); err != nil {
		t.Errorf("declined after a freeze: %v", err)
	}
	_, err = l.Thaw(ctx, freeze)
	do(t, err)
	if basis() != seen {
		t.Error("a freeze, its thaw and a request that is declined leave another basis")
	}
	_, err = l.Grant(ctx, grant)
	do(t, err)
	if _, err := l.Grant(ctx, grant); !errors.Is(err, ErrActedMeanwhile) {
		t.Errorf("granted twice on one basis: %v", err)
	}
	if _, err := l.Decline(ctx, request, "root", "no"); !errors.Is(err, errNotOpen) {
		t.Errorf("declined twice: %v", err)
	}
}

// A charge of a steward's, such as for a publication, makes another basis, whether it has an epsilon or is a release without a guarantee. An analyst's does not.
func TestBasisOfCharges(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	basis := func() Basis {
		t.Helper()
		o, err := l.Outlook(ctx, charge("ana", "q", accountant.Loss{}).Accounting, "", nil, accountant.Loss{})
		do(t, err)
		return o.Basis
	}
	pay := func(analyst, text string, loss accountant.Loss) {
		t.Helper()
		c := charge(analyst, text, loss)
		c.Accounting.Budget.Releases = 5
		reserve(t, l, c)
	}
	seen := basis()
	pay("ana", "hers", accountant.Loss{Epsilon: 1})
	if basis() != seen {
		t.Error("what an analyst asks makes another basis")
	}
	for i, loss := range []accountant.Loss{{Epsilon: 1}, {Epsilon: 1}, {Releases: 1}, {Releases: 1}} {
		before := basis()
		pay(accountant.Steward, fmt.Sprint("publication ", i), loss)
		if basis() == before {
			t.Errorf("charge %d of %v leaves the basis", i, loss)
		}
		decision := Resolution{Table: patients, What: "publish", By: "root", Reason: "open data", Basis: before}
		if _, err := l.Resolve(ctx, decision); !errors.Is(err, ErrActedMeanwhile) {
			t.Errorf("decided on a basis from before charge %d: %v", i, err)
		}
	}
}
