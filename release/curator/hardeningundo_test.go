package curator_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"

	"tacit/release/curator"
	"tacit/release/internal/site"
)

var sorted = cmpopts.SortSlices(strings.Compare)

// nightlyClinic is clinic with owners and readers that the script should not harm more than it must.
const nightlyClinic = `
CREATE ROLE undo_nightly LOGIN; CREATE ROLE undo_report LOGIN; CREATE ROLE undo_idle LOGIN SUPERUSER; CREATE ROLE undo_team; CREATE ROLE undo_ana LOGIN;
CREATE TABLE public.own (id integer); ALTER TABLE public.own OWNER TO undo_nightly; ALTER TABLE clinic.visits_old OWNER TO undo_nightly;
GRANT SELECT ON clinic.patients TO PUBLIC; GRANT SELECT (age), UPDATE (weight) ON clinic.patients TO undo_ana WITH GRANT OPTION;
GRANT INSERT ON clinic.regions TO PUBLIC; GRANT CREATE ON SCHEMA clinic TO PUBLIC;
REVOKE EXECUTE ON FUNCTION pg_relation_size(regclass, text) FROM PUBLIC; GRANT EXECUTE ON FUNCTION pg_relation_size(regclass, text) TO undo_team;
GRANT EXECUTE ON FUNCTION pg_lock_status() TO undo_ana WITH GRANT OPTION;
CREATE EXTENSION pg_stat_statements;
`

// privileges lists who may do what with all objects of a database, whether a privilege was granted or is there by default.
func privileges(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	const query = `
SELECT format('%s %s %s: %s %s %s by %s', what, object, part, x.grantee::regrole, x.privilege_type, x.is_grantable, x.grantor::regrole) FROM (
    SELECT 'routine' AS what, p.oid::regprocedure::text AS object, '' AS part, coalesce(proacl, acldefault('f', proowner)) AS acl FROM pg_proc AS p
    UNION ALL SELECT 'relation', oid::regclass::text, '', coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner))
              FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND relnamespace::regnamespace::text !~ '^pg_(toast|temp)'
    UNION ALL SELECT 'column', attrelid::regclass::text, attname, attacl FROM pg_attribute
    UNION ALL SELECT 'schema', nspname, '', coalesce(nspacl, acldefault('n', nspowner)) FROM pg_namespace WHERE nspname !~ '^(pg_(toast|temp)|undo_)'
    UNION ALL SELECT 'database', datname, '', coalesce(datacl, acldefault('d', datdba)) FROM pg_database WHERE datname = current_database()) AS o
CROSS JOIN LATERAL aclexplode(o.acl) AS x ORDER BY 1`
	rows, err := conn.Query(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// dump runs pg_dump. One that is older than the server does nothing; then the statement stands for it that is denied
// to it by the script.
func dump(t *testing.T, role, database string, flags ...string) error {
	t.Helper()
	if site.Cluster.Version(t) >= 160000 {
		_, err := site.Psql(t, role, database, "SELECT * FROM pg_class")
		return err
	}
	psql, err := site.Cluster.Psql()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(strings.TrimSuffix(psql, "psql")+"pg_dump", append(flags, "--file=/dev/null", "--dbname="+site.Cluster.URL(role, database))...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("pg_dump: %s", out)
	}
	return err
}

// withoutClinic leaves out what the owner of a table in another schema cannot read.
const withoutClinic = "--exclude-schema=clinic"

// The script says whose pg_dump it breaks and what mends it, that does mend it, and the way back restores the privileges that there were:
// at once, and after more runs of the script with changes in between.
func TestHardeningIsTakenBack(t *testing.T) {
	p := parsePolicy(t, rolesNamed("undo_").Replace(clinicPolicy))
	database := site.Cluster.CreateDatabase(t)
	site.RunScript(t, "postgres", database, clinic+nightlyClinic)
	t.Cleanup(func() {
		const roles = "undo_ana, undo_bob, undo_curator, undo_nightly, undo_report, undo_team, undo_idle, tacit_exempt"
		site.RunScript(t, "postgres", database, "DROP OWNED BY "+roles+" CASCADE; DROP ROLE "+roles)
	})
	super := site.Connect(t, "postgres", database)
	before := privileges(t, super)
	if err := dump(t, "undo_nightly", database, withoutClinic); err != nil {
		t.Fatal("pg_dump fails before the script was run")
	}
	look, err := site.Psql(t, "postgres", database, `\set look 1`+"\n"+curator.HardeningSQL(p))
	if diff := cmp.Diff(before, privileges(t, super)); err != nil || diff != "" || !strings.HasSuffix(look, "Nothing was changed, since look is set.\n") {
		t.Fatalf("looking changed privileges: %v, %s\n%s", err, diff, look)
	}
	said, err := site.Psql(t, "postgres", database, curator.HardeningSQL(p))
	if err != nil || said+"Nothing was changed, since look is set.\n" != look {
		t.Fatalf("%v: looking says\n%sand the script\n%s", err, look, said)
	}
	creates := "\n    CREATE on clinic\n"
	if site.Cluster.Version(t) < 150000 { // which lets everybody create in public
		creates = "\n    CREATE on clinic, public\n"
	}
	for _, part := range []string{
		"What login roles lose by this script, besides the analysts and the curator:\nundo_nightly, undo_report lose\n",
		"\n    SELECT on pg_class (pg_dump needs it), public.pg_stat_statements, public.pg_stat_statements_info\n", creates,
		"\n    INSERT on clinic.regions\n", "\n    SELECT on clinic.patients\n", "and ",
		"\n  to give it back:\n    GRANT tacit_exempt TO undo_nightly, undo_report;\n    GRANT SELECT ON clinic.patients TO undo_nightly, undo_report;\n",
	} {
		if !strings.Contains(said, part) {
			t.Errorf("the script does not say %q:\n%s", part, said)
		}
	}
	if strings.Contains(said, "undo_idle") || strings.Contains(said, "undo_ana") || strings.Contains(said, "undo_team") {
		t.Errorf("superusers, analysts and groups lose nothing that is theirs: %s", said)
	}
	if err := dump(t, "undo_nightly", database, withoutClinic); err == nil {
		t.Error("pg_dump of the owner does not fail; the remedy is for nothing")
	}
	site.RunScript(t, "postgres", database, "GRANT tacit_exempt TO undo_nightly")
	if err := dump(t, "undo_nightly", database, withoutClinic); err != nil {
		t.Error("pg_dump of the owner fails with the remedy")
	}
	// What an analyst makes in her own schema the owner cannot read.
	site.RunScript(t, "undo_ana", database, "CREATE TABLE undo_ana.kept AS SELECT 1 AS n")
	if err := dump(t, "undo_nightly", database, withoutClinic); err == nil && site.Cluster.Version(t) < 160000 {
		t.Error("pg_dump of an analyst's table does not fail; the remedies are for nothing")
	}
	if err := dump(t, "undo_nightly", database, withoutClinic, "--exclude-schema=undo_ana"); err != nil {
		t.Error("pg_dump fails without the analyst's schema")
	}
	site.RunScript(t, "postgres", database, "GRANT pg_read_all_data TO undo_nightly")
	if err := dump(t, "undo_nightly", database); err != nil {
		t.Error("pg_dump of all fails for a member of pg_read_all_data")
	}
	if found := findings(t, site.Connect(t, "undo_curator", database), p); len(found) > 0 {
		t.Errorf("with the remedies, found %v", found)
	}
	site.RunScript(t, "postgres", database, "REVOKE pg_read_all_data FROM undo_nightly; DROP TABLE undo_ana.kept")
	again, err := site.Psql(t, "postgres", database, "GRANT SELECT ON clinic.patients TO undo_bob;"+curator.HardeningSQL(p)) // a grant in between
	if err != nil || !strings.Contains(again, "curator:\n  nothing\n") {
		t.Errorf("the second run: %v, %s", err, again)
	}
	undone, err := site.Psql(t, "postgres", database, curator.UndoSQL())
	if err != nil || !strings.HasPrefix(undone, "Taken back: ") || strings.Count(undone, "\n") != 1 {
		t.Errorf("the way back: %v, %s", err, undone)
	}
	if diff := cmp.Diff(append(before, "relation clinic.patients : undo_bob SELECT f by postgres"), privileges(t, super), sorted); diff != "" {
		t.Errorf("the way back does not restore the privileges: %s", diff)
	}
	if err := dump(t, "undo_nightly", database, withoutClinic); err != nil {
		t.Error("pg_dump of the owner fails after the way back")
	}
	site.RunScript(t, "postgres", database, curator.HardeningSQL(p)) // it may be run again
}

// What somebody else may have written into the record is not run.
func TestForeignRecordIsNotTrusted(t *testing.T) {
	p := parsePolicy(t, rolesNamed("forger_").Replace(clinicPolicy))
	database := hardenedClinic(t, p)
	site.RunScript(t, "postgres", database, "ALTER TABLE tacit_hardening.change OWNER TO forger_bob")
	for name, script := range map[string]string{"hardening": curator.HardeningSQL(p), "undo": curator.UndoSQL()} {
		if out, err := site.Psql(t, "postgres", database, script); err == nil || !strings.Contains(out, "does not belong to a superuser") {
			t.Errorf("%s: %v, %s", name, err, out)
		}
	}
}
