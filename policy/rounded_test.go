package policy

import (
	"math"
	"math/rand/v2"
	"testing"
)

// An amount that is shown with fewer digits is never less than the one that was spent, and what is left never more; infinity stays.
func TestRounding(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		r := Risk(random.Int64() >> random.IntN(63))
		up, down := r.RoundUp(3), r.RoundDown(3)
		if up < r || down > r || down > 0 && float64(up-down) > 0.0101*float64(down) || down.RoundUp(3) != down || r < 1000 && up != r {
			t.Fatalf("%v is rounded up to %v and down to %v", r, up, down)
		}
		if again, err := parseFixed(r.String(), riskPlaces); err != nil || Risk(again) != r {
			t.Fatalf("%v is read back as %v, %v", r, again, err)
		}
		if e := Epsilon(r); e.RoundUp(3) != Epsilon(up) || e.RoundDown(3) != Epsilon(down) {
			t.Fatalf("%d is rounded up to %d as a risk and to %d as an epsilon", r, up, e.RoundUp(3))
		}
		if d := Delta(r); d.RoundUp(3) != Delta(up) || d.RoundDown(3) != Delta(down) {
			t.Fatalf("%d is rounded up to %d as a risk and to %d as a delta", r, up, d.RoundUp(3))
		}
	}
	for r, want := range map[Risk]Risk{0: 0, 123456: 124000, 999_999: 1_000_000, 5e15: 5e15, math.MaxInt64 - 1: math.MaxInt64, math.MaxInt64: math.MaxInt64} {
		if got := r.RoundUp(3); got != want {
			t.Errorf("%d is rounded up to %d, want %d", int64(r), int64(got), int64(want))
		}
	}
	if e := Epsilon(math.MaxInt64); e.RoundDown(4) != e {
		t.Errorf("infinity is rounded down to %v", e.RoundDown(4))
	}
}
