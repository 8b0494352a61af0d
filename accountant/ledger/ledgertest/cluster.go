package ledgertest

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

// SharedCluster is the server of those tests that do it no harm. It ends with the process.
var SharedCluster = sync.OnceValues(func() (*pgtest.Cluster, error) {
	c, err := pgtest.Start(pgtest.Options{})
	if err == nil {
		err = Superuser(c, "postgres", "CREATE ROLE tacit_ledger LOGIN")
	}
	return c, err
})

// OwnCluster starts a server that a test may harm.
func OwnCluster(t testing.TB, options pgtest.Options) *pgtest.Cluster {
	t.Helper()
	c, err := pgtest.Start(options)
	if errors.Is(err, pgtest.ErrNoDisk) {
		t.Skip(err)
	}
	mustSucceed(t, err)
	t.Cleanup(func() { mustSucceed(t, c.Stop()) })
	mustSucceed(t, Superuser(c, "postgres", "CREATE ROLE tacit_ledger LOGIN"))
	return c
}

func Superuser(c *pgtest.Cluster, database, statements string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.URL("postgres", database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statements, pgx.QueryExecModeSimpleProtocol)
	return err
}

// NewLocation makes an empty database for a ledger in a cluster, and a directory for its guard.
func NewLocation(t testing.TB, c *pgtest.Cluster) policy.LedgerLocation {
	t.Helper()
	name := c.CreateDatabase(t)
	mustSucceed(t, Superuser(c, "postgres", fmt.Sprintf("ALTER DATABASE %s OWNER TO tacit_ledger", name)))
	return policy.LedgerLocation{Postgres: c.URL("tacit_ledger", name), Guard: t.TempDir()}
}

// NewPostgres is NewLocation in the shared cluster.
func NewPostgres(t testing.TB) policy.LedgerLocation {
	t.Helper()
	c, err := SharedCluster()
	mustSucceed(t, err)
	return NewLocation(t, c)
}

// Through is a location by another port, such as a relay's.
func Through(t testing.TB, l policy.LedgerLocation, port int) policy.LedgerLocation {
	t.Helper()
	u, err := url.Parse(l.Postgres)
	mustSucceed(t, err)
	u.Host = "127.0.0.1:" + strconv.Itoa(port)
	l.Postgres = u.String()
	return l
}

// DatabaseOf is the name of a location's database.
func DatabaseOf(t testing.TB, l policy.LedgerLocation) string {
	t.Helper()
	u, err := url.Parse(l.Postgres)
	mustSucceed(t, err)
	return strings.TrimPrefix(u.Path, "/")
}

// ClusterOptions are of a server that keeps what it has acknowledged.
var ClusterOptions = pgtest.Options{Settings: map[string]string{"full_page_writes": "on"}}

// A Cutter cuts connections at random places.
type Cutter struct{ *pgtest.Relay }

func (c Cutter) Cut() {
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

func mustSucceed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
