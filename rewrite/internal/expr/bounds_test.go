package expr

import "testing"

// TestUnionIsOfTheSmallest fails if the smaller magnitudes of one side are forgotten.
func TestUnionIsOfTheSmallest(t *testing.T) {
	small, large := bounds{least: integers(0, 1).least, greatest: integers(0, 1).greatest, tiny: -5}, integers(0, 1)
	for _, u := range []bounds{small.union(large, false), large.union(small, false)} {
		if u.tiny != -5 {
			t.Errorf("tiny is %d, want -5", u.tiny)
		}
	}
}
