package ledger

import (
	"sync"
	"time"
)

// What one analyst may add to the ledger with statements that cost nothing: without a bound a loop of them would fill the disk, and a
// ledger that cannot be written closes all tables. An auditor's decisions take more room than refusals, and refusing to write them down
// refuses the statement.
var (
	eventRate = rate{burst: 4 << 20, perSecond: 10 << 10}  // less than 1 GiB a day
	auditRate = rate{burst: 64 << 20, perSecond: 40 << 10} // less than 4 GiB a day
)

// A rate is so many bytes at once, and in the long run.
type rate struct{ burst, perSecond float64 }

const (
	// entryOverhead is about what an entry takes besides its statement.
	entryOverhead = 200
)

// A quota is a token bucket of bytes for each analyst.
type quota struct {
	rate rate
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
		a = allowance{q.rate.burst, now}
	}
	a.bytes = min(q.rate.burst, a.bytes+max(0, now.Sub(a.at).Seconds())*q.rate.perSecond)
	a.at = now
	ok := a.bytes >= float64(n)
	if ok {
		a.bytes -= float64(n)
	}
	q.left[analyst] = a
	return ok
}
