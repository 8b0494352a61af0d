package risk

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
)

func TestCountUniqueMatches(t *testing.T) {
	original := []int64{1, 1, 1, 1, 2, 0, 1}
	for _, test := range []struct {
		what      string
		shown     mechanisms.Cells
		one, more float64
	}{
		{"as they are", mechanisms.Cells{Counts: original}, 5, 5},
		{"1 where there was none, or 2, is no match", mechanisms.Cells{Counts: []int64{0, 0, 0, 0, 1, 1, 0}}, 0, 0},
		{"more than 1 is a match for SDNist only", mechanisms.Cells{Counts: []int64{3, 2, 1, 0, -1, 0, -5}}, 1, 3},
		{"withheld is not shown, whatever stands there", mechanisms.Cells{Counts: original, Suppressed: []bool{true, true, false, false, false, true, true}}, 2, 2},
	} {
		got, err := CountUniqueMatches(original, test.shown)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(UniqueMatches{Individuals: 7, Uniques: 5, AsOne: test.one, OneOrMore: test.more}, got); diff != "" {
			t.Errorf("%s: %s", test.what, diff)
		}
	}
	for _, bad := range []mechanisms.Cells{{Counts: []int64{1}}, {Counts: original, Suppressed: []bool{true}}} {
		if _, err := CountUniqueMatches(original, bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
	if _, err := CountUniqueMatches([]int64{-1}, mechanisms.Cells{Counts: []int64{1}}); err == nil {
		t.Error("an original count below 0 was taken")
	}
}

func TestSharesOfUniqueMatches(t *testing.T) {
	u := UniqueMatches{Individuals: 80, Uniques: 10, AsOne: 4, OneOrMore: 5}
	if got, want := [2]float64{u.ShareOfUniques(), u.PresentShareOfUniques()}, [2]float64{0.4, 0.5}; got != want {
		t.Errorf("shares %v, want %v", got, want)
	}
	var none UniqueMatches
	if none.ShareOfUniques() != 0 || none.PresentShareOfUniques() != 0 {
		t.Error("shares of nobody are not 0")
	}
}

// Releases of every kind have the expected matches. A release has between 0 and 4 of each, so that Hoeffding's inequality bounds the mean of
// 20,000 (1e-8 for each).
func TestExpectUniqueMatches(t *testing.T) {
	const releases = 20_000
	h := mechanisms.Histogram{Counts: []int64{1, 1, 0, 3, 1, 12, 1}, Blocks: [][]int{{0, 2, 4, 6}, {1, 3, 5}}}
	for i, kind := range policy.Kinds {
		m, err := mechanisms.New(mechanisms.Config{Kind: kind, Epsilon: 1e9, Delta: 1e15, Adjacency: policy.ReplaceOne, Sensitivity: 1, PerCell: 1, K: 3,
			Fill: policy.Fill{Kind: policy.FillHalf}, Random: battery.Seeded(byte(40 + i))})
		if err != nil {
			t.Fatal(err)
		}
		want, err := ExpectUniqueMatches(m, h)
		if err != nil {
			t.Fatal(err)
		}
		var one, more float64
		for range releases {
			cells, err := m.Sanitize(h)
			if err != nil {
				t.Fatal(err)
			}
			u, err := CountUniqueMatches(h.Counts, cells)
			if err != nil {
				t.Fatal(err)
			}
			if u.Individuals != want.Individuals || u.Uniques != want.Uniques || want.Uniques != 4 {
				t.Fatalf("%+v, expected %+v", u, want)
			}
			one += u.AsOne / releases
			more += u.OneOrMore / releases
		}
		limit := 4 * battery.Hoeffding(releases)
		if diff := one - want.AsOne; diff > limit || diff < -limit {
			t.Errorf("%s: %v as one, expected %v", kind, one, want.AsOne)
		}
		if diff := more - want.OneOrMore; diff > limit || diff < -limit {
			t.Errorf("%s: %v as one or more, expected %v", kind, more, want.OneOrMore)
		}
	}
}
