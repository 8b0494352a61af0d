package edit

import (
	"strings"
	"testing"

	"tacit/policy"
)

const workloadPolicy = `
listen: 127.0.0.1:6432   # a comment
upstream: {analyst: 'postgres://{analyst}@127.0.0.1/db', curator: 'postgres://c@127.0.0.1/db'}
ledger: sqlite:tacit.db
auth: trust
analysts: {ana: {}}
tables:
  public.others:
    person: row
    mechanism: {kind: geometric, epsilon: 0.5}
    budget: {epsilon: 10}
  public.people:   # those
    person: row
    mechanism: {kind: geometric, epsilon: 0.5}  # stays
    budget: {epsilon: 10, delta: 1e-6, composition: zcdp}
    columns:
      sex: {values: [F, M]}
      region: {values: [a, b]}
`

// TestWorkload writes a workload, and another one in its place. It fails if anything else of the file changes, or if a file is changed that cannot be.
func TestWorkload(t *testing.T) {
	people := policy.TableName{Schema: "public", Name: "people"}
	const first, second = "{marginals: [[sex]], epsilon: 1, delta: 1e-7}", "{marginals: [[region, sex], {columns: [sex], weight: 3}], epsilon: 2, delta: 1e-8}"
	const mechanism = "    person: row\n    mechanism: {kind: geometric, epsilon: 0.5}  # stays"
	want := strings.Replace(workloadPolicy, mechanism, strings.Replace(mechanism, "    mechanism", "    workload: "+first+"\n    mechanism", 1), 1)
	written, err := Workload("policy.yaml", []byte(workloadPolicy), people, first)
	if err != nil || string(written) != want {
		t.Fatalf("%v\n%s", err, written)
	}
	written, err = Workload("policy.yaml", written, people, second)
	if err != nil || string(written) != strings.Replace(want, first, second, 1) {
		t.Errorf("in its place: %v\n%s", err, written)
	}
	flow := strings.Replace(workloadPolicy, "  public.others:\n    person: row\n    mechanism: {kind: geometric, epsilon: 0.5}\n    budget: {epsilon: 10}",
		"  public.people: {person: row, mechanism: {kind: geometric, epsilon: 0.5},\n    budget: {epsilon: 10, delta: 1e-6, composition: zcdp}, columns: {sex: {values: [F, M]}}}", 1)
	flow, _, _ = strings.Cut(flow, "  public.people:   # those")
	written, err = Workload("policy.yaml", []byte(flow), people, first)
	if err != nil || string(written) != strings.Replace(flow, "mechanism:", "workload: "+first+", mechanism:", 1) {
		t.Errorf("in braces: %v\n%s", err, written)
	}
	block := strings.Replace(workloadPolicy, mechanism, mechanism+"\n    workload:\n      marginals: [[sex]]\n      epsilon: 1\n      delta: 1e-7", 1)
	for text, says := range map[string]string{
		block: "cannot be changed here",
		strings.Replace(workloadPolicy, "public.people:", "public.persons:", 1): "the table is not found",
		strings.Replace(workloadPolicy, "sex: {values: [F, M]}", "sex: {}", 1):  "the workload does not fit into the policy",
	} {
		if _, err := Workload("policy.yaml", []byte(text), people, first); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}
