package release

import (
	"context"
	"strings"
	"testing"

	"tacit/release/internal/site"
)

const enumSchema = `
CREATE SCHEMA clinic;
CREATE TYPE clinic.triage AS ENUM ('red', 'amber', 'green');
CREATE TYPE clinic."Odd Type" AS ENUM ('it''s', 'A');
CREATE FUNCTION clinic.spy(clinic.triage) RETURNS text LANGUAGE sql AS 'SELECT NULL::text';
CREATE CAST (clinic.triage AS text) WITH FUNCTION clinic.spy(clinic.triage);
CREATE TABLE clinic.stays (id int, triage clinic.triage, odd clinic."Odd Type" NOT NULL, first clinic.triage NOT NULL);
INSERT INTO clinic.stays SELECT i, (ARRAY['red', 'green', NULL])[1 + i % 3]::clinic.triage, (ARRAY['A', 'it''s'])[1 + i % 2]::clinic."Odd Type", 'amber' FROM generate_series(1, 60) AS i;
`

const enumPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://ward_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:ward.db
auth: trust
analysts: {ward_ana: {}}
tables:
  clinic.stays:
    person: row
    mechanism: {kind: geometric, epsilon: 20}
    budget: {epsilon: 10000}
    derive: false
    columns: {triage: {}, odd: {}, first: {values: [green, amber]}}
`

// TestEnums counts by columns of enum types. It fails if labels are no known values, in their order; if a cast of somebody's own is run by the curator;
// or if a condition counts other rows than PostgreSQL's.
func TestEnums(t *testing.T) {
	w := newWardOf(t, enumSchema, enumPolicy)
	d := w.open()
	for _, c := range []struct{ sql, cells string }{
		{"SELECT triage, count(*) FROM clinic.stays GROUP BY triage", "red 20 \namber 0 \ngreen 20 \nNULL 20 \n"},
		{"SELECT odd, count(*) FROM clinic.stays GROUP BY odd", "it's 30 \nA 30 \n"},
		{"SELECT first, count(*) FROM clinic.stays GROUP BY first", "green 0 \namber 60 \n"},
		{"SELECT triage::text, count(*) FROM clinic.stays WHERE triage IS NOT NULL GROUP BY 1", "amber 0 \ngreen 20 \nred 20 \n"},
		{"SELECT odd, count(*) FROM clinic.stays WHERE triage = 'red' GROUP BY odd", "it's 10 \nA 10 \n"},
		{"SELECT count(*) FROM clinic.stays WHERE triage IN ('red', 'green')", "40 \n"},
		{"SELECT count(*) FROM clinic.stays WHERE triage <> 'red'", "20 \n"},
		{"SELECT count(*) FROM clinic.stays WHERE triage = ANY ('{red,amber}')", "20 \n"},
		{"SELECT count(*) FROM clinic.stays WHERE triage IS DISTINCT FROM 'red'", "40 \n"},
		{"SELECT count(*) FROM clinic.stays WHERE triage = first", "0 \n"},
		{"SELECT count(triage), count(DISTINCT triage) FROM clinic.stays", "40 2 \n"},
		{"SELECT triage, count(*) FROM clinic.stays WHERE triage = 'amber' OR triage IS NULL GROUP BY triage", "amber 0 \nNULL 20 \n"},
		{"SELECT CASE WHEN triage = 'red' THEN 'now' ELSE 'later' END, count(*) FROM clinic.stays GROUP BY 1", "later 40 \nnow 20 \n"},
		{"SELECT coalesce(triage::text, 'none'), count(*) FROM clinic.stays GROUP BY 1", "amber 0 \ngreen 20 \nnone 20 \nred 20 \n"},
		{"SELECT count(*) FROM clinic.stays WHERE triage::text LIKE '%r%'", "40 \n"},
	} {
		cells, receipt, err := w.ask(d, "ward_ana", c.sql)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if got := cellText(cells[0]); got != c.cells || receipt.Lines[0].Threshold != 0 {
			t.Errorf("%s: threshold %d\n%s", c.sql, receipt.Lines[0].Threshold, got)
		}
	}
}

// TestLabelsAreAdded adds a label to an enum. It fails if it is not shown from the next look at the catalog on, or if the answers of before are repeated.
func TestLabelsAreAdded(t *testing.T) {
	w := newWardOf(t, enumSchema, enumPolicy)
	d := w.open()
	const sql = "SELECT triage, count(*) FROM clinic.stays GROUP BY triage"
	w.cells(d, sql)
	version := d.Catalog().Version
	w.Exec("ALTER TYPE clinic.triage ADD VALUE 'blue' BEFORE 'green'")
	if err := d.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	if d.Catalog().Version == version {
		t.Error("the catalog counts as the one before")
	}
	if got := w.outcome(d, "ward_ana", sql); got.receipt.Lines[0].New != 1 || !strings.Contains(got.cells, "blue 0 \ngreen 20") {
		t.Errorf("%s\n%s", got.receipt.Lines[0], got.cells)
	}
	w.Exec("ALTER TYPE clinic.triage RENAME VALUE 'amber' TO 'yellow'")
	if err := d.Refresh(context.Background()); err == nil || !strings.Contains(err.Error(), "amber") {
		t.Errorf("a declared value that is no label any more: %v", err)
	}
}

// TestAuditedEnums audits a private column, and a public one, of enum types. It fails if anything is released or suppressed that is not of texts
// (TestVectorsFallApart).
func TestAuditedEnums(t *testing.T) {
	text := strings.NewReplacer("private: gene", "private: kind", "values: {blonde: 0.5, black: 0.4, brown: 0.3, white: 0.4}", `values: {"*": {a: 0.5, b: 0.49, c: 0.01}}`,
		"region: {}}", "region: {}, kind: {values: [a, b, c]}}", "hair: {values: [blonde, black, brown, white]}", "hair: {}").Replace(site.CarrierPolicy)
	const kinds = `CREATE TYPE clinic.kind AS ENUM ('a', 'b', 'c'); CREATE TYPE clinic.hair AS ENUM ('blonde', 'black', 'brown', 'white');
		ALTER TABLE clinic.carriers ADD kind clinic.kind, ALTER hair TYPE clinic.hair USING hair::clinic.hair;
		UPDATE clinic.carriers SET kind = (CASE WHEN id % 100 = 7 THEN 'c' WHEN id % 2 = 0 THEN 'a' ELSE 'b' END)::clinic.kind; ALTER TABLE clinic.carriers ALTER kind SET NOT NULL`
	w := newWardOf(t, site.CarrierSchema+kinds, text)
	w.seal(false)
	d := w.open()
	r := w.answers(d, "SELECT kind, count(*) FROM clinic.carriers WHERE hair = 'brown' GROUP BY kind", "a NULL", "b 294", "c NULL")
	if r.Released != 1 || r.Suppressed != 2 {
		t.Errorf("%+v", r)
	}
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE kind IN ('a', 'c') AND hair = 'brown'", "306")
}
