package accountant

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
	"tacit/policy"
)

// sharedCluster is the server of those tests that do it no harm. It ends with the process.
var sharedCluster = sync.OnceValues(func() (*pgtest.Cluster, error) {
	c, err := pgtest.Start(pgtest.Options{})
	if err == nil {
		err = superuser(c, "postgres", "CREATE ROLE tacit_ledger LOGIN")
	}
	return c, err
})

// ownCluster starts a server that a test may harm.
func ownCluster(t testing.TB, options pgtest.Options) *pgtest.Cluster {
	t.Helper()
	c, err := pgtest.Start(options)
	if errors.Is(err, pgtest.ErrNoDisk) {
		t.Skip(err)
	}
	do(t, err)
	t.Cleanup(func() { do(t, c.Stop()) })
	do(t, superuser(c, "postgres", "CREATE ROLE tacit_ledger LOGIN"))
	return c
}

func superuser(c *pgtest.Cluster, database, statements string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.URL("postgres", database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statements, pgx.QueryExecModeSimpleProtocol)
	return err
}

// newLocation makes an empty database for a ledger in a cluster, and a directory for its guard.
func newLocation(t testing.TB, c *pgtest.Cluster) policy.LedgerLocation {
	t.Helper()
	name := c.CreateDatabase(t)
	do(t, superuser(c, "postgres", fmt.Sprintf("ALTER DATABASE %s OWNER TO tacit_ledger", name)))
	return policy.LedgerLocation{Postgres: c.URL("tacit_ledger", name), Guard: t.TempDir()}
}

// newPostgres is newLocation in the shared cluster.
func newPostgres(t testing.TB) policy.LedgerLocation {
	t.Helper()
	c, err := sharedCluster()
	do(t, err)
	return newLocation(t, c)
}

// through is a location by another port, such as a relay's.
func through(t testing.TB, l policy.LedgerLocation, port int) policy.LedgerLocation {
	t.Helper()
	u, err := url.Parse(l.Postgres)
	do(t, err)
	u.Host = "127.0.0.1:" + strconv.Itoa(port)
	l.Postgres = u.String()
	return l
}

// databaseOf is the name of a location's database.
func databaseOf(t testing.TB, l policy.LedgerLocation) string {
	t.Helper()
	u, err := url.Parse(l.Postgres)
	do(t, err)
	return strings.TrimPrefix(u.Path, "/")
}

// clusterOptions are of a server that keeps what it has acknowledged.
var clusterOptions = pgtest.Options{Settings: map[string]string{"full_page_writes": "on"}}

// A cutter cuts connections at random places.
type cutter struct{ *pgtest.Relay }

func (c cutter) cut() {
	var cuts []pgtest.Cut
	for range 1 + rand.IntN(4) {
		cut := pgtest.Cut{ToServer: 1 + rand.Int64N(30_000)}
		if rand.IntN(2) == 0 {
			cut = pgtest.Cut{ToClient: 1 + rand.Int64N(30_000)}
		}
		cuts = append(cuts, cut)
	}
	c.Next(cuts...)
	c.CutAll()
}
