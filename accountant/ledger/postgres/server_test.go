package postgres

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/accountant/ledger/ledgertest"
	"tacit/internal/pgtest"
	"tacit/policy"
)

func TestPostgresStandbyIsRefused(t *testing.T) {
	c := ledgertest.OwnCluster(t, pgtest.Options{Settings: map[string]string{"wal_level": "replica"}})
	l := ledgertest.NewLocation(t, c)
	s := openTestStore(t, l)
	ledgertest.Everything(t, s)
	both := ledgertest.NewPostgres(t)
	if name := ledgertest.DatabaseOf(t, both); name != ledgertest.DatabaseOf(t, l) {
		do(t, ledgertest.Superuser(c, "postgres", "CREATE DATABASE "+name))
	}
	// A server that finds this file recovers for ever, as a standby does.
	do(t, ledgertest.Superuser(c, "postgres", `DO $$ BEGIN EXECUTE format('COPY (SELECT) TO %L', current_setting('data_directory') || '/standby.signal'); END $$`))
	do(t, c.Crash())
	do(t, c.Restart())
	s.disconnect()
	_, err := ledgertest.Begin(s, 0)
	wantProblem(t, err, "the server is a standby")
	_, err = Open(t.Context(), l)
	wantProblem(t, err, "the server is a standby")

	// Where two servers are named, the one that can be written is used.
	primary, err := ledgertest.SharedCluster()
	do(t, err)
	both.Postgres = fmt.Sprintf("postgres://tacit_ledger@/%s?host=127.0.0.1,127.0.0.1&port=%d,%d&sslmode=disable", ledgertest.DatabaseOf(t, both), c.Port, primary.Port)
	openTestStore(t, both)

	do(t, ledgertest.Superuser(c, "postgres", "SELECT pg_promote()"))
	ledgertest.Everything(t, s)
}

func TestPostgresWithoutFsyncIsRefused(t *testing.T) {
	c := ledgertest.OwnCluster(t, pgtest.Options{Settings: map[string]string{"fsync": "off"}})
	_, err := Open(t.Context(), ledgertest.NewLocation(t, c))
	wantProblem(t, err, "fsync = off")
}

func TestPostgresReadOnlyRoleIsRefused(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	l := ledgertest.NewPostgres(t)
	do(t, ledgertest.Superuser(c, "postgres", fmt.Sprintf("ALTER ROLE tacit_ledger IN DATABASE %s SET default_transaction_read_only = on", ledgertest.DatabaseOf(t, l))))
	_, err = Open(t.Context(), l)
	wantProblem(t, err, "takes no writes")
}

func TestPostgresOtherTablesAreLeftAlone(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	l := ledgertest.NewPostgres(t)
	do(t, ledgertest.Superuser(c, ledgertest.DatabaseOf(t, l), "CREATE SCHEMA tacit_ledger; CREATE TABLE tacit_ledger.entry (id int); GRANT ALL ON SCHEMA tacit_ledger TO tacit_ledger; GRANT ALL ON tacit_ledger.entry TO tacit_ledger"))
	_, err = Open(t.Context(), l)
	wantProblem(t, err, "does not have a ledger's tables")
}

// A schema that somebody has made for the ledger's role is used, also where the role may make none.
func TestPostgresEmptySchema(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	l := policy.LedgerLocation{Postgres: c.URL("tacit_ledger", c.CreateDatabase(t)), Guard: t.TempDir()}
	_, err = Open(t.Context(), l)
	wantProblem(t, err, "own an empty schema tacit_ledger")
	do(t, ledgertest.Superuser(c, ledgertest.DatabaseOf(t, l), "CREATE SCHEMA tacit_ledger AUTHORIZATION tacit_ledger"))
	s := openTestStore(t, l)
	if h, _ := ledgertest.Everything(t, s); h.Entry != 1 {
		t.Errorf("%d entries", h.Entry)
	}
}

// What a server says when it takes no connection has a remedy of its own: it need not be started.
func TestPostgresLetsNobodyIn(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	l := ledgertest.NewPostgres(t)
	do(t, ledgertest.Superuser(c, "postgres", "CREATE ROLE full_house LOGIN CONNECTION LIMIT 0; CREATE ROLE sleeper NOLOGIN"))
	t.Cleanup(func() { do(t, ledgertest.Superuser(c, "postgres", "DROP ROLE full_house; DROP ROLE sleeper")) })
	for url, remedy := range map[string]string{
		c.URL("tacit_ledger", "nowhere"):                    "create the database",
		c.URL("nobody_at_all", ledgertest.DatabaseOf(t, l)): "create the ledger's role",
		c.URL("sleeper", ledgertest.DatabaseOf(t, l)):       "create the ledger's role",
		c.URL("full_house", ledgertest.DatabaseOf(t, l)):    "connection limit",
	} {
		for _, url := range []string{url, strings.Replace(url, "sslmode=disable", "sslmode=prefer", 1)} {
			_, err := Open(t.Context(), policy.LedgerLocation{Postgres: url, Guard: t.TempDir()})
			wantProblem(t, err, remedy)
			wantProblem(t, err, "does not let tacit in")
			if err != nil && strings.Contains(err.Error(), "tls error") {
				t.Errorf("the error leads astray: %v", err)
			}
			_, err = OpenExisting(t.Context(), policy.LedgerLocation{Postgres: url, Guard: t.TempDir()})
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
	c, err := ledgertest.SharedCluster()
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
		_, err := Open(t.Context(), policy.LedgerLocation{Postgres: url, Guard: t.TempDir()})
		wantProblem(t, err, "")
		if err != nil && strings.Contains(err.Error(), password) {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}
