package curator_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/release/curator"
	"tacit/release/internal/site"
)

// Scripts that run at once, also in different databases of a server, wait for one another. Without its lock, a script that finds a
// role's settings being changed fails with "tuple concurrently updated".
func TestHardeningScriptsWaitForOneAnother(t *testing.T) {
	p := parsePolicy(t, rolesNamed("locked_").Replace(clinicPolicy))
	database := hardenedClinic(t, p)
	other := site.Cluster.CreateDatabase(t)
	site.RunScript(t, "postgres", other, clinic)
	t.Cleanup(func() {
		roles := strings.Join(append(analystNames(p), curator.CuratorName(p)), ", ")
		site.RunScript(t, "postgres", other, "DROP OWNED BY "+roles)
	})
	ctx := context.Background()
	super := site.Connect(t, "postgres", database)
	change := fmt.Sprintf("ALTER ROLE %s SET track_counts = off", curator.QuoteIdentifier(curator.CuratorName(p)))
	inTransaction(t, super, change, func(tx pgx.Tx) {
		type outcome struct {
			printed string
			err     error
		}
		databases := []string{database, database, other}
		outcomes := make(chan outcome)
		for _, database := range databases {
			go func() {
				printed, err := site.Psql(t, "postgres", database, curator.HardeningSQL(p))
				outcomes <- outcome{printed, err}
			}()
		}
		watch := site.Connect(t, "postgres", "postgres")
		waiting := fmt.Sprintf("SELECT count(*) < %d FROM pg_locks WHERE NOT granted", len(databases))
		for more := true; more; {
			if err := watch.QueryRow(ctx, waiting).Scan(&more); err != nil {
				t.Fatal(err)
			}
		}
		if err := tx.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		for range databases {
			if o := <-outcomes; o.err != nil {
				t.Errorf("%v\n%s", o.err, o.printed)
			}
		}
	})
}
