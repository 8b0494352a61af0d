package live

import (
	"testing"
	"time"

	"tacit/rewrite"
)

func TestLooksServe(t *testing.T) {
	for _, c := range []struct {
		name    string
		lookFor time.Duration
		took    time.Duration
		barrier *rewrite.Barrier
		want    bool
	}{
		{"each statement looks", 0, 0, nil, false},
		{"for a time", time.Hour, 0, nil, true},
		{"a slow look serves ten times as long as it took", time.Nanosecond, time.Minute, nil, true},
		{"not behind a barrier", time.Hour, 0, &rewrite.Barrier{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &Monitor{state: &State{Catalog: &rewrite.Catalog{Barrier: c.barrier}}, LookFor: c.lookFor}
			began := time.Now().Add(-c.took)
			m.serve(began)
			if _, got := m.LastLook(); got != c.want {
				t.Errorf("served: %v", got)
			}
		})
	}
	m := &Monitor{state: &State{Catalog: &rewrite.Catalog{}}}
	if _, serves := m.LastLook(); serves {
		t.Error("served without a look")
	}
}

// Tables close when no check could be made for too long, and Closed says so.
func TestOverdue(t *testing.T) {
	m := &Monitor{state: &State{}, confirmed: time.Now()}
	if err := m.overdue(); err != nil {
		t.Error(err)
	}
	m.confirmed = time.Now().Add(-2 * ConfirmedFor)
	if _, _, err := m.Open(); err == nil || m.Closed() == nil {
		t.Errorf("long after the last check: %v, closed %v", err, m.Closed())
	}
}
