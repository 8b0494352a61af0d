package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"tacit/accountant/ledger"
)

// submit sends a form with the session's token.
func (b *browser) submit(path string, form url.Values) reply {
	b.t.Helper()
	form.Set("token", b.token())
	return b.post(path, form)
}

// result waits for what was asked for.
func (b *browser) result() reply {
	b.t.Helper()
	for range 6000 {
		r := b.get("/assess/result")
		if r.Header.Get("Refresh") == "" {
			return r
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.t.Fatal("it is computed for ever")
	return reply{}
}

func assessFormOf(fields ...string) url.Values {
	form := url.Values{"table": {"public.patients"}, "key": {"sex", "tens of age"}, "kind": {"geometric", "suppression"}, "epsilon": {"0.1, 1"}, "rows": {"1000"}, "values": {"3"}, "spread": {"skewed"}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return form
}

// Officers compare mechanisms on supposed counts, and on released ones; no entry is made, since nobody is shown a true count.
func TestAssessSupposed(t *testing.T) {
	s := newPlayed(t)
	for _, name := range []string{"olga", "stan"} {
		b := s.as(name)
		if r := b.submit("/assess", assessFormOf()); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/assess/result" {
			t.Fatalf("%s: status %d\n%.3000s", name, r.StatusCode, r.body)
		}
		body := b.result().body
		for _, want := range []string{"Computed from supposed counts", "geometric", "suppression", "Over epsilon", "Suppressed", "persons of public.patients by sex, tens of age", "/assess/result/picture/0"} {
			if !strings.Contains(body, want) {
				t.Errorf("%s: the page lacks %q\n%.4000s", name, want, body)
			}
		}
		for _, no := range []string{"True counts.", "gaussian</th>", "could not be computed"} {
			if strings.Contains(body, no) {
				t.Errorf("%s: the page has %q", name, no)
			}
		}
		if r := b.get("/assess/result/picture/0"); r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "image/svg+xml" {
			t.Errorf("%s: picture: status %d", name, r.StatusCode)
		}
		if r := b.get("/assess/result/picture/99"); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: a picture that is not there: status %d", name, r.StatusCode)
		}
	}
	for _, e := range s.acts() {
		if e.Verdict == ledger.Inspected {
			t.Errorf("supposed counts are in the ledger as true ones: %+v", e)
		}
	}
}

// What if draws a table, and says what thresholds and the bounds of a person lose.
func TestWhatIf(t *testing.T) {
	s := newPlayed(t)
	b := s.as("olga")
	for _, c := range []struct {
		fields []string
		want   []string
	}{
		{[]string{"table", "public.patients", "key", "region", "kind", "geometric", "epsilon", "0.5"}, []string{"noisy count of", "value 1", "As an analyst would see it", "Over epsilon"}},
		{[]string{"table", "public.visits", "key", "ward", "kind", "geometric", "epsilon", "0.5", "mean", "5"}, []string{"Every cell is shown", "north", "rows: 8 would leave out", "41%", "16.8%"}},
		{[]string{"table", "public.patients", "key", "sex", "kind", "suppression", "epsilon", "0.5", "k", "7"}, []string{"As an analyst would see it"}},
	} {
		if r := b.submit("/whatif", assessFormOf(c.fields...)); r.StatusCode != http.StatusSeeOther {
			t.Fatalf("%v: status %d\n%.3000s", c.fields, r.StatusCode, r.body)
		}
		body := b.result().body
		for _, want := range c.want {
			if !strings.Contains(body, want) {
				t.Errorf("%v: the page lacks %q\n%.5000s", c.fields, want, body)
			}
		}
	}
}

// A wrong form is shown again with what is wrong, and what was written is shown as text.
func TestAssessForms(t *testing.T) {
	s := newPlayed(t)
	b := s.as("stan")
	visits := url.Values{"table": {"public.visits"}, "key": {"ward"}, "kind": {"geometric"}, "epsilon": {"1"}, "rows": {"10"}, "values": {"1"}, "mean": {"NaN"}}
	if r := b.submit("/whatif", visits); r.StatusCode != http.StatusBadRequest || !strings.Contains(r.body, "rows of a person:") {
		t.Errorf("rows of a person: status %d", r.StatusCode)
	}
	for _, c := range []struct{ path, field, value, want string }{
		{"/assess", "table", "public.nothing", "there is no such table"},
		{"/assess", "key", "<b>", "is none of the table"},
		{"/assess", "kind", "audit", "is none"},
		{"/assess", "epsilon", "0", "is no amount"},
		{"/assess", "epsilon", "1,2,3,4,5,6", "one to five amounts"},
		{"/whatif", "epsilon", "1,2", "one amount"},
		{"/whatif", "k", "0", "is no count"},
		{"/assess", "delta", "2", "is not between 0 and 1"},
		{"/assess", "rows", "0", "write a number"},
		{"/assess", "rows", "1e99", "write a number"},
		{"/assess", "values", "5001", "write a number"},
		{"/assess", "release", "4711", "none of the newest answers"},
		{"/assess", "true", "1", "it is required"}, // without a reason
	} {
		form := assessFormOf(c.field, c.value)
		if c.path == "/whatif" && c.field != "epsilon" {
			form.Set("epsilon", "1")
		}
		r := b.submit(c.path, form)
		if r.StatusCode != http.StatusBadRequest || !strings.Contains(r.body, c.want) || strings.Contains(r.body, "<b>") {
			t.Errorf("%s with %s=%q: status %d, want %q\n%.2000s", c.path, c.field, c.value, r.StatusCode, c.want, r.body)
		}
	}
}

// True counts are for stewards who say why, and for the session that asked for them. That they were asked for is in the ledger before anything is read,
// here by a server that is not there.
func TestTrueCountsAreForStewards(t *testing.T) {
	s := newPlayed(t)
	olga, stan, ana := s.as("olga"), s.as("stan"), s.as("ana")
	wanted := assessFormOf("true", "1", "reason", "the yearly <i>review</i>")
	if r := olga.submit("/assess", wanted); r.StatusCode != http.StatusForbidden {
		t.Errorf("an officer: status %d", r.StatusCode)
	}
	for _, path := range []string{"/assess", "/whatif"} {
		if r := ana.submit(path, wanted); r.StatusCode != http.StatusForbidden {
			t.Errorf("an analyst at %s: status %d", path, r.StatusCode)
		}
	}
	if strings.Contains(olga.get("/assess").body, `name="true"`) {
		t.Error("an officer is offered true counts")
	}
	count := func() (n int) {
		for _, e := range s.acts() {
			if e.Verdict == ledger.Inspected {
				n++
				if e.By != "stan" || e.Reason != "the yearly <i>review</i>" || e.SQL != `SELECT "sex", "age" / 10, count(*) FROM "public"."patients" GROUP BY "sex", "age" / 10` {
					t.Errorf("the ledger has %+v", e)
				}
			}
		}
		return n
	}
	if n := count(); n != 0 {
		t.Fatalf("%d entries of what was refused", n)
	}
	if r := stan.post("/assess", wanted); r.StatusCode != http.StatusForbidden && r.StatusCode != http.StatusSeeOther {
		t.Fatalf("status %d", r.StatusCode)
	} else if r.StatusCode == http.StatusSeeOther {
		t.Fatal("a form without its token is taken")
	}
	if r := stan.submit("/assess", wanted); r.StatusCode != http.StatusSeeOther {
		t.Fatalf("a steward: status %d\n%.3000s", r.StatusCode, r.body)
	}
	if n := count(); n != 1 {
		t.Errorf("%d entries of what a steward was shown", n)
	}
	body := stan.result().body
	for _, want := range []string{"<strong>True counts.</strong>", "could not be computed", "FROM &#34;public&#34;.&#34;patients&#34;"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q\n%.3000s", want, body)
		}
	}
	for name, b := range map[string]*browser{"another session of the steward": s.as("stan"), "an officer": olga} {
		if r := b.get("/assess/result"); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", name, r.StatusCode)
		}
	}
	if r := ana.get("/assess/result"); r.StatusCode != http.StatusForbidden {
		t.Errorf("an analyst: status %d", r.StatusCode)
	}
	if r := stan.get("/report?month=" + now.Format("2006-01")); !strings.Contains(r.body, "inspected") {
		t.Error("the report of the month does not say that true counts were shown")
	}
}

func TestKeyNames(t *testing.T) {
	for question, want := range map[string]string{
		"count(*) FROM public.titanic GROUP BY class, sex":            "class; sex",
		"count(*) FROM public.titanic GROUP BY date_trunc('x', d), a": "key 1; key 2",
		"count(*) FROM public.titanic GROUP BY a":                     "key 1; key 2",
		"SELECT": "key 1; key 2",
	} {
		if got := strings.Join(keyNames(question, 2), "; "); got != want {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
}
