package policy

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRiskString(t *testing.T) {
	for r, want := range map[Risk]string{
		0: "0", 1: "1e-18", 5e15: "0.005", 12e14: "0.0012", 1e14: "0.0001", 123e12: "0.000123", 99e12: "9.9e-5", 25e10: "2.5e-7", 1e18: "1", -1e12: "-1e-6",
	} {
		if got := r.String(); got != want {
			t.Errorf("Risk(%d) = %q, want %q", int64(r), got, want)
		}
	}
}

// A risk that is shown with fewer digits is never less than the one that was taken, and what is left never more.
func TestRiskRounding(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		r := Risk(random.Int64() >> random.IntN(63))
		up, down := r.RoundUp(3), r.RoundDown(3)
		if up < r || down > r || down > 0 && float64(up-down) > 0.0101*float64(down) || down.RoundUp(3) != down || r < 1000 && up != r {
			t.Fatalf("%v is rounded up to %v and down to %v", r, up, down)
		}
		if again, err := ParseRisk(r.String()); err != nil || again != r {
			t.Fatalf("%v is read back as %v, %v", r, again, err)
		}
	}
	for r, want := range map[Risk]Risk{0: 0, 123456: 124000, 999_999: 1_000_000, 5e15: 5e15, math.MaxInt64: math.MaxInt64} {
		if got := r.RoundUp(3); got != want {
			t.Errorf("%d is rounded up to %d, want %d", int64(r), int64(got), int64(want))
		}
	}
}
