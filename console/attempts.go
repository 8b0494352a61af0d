package console

import (
	"sync"
	"time"

	"tacit/internal/limited"

	lru "github.com/hashicorp/golang-lru/v2"
)

// attempts bound how quickly passwords can be tried: for one name, wherever from, and from one address, for whatever name. Names that nobody has
// are treated as others. Who logs in gets the attempt back.
type attempts struct {
	now func() time.Time
	mu  sync.Mutex // protects what is in the caches
	// names and addresses are apart, so that no number of names has an address forgotten.
	names, addresses *lru.Cache[string, *allowance]
}

// An allowance is how many attempts were left at a time.
type allowance struct {
	attempts float64
	at       time.Time
}

// A rate allows so many attempts at once, and another one every so often.
type rate struct {
	burst float64
	every time.Duration
}

var (
	ofName    = rate{5, 15 * time.Second}
	ofAddress = rate{20, 5 * time.Second}
)

// maxAllowances bounds the memory. Who would have a name forgotten needs as many other attempts that are allowed, which an address has not got.
const maxAllowances = 20_000

func newAttempts(now func() time.Time) *attempts {
	return &attempts{now: now, names: newAllowances(), addresses: newAllowances()}
}

func newAllowances() *lru.Cache[string, *allowance] {
	c, err := lru.New[string, *allowance](maxAllowances)
	if err != nil {
		panic("console: internal error: " + err.Error()) // only for a size below one
	}
	return c
}

// take says whether another attempt is allowed, and how long to wait if it is not. An attempt that is refused costs nothing, and an address that has none
// left cannot have names remembered.
func (a *attempts) take(name, address string) (wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	from := a.allowance(a.addresses, limited.Network(address), ofAddress)
	if from.attempts < 1 {
		return ofAddress.wait(from.attempts)
	}
	n := a.allowance(a.names, nameKeyOf(name), ofName)
	if n.attempts < 1 {
		return ofName.wait(n.attempts)
	}
	n.attempts--
	from.attempts--
	return 0
}

// giveBack is for somebody who has logged in.
func (a *attempts) giveBack(name, address string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.allowance(a.names, nameKeyOf(name), ofName).attempts++
	a.allowance(a.addresses, limited.Network(address), ofAddress).attempts++
}

// nameKeyOf is what the attempts for a name are kept under. Longer names than a role can have are one.
func nameKeyOf(name string) string {
	const longest = 63
	return name[:min(len(name), longest)]
}

func (a *attempts) allowance(of *lru.Cache[string, *allowance], key string, r rate) *allowance {
	now := a.now()
	found, ok := of.Get(key)
	if !ok {
		found = &allowance{r.burst, now}
		of.Add(key, found)
	}
	if passed := now.Sub(found.at); passed > 0 {
		found.attempts = min(r.burst, found.attempts+float64(passed)/float64(r.every))
	}
	found.at = now
	return found
}

func (r rate) wait(attempts float64) time.Duration {
	if attempts >= 1 {
		return 0
	}
	return time.Duration((1 - attempts) * float64(r.every))
}
