package release

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tacit/release/internal/live"
	"tacit/release/internal/site"
)

// noisyCarriers answers the carriers' table with noise.
var noisyCarriers = site.CarrierPolicy[:strings.Index(site.CarrierPolicy, "    mechanism:")] + `    mechanism: {kind: geometric, epsilon: 5}
    budget: {epsilon: 100}
    adjacency: replace-one
    size: public
    columns: {hair: {values: [blonde, black, brown, white]}, eye: {values: [blue, black, red]}, age: {range: [0, 120]}, region: {values: [north, south]}, gene: {}}
`

// TestNoiseAndAuditDoNotAlternate has one table answered by noise and by the auditor. It fails if a first epoch is sealed over noisy answers, or
// if a table with exact ones is answered by noise, after a restart or a reload.
func TestNoiseAndAuditDoNotAlternate(t *testing.T) {
	audited := func(t *testing.T, err error, want bool) {
		t.Helper()
		var kind *live.KindError
		if !errors.As(err, &kind) || kind.Table != carriers || kind.Audited != want {
			t.Errorf("%v", err)
		}
	}
	ctx := context.Background()
	t.Run("noise first", func(t *testing.T) {
		w := newWardOf(t, site.CarrierSchema, noisyCarriers)
		d := w.open()
		if _, _, err := w.ask(d, "ward_ana", "SELECT count(*) FROM clinic.carriers WHERE gene AND age = 99"); err != nil {
			t.Fatal(err)
		}
		d.Close()
		w.Policy = w.Reparse(site.CarrierPolicy)
		w.Harden(w.Policy)
		_, err := w.trySeal(false)
		audited(t, err, false)
	})
	t.Run("audit first", func(t *testing.T) {
		w := newCarriers(t)
		noisy := w.Reparse(noisyCarriers)
		if err := CheckKinds(ctx, noisy); err != nil {
			t.Errorf("nothing was sealed: %v", err)
		}
		w.seal(false)
		d := w.open()
		w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
		audited(t, d.Reload(ctx, noisy), true)
		w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
		if err := d.Refresh(ctx); err != nil {
			t.Error(err)
		}
		d.Close()
		audited(t, CheckKinds(ctx, noisy), true)
		_, err := Open(ctx, Config{Policy: noisy, Random: strings.NewReader("")})
		audited(t, err, true)
	})
}
