package edit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
)

// TestCertified writes a plan into policies of several styles. It fails if anything else of the file changes.
func TestCertified(t *testing.T) {
	const before = `listen: 127.0.0.1:6432
upstream: {analyst: "postgres://{analyst}@h/d", curator: postgres://c@h/d}
ledger: sqlite:tacit.db
auth: trust
analysts: {ana: {}} # Ännchen
tables:
  public.other:
    person: row
    mechanism: {kind: geometric, epsilon: 1}
    budget: {epsilon: 3}
  public.carriers:
    person: row
`
	const after = `    columns: {hair: {}, age: {range: [0, 120]}}   # as before
`
	const certified = "{hair: values, age: [0, 30]}"
	for _, c := range []struct{ mechanism, want string }{
		{"    mechanism: {kind: audit, private: gene, epsilon: 0.5}\n", "    mechanism: {certified: " + certified + ", kind: audit, private: gene, epsilon: 0.5}\n"},
		{"    mechanism: # the paper's, für alle\n      kind: audit\n      private: gene  # secret\n      epsilon: 0.5\n",
			"    mechanism: # the paper's, für alle\n      certified: " + certified + "\n      kind: audit\n      private: gene  # secret\n      epsilon: 0.5\n"},
		{"    mechanism:\n      private: gene\n      kind: audit\n      certified: {age: [0,\n        50]} # old\n      epsilon: 0.5\n",
			"    mechanism:\n      private: gene\n      kind: audit\n      certified: " + certified + " # old\n      epsilon: 0.5\n"},
		{"    mechanism: {private: gene, certified: {hair: values}, kind: audit, epsilon: 0.5}\n", "    mechanism: {private: gene, certified: " + certified + ", kind: audit, epsilon: 0.5}\n"},
	} {
		got, err := Certified("p.yaml", []byte(before+c.mechanism+after), policy.TableName{Schema: "public", Name: "carriers"}, certified)
		if err != nil {
			t.Errorf("%s: %v", c.mechanism, err)
			continue
		}
		if diff := cmp.Diff(before+c.want+after, string(got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	block := "    mechanism:\n      kind: audit\n      private: gene\n      epsilon: 0.5\n      certified:\n        hair: values\n"
	if _, err := Certified("p.yaml", []byte(before+block+after), policy.TableName{Schema: "public", Name: "carriers"}, certified); err == nil || !strings.Contains(err.Error(), "write it yourself") {
		t.Errorf("a block was changed: %v", err)
	}
}
