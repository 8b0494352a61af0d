package assess

import (
	"testing"
	"time"

	"tacit/policy"
)

// A rate is over the last 30 days, or over the age of the epoch; of an epoch that is younger than a day there is none, nor if nothing was
// spent lately.
func TestRateOf(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	// spent has one charge of 1 a day, the first so long ago.
	daily := func(age time.Duration) func(time.Time) policy.Epsilon {
		return func(until time.Time) policy.Epsilon {
			return policy.Epsilon(max(0, until.Sub(now.Add(-age))/day)) * 1e9
		}
	}
	for _, c := range []struct {
		age  time.Duration
		want Rate
		ok   bool
	}{
		{100 * day, Rate{PerDay: 1e9, Days: 30, DaysLeft: 4}, true},
		{10 * day, Rate{PerDay: 1e9, Days: 10, DaysLeft: 4}, true},
		{23 * time.Hour, Rate{}, false},
	} {
		if got, ok := rateOf(now.Add(-c.age), now, 4.5e9, daily(c.age)); got != c.want || ok != c.ok {
			t.Errorf("%v: %+v %t, want %+v", c.age, got, ok, c.want)
		}
	}
	if r, ok := rateOf(now.Add(-100*day), now, 4e9, func(time.Time) policy.Epsilon { return 5e9 }); ok {
		t.Errorf("nothing was spent lately: %+v", r)
	}
	if r, ok := rateOf(now.Add(-10*day), now, -1, daily(10*day)); !ok || r.DaysLeft != 0 {
		t.Errorf("nothing is left: %+v", r)
	}
}
