package live

import (
	"sync"

	"tacit/mechanisms"
)

// MostCalibrated is how many mechanisms a cache holds. Their number is up to the analysts, who choose joins and margins, and the table of
// probabilities of one can take a megabyte.
const MostCalibrated = 64

// A MechanismCache keeps the mechanisms of joins and of fitted totals, which statements ask for again and again, and of which one with
// Gaussian noise takes tens of milliseconds to calibrate. Its zero value is ready; it may be used by many goroutines.
//
// A mechanism holds its source of random bits and a mutex, like those of the tables: who shares it waits while another one draws, no byte
// is used twice, and once the source has failed, it returns nothing more for as long as the State lasts.
type MechanismCache struct {
	Mu   sync.Mutex // protects made
	Made map[mechanismKey]*calibrated
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

// Mechanism returns that of a configuration. Who asks for it while it is calibrated waits, and nobody else does.
func (c *MechanismCache) Mechanism(config mechanisms.Config) (*mechanisms.Mechanism, error) {
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
func (c *MechanismCache) entry(k mechanismKey) *calibrated {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if e, ok := c.Made[k]; ok {
		return e
	}
	if c.Made == nil {
		c.Made = make(map[mechanismKey]*calibrated)
	}
	for old := range c.Made {
		if len(c.Made) < MostCalibrated {
			break
		}
		delete(c.Made, old)
	}
	e := new(calibrated)
	c.Made[k] = e
	return e
}
