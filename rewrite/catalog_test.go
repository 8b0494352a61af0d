package rewrite

import (
	"testing"

	"tacit/policy"
)

// TestProtectsMore sees a relation that has come to belong to a protected table: a partition that was attached, say.
func TestProtectsMore(t *testing.T) {
	before, after := fixture(), fixture()
	after.Related = map[policy.TableName]bool{tableNamed("attached"): true}
	for name := range before.Related {
		after.Related[name] = true
	}
	if !after.ProtectsMore(before) || before.ProtectsMore(after) || before.ProtectsMore(before) {
		t.Error("a relation that has become related is not seen")
	}
}
