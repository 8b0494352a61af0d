package curator_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/site"
)

// ledgerHoles are ways in which an analyst could reach a ledger, as a superuser makes and unmakes them. Those without an undoing are
// undone by their own remedy.
var ledgerHoles = []struct{ what, detail, make, undo string }{
	{"analyst can become an owner of the ledger", "led_ana, as led_owner", `GRANT led_owner TO led_ana`, `REVOKE led_owner FROM led_ana`},
	{"analyst can become an owner of the ledger", "led_ana, as led_owner", `GRANT led_owner TO led_group; GRANT led_group TO led_ana; ALTER ROLE led_ana NOINHERIT`,
		`REVOKE led_owner FROM led_group; REVOKE led_group FROM led_ana; ALTER ROLE led_ana INHERIT`},
	{"analyst has powers over the server of the ledger", "led_ana, as led_ana: superuser", `ALTER ROLE led_ana SUPERUSER`, `ALTER ROLE led_ana NOSUPERUSER`},
	{"analyst has powers over the server of the ledger", "led_ana, as led_ana: makes roles", `ALTER ROLE led_ana CREATEROLE`, `ALTER ROLE led_ana NOCREATEROLE`},
	{"analyst has powers over the server of the ledger", "led_ana, as led_ana: replicates", `ALTER ROLE led_ana REPLICATION`, `ALTER ROLE led_ana NOREPLICATION`},
	{"analyst has powers over the server of the ledger", "led_ana, as pg_read_server_files: a predefined role",
		`GRANT pg_read_server_files TO led_ana`, `REVOKE pg_read_server_files FROM led_ana`},
	{"analyst owns the database of the ledger", "led_ana, as led_ana", `DO $$BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO led_ana', current_database()); END$$`, ""},
	{"schema of the ledger is open", "PUBLIC: USAGE", `GRANT USAGE ON SCHEMA tacit_ledger TO PUBLIC`, ""},
	{"schema of the ledger is open", "led_group: CREATE", `GRANT led_group TO led_ana; GRANT CREATE ON SCHEMA tacit_ledger TO led_group`, `REVOKE led_group FROM led_ana`},
	{"relation of the ledger is open", "led_ana: UPDATE on tacit_ledger.entry", `GRANT UPDATE ON tacit_ledger.entry TO led_ana`, ""},
	{"relation of the ledger is open", "PUBLIC: SELECT on tacit_ledger.entry", `GRANT SELECT ON tacit_ledger.entry TO PUBLIC`, ""},
	{"column of the ledger is open", "led_ana: SELECT on tacit_ledger.entry.analyst", `GRANT SELECT (analyst) ON tacit_ledger.entry TO led_ana`, ""},
	{"view of the ledger is open", "led_ana: SELECT on public.peep", `CREATE VIEW public.peep AS SELECT analyst FROM tacit_ledger.entry; GRANT SELECT ON public.peep TO led_ana`, `DROP VIEW public.peep`},
	{"view of the ledger belongs to an analyst", "public.peep", `CREATE VIEW public.peep AS SELECT analyst FROM tacit_ledger.entry; ALTER VIEW public.peep OWNER TO led_ana`, ""},
	{"function runs as an owner of the ledger", "PUBLIC: public.erase()",
		`CREATE FUNCTION public.erase() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM tacit_ledger.entry'; ALTER FUNCTION public.erase() OWNER TO led_owner`, `DROP FUNCTION public.erase()`},
	{"what the ledger's login makes is open to others", "PUBLIC: SELECT", `ALTER DEFAULT PRIVILEGES FOR ROLE led_owner GRANT SELECT ON TABLES TO PUBLIC`,
		`ALTER DEFAULT PRIVILEGES FOR ROLE led_owner REVOKE SELECT ON TABLES FROM PUBLIC`},
}

// ledgerClinic is the policy of a clinic whose ledger is in a database of its own, and that database.
func ledgerClinic(t *testing.T) (*policy.Policy, string) {
	t.Helper()
	database := site.Cluster.CreateDatabase(t)
	site.RunScript(t, "postgres", database, `
		CREATE ROLE led_owner LOGIN; CREATE ROLE led_ana LOGIN; CREATE ROLE led_group;
		CREATE SCHEMA tacit_ledger AUTHORIZATION led_owner;
		CREATE TABLE tacit_ledger.entry (id bigint PRIMARY KEY, analyst text);
		ALTER TABLE tacit_ledger.entry OWNER TO led_owner;`)
	t.Cleanup(func() {
		site.RunScript(t, "postgres", database, `ALTER DATABASE `+curator.QuoteIdentifier(database)+` OWNER TO postgres; DROP OWNED BY led_owner, led_ana, led_group CASCADE; DROP ROLE led_owner, led_ana, led_group;`)
	})
	text := strings.NewReplacer("ledger: sqlite:clinic.db", "ledger: "+site.Cluster.URL("led_owner", database), "sep_ana", "led_ana", "sep_bob", "led_bob").Replace(clinicPolicy)
	return parsePolicy(t, text), database
}

// TestLedgerSeparationFindsHoles makes each hole by itself: it is found, nothing else is, and what its remedy says closes it.
func TestLedgerSeparationFindsHoles(t *testing.T) {
	p, database := ledgerClinic(t)
	check := func() []curator.Finding {
		t.Helper()
		found, err := curator.CheckLedgerSeparation(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if found := check(); len(found) > 0 {
		t.Fatalf("found where there is nothing: %+v", found)
	}
	for n, hole := range ledgerHoles {
		if testing.Short() && n%2 != 0 {
			continue
		}
		site.RunScript(t, "postgres", database, hole.make+";")
		found := check()
		i := slices.IndexFunc(found, func(f curator.Finding) bool { return f.What == hole.what && f.Detail == hole.detail })
		if i < 0 || found[i].Remedy == "" {
			t.Errorf("%s (%s) was not found: %+v", hole.what, hole.detail, found)
		} else if isSQL := strings.HasSuffix(found[i].Remedy, ";"); isSQL {
			site.RunScript(t, "postgres", database, found[i].Remedy)
		}
		if hole.undo != "" {
			site.RunScript(t, "postgres", database, hole.undo+";")
		}
		if found := check(); len(found) > 0 {
			t.Fatalf("after %s was closed: %+v", hole.what, found)
		}
	}
}

// TestEveryLedgerCheckIsTested compares the checks with the holes.
func TestEveryLedgerCheckIsTested(t *testing.T) {
	for line := range strings.Lines(curator.LedgerSeparationSQL) {
		_, rest, ok := strings.Cut(line, "SELECT 'HIGH'")
		if !ok {
			_, rest, ok = strings.Cut(line, "SELECT 'MED'")
		}
		if !ok {
			continue
		}
		rest = strings.ReplaceAll(rest, "''", "\x00")
		_, rest, _ = strings.Cut(rest, ", '")
		what, _, _ := strings.Cut(rest, "'")
		what = strings.ReplaceAll(what, "\x00", "'")
		if !slices.ContainsFunc(ledgerHoles, func(h struct{ what, detail, make, undo string }) bool { return h.what == what }) {
			t.Errorf("no hole tests the check %q", what)
		}
	}
}

// TestLedgerInAFileHasNoRoles connects to nothing.
func TestLedgerInAFileHasNoRoles(t *testing.T) {
	if found, err := curator.CheckLedgerSeparation(context.Background(), parsePolicy(t, clinicPolicy)); err != nil || len(found) > 0 {
		t.Errorf("%+v, %v", found, err)
	}
}
