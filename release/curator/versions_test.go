package curator_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/site"
)

// newerHoles are ways to protected rows that versions after PostgreSQL 15 have brought, with the first version that has each.
var newerHoles = []hole{
	{since: 160000, name: "use of reserved connections", plant: `GRANT pg_use_reserved_connections TO sep_bob`,
		what: "analyst can become a predefined role", detail: "sep_bob can become pg_use_reserved_connections"},
	{since: 160000, name: "making of subscriptions", plant: `GRANT pg_create_subscription TO sep_bob`,
		what: "analyst can become a predefined role", detail: "sep_bob can become pg_create_subscription"},
	{since: 160000, name: "membership that can only be given on", plant: `GRANT sep_curator TO sep_bob WITH INHERIT FALSE, SET FALSE, ADMIN TRUE`,
		what: "analyst can become the curator", detail: "sep_bob by membership in sep_curator"},
	{since: 160000, name: "counters of input and output", plant: `GRANT EXECUTE ON FUNCTION pg_stat_get_io() TO sep_bob`,
		what: countersReadable, detail: "pg_stat_get_io()"},
	{since: 170000, name: "maintenance of a protected table", plant: `GRANT MAINTAIN ON clinic.patients TO sep_bob`,
		what: holdsPrivilege, detail: "MAINTAIN on clinic.patients: sep_bob"},
	{since: 170000, name: "maintenance of a partition", plant: `GRANT MAINTAIN ON clinic.visits_old TO sep_bob`,
		what: holdsPrivilege, detail: "MAINTAIN on clinic.visits_old (rows of clinic.visits): sep_bob"},
	{since: 170000, name: "maintenance of a public table", plant: `GRANT MAINTAIN ON clinic.regions TO sep_bob`,
		what: "analyst can change a public table", detail: "MAINTAIN on clinic.regions: sep_bob"},
	{since: 170000, name: "maintenance of all tables", plant: `GRANT pg_maintain TO sep_bob`,
		what: "analyst can become a predefined role", detail: "sep_bob can become pg_maintain"},
	{since: 170000, name: "maintenance of all tables by the curator", plant: `GRANT pg_maintain TO sep_curator`,
		what: "curator can become a predefined role", detail: "pg_maintain"},
	{since: 170000, name: "summaries of what was written", plant: `GRANT EXECUTE ON FUNCTION pg_wal_summary_contents(bigint, pg_lsn, pg_lsn) TO sep_bob`,
		what: countersReadable, detail: "pg_wal_summary_contents(bigint,pg_lsn,pg_lsn)"},
	{since: 170000, name: "code at login", plant: secretReader + `CREATE FUNCTION clinic.note() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN PERFORM clinic.peek(); END'; CREATE EVENT TRIGGER note ON login EXECUTE FUNCTION clinic.note()`,
		what: "analyst's DDL fires an event trigger with its owner's privileges", detail: "event trigger note"},
	{since: 180000, name: "signals to autovacuum", plant: `GRANT pg_signal_autovacuum_worker TO sep_bob`,
		what: "analyst can become a predefined role", detail: "sep_bob can become pg_signal_autovacuum_worker"},
	{since: 180000, name: "input and output of a session", plant: `GRANT EXECUTE ON FUNCTION pg_stat_get_backend_io(integer) TO sep_bob`,
		what: countersReadable, detail: "pg_stat_get_backend_io(integer)"},
	{since: 180000, name: "what a session writes", plant: `GRANT EXECUTE ON FUNCTION pg_stat_get_backend_wal(integer) TO sep_bob`,
		what: countersReadable, detail: "pg_stat_get_backend_wal(integer)"},
	{since: 180000, name: "asynchronous reads", plant: `GRANT SELECT ON pg_aios TO sep_bob`,
		what: "analyst may read a catalog that the server keeps to superusers", detail: "of pg_aios: sep_bob"},
	{since: 180000, name: "pages that are all frozen", plant: `GRANT SELECT (relallfrozen) ON pg_class TO sep_bob`,
		what: "analyst may read estimates of the size of a protected table", detail: "relallfrozen of pg_class: sep_bob"},
	{since: 180000, name: "column computed when it is read", plant: `ALTER TABLE clinic.patients DROP COLUMN age; ALTER TABLE clinic.patients ADD COLUMN age smallint GENERATED ALWAYS AS (weight::smallint) VIRTUAL; GRANT SELECT (age) ON clinic.patients TO sep_curator`,
		what: "column is computed when it is read", detail: "clinic.patients.age"},
	{since: 180000, name: "key that is not enforced", plant: `CREATE TABLE clinic.bills (patient integer REFERENCES clinic.patients NOT ENFORCED); GRANT INSERT ON clinic.bills TO sep_bob`,
		what: "foreign key tells which protected rows exist", detail: "writing to clinic.bills, which refers to clinic.patients"},
	{since: 180000, name: "temporal key", plant: `CREATE EXTENSION btree_gist SCHEMA public; ALTER TABLE clinic.patients ADD COLUMN during daterange DEFAULT '[2020-01-01,2021-01-01)', ADD UNIQUE (id, during WITHOUT OVERLAPS);
		CREATE TABLE clinic.bills (patient integer, during daterange, FOREIGN KEY (patient, PERIOD during) REFERENCES clinic.patients (id, PERIOD during)); GRANT INSERT ON clinic.bills TO sep_bob`,
		what: "foreign key tells which protected rows exist", detail: "writing to clinic.bills, which refers to clinic.patients"},
	{since: 180000, name: "view on what a sequence has given", plant: `CREATE VIEW clinic.given AS SELECT d.last_value FROM pg_class AS c, pg_get_sequence_data(c.oid) AS d WHERE c.relkind = 'S'; CREATE MATERIALIZED VIEW clinic.kept AS TABLE clinic.given; GRANT SELECT ON clinic.kept TO sep_bob`,
		what: holdsPrivilege, detail: "SELECT on clinic.kept (rows of function pg_get_sequence_data(regclass)): sep_bob"},
}

// What came with a newer version is found and mended there like the rest.
func TestSeparationFindsHolesOfNewerServers(t *testing.T) {
	roles := rolesNamed("newer_")
	p := parsePolicy(t, roles.Replace(clinicPolicy))
	super := site.Connect(t, "postgres", hardenedClinic(t, p))
	version := site.Cluster.Version(t)
	for _, h := range newerHoles {
		if version < h.since {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			inTransaction(t, super, roles.Replace(h.plant), func(tx pgx.Tx) { testHole(t, tx, p, h.what, roles.Replace(h.detail), h.kept != "") })
		})
	}
}

// newerStatements are what an analyst could try on a newer server; each must be denied, whatever the version.
var newerStatements = []struct {
	since      int
	statements []string
}{
	{150000, []string{`MERGE INTO clinic.patients AS p USING (VALUES (1)) AS v(id) ON p.id = v.id WHEN MATCHED THEN DELETE`}},
	{160000, []string{`SELECT * FROM pg_stat_io`, `SELECT pg_stat_get_lastscan('clinic.patients'::regclass)`, `SELECT pg_input_is_valid('1', 'clinic.peeking')`}},
	{170000, []string{
		`SELECT * FROM pg_available_wal_summaries()`, `SELECT * FROM pg_wal_summary_contents(1, '0/1', '0/2')`, `SELECT * FROM pg_get_wal_summarizer_state()`,
		`SELECT * FROM pg_stat_checkpointer`, `MERGE INTO clinic.patients AS p USING (VALUES (1)) AS v(id) ON p.id = v.id WHEN NOT MATCHED THEN DO NOTHING RETURNING p.*`,
		`COPY clinic.patients FROM STDIN (ON_ERROR ignore)`, `SELECT j.* FROM clinic.patients, JSON_TABLE(to_jsonb(patients), '$' COLUMNS (id int)) AS j`,
		`SELECT JSON_QUERY(to_jsonb(patients), '$') FROM clinic.patients`, `EXPLAIN (ANALYZE, MEMORY, SERIALIZE) SELECT * FROM clinic.patients`,
	}},
	{180000, []string{
		`SELECT * FROM pg_aios`, `SELECT * FROM pg_shmem_allocations_numa`, `SELECT pg_stat_get_backend_io(pg_backend_pid())`, `SELECT pg_stat_get_backend_wal(pg_backend_pid())`,
		`SELECT relallfrozen FROM pg_class`, `SELECT total_analyze_time FROM pg_stat_all_tables`, `UPDATE clinic.patients SET age = 1 RETURNING old.*, new.*`,
		`DELETE FROM clinic.patients RETURNING WITH (OLD AS o) o.*`, `SELECT pg_restore_relation_stats('schemaname', 'clinic', 'relname', 'patients', 'reltuples', 1::real)`,
		`SELECT pg_restore_attribute_stats('schemaname', 'clinic', 'relname', 'patients', 'attname', 'age', 'inherited', false, 'null_frac', 0.5::real)`,
		`SELECT pg_clear_relation_stats('clinic', 'patients')`, `SELECT pg_clear_attribute_stats('clinic', 'patients', 'age', false)`,
		`SELECT 1 / coalesce((SELECT last_value FROM pg_get_sequence_data('clinic.patients_id_seq')), 0)`, `EXPLAIN ANALYZE SELECT * FROM clinic.patients`,
	}},
}

// PostgreSQL itself denies an analyst what newer versions offer, when nothing was granted on purpose.
func TestNewerStatementsAreDenied(t *testing.T) {
	roles := rolesNamed("denied_")
	p := parsePolicy(t, roles.Replace(clinicPolicy))
	database := hardenedClinic(t, p)
	site.RunScript(t, "postgres", database, roles.Replace("GRANT USAGE ON SCHEMA clinic TO sep_bob; SELECT setval('clinic.patients_id_seq', 7); ANALYZE clinic.patients"))
	super := site.Connect(t, "postgres", database)
	version := site.Cluster.Version(t)
	tx, err := super.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	for _, group := range newerStatements {
		if version < group.since {
			continue
		}
		for _, sql := range group.statements {
			// An analyst who is denied learns 42501, or divides by nothing; any other error would hide that she was not.
			got := ask(t, tx, roles.Replace("sep_bob"), sql)
			want := "42501"
			if strings.HasPrefix(sql, "SELECT 1 / ") {
				want = "22012"
			}
			if sql == `SELECT pg_input_is_valid('1', 'clinic.peeking')` {
				want = "42704"
			}
			if got != want {
				t.Errorf("%s gives %q, want %s", sql, got, want)
			}
		}
	}
}

// The rows of a key WITHOUT OVERLAPS differ by a period, so that it tells nobody's one row.
func TestTemporalKeyIsNotUnique(t *testing.T) {
	if site.Cluster.Version(t) < 180000 {
		return
	}
	roles := rolesNamed("temporal_")
	p := parsePolicy(t, roles.Replace(clinicPolicy))
	database := hardened(t, p, clinic+`CREATE EXTENSION btree_gist; ALTER TABLE clinic.regions ADD COLUMN during daterange NOT NULL DEFAULT '[2020-01-01,2021-01-01)', ADD UNIQUE (country, region, during WITHOUT OVERLAPS);`)
	p.Upstream.Curator = site.Cluster.URL(curator.CuratorName(p), database)
	c, err := curator.New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	catalog, _, err := c.Catalog(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range catalog.Public[policy.TableName{Schema: "clinic", Name: "regions"}].Unique {
		if strings.Join(key, " ") != "region" {
			t.Errorf("rows are taken to be unique by %v", key)
		}
	}
}
