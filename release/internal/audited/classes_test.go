package audited

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/auditor/posterior"
)

// TestClasses divides values. It fails if two ways to ask for the same are two questions, or if a Boolean column is not asked for true.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		values int
		sets   []posterior.ValueSet
		want   []posterior.ValueSet // the first is not asked for
	}{
		{2, []posterior.ValueSet{2}, []posterior.ValueSet{1, 2}},
		{2, []posterior.ValueSet{1}, []posterior.ValueSet{1, 2}},
		{2, []posterior.ValueSet{2, 1}, []posterior.ValueSet{1, 2}},
		{3, []posterior.ValueSet{4}, []posterior.ValueSet{3, 4}},
		{3, []posterior.ValueSet{3}, []posterior.ValueSet{3, 4}},
		{3, []posterior.ValueSet{1, 2, 4}, []posterior.ValueSet{1, 2, 4}},
		{3, []posterior.ValueSet{4, 2}, []posterior.ValueSet{1, 2, 4}},
		{5, []posterior.ValueSet{1, 2, 28}, []posterior.ValueSet{28, 1, 2}},
		{5, []posterior.ValueSet{1, 2}, []posterior.ValueSet{28, 1, 2}},
		{4, []posterior.ValueSet{3}, []posterior.ValueSet{3, 12}},
	} {
		got := classesOf(c.sets, c.values)
		slices.Sort(got[1:])
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v of %d values (-want +got):\n%s", c.sets, c.values, diff)
		}
	}
}
