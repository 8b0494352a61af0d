package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// TestAdvise names the one finer count from which the questions that were charged would have followed.
func TestAdvise(t *testing.T) {
	s := newSite(t, siteOptions{})
	s.serve()
	conn := s.connect("ana")
	for _, sql := range []string{
		"SELECT sex, count(*) FROM people GROUP BY sex", "SELECT region, count(*) FROM people GROUP BY region", "SELECT count(*) FROM people WHERE sex = 'F'",
	} {
		if _, err := readRows(context.Background(), conn, sql); err != nil {
			t.Fatal(err)
		}
	}
	out, stderr, status := run(t, "advise", "--policy", s.policy)
	if status != 0 || !strings.HasPrefix(out, "public.people: 2 questions were charged") || !strings.Contains(out, "GROUP BY") {
		t.Errorf("status %d, %s%s", status, out, stderr)
	}
	out, stderr, status = run(t, "advise", "--policy", s.policy, "--json")
	var advice []struct {
		Table string
		Asked int
		Finer *struct{ Keys []string }
	}
	if err := json.Unmarshal([]byte(out), &advice); err != nil || status != 0 || len(advice) != 1 || advice[0].Asked != 2 || advice[0].Finer == nil || len(advice[0].Finer.Keys) != 2 {
		t.Errorf("--json: status %d, %v: %s%s", status, err, out, stderr)
	}
}
