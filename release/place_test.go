package release

import (
	"strings"
	"testing"

	"tacit/release/internal/epoch"
	"tacit/release/internal/site"
	"tacit/release/seal"
)

// TestEpochElsewhere puts another table, or another server, where an epoch was sealed. It fails if counts of that are answered or sealed as if
// they were the epoch's, though old numbers of transactions say that its rows are.
func TestEpochElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const released, fresh = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'black' AND eye = 'blue'"
	for _, c := range []struct {
		name string
		move func(w *ward, f *epoch.PublicFacts)
	}{
		{"another table", func(w *ward, f *epoch.PublicFacts) {
			w.Exec("DROP TABLE clinic.carriers; ALTER TABLE clinic.staging RENAME TO carriers")
			w.Harden(w.Policy)
		}},
		{"a column made anew", func(w *ward, f *epoch.PublicFacts) {
			w.Exec("ALTER TABLE clinic.carriers ADD gene2 boolean NOT NULL DEFAULT true; ALTER TABLE clinic.carriers DROP gene; ALTER TABLE clinic.carriers RENAME gene2 TO gene")
			w.Harden(w.Policy)
		}},
		{"another system", func(w *ward, f *epoch.PublicFacts) { f.Place.System += "0" }},
		{"another timeline", func(w *ward, f *epoch.PublicFacts) { f.Place.Timeline += "0" }},
		{"another database", func(w *ward, f *epoch.PublicFacts) { f.Place.Database += "0" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWardOf(t, site.CarrierSchema+"CREATE TABLE clinic.staging (LIKE clinic.carriers INCLUDING ALL); INSERT INTO clinic.staging SELECT * FROM clinic.carriers;", site.CarrierPolicy)
			w.seal(false)
			d := w.open()
			w.answers(d, released, "312")
			d.monitor.Mu.Lock()
			f := d.audited.Books[carriers].Facts
			d.monitor.Mu.Unlock()
			c.move(w, f)
			if err := d.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.answers(d, released, "312")
			w.refuses(d, fresh, "epoch of table clinic.carriers is over")
			d.Close()
			if strings.HasPrefix(c.name, "another table") || strings.HasPrefix(c.name, "a column") {
				if _, err := w.trySeal(true); err == nil || !strings.Contains(err.Error(), seal.ErrSealedElsewhere.Error()) {
					t.Errorf("sealed: %v", err)
				}
			}
		})
	}
}

// TestPartitionsOfAnEpoch takes a partition of an epoch away, and attaches others. It fails if their rows, written before the seal, are taken for
// people of the epoch.
func TestPartitionsOfAnEpoch(t *testing.T) {
	schema := strings.Replace(site.CarrierSchema, "gene boolean NOT NULL);", "gene boolean NOT NULL) PARTITION BY LIST (region);\n"+
		"CREATE TABLE clinic.p_north PARTITION OF clinic.carriers FOR VALUES IN ('north'); CREATE TABLE clinic.p_south PARTITION OF clinic.carriers FOR VALUES IN ('south');", 1)
	schema = strings.Replace(schema, "id int PRIMARY KEY", "id int", 1) +
		"CREATE TABLE clinic.more (id int, hair text NOT NULL, eye text, age int NOT NULL, region text NOT NULL, gene boolean NOT NULL); INSERT INTO clinic.more SELECT 1000000+i, 'black', 'blue', 30, 'east', true FROM generate_series(1,300) i;"
	w := newWardOf(t, schema, site.CarrierPolicy)
	w.seal(false)
	w.Exec("ALTER TABLE clinic.carriers ATTACH PARTITION clinic.more FOR VALUES IN ('east')")
	w.Harden(w.Policy)
	d := w.open()
	w.refuses(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "epoch of table clinic.carriers is over")
	d.Close()
	if _, err := w.trySeal(true); err == nil || !strings.Contains(err.Error(), "a partition was attached that holds rows older than the last epoch") {
		t.Errorf("sealed: %v", err)
	}
	w.Exec("ALTER TABLE clinic.carriers DETACH PARTITION clinic.more; DROP TABLE clinic.more; CREATE TABLE clinic.more PARTITION OF clinic.carriers FOR VALUES IN ('east')")
	w.Exec("INSERT INTO clinic.carriers SELECT 1000000+i, 'black', 'blue', 30, 'east', true FROM generate_series(1,300) i")
	w.Harden(w.Policy)
	if sealed := w.seal(false); sealed.People != 2105 || sealed.Epoch != 2 {
		t.Errorf("%+v", sealed)
	}
	w.answers(w.open(), "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
}
