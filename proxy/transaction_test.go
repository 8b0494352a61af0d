package proxy

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A statement outside of a transaction block has a transaction of its own, which begins with it: not with what the proxy asks before.
func TestStatementHasItsOwnTransaction(t *testing.T) {
	p, _ := newPeer(t)
	p.expect(1, messages{simpleQuery("SELECT count(*), now() = statement_timestamp() FROM patients")},
		notice, `D "\x00\x02\x00\x00\x00\x0210\x00\x00\x00\x01t"`, one("SELECT 1"), idle)
	p.expect(1, messages{simpleQuery("PREPARE q AS SELECT count(*), now() = statement_timestamp() FROM patients")}, one("PREPARE"), idle)
	p.expect(1, messages{simpleQuery("EXECUTE q")}, notice, `D "\x00\x02\x00\x00\x00\x0210\x00\x00\x00\x01t"`, one("SELECT 1"), idle)
}

// While rows are counted the analyst's session holds neither a transaction nor a snapshot, so what others do meanwhile does
// not clash with the rest of the statement.
func TestCountingHoldsNothing(t *testing.T) {
	p, r := newPeer(t)
	p.talk(4, simpleQuery("CREATE TABLE mine (n int8)"), simpleQuery("INSERT INTO mine VALUES (0)"),
		simpleQuery("SET default_transaction_isolation = 'repeatable read'"), simpleQuery("SET tacit.notices = off"))
	p.talk(1, parse("s", "UPDATE mine SET n = n + (SELECT count(*) FROM patients)"), sync_)
	meanwhile := func() {
		if err := execute(r.database, "UPDATE mine SET n = n + 1"); err != nil {
			t.Error(err)
		}
		conn, err := pgx.Connect(context.Background(), cluster.URL("postgres", r.database))
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close(context.Background())
		var state string
		const activity = "SELECT concat_ws(' ', state, xact_start, backend_xmin) FROM pg_stat_activity WHERE datname = $1 AND usename = 'ana'"
		if err := conn.QueryRow(context.Background(), activity, r.database).Scan(&state); err != nil || state != "idle" {
			t.Errorf("while the releaser counts the session is %q (%v)", state, err)
		}
	}
	r.releaser.look(func(d *fakeReleaser) { d.meanwhile = meanwhile })
	updated := one("UPDATE 1")
	p.expect(1, messages{simpleQuery("UPDATE mine SET n = n + (SELECT count(*) FROM patients)")}, updated, idle)
	p.expect(1, messages{simpleQuery("EXECUTE s")}, updated, idle)
	p.expect(1, messages{bind("", "s"), executeUpTo("", 0), sync_}, `2 ""`, updated, idle)
	p.expect(1, messages{simpleQuery("SELECT n FROM mine")}, `D "\x00\x01\x00\x00\x00\x0233"`, one("SELECT 1"), idle)
}

// What must not run inside a transaction runs, though the proxy asks the server before what its table is. That it is in none, VACUUM
// finds before it looks for the table.
func TestVacuumOfNamesake(t *testing.T) {
	p, _ := newPeer(t)
	p.expect(1, messages{simpleQuery("CREATE TEMP TABLE patients (a int)")}, one("CREATE TABLE"), idle)
	for range 2 { // the second time the verdict is remembered
		p.expect(1, messages{simpleQuery("VACUUM pg_temp.patients")}, one("VACUUM"), idle)
		p.expect(1, messages{parse("", "VACUUM pg_temp.patients"), bind("", ""), executeUpTo("", 0), sync_},
			`1 ""`, `2 ""`, one("VACUUM"), idle)
		p.expectRefusal(1, messages{simpleQuery("VACUUM patients")}, "refusal", idle)
		p.expectRefusal(1, messages{parse("", "VACUUM patients"), bind("", ""), executeUpTo("", 0), sync_}, "refusal", idle)
	}
	p.talk(2, simpleQuery("DROP TABLE patients"), simpleQuery("SET search_path = pg_catalog"))
	for range 2 {
		p.expect(1, messages{simpleQuery("VACUUM patients")}, `E V=ERROR C=42P01 M=relation "patients" does not exist `, idle)
	}
}
