package stopwatch

import (
	"testing"
	"time"
)

// Each time is counted in its bound and in all above it; one beyond all bounds, in the number of all only.
func TestTimes(t *testing.T) {
	var times Times
	for _, d := range []time.Duration{-time.Second, 100 * time.Microsecond, 100*time.Microsecond + 1, time.Second, time.Hour} {
		times.Add(d)
	}
	c := times.Counted()
	if c.All != 5 || c.Sum != time.Hour+time.Second+200*time.Microsecond+1 || len(c.Within) != len(timesBounds) {
		t.Errorf("counted %+v", c)
	}
	for bound, want := range map[float64]uint64{0.0001: 2, 0.0005: 3, 0.5: 3, 1: 4, 30: 4} {
		if c.Within[bound] != want {
			t.Errorf("%d took at most %v seconds, want %d", c.Within[bound], bound, want)
		}
	}
}
