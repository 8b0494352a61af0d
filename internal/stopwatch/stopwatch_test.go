package stopwatch

import (
	"context"
	"testing"
	"time"
)

func TestCoarse(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{
		0: 0, -1: 0, 1: 10 * time.Millisecond, 10 * time.Millisecond: 10 * time.Millisecond, 10*time.Millisecond + 1: 50 * time.Millisecond,
		900 * time.Millisecond: time.Second, 4 * time.Minute: 5 * time.Minute, 5*time.Minute + 1: Beyond, 20 * time.Hour: Beyond,
	} {
		if got := Coarse(d); got != want {
			t.Errorf("%v becomes %v, want %v", d, got, want)
		}
	}
}

// Work under a context without a watch is not measured, and work that goes on after its caller has left is added nevertheless.
func TestWatch(t *testing.T) {
	Time(context.Background(), Ledger)()
	var none *Watch
	Time(With(context.Background(), none), Ledger)()
	w := Start()
	ctx, cancel := context.WithCancel(With(context.Background(), w))
	end := Time(context.WithoutCancel(ctx), Curator)
	cancel()
	for began := time.Now(); time.Since(began) == 0; {
	}
	end()
	if w.Spent(Curator) <= 0 || w.Spent(Ledger) != 0 || w.Whole() < w.Spent(Curator) || none.Spent(Ledger) != 0 || none.Whole() != 0 {
		t.Errorf("curator %v, ledger %v, whole %v", w.Spent(Curator), w.Spent(Ledger), w.Whole())
	}
}
