package stopwatch

import (
	"sync/atomic"
	"time"
)

// timesBounds are those by which Times count.
var timesBounds = [...]time.Duration{
	100 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond,
	25 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2500 * time.Millisecond, 5 * time.Second, 10 * time.Second, 30 * time.Second,
}

// Times count how long something took, by bounds. They may be used by many goroutines. The zero value has counted nothing.
type Times struct {
	within [len(timesBounds) + 1]atomic.Uint64 // the last one: beyond all bounds
	sum    atomic.Int64
}

// Add counts one. What took less than no time took none.
func (t *Times) Add(d time.Duration) {
	d = max(d, 0)
	i := 0
	for i < len(timesBounds) && d > timesBounds[i] {
		i++
	}
	t.within[i].Add(1)
	t.sum.Add(int64(d))
}

// Counted are Times at one moment.
type Counted struct {
	// Within is how many took at most so many seconds.
	Within map[float64]uint64
	All    uint64
	Sum    time.Duration
}

// Counted is what was counted so far.
func (t *Times) Counted() Counted {
	c := Counted{Within: make(map[float64]uint64, len(timesBounds)), Sum: time.Duration(t.sum.Load())}
	for i := range t.within {
		c.All += t.within[i].Load()
		if i < len(timesBounds) {
			c.Within[timesBounds[i].Seconds()] = c.All
		}
	}
	return c
}
