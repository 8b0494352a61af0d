package curator

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

const PositionSQL = positionSQL

// AwaitStandby has counts wait so long for a standby, on however slow a machine.
func (c *Curator) AwaitStandby(long time.Duration) {
	c.standbys.connecting, c.standbys.lag = long, long
}

// SystemView is the definition of a view of pg_catalog, as what withholds counters from analysts has it.
func SystemView(ctx context.Context, conn *pgx.Conn, name string) (string, error) {
	v, err := loadSystemViews(ctx, &Snapshot{Conn: conn})
	if err != nil {
		return "", err
	}
	return v.views[name], nil
}
