package accountant

import (
	"sync"
	"time"
)

// What one analyst may add to the log with statements that cost nothing: without a bound a loop of refused statements would fill the
// disk, and a ledger that cannot be written closes all tables.
const (
	quotaBurst     = 4 << 20  // bytes at once
	quotaPerSecond = 10 << 10 // bytes in the long run, less than 1 GiB a day
	// entryOverhead is about what an entry takes besides its statement.
	entryOverhead = 200
)

// A quota is a token bucket of bytes for each analyst.
type quota struct {
	mu   sync.Mutex // protects left
	left map[string]allowance
}

type allowance struct {
	bytes float64
	at    time.Time
}

// take says whether an analyst may add n bytes now.
func (q *quota) take(analyst string, n int, now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.left == nil {
		q.left = make(map[string]allowance)
	}
	a, known := q.left[analyst]
	if !known {
		a = allowance{quotaBurst, now}
	}
	a.bytes = min(quotaBurst, a.bytes+max(0, now.Sub(a.at).Seconds())*quotaPerSecond)
	a.at = now
	ok := a.bytes >= float64(n)
	if ok {
		a.bytes -= float64(n)
	}
	q.left[analyst] = a
	return ok
}
