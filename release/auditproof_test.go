package release

import (
	"context"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/auditor"
	"tacit/release/internal/epoch"
	"tacit/release/seal"
)

// TestReplayIsTied makes logs whose decisions follow from one another and that the ledger does not bear out. It fails if `tacit replay`
// finds no difference.
func TestReplayIsTied(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
	w.replays()
	events, err := d.monitor.Ledger.AuditEvents(context.Background(), carriers, 0)
	if err != nil {
		t.Fatal(err)
	}
	steps, stored, err := epoch.Events(events)
	if err != nil {
		t.Fatal(err)
	}
	check := func(name, want string, events []accountant.AuditEvent) {
		t.Helper()
		var proof seal.Proof
		if err := proof.Tie(events, steps); err != nil || len(proof.Differences) == 0 || !strings.Contains(proof.Differences[0].Text, want) {
			t.Errorf("%s: %+v, %v", name, proof.Differences, err)
		}
	}
	cheap := append([]accountant.AuditEvent(nil), events...)
	cheap[1].Risk--
	check("charged less", "and the ledger charged", cheap)
	f, err := epoch.DecodeFacts(stored)
	if err != nil {
		t.Fatal(err)
	}
	f.Units[0].People++
	if stored, err = f.Encode(); err != nil {
		t.Fatal(err)
	}
	moved := append([]accountant.AuditEvent(nil), events...)
	moved[0].Payload = epoch.Wrap(steps[0].Payload, stored)
	check("other people", "group 0 of the epoch has", moved)
	f.Units = f.Units[1:]
	if stored, err = f.Encode(); err != nil {
		t.Fatal(err)
	}
	moved[0].Payload = epoch.Wrap(steps[0].Payload, stored)
	check("fewer groups", "groups of people, and the auditor", moved)
	if moved[0].Kind != auditor.EventOpened {
		t.Error(moved[0].Kind)
	}
}
