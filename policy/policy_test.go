package policy

import (
	"os/exec"
	"testing"
)

// TestQuotedPath has a shell read the paths that stand in commands that stewards are told to run.
func TestQuotedPath(t *testing.T) {
	for _, path := range []string{"policy.yaml", "/etc/tacit/policy.yaml", "my policy.yaml", "steward's.yaml", "$HOME/`id`;*.yaml", "~/p.yaml", "größe.yaml", `a\b"c.yaml`, ""} {
		quoted := (&Policy{Path: path}).QuotedPath()
		out, err := exec.Command("sh", "-c", "printf %s "+quoted).Output()
		if err != nil || string(out) != path {
			t.Errorf("%s: a shell reads %q from %s: %v", path, out, quoted, err)
		}
	}
	if got := (&Policy{Path: "/etc/tacit/policy.yaml"}).QuotedPath(); got != "/etc/tacit/policy.yaml" {
		t.Errorf("%s needs no quotes", got)
	}
}
