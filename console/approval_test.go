package console

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"tacit/accountant/ledger"
	"tacit/policy"
)

// withTwoStewards has the policy want another steward's word on grants and freezes, and has olga be one.
func (s *played) withTwoStewards() {
	changed, section := *s.policy, *s.policy.Console
	section.Stewards = append(append([]policy.ConsoleLogin(nil), section.Stewards...), section.Officers...)
	section.Officers, section.Approval = nil, []string{"grant", "freeze"}
	changed.Console, changed.Version = &section, changed.Version+"-two"
	s.policy = &changed
}

func (b *browser) confirms(path string) reply {
	b.t.Helper()
	return b.post(path, url.Values{"token": {b.token()}, "seen": {b.seen(path)}})
}

// An act that the policy names is done when another steward confirms what the first one saw, once, and the entry names both. Others are done at once.
func TestApproval(t *testing.T) {
	s := newPlayed(t)
	s.withTwoStewards()
	stan, olga := s.as("stan"), s.as("olga")
	before := len(s.acts())
	path := stan.preview()
	if body := olga.get("/acts").body; strings.Contains(body, "Waiting for another") {
		t.Error("an act waits that was not confirmed")
	}
	if r := olga.get(path); r.StatusCode != http.StatusNotFound {
		t.Errorf("an act that was not confirmed is shown to others: status %d", r.StatusCode)
	}
	own := url.Values{"token": {stan.token()}, "seen": {stan.seen(path)}}
	for range 3 { // again, and by the form that was shown first
		if r := stan.post(path, own); r.Header.Get("Location") != path && r.StatusCode != http.StatusForbidden {
			t.Errorf("status %d, to %q", r.StatusCode, r.Header.Get("Location"))
		}
	}
	if len(s.acts()) != before {
		t.Fatal("it was done without another steward")
	}
	if body := stan.get(path).body; strings.Contains(body, "Approve, and do it") || strings.Contains(body, "Do it") || !strings.Contains(body, "stan asked for it") {
		t.Errorf("who asked may approve\n%s", body)
	}
	if body := olga.get("/acts").body; !strings.Contains(body, path) || !strings.Contains(body, "grant epsilon 1: public.patients") {
		t.Errorf("the other steward does not find it\n%.3000s", body)
	}
	checkElements(t, "/acts", olga.get("/acts").body)
	checkElements(t, path, olga.get(path).body)

	// Two windows approve at the same moment.
	second := s.as("olga")
	var group sync.WaitGroup
	for _, b := range []*browser{olga, second} {
		form := url.Values{"token": {b.token()}, "seen": {b.seen(path)}}
		group.Go(func() {
			if r := b.post(path, form); !strings.HasPrefix(r.Header.Get("Location"), "/acts/entry/") {
				t.Errorf("approved: status %d", r.StatusCode)
			}
		})
	}
	group.Wait()
	all := s.acts()
	if e := all[0]; len(all) != before+1 || e.By != "stan, approved by olga" || e.Verdict != ledger.Granted || e.Reason != "the annual report" {
		t.Errorf("%d entries more, the newest %+v", len(all)-before, e)
	}
	if body := olga.get("/acts").body; strings.Contains(body, "Waiting for another") {
		t.Error("what was done still waits")
	}
	stan.act("act", "epoch", "table", "public.visits", "reason", "other people") // needs nobody
	if s.acts()[0].By != "stan" {
		t.Errorf("%+v", s.acts()[0])
	}
}

// What waits is not done if something else came first, if it was refused or withdrawn, if the one who asked is no steward any more, or after a day; and not by an officer.
func TestNotApproved(t *testing.T) {
	s := newPlayed(t)
	s.withTwoStewards()
	stan, olga := s.as("stan"), s.as("olga")
	asks := func() string {
		t.Helper()
		path := stan.preview()
		if r := stan.confirms(path); r.Header.Get("Location") != path {
			t.Fatalf("status %d", r.StatusCode)
		}
		return path
	}
	path := asks()
	form := url.Values{"token": {olga.token()}, "seen": {olga.seen(path)}}
	stan.act("act", "epoch", "reason", "other people") // of the same table
	done := len(s.acts())
	if r := olga.post(path, form); r.StatusCode != http.StatusConflict || !strings.Contains(r.body, "asked for again") {
		t.Errorf("after another act: status %d", r.StatusCode)
	}
	if body := olga.get(path).body; strings.Contains(body, "Approve, and do it") || !strings.Contains(body, "asked for again") {
		t.Errorf("what changed can be approved\n%s", body)
	}
	forged := url.Values{"token": {olga.token()}, "seen": {stan.seen(stan.preview())}}
	if r := olga.post(path, forged); r.StatusCode != http.StatusConflict {
		t.Errorf("with what is so now, which the first steward did not see: status %d", r.StatusCode)
	}
	for name, leave := range map[string]*browser{"refused": olga, "withdrawn": stan} {
		path := asks()
		form := url.Values{"token": {olga.token()}, "seen": {olga.seen(path)}}
		if r := leave.post(strings.Replace(path, "confirm", "withdraw", 1), url.Values{"token": {leave.token()}}); r.StatusCode != http.StatusSeeOther {
			t.Errorf("%s: status %d", name, r.StatusCode)
		}
		if r := olga.post(path, form); r.StatusCode != http.StatusNotFound {
			t.Errorf("approved after it was %s: status %d", name, r.StatusCode)
		}
	}
	path = asks()
	form = url.Values{"token": {olga.token()}, "seen": {olga.seen(path)}}
	two := s.policy
	alone, section := *two, *two.Console
	section.Stewards = section.Stewards[1:]
	alone.Console = &section
	s.policy = &alone
	if r := olga.post(path, form); r.StatusCode != http.StatusConflict {
		t.Errorf("asked by one who is no steward any more: status %d", r.StatusCode)
	}
	s.policy = two
	section.Stewards, section.Officers = two.Console.Stewards[:1], two.Console.Stewards[1:]
	s.policy = &alone
	officer := s.as("olga")
	if r := officer.post(path, url.Values{"token": {officer.token()}, "seen": form["seen"]}); r.StatusCode != http.StatusForbidden {
		t.Errorf("an officer approves: status %d", r.StatusCode)
	}
	s.policy = two
	s.at = func() time.Time { return now.Add(approvalTime + 1) }
	olga = s.as("olga")
	if r := olga.post(path, url.Values{"token": {olga.token()}, "seen": form["seen"]}); r.StatusCode != http.StatusNotFound {
		t.Errorf("after a day: status %d", r.StatusCode)
	}
	if len(s.acts()) != done {
		t.Errorf("%d acts were done", len(s.acts())-done)
	}
}
