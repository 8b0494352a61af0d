package bounds

import "testing"

// TestUnionIsOfTheSmallest fails if the smaller magnitudes of one side are forgotten.
func TestUnionIsOfTheSmallest(t *testing.T) {
	small, large := Integers(0, 1), Integers(0, 1)
	small.Tiny = -5
	for _, u := range []Bounds{small.Union(large, false), large.Union(small, false)} {
		if u.Tiny != -5 {
			t.Errorf("tiny is %d, want -5", u.Tiny)
		}
	}
}
