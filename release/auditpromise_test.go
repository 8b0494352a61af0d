package release

import (
	"strings"
	"testing"

	"tacit/release/internal/site"
)

// TestChangedPromise reloads policies that change an audited table after its epoch was sealed. It fails if the table is answered under
// another promise than that of the first epoch, if it stays closed when that is restored, or if what may change closes it. docs/auditor.md
// and docs/steward.md say the same.
func TestChangedPromise(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'"
	for i, c := range []struct {
		old, new, message string
	}{
		{"epsilon: 0.5", "epsilon: 0.4", "the mechanism of table"},
		{"blonde: 0.5", "blonde: 0.6", "the mechanism of table"},
		{"delta: 0.2", "delta: 0.2\n      insiders: 1", "the mechanism of table"},
		{"delta: 0.2", "delta: 0.2\n      protect: true", "the mechanism of table"},
		{"delta: 0.2", "delta: 0.2\n      rule: threshold\n      decisions: 9", "the mechanism of table"},
		{"age: {range: [0, 120]}, ", "", "the columns of table"},
		{"delta: 0.2", "delta: 0.2\n      decision: 0.01\n      statement: 0.02", ""},
		{"delta: 0.2", "delta: 0.3", "the mechanism of table"},
	} {
		if testing.Short() && i%6 != 0 {
			continue
		}
		text := strings.Replace(site.CarrierPolicy, c.old, c.new, 1)
		if text == site.CarrierPolicy {
			t.Fatalf("the policy has no %q", c.old)
		}
		w.reload(d, text)
		if c.message == "" {
			w.answers(d, sql, "312")
		} else {
			w.refuses(d, sql, c.message)
		}
		w.reload(d, site.CarrierPolicy)
		w.answers(d, sql, "312")
	}
	text := strings.Replace(site.CarrierPolicy, "private: gene", "private: region", 1)
	text = strings.Replace(text, "region: {}", "region: {values: [north, south]}", 1)
	text = strings.Replace(text, "blonde: 0.5, black: 0.4, brown: 0.3, white: 0.4", `"*": {north: 0.5, south: 0.5}`, 1)
	w.reload(d, text)
	w.refuses(d, "SELECT count(*) FROM clinic.carriers WHERE region = 'north'", "of table")
	d.Close()
	w.reloadPolicy(strings.Replace(site.CarrierPolicy, "epsilon: 0.5", "epsilon: 0.4", 1))
	if _, err := w.trySeal(false); err == nil {
		t.Error("a new epoch takes in another promise")
	}
}
