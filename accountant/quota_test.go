package accountant

import (
	"testing"
	"time"
)

// An analyst's refusals are logged until her quota is used up, then as fast as it refills; another analyst's are not concerned.
func TestQuota(t *testing.T) {
	var q quota
	now := time.Unix(1000, 0)
	taken := 0
	for q.take("ana", 1<<10, now) {
		taken++
	}
	if taken != quotaBurst>>10 {
		t.Errorf("%d KiB at once, want %d", taken, quotaBurst>>10)
	}
	if !q.take("bob", 1<<10, now) {
		t.Error("one analyst used up another's quota")
	}
	now = now.Add(time.Second)
	for taken = 0; q.take("ana", 1<<10, now); taken++ {
	}
	if taken != quotaPerSecond>>10 {
		t.Errorf("%d KiB after a second, want %d", taken, quotaPerSecond>>10)
	}
	if q.take("ana", 1, now.Add(-time.Hour)) {
		t.Error("a clock that was set back refilled the quota")
	}
}
