package main

import (
	"strings"
	"testing"
)

// TestCheckedWorkloads has tacit check say of which workloads nothing is ever measured, and why, and nothing of one that is.
func TestCheckedWorkloads(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{rule: "zcdp", budget: "10", mechanism: "delta: 1e-6"})
	text := readText(t, s.policy)
	with := func(workload, edit string) string {
		t.Helper()
		changed := strings.Replace(text, "    columns:", "    workload: {"+workload+"}\n    columns:", 1)
		if edit != "" {
			old, new, _ := strings.Cut(edit, " -> ")
			if !strings.Contains(changed, old) {
				t.Fatalf("the policy has no %s", old)
			}
			changed = strings.ReplaceAll(changed, old, new)
		}
		s.writePolicy(changed)
		out, stderr, status := run(t, "check", "--policy", s.policy)
		if status != 0 {
			t.Errorf("%s: status %d\n%s%s", workload, status, out, stderr)
		}
		return out
	}
	for _, c := range []struct{ workload, edit, want string }{
		{"marginals: [[region, sex]], epsilon: 3, delta: 1e-6", "", ""},
		{"marginals: [[region, sex]], epsilon: 10, delta: 9e-5", "", "note: the workload of public.people is never measured, and its questions are charged by themselves: it costs epsilon 10, delta 9e-5, which takes epsilon "},
		{"marginals: [[region, sex]], epsilon: 10, delta: 9e-5", "", "Thresholds on unknown keys keep 5e-5 of the delta"},
		{"marginals: [[region, sex]], epsilon: 3, delta: 1e-6", "ana: {} -> ana: {budget: {epsilon: 1}}", "note: the workload of public.people costs epsilon 3, delta 1e-6, which is more than each analyst's own budget, so that no question measures it: tacit measure --table public.people does"},
		{"marginals: [[region, sex]], epsilon: 3, delta: 1e-6, measured: by-steward", "ana: {} -> ana: {budget: {epsilon: 1}}", ""},
	} {
		out := with(c.workload, c.edit)
		if c.want == "" && strings.Contains(out, "workload") || !strings.Contains(out, c.want) {
			t.Errorf("%s %s: no %q in\n%s", c.workload, c.edit, c.want, out)
		}
	}
	s.writePolicy(strings.Replace(text, "    columns:", "    workload: {marginals: [[region, sex]], epsilon: 3, delta: 1e-6}\n    columns:", 1) + "limits: {cells: 5}\n")
	if out, stderr, status := run(t, "check", "--policy", s.policy); status != 0 || !strings.Contains(out, "note: the workload of public.people: the marginal of (region, sex) has ") {
		t.Errorf("too many cells: status %d\n%s%s", status, out, stderr)
	}
	s.writePolicy(text)
	s.serve()
	conn := s.connect("ana")
	for n := range 9 {
		mustRead(t, conn, "SET tacit.fresh = on", "SELECT count(*) FROM people WHERE age < "+string(rune('1'+n)))
	}
	out := with("marginals: [[region, sex]], epsilon: 9, delta: 1e-6", "")
	if !strings.Contains(out, "note: the workload of public.people was not measured, and is not any more: with it epsilon ") {
		t.Errorf("what is left does not cover it:\n%s", out)
	}
	s.writePolicy(strings.Replace(text, "    columns:", "    workload: {marginals: [[region, sex]], epsilon: 0.5, delta: 1e-6}\n    columns:", 1))
	if out, _, _ := run(t, "check", "--policy", s.policy); strings.Contains(out, "workload") {
		t.Errorf("what is left covers it:\n%s", out)
	}
}
