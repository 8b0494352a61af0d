package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestAdvise names the one finer count from which the questions that were charged would have followed.
func TestAdvise(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	conn := s.connect("ana")
	mustRead(t, conn,
		"SELECT sex, count(*) FROM people GROUP BY sex", "SELECT region, count(*) FROM people GROUP BY region", "SELECT count(*) FROM people WHERE sex = 'F'")
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
