package release

import (
	"strings"
	"testing"

	"tacit/policy"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/release/seal"
)

// The groupings that a workload declares are certified at the seal, in whatever order they are asked for, and however they overlap.
func TestWorkload(t *testing.T) {
	albinos := "INSERT INTO clinic.carriers SELECT i, 'white', 'red', 30, 'south', i = 1 FROM generate_series(1, 4) AS i;\n"
	w := newWardOf(t, strings.Replace(site.CarrierSchema, albinos, "", 1), strings.Replace(site.CarrierPolicy, "      delta: 0.2", "      delta: 0.2\n      workload: [[hair], [eye]]", 1))
	sealed := w.seal(false)
	if sealed.Groupings != 2 || sealed.Risk == 0 || sealed.Risk > 2e16 || sealed.Left != 2e17-sealed.Risk {
		t.Errorf("sealed: %+v", sealed)
	}
	d := w.open()
	byEye := w.answers(d, "SELECT eye, count(*) FROM clinic.carriers WHERE gene GROUP BY eye ORDER BY eye", "black 252", "blue 247", "- 258")
	byHair := w.answers(d, "SELECT hair, count(*) FROM clinic.carriers WHERE gene GROUP BY hair ORDER BY hair", "blonde 312", "black 253", "brown 192")
	for _, receipt := range []*reply.AuditReceipt{byEye, byHair} {
		if receipt.Certified+receipt.Free != 3 || receipt.Certified == 0 || receipt.Spent != 0 {
			t.Errorf("a declared grouping: %+v", receipt)
		}
	}
	dark := w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair <> 'blonde'", "445")
	if dark.Free != 1 {
		t.Errorf("what follows: %+v", dark)
	}
}

// A certificate that does not fit into its share is an error, and nothing is sealed.
func TestWorkloadTooRisky(t *testing.T) {
	w := newWardOf(t, site.CarrierSchema, strings.Replace(site.CarrierPolicy, "      delta: 0.2", "      delta: 0.2\n      workload: [[hair], [eye]]", 1))
	if _, err := w.trySeal(false); err == nil || !strings.Contains(err.Error(), "smaller workload") {
		t.Errorf("sealed: %v", err)
	}
	if _, err := seal.FindPlan(t.Context(), w.Policy, policy.TableName{Schema: "clinic", Name: "carriers"}); err == nil || !strings.Contains(err.Error(), "the workload risks") {
		t.Errorf("planned: %v", err)
	}
}
