package curator

import "time"

const PositionSQL = positionSQL

// AwaitStandby has counts wait so long for a standby, on however slow a machine.
func (c *Curator) AwaitStandby(long time.Duration) {
	c.standbys.connecting, c.standbys.lag = long, long
}
