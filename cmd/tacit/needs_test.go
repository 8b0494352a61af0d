package main

import (
	"strings"
	"syscall"
	"testing"
)

// TestRefusalsByReason has statements refused before and behind the analysis. It fails if one is not under its table and reason, or if the list
// is wider than a terminal.
func TestRefusalsByReason(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	server := s.serve()
	for range 3 {
		s.psql(s.url("ana"), "SELECT * FROM people;")
	}
	s.psql(s.url("bob"), "SELECT * FROM people;")
	s.psql(s.url("bob"), "SELECT no_such_column, count(*) FROM public.people GROUP BY 1;")
	if err := server.stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	out := output(t, "log", "--policy", s.policy, "--refused")
	lines := strings.Split(out, "\n")
	if !strings.HasPrefix(lines[1], "4      ") || !strings.Contains(lines[1], "2 analysts   public.people") {
		t.Errorf("the most frequent is not first:\n%s", out)
	}
	if !strings.Contains(out, "bob          public.people       42703") || !strings.Contains(out, "no_such_column") {
		t.Errorf("a column that is not there:\n%s", out)
	}
	for _, line := range lines {
		if len(line) > 120 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
	asJSON := output(t, "log", "--policy", s.policy, "--refused", "--json")
	if first, _, _ := strings.Cut(asJSON, "\n"); !strings.Contains(first, `"times":4,"analysts":["ana","bob"]`) || !strings.Contains(first, `"table":"public.people"`) || !strings.Contains(first, `"reason":"`) {
		t.Errorf("JSON: %s", asJSON)
	}
	if _, stderr, status := run(t, "log", "--policy", s.policy, "--refused", "--verdict", "charged"); status != 2 {
		t.Errorf("status %d: %s", status, stderr)
	}
}
