package ledger

import (
	"testing"
	"time"
)

// An analyst's refusals are logged until her quota is used up, then as fast as it refills; another analyst's are not concerned.
func TestQuota(t *testing.T) {
	q := quota{rate: rate{burst: 4 << 20, perSecond: 10 << 10}}
	now := time.Unix(1000, 0)
	taken := 0
	for q.take("ana", 1<<10, now) {
		taken++
	}
	if taken != 4<<10 {
		t.Errorf("%d KiB at once, want %d", taken, 4<<10)
	}
	if !q.take("bob", 1<<10, now) {
		t.Error("one analyst used up another's quota")
	}
	now = now.Add(time.Second)
	for taken = 0; q.take("ana", 1<<10, now); taken++ {
	}
	if taken != 10 {
		t.Errorf("%d KiB after a second, want %d", taken, 10)
	}
	if q.take("ana", 1, now.Add(-time.Hour)) {
		t.Error("a clock that was set back refilled the quota")
	}
}
