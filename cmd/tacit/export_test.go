package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLedgerExport makes an archive while the proxy runs. It verifies without a policy, and not when a line is edited or the last one is gone.
func TestLedgerExport(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	conn := s.connect("ana")
	for _, q := range []string{"SELECT sex, count(*) FROM people GROUP BY sex -- \u202e<é>", "SELECT count(*) FROM people WHERE age > 1"} {
		if _, err := readRows(context.Background(), conn, q); err != nil {
			t.Fatal(err)
		}
	}
	lines, notes, status := run(t, "ledger", "export", "--policy", s.policy)
	head := regexp.MustCompile(`note the last one: ([0-9]+:[0-9a-f]{64})\n$`).FindStringSubmatch(notes)
	if status != 0 || head == nil {
		t.Fatalf("export: status %d, %s", status, notes)
	}
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	verify := func(text string, more ...string) (string, int) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, status := run(t, append([]string{"verify", "--archive", path}, more...)...)
		return stdout + stderr, status
	}
	if out, status := verify(lines, "--expect", head[1]); status != 0 || !strings.Contains(out, "2 charges with 2 answers") || !strings.Contains(out, "head:       "+head[1]) {
		t.Errorf("the archive: status %d, %s", status, out)
	}
	if out, status := verify(strings.Replace(lines, "age", "agé", 1)); status != 1 || !strings.Contains(out, "it is not as it was written") {
		t.Errorf("an edited archive: status %d, %s", status, out)
	}
	short := lines[:strings.LastIndex(strings.TrimSpace(lines), "\n")+1]
	if out, status := verify(short, "--expect", head[1]); status != 1 || !strings.Contains(out, "it was noted, and is not there") {
		t.Errorf("a short archive: status %d, %s", status, out)
	}
	if out, status := verify(lines + "{}x\n"); status != 1 || !strings.Contains(out, "more than one entry in a line") {
		t.Errorf("what is no archive: status %d, %s", status, out)
	}
	if _, stderr, status := run(t, "verify", "--archive", path, "--policy", s.policy); status != 2 || !strings.Contains(stderr, "--archive is in place of --policy") {
		t.Errorf("an archive and a policy: status %d, %s", status, stderr)
	}
}
