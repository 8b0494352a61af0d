package curator_test

import (
	"context"
	_ "embed"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/release/internal/site"
)

//go:embed changes.sql
var changesSQL string

// A reload of the server's settings can change the search path of a session, and commits nothing. It is another moment all the same. The
// transaction sees one snapshot, so that what others commit meanwhile makes no difference.
func TestReloadOfSettingsIsAnotherMoment(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	database := site.Cluster.CreateDatabase(t)
	watcher, super := site.Connect(t, "postgres", database), site.Connect(t, "postgres", database)
	tx, err := watcher.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	moment := func() (snapshot string) {
		t.Helper()
		var digests []string
		if err := tx.QueryRow(ctx, changesSQL, []string{}, "").Scan(&snapshot, &digests); err != nil {
			t.Fatal("the reload was not noticed: ", err)
		}
		return snapshot
	}
	before := moment()
	if moment() != before {
		t.Fatal("nothing happened, and it is another moment")
	}
	if _, err := super.Exec(ctx, "SELECT pg_reload_conf()"); err != nil {
		t.Fatal(err)
	}
	for moment() == before { // until the signal has come to this session
	}
}
