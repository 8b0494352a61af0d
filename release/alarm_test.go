package release

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tacit/release/internal/site"
	"tacit/release/seal"
)

// TestSealOverAnAlarm refutes a prior by an answer. It fails if a new epoch answers new questions without the steward's word, if that goes
// without a reason, or if the reason is not recorded.
func TestSealOverAnAlarm(t *testing.T) {
	w := newWardOf(t, site.CarrierSchema, strings.Replace(site.CarrierPolicy, "blonde: 0.5", "blonde: 0.2", 1))
	w.seal(false)
	const other = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'brown'"
	d := w.open()
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
	w.answers(d, other, "NULL")
	d.Close()
	var alarm *seal.AlarmError
	if _, err := w.trySeal(true); !errors.As(err, &alarm) || !strings.Contains(err.Error(), "an answer about 600 people came out beyond epsilon") {
		t.Fatalf("sealed: %v", err)
	}
	request := seal.Request{Table: carriers, AcknowledgeAlarm: true, Random: strings.NewReader("")}
	if _, err := seal.OpenEpoch(t.Context(), w.Policy, request); err == nil || !strings.Contains(err.Error(), "give --reason") {
		t.Errorf("sealed: %v", err)
	}
	request.Reason = "the survey was old"
	if _, err := seal.OpenEpoch(t.Context(), w.Policy, request); err != nil {
		t.Fatal(err)
	}
	if _, err := seal.OpenEpoch(t.Context(), w.Policy, request); err == nil || !strings.Contains(err.Error(), "there is no alarm") {
		t.Errorf("acknowledged twice: %v", err)
	}
	d = w.open()
	w.answers(d, other, "192")
	events, err := d.monitor.Ledger.AuditEvents(context.Background(), carriers, 0)
	if err != nil || events[len(events)-3].Statement != "-- alarm acknowledged: the survey was old" {
		t.Errorf("%v: %+v", err, events)
	}
	if proof, err := seal.Replay(t.Context(), w.Policy.Ledger, carriers); err != nil || len(proof.Differences) > 0 {
		t.Errorf("%+v, %v", proof, err)
	}
}
