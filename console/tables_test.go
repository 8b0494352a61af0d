package console

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The page of tables says which columns nobody used, and what is wrong with the policy's file in the words of the commands: with file and line.
func TestTablesPage(t *testing.T) {
	s := newPlayed(t)
	b := s.as("olga")
	v, dir := verifier(), filepath.Dir(s.policy.Path)
	good := fmt.Sprintf(playedPolicy, filepath.Join(dir, "tacit.db"), v["ana"], v["bob"], v["olga"], v["stan"])
	for _, c := range []struct{ text, want string }{
		{good, "The file as it is now is what is in force, and has no faults."},
		{strings.Replace(good, "epsilon: 0.1", "epsilon: 0.2", 1), "another policy by now"},
		{strings.Replace(good, "kind: geometric, epsilon: 0.1", "kind: geometrical, epsilon: 0.1", 1), "policy.yaml:"},
	} {
		if err := os.WriteFile(s.policy.Path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if body := b.get("/tables").body; !strings.Contains(body, c.want) {
			t.Errorf("the page lacks %q\n%.3000s", c.want, body)
		}
	}
	body := ""
	for range 1000 {
		if body = b.get("/tables").body; !strings.Contains(body, "is being found out") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if !strings.Contains(body, "counts as used") {
		t.Error("the page does not say that it goes by words")
	}
	for column, use := range map[string]string{"sex": "used", "age": "used", "region": "never used in this epoch"} {
		_, row, _ := strings.Cut(body, `<th scope="row">`+column+`</th>`)
		row, _, _ = strings.Cut(row, "</tr>")
		if !strings.Contains(row, "<td>"+use+"</td>") {
			t.Errorf("%s: %q, want %q", column, row, use)
		}
	}
	if strings.Contains(body, "/tables/persons") {
		t.Error("an officer is offered true counts")
	}
}

// How many rows persons have is for stewards who say why, of tables that have persons.
func TestRowsOfPersons(t *testing.T) {
	s := newPlayed(t)
	stan := s.as("stan")
	if !strings.Contains(stan.get("/tables").body, "/tables/persons") {
		t.Error("a steward is not offered how many rows persons have")
	}
	for _, c := range []struct {
		who    *browser
		form   url.Values
		status int
		acts   int
	}{
		{s.as("olga"), url.Values{"table": {"public.visits"}, "reason": {"x"}}, http.StatusForbidden, 0},
		{s.as("ana"), url.Values{"table": {"public.visits"}, "reason": {"x"}}, http.StatusForbidden, 0},
		{stan, url.Values{"table": {"public.visits"}}, http.StatusBadRequest, 0},
		{stan, url.Values{"table": {"public.patients"}, "reason": {"x"}}, http.StatusBadRequest, 0},
		{stan, url.Values{"table": {"public.none"}, "reason": {"x"}}, http.StatusNotFound, 0},
		{stan, url.Values{"table": {"public.visits"}, "reason": {"the bounds are old"}}, http.StatusSeeOther, 1},
	} {
		before := len(s.acts())
		if r := c.who.submit("/tables/persons", c.form); r.StatusCode != c.status {
			t.Errorf("%v: status %d, want %d", c.form, r.StatusCode, c.status)
		}
		if n := len(s.acts()) - before; n != c.acts {
			t.Errorf("%v: %d entries, want %d", c.form, n, c.acts)
		}
	}
	if body := stan.result().body; !strings.Contains(body, "<strong>True counts.</strong>") {
		t.Errorf("no banner\n%.3000s", body)
	}
}

// Advice is found in the background, and is about each table that is not audited.
func TestAdvicePage(t *testing.T) {
	s := newPlayed(t)
	b := s.as("olga")
	for range 1000 {
		r := b.get("/advise")
		if r.Header.Get("Refresh") != "" {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		for _, want := range []string{"As it was", "questions were charged in this epoch", "public.visits"} {
			if !strings.Contains(r.body, want) {
				t.Errorf("the page lacks %q\n%.3000s", want, r.body)
			}
		}
		return
	}
	t.Error("advice is looked for for ever")
}
