package release

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
)

// TestPersonConditionsAreChargedToBoth counts patients by what visits they have. It fails if one of the tables is not charged, or or with another loss than a join,
// and if the same question, written in another way, is charged twice.
func TestPersonConditionsAreChargedToBoth(t *testing.T) {
	w := newWardOf(t, patientsSchema, patientsPolicy)
	d := w.open()
	const visited = "SELECT count(DISTINCT id) FROM clinic.patients p WHERE EXISTS (SELECT FROM clinic.visits v WHERE v.patient = p.id)"
	both := map[string]accountant.Loss{"patients": {Epsilon: 80e9}, "visits": {Epsilon: 80e9}}
	before := w.cells(d, visited)
	if before != "101 \n" {
		t.Errorf("%s: %s", visited, before)
	}
	again := "SELECT count(DISTINCT id) FROM clinic.patients WHERE id IN (SELECT patient FROM clinic.visits)"
	if got := w.cells(d, again); got != before {
		t.Errorf("%s: %s", again, got)
	}
	if diff := cmp.Diff(both, w.balances(d)); diff != "" {
		t.Errorf("charged (-want +got):\n%s", diff)
	}
	none := strings.Replace(visited, "EXISTS", "NOT EXISTS", 1)
	if got := w.cells(d, none); got != "50 \n" {
		t.Errorf("%s: %s", none, got)
	}
}
