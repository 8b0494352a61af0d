package ledger

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/policy"
)

// TestRequests asks, declines and grants: each request has one answer, stands in the log, and outlives the process and a checkpoint.
func TestRequests(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	at := time.Date(2036, 3, 1, 12, 0, 0, 0, time.UTC)
	l.setClock(func() time.Time { return at })
	l.sealEvery = 3
	one := accountant.Loss{Epsilon: 1e9}
	ask := func(analyst, reason string) int64 {
		t.Helper()
		entry, err := l.Request(ctx, analyst, patients, one, reason)
		if err != nil {
			t.Fatal(err)
		}
		return entry
	}
	first, second, third := ask("ana", "for the report"), ask("ana", "for another"), ask("bob", "for the report")
	if again := ask("ana", "for another"); again != second {
		t.Errorf("what is open was asked again, as entry %d", again)
	}
	no, err := l.Decline(ctx, first, "stan", "ask in March")
	do(t, err)
	if _, err := l.Decline(ctx, first, "stan", "twice"); !errors.Is(err, errNotOpen) {
		t.Errorf("declined twice: %v", err)
	}
	grant := Grant{Table: patients, To: policy.Budget{Epsilon: 1e9}, Budget: policy.Budget(one), By: "stan", Reason: "the board", Request: third}
	yes, err := l.Grant(ctx, grant)
	do(t, err)
	if _, err := l.Grant(ctx, grant); !errors.Is(err, errNotOpen) {
		t.Errorf("granted twice: %v", err)
	}
	grant.Request, grant.Table = second, policy.TableName{Schema: "public", Name: "others"}
	if _, err := l.Grant(ctx, grant); !errors.Is(err, errNotOpen) {
		t.Errorf("granted on another table: %v", err)
	}
	for _, missing := range []int64{0, 1, -5, 1 << 40} {
		if _, err := l.Decline(ctx, missing, "stan", "none"); !errors.Is(err, errNotOpen) {
			t.Errorf("entry %d, which is no request, was declined: %v", missing, err)
		}
	}
	want := []Request{
		{Entry: third, At: at, Analyst: "bob", Table: patients, Amount: one, Reason: "for the report", Outcome: Granted, By: "stan", Answer: "the board", Answered: yes},
		{Entry: second, At: at, Analyst: "ana", Table: patients, Amount: one, Reason: "for another"},
		{Entry: first, At: at, Analyst: "ana", Table: patients, Amount: one, Reason: "for the report", Outcome: Declined, By: "stan", Answer: "ask in March", Answered: no},
	}
	check := func(l *Ledger) {
		t.Helper()
		got, err := l.Requests(ctx)
		do(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	check(l)
	log, err := l.Log(ctx, LogFilter{Analyst: "ana"})
	do(t, err)
	var lines []string
	for _, e := range log {
		lines = append(lines, fmt.Sprintf("%s %v by %q: %s", e.Verdict, e.Loss.Epsilon, e.By, e.Reason))
	}
	if diff := cmp.Diff([]string{`declined 0 by "stan": ask in March`, `requested 1 by "": for another`, `requested 1 by "": for the report`}, lines); diff != "" {
		t.Error(diff)
	}
	found, err := l.Verify(ctx, nil)
	if err != nil || len(found.Problems) > 0 || found.Checkpoints < 1 {
		t.Errorf("%+v, %v", found, err)
	}
	do(t, l.Close())
	again := open(t, path)
	check(again)
}

// TestRequestsAreFew bounds what an analyst can add to the ledger: few that are open, and few in a day. Another analyst is not held up.
func TestRequestsAreFew(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	at := time.Date(2036, 3, 1, 12, 0, 0, 0, time.UTC)
	l.setClock(func() time.Time { return at })
	n := 0
	ask := func(analyst string) (int64, error) {
		n++
		return l.Request(ctx, analyst, patients, accountant.Loss{Releases: 1}, fmt.Sprint("reason ", n))
	}
	var open []int64
	for range maxOpenRequests {
		entry, err := ask("ana")
		do(t, err)
		open = append(open, entry)
	}
	if _, err := ask("ana"); !errors.Is(err, ErrManyRequests) || !errors.Is(l.MayRequest(ctx, "ana"), ErrManyRequests) {
		t.Errorf("one more that is open: %v", err)
	}
	if _, err := ask("bob"); err != nil || l.MayRequest(ctx, "bob") != nil {
		t.Errorf("somebody else: %v", err)
	}
	for made := maxOpenRequests; made < maxRequestsADay; made++ {
		_, err := l.Decline(ctx, open[0], "stan", "no")
		do(t, err)
		entry, err := ask("ana")
		do(t, err)
		open = append(open[1:], entry)
	}
	_, err := l.Decline(ctx, open[0], "stan", "no")
	do(t, err)
	if _, err := ask("ana"); !errors.Is(err, ErrManyRequests) {
		t.Errorf("one more in a day: %v", err)
	}
	at = at.Add(25 * time.Hour)
	if _, err := ask("ana"); err != nil {
		t.Errorf("on the next day: %v", err)
	}
	kept := 0
	all, err := l.Requests(ctx)
	do(t, err)
	for _, r := range all {
		if r.Analyst == "ana" {
			kept++
		}
	}
	if kept != maxRequestsADay {
		t.Errorf("%d are kept", kept)
	}
	for _, c := range []struct {
		analyst, reason string
		amount          accountant.Loss
	}{{"", "x", accountant.Loss{Epsilon: 1}}, {"ana", "", accountant.Loss{Epsilon: 1}}, {"ana", "x", accountant.Loss{}}, {"ana", "x", accountant.Loss{Epsilon: -1}}, {"ana", "x\x00", accountant.Loss{Epsilon: 1}}, {"ana", string(make([]byte, 2001)), accountant.Loss{Epsilon: 1}}} {
		if _, err := l.Request(ctx, c.analyst, patients, c.amount, c.reason); err == nil || errors.Is(err, ErrManyRequests) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// What is open for longer makes no place for more in a day: none of the last 24 hours is forgotten, however fast they are declined.
func TestRequestsADayBehindOpenOnes(t *testing.T) {
	ctx := context.Background()
	for old := range maxOpenRequests {
		l := open(t, newPath(t))
		at := time.Date(2036, 3, 1, 12, 0, 0, 0, time.UTC)
		l.setClock(func() time.Time { return at })
		n := 0
		ask := func() (int64, error) {
			n++
			return l.Request(ctx, "ana", patients, accountant.Loss{Releases: 1}, fmt.Sprint("reason ", n))
		}
		decline := func(entry int64) {
			t.Helper()
			_, err := l.Decline(ctx, entry, "stan", "no")
			do(t, err)
		}
		for range old {
			_, err := ask()
			do(t, err)
		}
		for made := old; made < maxRequestsADay; made++ {
			entry, err := ask()
			do(t, err)
			decline(entry)
		}
		for day := range 2 {
			at = at.Add(25 * time.Hour)
			today := 0
			for ; today < 4*maxRequestsADay; today++ {
				entry, err := ask()
				if errors.Is(err, ErrManyRequests) {
					break
				}
				do(t, err)
				decline(entry)
			}
			if want := maxRequestsADay - old; today != want || !errors.Is(l.MayRequest(ctx, "ana"), ErrManyRequests) {
				t.Errorf("%d are open from before: %d were made on day %d, want %d", old, today, day, want)
			}
		}
	}
}
