package accountant

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/pgtest"
	"tacit/policy"
)

func TestPostgresStandbyIsRefused(t *testing.T) {
	c := ownCluster(t, pgtest.Options{Settings: map[string]string{"wal_level": "replica"}})
	l := newLocation(t, c)
	s := openTestStore(t, l)
	everything(t, s)
	both := newPostgres(t)
	if name := databaseOf(t, both); name != databaseOf(t, l) {
		do(t, superuser(c, "postgres", "CREATE DATABASE "+name))
	}
	// A server that finds this file recovers for ever, as a standby does.
	do(t, superuser(c, "postgres", `DO $$ BEGIN EXECUTE format('COPY (SELECT) TO %L', current_setting('data_directory') || '/standby.signal'); END $$`))
	do(t, c.Crash())
	do(t, c.Restart())
	s.hangUp()
	_, err := begin(s, 0)
	wantProblem(t, err, "the server is a standby")
	_, err = openPostgres(t.Context(), l)
	wantProblem(t, err, "the server is a standby")

	// Where two servers are named, the one that can be written is used.
	primary, err := sharedCluster()
	do(t, err)
	both.Postgres = fmt.Sprintf("postgres://tacit_ledger@/%s?host=127.0.0.1,127.0.0.1&port=%d,%d&sslmode=disable", databaseOf(t, both), c.Port, primary.Port)
	openTestStore(t, both)

	do(t, superuser(c, "postgres", "SELECT pg_promote()"))
	everything(t, s)
}

func TestPostgresWithoutFsyncIsRefused(t *testing.T) {
	c := ownCluster(t, pgtest.Options{Settings: map[string]string{"fsync": "off"}})
	_, err := openPostgres(t.Context(), newLocation(t, c))
	wantProblem(t, err, "fsync = off")
}

func TestPostgresReadOnlyRoleIsRefused(t *testing.T) {
	c, err := sharedCluster()
	do(t, err)
	l := newPostgres(t)
	do(t, superuser(c, "postgres", fmt.Sprintf("ALTER ROLE tacit_ledger IN DATABASE %s SET default_transaction_read_only = on", databaseOf(t, l))))
	_, err = openPostgres(t.Context(), l)
	wantProblem(t, err, "takes no writes")
}

func TestPostgresOtherTablesAreLeftAlone(t *testing.T) {
	c, err := sharedCluster()
	do(t, err)
	l := newPostgres(t)
	do(t, superuser(c, databaseOf(t, l), "CREATE SCHEMA tacit_ledger; CREATE TABLE tacit_ledger.entry (id int); GRANT ALL ON SCHEMA tacit_ledger TO tacit_ledger; GRANT ALL ON tacit_ledger.entry TO tacit_ledger"))
	_, err = openPostgres(t.Context(), l)
	wantProblem(t, err, "does not have a ledger's tables")
}

// A schema that somebody has made for the ledger's role is used, also where the role may make none.
func TestPostgresEmptySchema(t *testing.T) {
	c, err := sharedCluster()
	do(t, err)
	l := policy.LedgerLocation{Postgres: c.URL("tacit_ledger", c.CreateDatabase(t)), Guard: t.TempDir()}
	_, err = openPostgres(t.Context(), l)
	wantProblem(t, err, "own an empty schema tacit_ledger")
	do(t, superuser(c, databaseOf(t, l), "CREATE SCHEMA tacit_ledger AUTHORIZATION tacit_ledger"))
	s := openTestStore(t, l)
	if h, _ := everything(t, s); h.entry != 1 {
		t.Errorf("%d entries", h.entry)
	}
}

// What a server says when it takes no connection has a remedy of its own: it need not be started.
func TestPostgresLetsNobodyIn(t *testing.T) {
	c, err := sharedCluster()
	do(t, err)
	l := newPostgres(t)
	do(t, superuser(c, "postgres", "CREATE ROLE full_house LOGIN CONNECTION LIMIT 0; CREATE ROLE sleeper NOLOGIN"))
	t.Cleanup(func() { do(t, superuser(c, "postgres", "DROP ROLE full_house; DROP ROLE sleeper")) })
	for url, remedy := range map[string]string{
		c.URL("tacit_ledger", "nowhere"):         "create the database",
		c.URL("nobody_at_all", databaseOf(t, l)): "create the ledger's role",
		c.URL("sleeper", databaseOf(t, l)):       "create the ledger's role",
		c.URL("full_house", databaseOf(t, l)):    "connection limit",
	} {
		for _, url := range []string{url, strings.Replace(url, "sslmode=disable", "sslmode=prefer", 1)} {
			_, err := openPostgres(t.Context(), policy.LedgerLocation{Postgres: url, Guard: t.TempDir()})
			wantProblem(t, err, remedy)
			wantProblem(t, err, "does not let tacit in")
			if err != nil && strings.Contains(err.Error(), "tls error") {
				t.Errorf("the error leads astray: %v", err)
			}
			_, err = openExistingPostgres(t.Context(), policy.LedgerLocation{Postgres: url, Guard: t.TempDir()})
			wantProblem(t, err, remedy)
		}
	}
	if got := remedyOf(&pgconn.PgError{Code: "28P01"}); !strings.Contains(got, "password") {
		t.Errorf("a wrong password: %q", got)
	}
}

// No error shows a password, whether the connection string is wrong, the server away, or the login refused.
func TestPostgresErrorsHideThePassword(t *testing.T) {
	const password = "s3cretWord"
	c, err := sharedCluster()
	do(t, err)
	address := fmt.Sprintf("127.0.0.1:%d", c.Port)
	for _, url := range []string{
		"postgres://tacit_ledger:" + password + "@127.0.0.1:1/tacit",
		"postgres://tacit_ledger:" + password + "@127.0.0.1:port/tacit",
		"postgres://tacit_ledger:" + password + "@127.0.0.1:5432/tacit?sslmode=perhaps",
		"postgres://tacit_ledger:%zz" + password + "@127.0.0.1/tacit",
		"postgres://postgres:" + password + "@" + address + "/postgres",
		"postgres://nobody:" + password + "@" + address + "/postgres?sslmode=disable",
		"postgres://tacit_ledger:" + password + "@" + address + "/nowhere?sslmode=disable",
	} {
		_, err := openPostgres(t.Context(), policy.LedgerLocation{Postgres: url, Guard: t.TempDir()})
		wantProblem(t, err, "")
		if err != nil && strings.Contains(err.Error(), password) {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}
