package draft_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/draft"
	"tacit/release/internal/site"
)

func TestMain(m *testing.M) { site.Main(m) }

// ward has every kind of column that a draft knows something of. Its rows contradict nothing, and no constraint but the declared ones.
const ward = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.regions (region text PRIMARY KEY);
CREATE TABLE clinic.insurers (code integer PRIMARY KEY);
CREATE TYPE clinic.mood AS ENUM ('bad', 'good');
CREATE TABLE clinic.patients (
    id integer PRIMARY KEY,
    region text REFERENCES clinic.regions,
    insurer integer REFERENCES clinic.insurers,
    sex varchar(1) CHECK (sex IN ('F', 'M')),
    "Smokes; now" text CHECK ("Smokes; now" = 'no' OR "Smokes; now" = 'it''s "yes"' OR "Smokes; now" = 'null'),
    age integer CHECK (age BETWEEN 0 AND 120),
    height smallint CHECK (height > -1) CHECK (height < 300),
    admitted date CHECK (admitted >= '2020-01-01' AND admitted < '2027-01-01'),
    insured boolean,
    mood clinic.mood,
    weight numeric CHECK (weight > 0),
    paid numeric(10,2),
    price numeric(8,2) CHECK (price >= 0 AND price <= 999.5),
    ratio double precision CHECK (ratio BETWEEN '-1'::double precision AND 1),
    seen timestamp CHECK (seen >= '2020-01-01' AND seen < '2027-01-01'),
    left_at timestamptz CHECK (left_at >= '2020-01-01 08:00:00+02' AND left_at <= '2026-12-31 20:30:00Z'),
    salary integer CHECK (salary BETWEEN 0 AND 1000000),
    born date CHECK (born > '1900-01-01'),
    odd integer CHECK (odd BETWEEN 0 AND 9 OR odd = 99),
    code text CHECK (lower(code) IN ('a', 'b')),
    picture bytea,
    diagnosis text);
INSERT INTO clinic.patients (id, diagnosis, sex) VALUES (1, 'a rare disease', 'F');
ANALYZE clinic.patients;
CREATE TABLE clinic.visits (patient integer NOT NULL REFERENCES clinic.patients, ward text CHECK (ward IN ('A', 'B')) NOT NULL);
`

// describe is what init reads of a database with the ward.
func describe(t *testing.T, names ...string) (curator.Place, []curator.Described) {
	t.Helper()
	database := site.Cluster.CreateDatabase(t)
	site.RunScript(t, "postgres", database, ward)
	var tables []policy.TableName
	for _, name := range names {
		tables = append(tables, policy.TableName{Schema: "clinic", Name: name})
	}
	place, described, err := curator.Describe(context.Background(), site.Cluster.URL("postgres", database), tables)
	if err != nil {
		t.Fatal(err)
	}
	return place, described
}

var regions = []policy.TableName{{Schema: "clinic", Name: "regions"}}

// The draft says what the constraints say, and nothing that only rows tell.
func TestDraft(t *testing.T) {
	_, described := describe(t, "patients", "visits")
	got := draft.Policy(curator.Place{Host: "db.example", Port: 5432, Database: "hospital"}, described, regions)
	want, err := os.ReadFile("testdata/ward.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(got, "rare") {
		t.Error("a value of a row is in the draft")
	}
}

// With its marks filled a draft is a policy, and that fits the database.
func TestDraftCanBeUsed(t *testing.T) {
	place, described := describe(t, "patients", "visits")
	text := draft.Policy(place, described, regions)
	if _, err := policy.Parse("draft.yaml", []byte(text)); err == nil {
		t.Error("a draft is a valid policy before its marks are filled")
	}
	text = strings.NewReplacer("  FILL: {}", "  draft_ana: {}", "person: FILL", "person: row", "epsilon: FILL}      #", "epsilon: 0.5}      #", "{epsilon: FILL}", "{epsilon: 10}",
		"tacit_curator", "draft_curator").Replace(text)
	p, err := policy.Parse("draft.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	site.RunScript(t, "postgres", place.Database, curator.HardeningSQL(p))
	t.Cleanup(func() {
		site.RunScript(t, "postgres", place.Database, "DROP OWNED BY draft_ana, draft_curator; DROP ROLE draft_ana, draft_curator")
	})
	found, err := curator.CheckSeparation(context.Background(), site.Connect(t, "draft_curator", place.Database), p)
	if err != nil || len(found) > 0 {
		t.Errorf("%v, %v\n%s", err, found, text)
	}
}

// Names that the server allows stay names in a draft.
func TestDraftQuotes(t *testing.T) {
	name := policy.TableName{Schema: "The clinic", Name: "a.b"}
	described := []curator.Described{{Name: name, Columns: []curator.DescribedColumn{
		{Name: "yes: no # x", Class: curator.Boolean},
		{Name: "a\n\u0085b", Class: curator.Boolean},
		{Name: "null", Class: curator.OtherCountable, Checks: []string{`("null" = ANY (ARRAY['null'::text, '~'::text, '#'::text, 'a, b'::text, ']'::text]))`}},
		{Name: "x", Class: curator.Uncountable, Type: "public.\"t\n  evil: {}\""},
	}}}
	place := curator.Place{Host: "/run/postgresql", Port: 5433, Database: "my data"}
	text := strings.NewReplacer("  FILL: {}", "  ana: {}", "person: FILL", "person: row", "epsilon: FILL}      #", "epsilon: 0.5}      #", "{epsilon: FILL}", "{epsilon: 10}").
		Replace(draft.Policy(place, described, nil))
	p, err := policy.Parse("draft.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want := []policy.Column{
		{Name: "yes: no # x", Domain: policy.Domain{Values: []string{"false", "true"}}},
		{Name: "null", Domain: policy.Domain{Values: []string{"null", "~", "#", "a, b", "]"}}},
	}
	if diff := cmp.Diff(want, p.Tables[0].Columns); diff != "" || p.Tables[0].Name != name {
		t.Errorf("%v: %s\n%s", p.Tables[0].Name, diff, text)
	}
}

// Describe refuses what cannot be protected.
func TestDescribeRefuses(t *testing.T) {
	database := site.Cluster.CreateDatabase(t)
	site.RunScript(t, "postgres", database, "CREATE VIEW public.v AS SELECT 1 AS x")
	for name, want := range map[string]string{"v": "is no ordinary table", "w": "does not exist"} {
		_, _, err := curator.Describe(context.Background(), site.Cluster.URL("postgres", database), []policy.TableName{{Schema: "public", Name: name}})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("table public.%s: %s", name, want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
