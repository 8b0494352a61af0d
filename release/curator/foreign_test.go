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

// shards makes two databases with a part of visits each, which a third one has as the partitions of one table. Patient 1 has rows in both.
const shards = `CREATE EXTENSION postgres_fdw; CREATE SCHEMA clinic;
	CREATE TABLE clinic.visits (patient integer, at date NOT NULL, ward text) PARTITION BY RANGE (at);`

const shard = `CREATE SERVER %[1]s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '%[2]d', dbname '%[3]s');
	CREATE USER MAPPING FOR postgres SERVER %[1]s OPTIONS (user '%[4]s', password_required 'false');
	CREATE FOREIGN TABLE clinic.%[1]s PARTITION OF clinic.visits FOR VALUES FROM (%[5]s) TO (%[6]s) SERVER %[1]s OPTIONS (schema_name 'public', table_name 'visits');`

// TestForeignPartitions shows why they are refused, and that they are: also when one is attached to a table that is served.
func TestForeignPartitions(t *testing.T) {
	ctx := context.Background()
	const app = "fshard_app"
	t.Cleanup(func() { site.RunScript(t, "postgres", "postgres", "DROP ROLE IF EXISTS "+app) }) // after its databases
	whole := site.Cluster.CreateDatabase(t)
	site.RunScript(t, "postgres", whole, "CREATE ROLE "+app+" LOGIN; "+shards)
	parts := []*pgx.Conn{nil, nil}
	for i, bounds := range [][2]string{{"MINVALUE", "'2020-01-01'"}, {"'2020-01-01'", "MAXVALUE"}} {
		part := site.Cluster.CreateDatabase(t)
		site.RunScript(t, "postgres", part, "CREATE TABLE public.visits (patient integer, at date NOT NULL, ward text); ALTER TABLE public.visits OWNER TO "+app)
		site.RunScript(t, "postgres", whole, fmt.Sprintf(shard, fmt.Sprintf("shard_%d", i+1), site.Cluster.Port, part, app, bounds[0], bounds[1]))
		parts[i] = site.Connect(t, "postgres", part)
	}
	change := func(part int, sql string) {
		t.Helper()
		if _, err := parts[part].Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	change(0, "INSERT INTO visits VALUES (1, '2019-05-01', 'A')")
	change(1, "INSERT INTO visits VALUES (1, '2021-05-01', 'A')")

	// One transaction of the whole reads each server at a moment of its own, so that one row is counted twice.
	tx, err := site.Connect(t, "postgres", whole).BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(ctx)
	count := func(condition string) (n int) {
		t.Helper()
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM clinic.visits WHERE "+condition).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := count("at < '2020-01-01'")
	change(0, "DELETE FROM visits")
	change(1, "INSERT INTO visits VALUES (1, '2022-05-01', 'A')")
	if after := count("at >= '2020-01-01'"); before+after != 3 {
		t.Errorf("of 2 rows, of which one moves, %d are counted: if this is 2, foreign partitions could be counted", before+after)
	}
	_ = tx.Rollback(ctx)

	// What is served while the rows are here is found when a part of them is elsewhere.
	p := parsePolicy(t, rolesNamed("fshard_").Replace(clinicPolicy))
	database := hardenedClinic(t, p)
	conn := site.Connect(t, curator.CuratorName(p), database)
	if found := findings(t, conn, p); len(found) > 0 {
		t.Fatalf("found %v", found)
	}
	site.RunScript(t, "postgres", database, "CREATE EXTENSION postgres_fdw; "+fmt.Sprintf(shard, "shard_2", site.Cluster.Port, whole, app, "'2020-01-01'", "MAXVALUE"))
	f := named(findings(t, conn, p), "table is not an ordinary table", "clinic.shard_2 is a foreign table")
	if f == nil || f.Acceptable() || !strings.Contains(f.Remedy, "counted twice") {
		t.Errorf("a foreign partition: %+v", f)
	}
}

// Parts of Citus's tables are on other servers, though its tables look as others do. The extension is not installed here, so its row in the catalog stands for it.
func TestCitus(t *testing.T) {
	p := parsePolicy(t, rolesNamed("citus_").Replace(clinicPolicy))
	database := hardenedClinic(t, p)
	conn := site.Connect(t, curator.CuratorName(p), database)
	site.RunScript(t, "postgres", database, `SET allow_system_table_mods = on;
		INSERT INTO pg_catalog.pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion) VALUES (16380, 'citus', 10, 11, false, '13.2')`)
	if f := named(findings(t, conn, p), "table is not an ordinary table", "by the extension citus"); f == nil || f.Acceptable() {
		t.Errorf("Citus: %+v", f)
	}
}
