package curator

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
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

// SystemRules is by what definitions of system views are known.
func SystemRules(ctx context.Context, conn *pgx.Conn) (string, error) {
	return systemRules(ctx, &Snapshot{Conn: conn})
}

// A NameTest is a regular expression for names of functions, and what the check asks instead of it: patterns of LIKE or whole names.
type NameTest struct {
	Expression  string
	Like, Names []string
	Wider       bool // the names are more than those of the expression
}

func NameTests() []NameTest {
	in := newSeparationInput(&policy.Policy{}, nil, 0)
	return []NameTest{
		{countersPattern, in.Counters, nil, false}, {ownActivityPattern, nil, in.OwnActivity, false}, {sizesPattern, nil, in.Sizes, false},
		{`^(query|table|schema|database|cursor)_to_xml|^ts_stat|^ts_rewrite`, in.RunnersLike, nil, false}, {runnersPattern, in.RunnersLike, nil, true},
	}
}
