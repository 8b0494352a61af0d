package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a file that is read again has changed is named, and no more: not the order of keys, nor what stands there by default. No secret is.
func TestChanges(t *testing.T) {
	read := func(text string) *Policy {
		t.Helper()
		p, err := Parse("/etc/tacit/policy.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const text = `
listen: 127.0.0.1:6432
upstream: {analyst: "postgres://{analyst}@127.0.0.1/clinic", curator: postgres://curator:secret@127.0.0.1/clinic}
ledger: sqlite:tacit.db
auth: trust
analysts: {ana: {}, bob: {budget: {epsilon: 2}}}
log: {keep: 90d}
tables:
  public.a: {person: row, mechanism: {kind: geometric, epsilon: 1}, budget: {epsilon: 10}, columns: {sex: {values: [F, M]}}}
  public.b: {person: row, mechanism: {kind: geometric, epsilon: 1}, budget: {epsilon: 10}, columns: {}}
`
	former := read(text)
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{"", "", nil},
		{"auth: trust\n", "\nauth: trust # as before\nlimits: {connections: 200}\n", nil},
		{"keep: 90d", "keep: 2d12h", []string{"log.keep (60h0m0s, before 90d)"}},
		{"log: {keep: 90d}", "log: {notes: 1000}", []string{"log.keep (all, before 90d)", "log.notes (1000, before all)"}},
		{"keep: 90d", "keep: 90d, level: debug", []string{"metrics, log.format, log.level or drain"}},
		{"epsilon: 2}", "epsilon: 3}", []string{"analysts"}},
		{"curator:secret", "curator:other", []string{"upstream"}},
		{"epsilon: 10}, columns: {sex", "epsilon: 11}, columns: {sex", []string{"tables.public.a"}},
		{"  public.b:", "  public.c:", []string{"tables.public.c", "tables.public.b"}},
		{"auth: trust\n", "auth: trust\nlimits: {idle: 1h}\nanswer_every: 100ms\nwhen-not-separate: close\n", []string{"when-not-separate", "limits", "answer_every"}},
		{"auth: trust\n", "auth: trust\npublic: [public.regions]\n", []string{"public"}},
	} {
		if !strings.Contains(text, c.old) {
			t.Fatalf("no %q", c.old)
		}
		if diff := cmp.Diff(c.want, read(strings.Replace(text, c.old, c.new, 1)).Changes(former)); diff != "" {
			t.Errorf("%q for %q: -want +got:\n%s", c.new, c.old, diff)
		}
	}
}
