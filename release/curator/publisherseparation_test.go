package curator_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/release/curator"
	"tacit/release/internal/site"
)

// publishingClinic is clinicPolicy with publications.
var publishingClinic = strings.NewReplacer(
	"ledger:", "  publisher: postgres://sep_publisher@127.0.0.1:5432/clinic\nledger:",
	"budget: {epsilon: 10}\n    columns:\n", "budget: {epsilon: 10, releases: 5}\n    columns:\n",
).Replace(clinicPolicy) + `
publications:
  open.patients: {of: clinic.patients, kind: k-anonymity, quasi: [sex, age], k: 5, accept: no-guarantee}
  '"Open ''data''"."The patients"': {of: clinic.patients, kind: swapping, quasi: [sex, age], rate: 0.5, accept: no-guarantee}
`

const (
	publisherReaches = "publisher can become a role that may do what a publisher may not"
	becomesPublisher = "somebody can become the publisher"
	publisherReads   = "publisher has a privilege on what holds or shows protected rows"
	publisherOwns    = "publisher owns what protected rows depend on"
	cannotPublish    = "publisher cannot publish"
	changesPublished = "analyst can change a publication"
	publisherIsOther = "publisher is the curator or an analyst"
)

var publisherHoles = []hole{
	{name: "no role", plant: `DROP OWNED BY sep_publisher; DROP ROLE sep_publisher`,
		what: "publisher has no role in the database server", detail: "sep_publisher"},
	{name: "no login", plant: `ALTER ROLE sep_publisher NOLOGIN`, what: "publisher cannot log in to this database", detail: "sep_publisher"},
	{name: "superuser", plant: `ALTER ROLE sep_publisher SUPERUSER`, what: "publisher has a role attribute", detail: "sep_publisher is SUPERUSER"},
	{name: "makes roles", plant: `ALTER ROLE sep_publisher CREATEROLE`, what: "publisher has a role attribute", detail: "sep_publisher is CREATEROLE"},
	{name: "in the curator's role", plant: `GRANT sep_curator TO sep_publisher`, what: publisherReaches, detail: "sep_publisher can become sep_curator by membership in sep_curator"},
	{name: "in the curator's role through another", plant: `CREATE ROLE sep_staff NOINHERIT; GRANT sep_curator TO sep_staff; GRANT sep_staff TO sep_publisher`,
		what: publisherReaches, detail: "sep_publisher can become sep_curator by membership in sep_staff"},
	{name: "in an analyst's role", plant: `GRANT sep_ana TO sep_publisher`, what: publisherReaches, detail: "sep_publisher can become sep_ana"},
	{name: "in a predefined role", plant: `GRANT pg_read_all_data TO sep_publisher`, what: publisherReaches, detail: "pg_read_all_data"},
	{name: "in a superuser's role", plant: `CREATE ROLE sep_boss SUPERUSER; GRANT sep_boss TO sep_publisher`, what: publisherReaches, detail: "sep_boss"},
	{name: "analyst in its role", plant: `GRANT sep_publisher TO sep_bob`, what: becomesPublisher, detail: "sep_bob by membership in sep_publisher"},
	{name: "curator in its role", plant: `CREATE ROLE sep_staff NOINHERIT; GRANT sep_publisher TO sep_staff; GRANT sep_staff TO sep_curator`,
		what: becomesPublisher, detail: "sep_curator by membership in sep_staff"},
	{name: "reads a protected table", plant: `GRANT SELECT ON clinic.patients TO sep_publisher`, what: publisherReads, detail: "SELECT on clinic.patients: sep_publisher"},
	{name: "reads a column", plant: `GRANT SELECT (age) ON clinic.patients TO sep_publisher`, what: publisherReads, detail: "SELECT on clinic.patients: sep_publisher"},
	{name: "writes a protected table", plant: `GRANT INSERT, TRUNCATE ON clinic.patients TO sep_publisher`, what: publisherReads, detail: "INSERT, TRUNCATE on clinic.patients"},
	{name: "reads a partition", plant: `GRANT SELECT ON clinic.visits_old TO sep_publisher`, what: publisherReads, detail: "clinic.visits_old (rows of clinic.visits)"},
	{name: "reads a view", plant: `CREATE VIEW clinic.v AS SELECT * FROM clinic.patients; GRANT SELECT ON clinic.v TO sep_publisher`, what: publisherReads, detail: "clinic.v"},
	{name: "reads by a role without inheritance", plant: `CREATE ROLE sep_staff; GRANT SELECT ON clinic.patients TO sep_staff; ALTER ROLE sep_publisher NOINHERIT; GRANT sep_staff TO sep_publisher`,
		what: publisherReads, detail: "sep_publisher by membership in sep_staff"},
	{name: "owns a protected table", plant: `ALTER TABLE clinic.patients OWNER TO sep_publisher`, what: publisherOwns, detail: "owner of clinic.patients: sep_publisher"},
	{name: "owns the schema", plant: `ALTER SCHEMA clinic OWNER TO sep_publisher`, what: publisherOwns, detail: "owner of schema clinic"},
	{name: "no schema", plant: `DROP SCHEMA open`, what: cannotPublish, detail: "there is no schema open"},
	{name: "no CREATE", plant: `ALTER SCHEMA open OWNER TO postgres; REVOKE ALL ON SCHEMA open FROM sep_publisher`, what: cannotPublish, detail: "may not create tables in schema open"},
	{name: "no TEMPORARY", plant: `REVOKE TEMPORARY ON DATABASE {db} FROM sep_publisher, PUBLIC`, what: cannotPublish, detail: "may not create temporary tables"},
	{name: "analyst makes tables beside publications", plant: `GRANT CREATE ON SCHEMA open TO sep_bob`, what: createsAmongOthers, detail: "CREATE in schema open: sep_bob"},
	{name: "analyst owns the schema of publications", plant: `ALTER SCHEMA open OWNER TO sep_bob; REVOKE ALL ON SCHEMA open FROM sep_bob`, what: changesPublished, detail: "owner of schema open: sep_bob"},
	{name: "analyst owns a publication", plant: `CREATE TABLE open.patients (x integer); ALTER TABLE open.patients OWNER TO sep_bob`, what: changesPublished, detail: "owner of open.patients: sep_bob"},
	{name: "analyst writes to a publication", plant: `CREATE TABLE open.patients (x integer); GRANT UPDATE ON open.patients TO sep_bob`, what: changesPublished, detail: "UPDATE on open.patients: sep_bob"},
	{name: "everybody writes to a publication", plant: `CREATE TABLE open.patients (x integer); GRANT INSERT (x) ON open.patients TO PUBLIC`, what: changesPublished, detail: "INSERT on open.patients",
		kept: "the privilege on a column is withdrawn with that on the table"},
	{name: "is the curator", plant: ``, what: publisherIsOther, detail: "sep_publisher"},
}

// TestSeparationOfThePublisher is TestSeparationFindsHoles for a policy with publications.
func TestSeparationOfThePublisher(t *testing.T) {
	roles := rolesNamed("pub_")
	p := parsePolicy(t, roles.Replace(publishingClinic))
	database := hardenedClinic(t, p)
	super := site.Connect(t, "postgres", database)
	for range 2 {
		if found := findings(t, site.Connect(t, curator.CuratorName(p), database), p); len(found) > 0 {
			t.Fatalf("after hardening: %v", found)
		}
		site.RunScript(t, "postgres", database, curator.HardeningSQL(p))
	}
	for i, h := range publisherHoles {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			detail := roles.Replace(h.detail)
			if h.what == publisherIsOther { // the curator is who is logged in
				if found := findings(t, site.Connect(t, curator.PublisherName(p), database), p); named(found, h.what, detail) == nil {
					t.Errorf("not found: %s\nfound: %v", h.what, found)
				}
				return
			}
			inTransaction(t, super, strings.ReplaceAll(roles.Replace(h.plant), "{db}", database), func(tx pgx.Tx) {
				testHole(t, tx, p, h.what, detail, h.kept != "" || untried(i))
			})
		})
	}
}

// TestPublisherRaisesNoFalseAlarm fails if what a publisher needs, or has anyway, were found.
func TestPublisherRaisesNoFalseAlarm(t *testing.T) {
	p := parsePolicy(t, publishingClinic)
	database := hardenedClinic(t, p)
	super := site.Connect(t, "postgres", database)
	for name, sql := range map[string]string{
		"a publication":      `CREATE TABLE open.patients (x integer); ALTER TABLE open.patients OWNER TO sep_publisher; GRANT SELECT ON open.patients TO sep_ana, sep_bob`,
		"a harmless role":    `CREATE ROLE sep_staff; GRANT SELECT ON clinic.wards TO sep_staff; GRANT sep_staff TO sep_publisher`,
		"somebody's schema":  `ALTER SCHEMA open OWNER TO postgres; GRANT USAGE, CREATE ON SCHEMA open TO sep_publisher`,
		"a view for analyst": `CREATE TABLE open.patients (x integer); GRANT SELECT ON open.patients TO sep_ana; CREATE VIEW sep_ana.v AS SELECT * FROM open.patients`,
	} {
		t.Run(name, func(t *testing.T) {
			inTransaction(t, super, sql, func(tx pgx.Tx) {
				if found := checkAs(t, tx, p, ""); len(found) > 0 {
					t.Errorf("found %v", found)
				}
			})
		})
	}
}
