package policy

import (
	"fmt"
	"strings"
	"testing"
)

// TestThresholdDefaults fails if delta that is kept for thresholds is taken from composition where no threshold is ever paid for, or if
// there is not enough for one.
func TestThresholdDefaults(t *testing.T) {
	for _, test := range []struct {
		mechanism, budget string
		thresholds, delta Delta // kept for all, and of one
	}{
		{"kind: geometric, epsilon: 0.5", "epsilon: 10, delta: 1e-6", 5e11, 25e9},
		{"kind: geometric, epsilon: 0.5", "epsilon: 10", 0, 0},
		{"kind: geometric, epsilon: 0.5, delta: 0", "epsilon: 10, delta: 1e-6", 0, 0},
		{"kind: geometric, epsilon: 0.5, delta: 8e-7", "epsilon: 10, delta: 1e-6", 8e11, 8e11},
		{"kind: geometric, epsilon: 0.5, delta: 1e-6", "epsilon: 10, delta: 1e-6", 1e12, 1e12},
		{"kind: geometric, epsilon: 0.5", "epsilon: 10, delta: 1e-6, thresholds: 1e-7", 1e11, 5e9},
		{"kind: geometric, epsilon: 0.5", "epsilon: 10, delta: 1e-6, thresholds: 0", 0, 0},
		{"kind: geometric, epsilon: 0.5", "epsilon: 10, delta: 1e-6, composition: basic", 1e12, 5e10},
		{"kind: geometric, epsilon: 0.5", "epsilon: 10, delta: 1e-6, composition: advanced", 5e11, 25e9},
		{"kind: dp-suppression, epsilon: 0.5, k: 6", "epsilon: 10, delta: 1e-6", 5e11, 25e9},
		{"kind: discrete-gaussian, epsilon: 0.5", "epsilon: 10, delta: 1e-6", 1e11, 5e10},
		{"kind: gaussian, epsilon: 0.5", "epsilon: 10, delta: 1e-6, composition: zcdp", 1e11, 5e10},
		{"kind: gaussian, epsilon: 0.5", "epsilon: 10, delta: 1e-6, composition: advanced", 5e11, 5e10},
		{"kind: gaussian, epsilon: 0.5, delta: 3e-7", "epsilon: 10, delta: 1e-6", 3e11, 3e11},
		{"kind: gaussian, epsilon: 0.5, delta: 9e-7", "epsilon: 10, delta: 1e-6", 5e11, 9e11},
	} {
		text := edited(t, bothLines, fmt.Sprintf("mechanism: {%s}\n    budget: {%s}", test.mechanism, test.budget))
		p, err := Parse("policy.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s under %s: %v", test.mechanism, test.budget, err)
			continue
		}
		if table := p.Tables[0]; table.Thresholds != test.thresholds || table.Mechanism.Delta != test.delta {
			t.Errorf("%s under %s: thresholds cost up to %v, one of them %v; want %v and %v",
				test.mechanism, test.budget, table.Thresholds, table.Mechanism.Delta, test.thresholds, test.delta)
		}
	}
}

// TestAuditedTableAddsUp fails if a rule that no epsilon follows is laid on an audited table, or its answers are derived from one another.
func TestAuditedTableAddsUp(t *testing.T) {
	p, err := Parse("policy.yaml", []byte(auditing))
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range p.Tables {
		if table.Mechanism.Kind == Audit && (table.Composition != BasicComposition || table.Derive) {
			t.Errorf("composition %q, derive %t", table.Composition, table.Derive)
		}
	}
}

// TestLedgerLocationHidesPassword fails if any way to print a location shows it.
func TestLedgerLocationHidesPassword(t *testing.T) {
	for _, location := range []string{"postgres://keeper:geheim@h:5433/tacit", "postgres://keeper:gehe%69m@/tacit?host=/run"} {
		p, err := Parse("/etc/tacit/policy.yaml", []byte(edited(t, "ledger: sqlite:tacit.db", "ledger: "+location)))
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if shown := fmt.Sprintf(format, p.Ledger); strings.Contains(shown, "gehe") || !strings.Contains(shown, "keeper") {
				t.Errorf("%s shows %s", format, shown)
			}
		}
		if p.Ledger.Guard != "/etc/tacit" || p.Ledger.Postgres != location {
			t.Errorf("guard %q, connection %q", p.Ledger.Guard, p.Ledger.Postgres)
		}
	}
}
