package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestMeasure measures a workload beside no proxy, is refused the second time, and measures again when it is told to. A proxy answers of it, for free.
func TestMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{})
	text := string(readText(t, s.policy))
	if _, stderr, status := run(t, "measure", "--policy", s.policy); status != 2 || !strings.Contains(stderr, "no table of the policy has a workload") {
		t.Errorf("without a workload: status %d, %s", status, stderr)
	}
	s.writePolicy(strings.Replace(text, "    columns:", "    workload: {marginals: [[region, sex]], epsilon: 3, delta: 1e-6, measured: by-steward}\n    columns:", 1))
	stdout, stderr, status := run(t, "measure", "--policy", s.policy, "--table", "public.people")
	if status != 0 || stdout != "measured:   the workload of public.people: (region, sex)\ncharged:    epsilon 3, delta 1e-6\nleft:       epsilon 997, delta 9.9e-5\n" {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if _, stderr, status := run(t, "measure", "--policy", s.policy); status != 1 || !strings.Contains(stderr, "was measured already") || !strings.Contains(stderr, "--again") {
		t.Errorf("twice: status %d, %s", status, stderr)
	}
	stdout, stderr, status = run(t, "measure", "--policy", s.policy, "--again", "--json")
	var made struct {
		Epsilon, Delta string
		Adopted        bool
	}
	if err := json.Unmarshal([]byte(stdout), &made); err != nil || status != 0 || made.Epsilon != "3" || made.Delta != "1e-6" || made.Adopted {
		t.Errorf("again: status %d, %v\n%s%s", status, err, stdout, stderr)
	}
	if stdout, _, _ := run(t, "log", "--policy", s.policy); strings.Count(stdout, "tacit measure --table public.people") != 2 {
		t.Errorf("the log:\n%s", stdout)
	}
	if _, stderr, status := run(t, "verify", "--policy", s.policy); status != 0 {
		t.Errorf("verify: %s", stderr)
	}
	if _, stderr, status := run(t, "measure", "--policy", s.policy, "--table", "public.regions"); status != 2 || !strings.Contains(stderr, "is no table with a workload") {
		t.Errorf("of another table: status %d, %s", status, stderr)
	}
}
