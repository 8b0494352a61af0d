package curator_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/site"
)

// managedClinic makes a database as a managed service gives it: the steward's role owns it and its schemas, may make roles, and is no superuser.
func managedClinic(t *testing.T, prefix, text, schema string) (p *policy.Policy, database, owner string) {
	t.Helper()
	roles := rolesNamed(prefix)
	p, owner = parsePolicy(t, roles.Replace(text)), prefix+"owner"
	database = site.Cluster.CreateDatabase(t)
	site.RunScript(t, "postgres", database, "CREATE ROLE "+owner+" LOGIN CREATEROLE; ALTER DATABASE "+database+" OWNER TO "+owner+"; ALTER SCHEMA public OWNER TO "+owner)
	t.Cleanup(func() {
		names := append(analystNames(p), curator.CuratorName(p), owner)
		if len(p.Publications) > 0 {
			names = append(names, curator.PublisherName(p))
		}
		all := strings.Join(names, ", ")
		site.RunScript(t, "postgres", database, "DROP OWNED BY "+all+" CASCADE; REASSIGN OWNED BY "+owner+" TO postgres; DROP ROLE "+all)
	})
	site.RunScript(t, owner, database, schema)
	for range 2 { // it may be run again
		site.RunScript(t, owner, database, curator.ManagedHardeningSQL(p))
	}
	p.Upstream.Curator = site.Cluster.URL(curator.CuratorName(p), database)
	judged, err := curator.Check(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var closed []string
	for _, f := range judged.Open { // and a service that has closed what cannot be accepted
		if slices.Contains(neverAccepted, f.Name) {
			closed = append(closed, f.Name)
		}
	}
	if !slices.Contains(closed, "curator-counted") || !slices.Contains(closed, "activity-counters") {
		t.Errorf("the script leaves %v", closed)
	}
	site.RunScript(t, "postgres", database, closeCounters(p))
	return p, database, owner
}

// closeCounters is what only a superuser can do of what must be done: nobody sees how far a count has read a table.
func closeCounters(p *policy.Policy) string {
	script := curator.HardeningSQL(p)
	const from, to = "-- Activity counters and locks show", "-- Functions that run SQL text"
	return "ALTER ROLE " + curator.CuratorName(p) + " SET track_counts = off; SET search_path = pg_catalog;\n" + script[strings.Index(script, from):strings.Index(script, to)]
}

// accepting is a policy that accepts more findings.
func accepting(p *policy.Policy, names ...string) *policy.Policy {
	other := *p
	other.Accept = names
	return &other
}

// withoutSuperuser is what the owner of a database cannot close.
var withoutSuperuser = []string{"size-estimates", "sql-text-functions", "table-sizes"}

// What the weaker script leaves open is what a policy can accept, and then the curator can count.
func TestManaged(t *testing.T) {
	p, database, _ := managedClinic(t, "managed_", clinicPolicy, clinic)
	judged, err := curator.Check(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, f := range judged.Open {
		if !f.Acceptable() {
			t.Errorf("not to be accepted: %+v", f)
		}
		if !slices.Contains(left, f.Name) {
			left = append(left, f.Name)
		}
	}
	slices.Sort(left)
	if !slices.Equal(left, withoutSuperuser) {
		t.Errorf("the script leaves %v, want %v", left, withoutSuperuser)
	}
	for i := range left { // each of them is needed
		if testing.Short() && i%3 != 0 {
			continue
		}
		some := accepting(p, slices.Delete(slices.Clone(left), i, i+1)...)
		if found := findings(t, site.Connect(t, curator.CuratorName(p), database), some); len(found) == 0 || found[0].Name != left[i] {
			t.Errorf("without %s: found %v", left[i], found)
		}
	}
	all := accepting(p, append([]string{"fsync"}, left...)...)
	judged, err = curator.Check(t.Context(), all)
	if err != nil || len(judged.Open) > 0 || len(judged.Accepted) == 0 || !slices.Equal(judged.Unneeded, []string{"fsync"}) {
		t.Fatalf("all accepted: %+v, %v", judged, err)
	}
	for _, test := range []struct {
		policy *policy.Policy
		want   string // part of the error
	}{{p, "not separate"}, {all, ""}} {
		c, err := curator.New(t.Context(), test.policy)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = c.Catalog(t.Context(), test.policy)
		c.Close()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("accepting %v: %v, want %q", test.policy.Accept, err, test.want)
		}
	}
}

// What reaches rows is denied to analysts as after the superuser's script.
func TestManagedDeniesRows(t *testing.T) {
	p, database, owner := managedClinic(t, "mdenied_", clinicPolicy, clinic+"GRANT SELECT ON ALL TABLES IN SCHEMA clinic TO PUBLIC;")
	site.RunScript(t, owner, database, "GRANT USAGE ON SCHEMA clinic TO PUBLIC; ANALYZE clinic.patients; SELECT setval('clinic.patients_id_seq', 7)")
	roles := rolesNamed("mdenied_")
	for i, statement := range []string{
		`SELECT * FROM clinic.patients`, `SELECT 1 FROM clinic.patients`, `SELECT count(*) FROM clinic.visits_old`, `LOCK TABLE clinic.patients`,
		`EXPLAIN SELECT * FROM clinic.patients WHERE age > 30`, `TABLE clinic.patients_id_seq`, `CREATE TABLE t (id integer REFERENCES clinic.patients)`,
		`CREATE TABLE clinic.t ()`, `CREATE TABLE public.t ()`, `CREATE SCHEMA sep_bob2`, `CREATE TABLE sep_bob.t ()`, `SELECT * FROM pg_statistic`,
		`SELECT * FROM pg_authid`, `SELECT query_to_xml('TABLE clinic.patients', true, true, '')`, `COPY clinic.patients TO STDOUT`, `SET ROLE sep_curator`,
		`SET ROLE sep_owner`, `SET ROLE sep_bob`, `SELECT 1 / count(*) FROM pg_stats WHERE tablename = 'patients'`, `ALTER TABLE clinic.patients OWNER TO sep_ana`,
		`GRANT SELECT ON clinic.patients TO sep_ana; SELECT * FROM clinic.patients`, `CREATE VIEW v AS SELECT * FROM clinic.patients; SELECT * FROM v`,
		`SELECT last_value FROM clinic.patients_id_seq`, `TRUNCATE clinic.regions`, `CREATE ROLE sep_mallory`, `ALTER ROLE sep_curator PASSWORD 'x'`,
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		if out, err := site.Psql(t, roles.Replace("sep_ana"), database, roles.Replace(statement)); err == nil {
			t.Errorf("%s was allowed:\n%s", statement, out)
		}
	}
	for _, works := range []string{`CREATE TABLE t AS SELECT 1 AS x; DROP TABLE t`, `CREATE TEMPORARY TABLE t AS SELECT 1 AS x`} {
		if out, err := site.Psql(t, roles.Replace("sep_ana"), database, works); err != nil {
			t.Errorf("%s: %v\n%s", works, err, out)
		}
	}
	// What somebody grants is found whatever is accepted.
	for _, plant := range []string{`GRANT SELECT ON clinic.patients TO sep_ana`, `GRANT sep_curator TO sep_ana`, `ALTER ROLE sep_ana SUPERUSER`} {
		super := site.Connect(t, "postgres", database)
		inTransaction(t, super, roles.Replace(plant), func(tx pgx.Tx) {
			found := checkAs(t, tx, accepting(p, policy.AcceptableFindings()...), "")
			if len(found) == 0 || found[0].Acceptable() {
				t.Errorf("after %s: found %v", plant, found)
			}
		})
	}
}

// Publications need no superuser either.
func TestManagedPublisher(t *testing.T) {
	p, database, _ := managedClinic(t, "mpub_", publishingClinic, clinic)
	p = accepting(p, withoutSuperuser...)
	if found := findings(t, site.Connect(t, curator.CuratorName(p), database), p); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	site.RunScript(t, curator.PublisherName(p), database, "CREATE TABLE open.patients (sex text); GRANT SELECT ON open.patients TO mpub_ana")
	site.RunScript(t, "mpub_ana", database, "SELECT * FROM open.patients")
}

// neverAccepted break the promise outright: no policy can accept them, and no steward should be able to.
var neverAccepted = []string{
	"protected-privilege", "public-shows-rows", "analyst-attribute", "analyst-is-curator", "analyst-becomes-curator", "analyst-becomes-analyst",
	"analyst-predefined-role", "analyst-membership", "analyst-owns", "analyst-owns-code", "security-definer", "security-definer-called", "trigger-privileged",
	"event-trigger-privileged", "superuser-function", "superuser-catalog", "foreign-server", "foreign-key", "sequence", "schema-create", "database-create",
	"search-path", "analyst-setting", "server-configuration", "curator-setting", "curator-attribute", "curator-predefined-role", "curator-can-write",
	"row-security", "table-kind", "revealing-extension", "untrusted-language", "extended-statistics", "catalog-objects", "new-partitions", "replication-owner",
	"activity-counters", "curator-counted", "publisher-privilege", "others-become-publisher", "ledger-membership", "ledger-relation", "server-encoding",
}

// A name is that of one check, and those that can be accepted are of facts, never of rows. Each says in privacy.md what it costs.
func TestFindingNames(t *testing.T) {
	named := make(map[string]string)
	_, checks, _ := curator.SeparationChecks()
	for _, c := range checks {
		if c.Name == "" || named[c.Name] != "" {
			t.Errorf("%q has the name %q, as %q has", c.What, c.Name, named[c.Name])
		}
		named[c.Name] = c.What
	}
	page, err := os.ReadFile("../../docs/privacy.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range policy.AcceptableFindings() {
		if named[name] == "" {
			t.Errorf("there is no check %q", name)
		}
		if !strings.Contains(string(page), "| `"+name+"` |") {
			t.Errorf("docs/privacy.md does not say what %q costs", name)
		}
		if slices.Contains(neverAccepted, name) {
			t.Errorf("%q can be accepted", name)
		}
	}
	for _, name := range neverAccepted {
		for _, severity := range []string{"HIGH", "MED"} {
			if (curator.Finding{Name: name, Severity: severity}).Acceptable() {
				t.Errorf("%q can be accepted", name)
			}
		}
	}
	if (curator.Finding{Name: "table-sizes", Severity: "HIGH"}).Acceptable() {
		t.Error("what shows rows can be accepted")
	}
}
