package curator_test

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/traps"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/site"
)

// trapSite is a hardened database with the schema of the traps, in which nothing is found.
func trapSite(t *testing.T, prefix string) (traps.Place, *policy.Policy, *pgx.Conn) {
	t.Helper()
	place := traps.Place{Host: site.Cluster.Host, Port: site.Cluster.Port, Database: "any", Prefix: prefix}
	p := parsePolicy(t, place.For(traps.Policy))
	place.Database = hardened(t, p, place.For(traps.Schema))
	t.Cleanup(func() { site.RunScript(t, "postgres", place.Database, place.For(traps.Drop)) })
	if found := findings(t, site.Connect(t, curator.CuratorName(p), place.Database), p); len(found) > 0 {
		t.Fatalf("after hardening: %v", found)
	}
	return place, p, site.Connect(t, "postgres", place.Database)
}

// skipUnlessSince skips a case that the server is too old for.
func skipUnlessSince(t *testing.T, super *pgx.Conn, major int) {
	t.Helper()
	var version int
	if err := super.QueryRow(context.Background(), "SELECT current_setting('server_version_num')::integer / 10000").Scan(&version); err != nil {
		t.Fatal(err)
	}
	if version < major {
		t.Skipf("PostgreSQL %d has no such object", version)
	}
}

// ask runs statements as an analyst, and returns the first value of the last rows, or else the SQLSTATE of the error. Nothing is left of it.
func ask(t *testing.T, tx pgx.Tx, analyst, sql string) string {
	t.Helper()
	nested, err := tx.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer nested.Rollback(context.Background())
	results, err := tx.Conn().PgConn().Exec(context.Background(), "SET LOCAL SESSION AUTHORIZATION "+curator.QuoteIdentifier(analyst)+"; "+sql).ReadAll()
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code
	}
	if err != nil {
		t.Fatal(err)
	}
	value := ""
	for _, r := range results {
		if len(r.Rows) > 0 {
			value = string(r.Rows[0][0])
		}
	}
	return value
}

// Each trap leaks what it says, is found, and is closed by its remedy.
func TestTrapsAreFound(t *testing.T) {
	place, p, super := trapSite(t, "trap_")
	for i, trap := range traps.All() {
		if testing.Short() && i%5 != 0 {
			continue
		}
		trap = trap.For(place)
		t.Run(trap.Name, func(t *testing.T) {
			skipUnlessSince(t, super, trap.Since)
			inTransaction(t, super, trap.Make, func(tx pgx.Tx) {
				if trap.Leak != "" {
					if got := ask(t, tx, place.For("sep_bob"), trap.Statement); got != trap.Leak {
						t.Errorf("%s gives %q, want %q", trap.Statement, got, trap.Leak)
					}
				}
				testHole(t, tx, p, trap.What, trap.Detail, trap.Kept != "" || untried(i))
			})
		})
	}
}

// Decoys show what they say, and are not found.
func TestDecoysAreNotFound(t *testing.T) {
	place, p, super := trapSite(t, "decoy_")
	for i, decoy := range traps.Decoys {
		if testing.Short() && i%4 != 0 {
			continue
		}
		decoy = decoy.For(place)
		t.Run(decoy.Name, func(t *testing.T) {
			skipUnlessSince(t, super, decoy.Since)
			inTransaction(t, super, decoy.Make, func(tx pgx.Tx) {
				if got := ask(t, tx, place.For("sep_bob"), decoy.Statement); got != decoy.Shows {
					t.Errorf("%s gives %q, want %q", decoy.Statement, got, decoy.Shows)
				}
				for _, f := range checkAs(t, tx, p, "") {
					if f.What != revealingExtension { // the extension itself is found, rightly
						t.Errorf("found %+v", f)
					}
				}
			})
		})
	}
}

// Of a materialized view whose rows nobody can trace, the steward may say that they are public. Of one that shows protected rows she may not.
func TestStewardSaysWhatIsPublic(t *testing.T) {
	place, _, super := trapSite(t, "public_")
	p := parsePolicy(t, strings.Replace(place.For(traps.Policy), "[clinic.regions]", "[clinic.regions, clinic.m]", 1))
	for _, test := range []struct{ name, from, what string }{
		{"of a foreign table", `CREATE EXTENSION postgres_fdw; CREATE SERVER back FOREIGN DATA WRAPPER postgres_fdw; CREATE FOREIGN TABLE clinic.f (x integer) SERVER back; CREATE MATERIALIZED VIEW clinic.m AS SELECT * FROM clinic.f WITH NO DATA`, ""},
		{"of a function", `CREATE FUNCTION clinic.f() RETURNS integer LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'; CREATE MATERIALIZED VIEW clinic.m AS SELECT clinic.f()`, ""},
		{"of a view on a function", `CREATE FUNCTION clinic.f() RETURNS integer LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'; CREATE VIEW clinic.v AS SELECT clinic.f(); CREATE MATERIALIZED VIEW clinic.m AS SELECT * FROM clinic.v`, ""},
		{"of protected rows", `CREATE MATERIALIZED VIEW clinic.m AS SELECT * FROM clinic.patients`, traps.PublicShowsRows},
		{"of planner statistics", `CREATE MATERIALIZED VIEW clinic.m AS SELECT attname FROM pg_stats`, traps.PublicShowsRows},
	} {
		t.Run(test.name, func(t *testing.T) {
			inTransaction(t, super, test.from+place.For("; GRANT SELECT ON clinic.m TO sep_curator, sep_bob"), func(tx pgx.Tx) {
				found := slices.DeleteFunc(checkAs(t, tx, p, ""), func(f curator.Finding) bool { return f.What == revealingExtension })
				if test.what == "" && len(found) > 0 || test.what != "" && named(found, test.what, "clinic.m") == nil {
					t.Errorf("found %+v", found)
				}
			})
		})
	}
}

// statements splits SQL at the semicolons that are in no string.
var statements = regexp.MustCompile(`(?s)(?:'[^']*'|\$\$.*?\$\$|[^;'])+`)

// A running proxy checks again when the digest changes. So each statement by which something comes to be found changes it, whatever was
// made before. Each runs in a subtransaction of its own, as in a transaction of its own.
func TestWhatIsFoundChangesTheDigest(t *testing.T) {
	place, p, super := trapSite(t, "digest_")
	changes, err := os.ReadFile("changes.sql")
	if err != nil {
		t.Fatal(err)
	}
	others := func(tx pgx.Tx) string {
		t.Helper()
		var snapshot string
		var digests []string
		if err := tx.QueryRow(context.Background(), string(changes), analystNames(p), "").Scan(&snapshot, &digests); err != nil || len(digests) != 2 {
			t.Fatal(digests, err)
		}
		return digests[0]
	}
	t.Run("owner of an enum type", func(t *testing.T) {
		inTransaction(t, super, "", func(tx pgx.Tx) {
			if _, err := tx.Exec(context.Background(), "CREATE TYPE clinic.mood AS ENUM ('bad')"); err != nil {
				t.Fatal(err)
			}
			before := others(tx)
			if _, err := tx.Exec(context.Background(), "SAVEPOINT s; ALTER TYPE clinic.mood OWNER TO "+pgx.Identifier{p.Analysts[0].Name}.Sanitize()); err != nil {
				t.Fatal(err)
			}
			if others(tx) == before {
				t.Error("the digest is as it was")
			}
		})
	})
	for i, trap := range traps.All() {
		if testing.Short() && i%6 != 3 {
			continue
		}
		trap = trap.For(place)
		t.Run(trap.Name, func(t *testing.T) {
			skipUnlessSince(t, super, trap.Since)
			inTransaction(t, super, "", func(tx pgx.Tx) {
				before, byAnalyst := others(tx), false
				for _, sql := range statements.FindAllString(trap.Make, -1) {
					if _, err := tx.Exec(context.Background(), "SAVEPOINT s; "+sql); err != nil {
						t.Fatalf("%s: %v", sql, err)
					}
					sql = strings.TrimSpace(sql)
					byAnalyst = strings.HasPrefix(sql, "SET SESSION") || byAnalyst && !strings.HasPrefix(sql, "RESET SESSION")
					if byAnalyst {
						continue
					}
					after := others(tx)
					if after == before && named(checkAs(t, tx, p, ""), trap.What, trap.Detail) != nil {
						if _, err := tx.Exec(context.Background(), "ROLLBACK TO SAVEPOINT s"); err != nil {
							t.Fatal(err)
						}
						if named(checkAs(t, tx, p, ""), trap.What, trap.Detail) == nil {
							t.Errorf("%s leaves the digest as it was", sql)
						}
						return
					}
					before = after
				}
			})
		})
	}
}
