package release

import (
	"sync"

	"tacit/mechanisms"
)

// mostCalibrated is how many mechanisms a cache holds. Their number is up to the analysts, who choose joins and margins, and the table of
// probabilities of one can take a megabyte.
const mostCalibrated = 64

// A mechanismCache keeps the mechanisms of joins and of fitted totals, which statements ask for again and again, and of which one with
// Gaussian noise takes tens of milliseconds to calibrate. Its zero value is ready; it may be used by many goroutines.
//
// A mechanism holds its source of random bits and a mutex, like those of the tables: who shares it waits while another one draws, no byte
// is used twice, and once the source has failed, it returns nothing more for as long as the regime lasts.
type mechanismCache struct {
	mu   sync.Mutex // protects made
	made map[mechanismKey]*calibrated
}

// A mechanismKey is all that a mechanism is made of, but for the source of random bits, which is the same for all of a cache.
type mechanismKey struct {
	config  mechanisms.Config // without Margins and Random
	margins string            // which names them; "" for none
}

// A calibrated mechanism, or why there is none: to find that out takes as long.
type calibrated struct {
	once      sync.Once
	mechanism *mechanisms.Mechanism
	err       error
}

// mechanism returns that of a configuration. Who asks for it while it is calibrated waits, and nobody else does.
func (c *mechanismCache) mechanism(config mechanisms.Config) (*mechanisms.Mechanism, error) {
	e := c.entry(keyOf(config))
	e.once.Do(func() { e.mechanism, e.err = mechanisms.New(config) })
	return e.mechanism, e.err
}

func keyOf(config mechanisms.Config) mechanismKey {
	k := mechanismKey{config: config}
	k.config.Margins, k.config.Random = nil, nil
	if config.Margins != nil {
		k.margins = config.Margins.String()
	}
	return k
}

// entry returns that of a key. A full cache forgets any other: what is calibrated anew has the same distribution.
func (c *mechanismCache) entry(k mechanismKey) *calibrated {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.made[k]; ok {
		return e
	}
	if c.made == nil {
		c.made = make(map[mechanismKey]*calibrated)
	}
	for old := range c.made {
		if len(c.made) < mostCalibrated {
			break
		}
		delete(c.made, old)
	}
	e := new(calibrated)
	c.made[k] = e
	return e
}
