package release

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tacit/accountant/ledger"
	"tacit/release/internal/audited"
	"tacit/release/internal/epoch"
	"tacit/release/internal/site"
	"tacit/release/seal"
	"tacit/rewrite/query"
)

// TestLaterEpochs seals a second and a third epoch. It fails if a batch that is too small is counted, if one that is large enough is not, if updates
// are taken for new people without the steward's word, or if what was released of people who went is forgotten.
func TestLaterEpochs(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	const blonde = "SELECT count(*), count(*) FILTER (WHERE gene) FROM clinic.carriers WHERE hair = 'blonde' AND eye = 'blue'"
	const red = "SELECT count(*), count(*) FILTER (WHERE gene) FROM clinic.carriers WHERE hair = 'white'"
	w.answers(d, blonde, "200 102")
	w.answers(d, red, "4 NULL")
	d.Close()

	// Two hundred more of one kind, which is enough, and one of a kind of his own, which is not, also not with others of the type.
	w.Exec(`INSERT INTO clinic.carriers SELECT 50000 + i, 'blonde', 'blue', 33, 'north', i <= 90 FROM generate_series(1, 200) AS i;
		INSERT INTO clinic.carriers VALUES (60000, 'white', 'blue', 20, 'north', true), (60001, 'green', 'blue', 20, 'north', true)`)
	sealed := w.seal(false)
	if sealed.Epoch != 2 || sealed.People != 2005 || sealed.Pending != 2 {
		t.Errorf("the second epoch is %+v", sealed)
	}
	d = w.open()
	w.answers(d, "SELECT hair, count(*) FROM clinic.carriers GROUP BY hair", "blonde 800", "black 601", "brown 600", "white 4")
	w.answers(d, blonde, "400 192")
	w.answers(d, red, "4 NULL")
	// Before and after differ by those who came, who are enough by themselves: their number follows.
	if r := w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde' AND eye = 'blue' AND age = 33 AND region = 'north'", "90"); r.Free != 1 {
		t.Errorf("%+v", r)
	}
	d.Close()

	// Somebody goes, and somebody comes: the same?
	w.Exec("UPDATE clinic.carriers SET gene = NOT gene WHERE id = 11001")
	if _, err := w.trySeal(false); err == nil || !strings.Contains(err.Error(), "use --distinct if they are different people") {
		t.Errorf("sealed an update: %v", err)
	}
	shown := 1 // before the second one
	stale := seal.Request{Table: carriers, Distinct: true, Epochs: &shown, Random: rand.Reader}
	if _, err := seal.OpenEpoch(t.Context(), w.Policy, stale); !errors.Is(err, seal.ErrSealedMeanwhile) {
		t.Errorf("sealed by a steward who knows of one epoch: %v", err)
	}
	sealed = w.seal(true)
	if sealed.Epoch != 3 || sealed.People != 2004 || sealed.Pending != 3 {
		t.Errorf("the third epoch is %+v", sealed)
	}
	d = w.open()
	// All but the one who went: he would be known from the difference.
	w.answers(d, blonde, "399 NULL")
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'black' AND eye = 'blue' AND age <> 99", "82")
	proof, err := seal.Replay(t.Context(), w.Policy.Ledger, carriers)
	if err != nil || len(proof.Differences) > 0 || proof.Epochs != 3 {
		t.Errorf("%+v, %v", proof, err)
	}
	w.decidedAs(proof)
}

// decidedAs compares the decisions, one by one, with what they come to.
func (w *ward) decidedAs(proof *seal.Proof) {
	w.T.Helper()
	l, err := ledger.OpenReadOnly(w.T.Context(), w.Policy.Ledger)
	if err != nil {
		w.T.Fatal(err)
	}
	defer l.Close()
	all, withheld, err := seal.Decisions(w.T.Context(), l, carriers, 1000)
	if err != nil {
		w.T.Fatal(err)
	}
	var cells []string
	for _, c := range withheld {
		cells = append(cells, fmt.Sprintf("%d %s: %d of %s, %s: %s", c.Event, c.Analyst, c.People, c.Who, c.Values, c.Reason))
	}
	want := []string{
		"8 ward_ana: 399 of hair blonde, eye blue, age 20 or 21 or 22 or 23 and 46 more, t: the answer would certainly tell too much",
	} // and not those of events 3 and 6, of epochs with other people
	if !slices.Equal(cells, want) || proof.Suppressed != 3 {
		w.T.Errorf("withheld cells are\n%s\nof %d, want\n%s", strings.Join(cells, "\n"), proof.Suppressed, strings.Join(want, "\n"))
	}
	var sum seal.Proof
	for _, d := range all {
		sum.Released, sum.Certified, sum.Free, sum.Suppressed = sum.Released+d.Released, sum.Certified+d.Certified, sum.Free+d.Free, sum.Suppressed+d.Suppressed
		if sum.Risk += d.Risk; d.Total != sum.Risk {
			w.T.Errorf("event %d: risk %v up to here, want %v", d.Event, d.Total, sum.Risk)
		}
		if d.Kind == "round" {
			sum.Rounds++
		}
	}
	if sum.Released != proof.Released || sum.Certified != proof.Certified || sum.Free != proof.Free || sum.Suppressed != proof.Suppressed || sum.Risk != proof.Risk || sum.Rounds != proof.Rounds {
		w.T.Errorf("the decisions come to %+v, want %+v", sum, proof)
	}
}

// TestAnchoredEpoch seals a table again to which nothing happened, so that only the newest seal is kept.
func TestAnchoredEpoch(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	w.Exec("CREATE TABLE clinic.unrelated (id int); INSERT INTO clinic.unrelated VALUES (1)")
	if sealed := w.seal(false); sealed.Epoch != 2 || sealed.People != 1805 {
		t.Errorf("%+v", sealed)
	}
	d := w.open()
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'brown'", "192")
	d.monitor.Mu.Lock()
	f := d.audited.Books[carriers].Facts
	d.monitor.Mu.Unlock()
	if len(f.Seals) != 1 {
		t.Errorf("%d seals are kept", len(f.Seals))
	}
}

// TestPrivateCategories audits a column of three values or NULL, of which totals are published, and refuses to seal it when it has others.
func TestPrivateCategories(t *testing.T) {
	text := strings.Replace(site.CarrierPolicy, "private: gene", "private: kind", 1)
	text = strings.Replace(text, "prior: {by: [hair], values: {blonde: 0.5, black: 0.4, brown: 0.3, white: 0.4}}", "prior: {by: [hair], least: 4}", 1)
	text = strings.Replace(text, "region: {}}", "region: {}, kind: {values: [a, b, c]}}", 1)
	w := newWardOf(t, site.CarrierSchema+"ALTER TABLE clinic.carriers ADD kind text; UPDATE clinic.carriers SET kind = (ARRAY['a', 'b', 'c', NULL])[1 + id * 7919 % 101 % 4]", text)
	sealed := w.seal(false)
	if len(sealed.Types) != 4 || len(sealed.Types[0].Values) != 4 || sealed.Types[0].Values[3] != "NULL" {
		t.Errorf("%+v", sealed)
	}
	d := w.open()
	cells, receipt, err := w.ask(d, "ward_ana", "SELECT hair, kind, count(*) FROM clinic.carriers WHERE hair <> 'white' GROUP BY 1, 2")
	if err != nil {
		t.Fatal(err)
	}
	if audit := receipt.Lines[0].Audit; audit.Free != 12 {
		t.Errorf("published totals are %+v:\n%s", audit, strings.Join(shown(cells[0]), "\n"))
	}
	cells, receipt, err = w.ask(d, "ward_ana", "SELECT eye, kind, count(*), count(kind) FROM clinic.carriers WHERE hair = 'brown' GROUP BY 1, 2")
	if err != nil {
		t.Fatal(err)
	}
	if rows := shown(cells[0]); rows[0] != "black a 51 51" || rows[3] != "black - 49 0" || receipt.Lines[0].Audit.Public != 3 {
		t.Errorf("%s:\n%s", receipt.Notice(), strings.Join(rows, "\n"))
	}
	d.Close()
	w.Exec("UPDATE clinic.carriers SET kind = 'd' WHERE id = 5")
	if _, err := w.trySeal(true); err == nil || !strings.Contains(err.Error(), "values that the policy does not declare") {
		t.Errorf("%v", err)
	}
}

// TestSmallTypesAreNotPublished fails if totals of types with few people are published without the policy's word, or if it is not told which.
func TestSmallTypesAreNotPublished(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for prior, want := range map[string]string{
		"prior: {by: [hair, age]}":      "fewer than 1000 people would be published",
		"prior: {by: [hair], least: 5}": "hair=white (4); name fewer columns",
		"prior: {by: [hair], least: 4}": "",
		"prior: {by: []}":               "",
		"prior: {by: [age], least: 20}": "age=99 (1)",
	} {
		_, err := newCarriersOf(t, prior, "delta: 0.2").trySeal(false)
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", prior, err)
		}
	}
}

// TestSmallTotalsAreNotPublished has types that are large, with a value that few people of one have, or nobody. It fails if that is published
// without the steward's word, or if the refusal tells the total.
func TestSmallTotalsAreNotPublished(t *testing.T) {
	w := newCarriersOf(t, "prior: {by: [hair], least: 1000}", "delta: 0.2")
	w.Exec(many)
	w.Exec("UPDATE clinic.carriers SET gene = id = 1200007 WHERE hair = 'black'")
	_, err := w.trySeal(false)
	var small *seal.SmallTotalsError
	if !errors.As(err, &small) || small.Below != 100 || len(small.Totals) != 1 || small.Totals[0] != "hair=black: t" {
		t.Fatalf("%v", err)
	}
	if _, err := seal.Replay(context.Background(), w.Policy.Ledger, carriers); err == nil {
		t.Error("an epoch was opened")
	}
	w.Exec("UPDATE clinic.carriers SET gene = false WHERE hair = 'black'")
	if _, err := w.trySeal(false); !errors.As(err, &small) {
		t.Errorf("nobody has the value: %v", err)
	}
	if _, err := seal.OpenEpoch(context.Background(), w.Policy, seal.Request{Table: carriers, PublishSmall: true, Random: rand.Reader}); err != nil {
		t.Errorf("with the steward's word: %v", err)
	}
}

// TestUpdatesOverTwoSeals deletes people before one seal, and inserts them with other values before the next. It fails if they are taken for
// new people without the steward's word, or if a group of whom all went is still shown.
func TestUpdatesOverTwoSeals(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	w := newCarriers(t)
	w.seal(false)
	w.Exec("CREATE TABLE clinic.hold AS SELECT * FROM clinic.carriers WHERE hair = 'brown'; DELETE FROM clinic.carriers WHERE hair = 'brown'")
	if sealed := w.seal(false); sealed.People != 1205 || sealed.Types[0].People+sealed.Types[1].People+sealed.Types[2].People+sealed.Types[3].People != 1205 {
		t.Errorf("%+v", sealed)
	}
	d := w.open()
	w.answers(d, "SELECT hair, count(*) FROM clinic.carriers GROUP BY hair", "blonde 600", "black 601", "white 4")
	w.answers(d, "SELECT hair, eye, count(*) FROM clinic.carriers WHERE hair >= 'brown' GROUP BY hair, eye", "white red 4")
	d.Close()
	w.Exec("INSERT INTO clinic.carriers SELECT id, hair, eye, age, region, NOT gene FROM clinic.hold")
	if _, err := w.trySeal(false); err == nil || !strings.Contains(err.Error(), "600 people went, now or before earlier epochs, and 600 came") {
		t.Errorf("sealed: %v", err)
	}
}

// TestTypesOfLatecomers has people come of types that nobody was of, one of which has the name of one that somebody was. It fails if they are
// counted with a prior that is not theirs, or if it is not told that they wait in vain.
func TestTypesOfLatecomers(t *testing.T) {
	text := strings.Replace(site.CarrierPolicy, "prior: {by: [hair], values: {blonde: 0.5, black: 0.4, brown: 0.3, white: 0.4}}", "prior: {by: [eye], values: {blue: 0.4, '*': 0.4}}", 1)
	w := newWardOf(t, site.CarrierSchema, text)
	if sealed := w.seal(false); len(sealed.Types) != 4 {
		t.Fatalf("%+v", sealed)
	}
	w.Exec("INSERT INTO clinic.carriers SELECT 1000000 + i, 'black', 'NULL', 30, 'north', true FROM generate_series(1, 5000) AS i; INSERT INTO clinic.carriers SELECT 2000000 + i, 'black', NULL, 30, 'north', i % 10 < 4 FROM generate_series(1, 5000) AS i")
	sealed := w.seal(false)
	if sealed.Pending != 5000 || sealed.Untyped != 5000 || sealed.People != 6805 {
		t.Errorf("%+v", sealed)
	}
	for _, kind := range sealed.Types {
		if want := map[string]int64{"eye=blue": 601, "eye=black": 600, "eye=NULL": 5600, "eye=red": 4}[kind.Name]; kind.People != want {
			t.Errorf("%s: %d people", kind.Name, kind.People)
		}
	}
}

// TestMoreRowsThanSealed has a unit with more rows than it had. It fails if somebody is said to have come or gone.
func TestMoreRowsThanSealed(t *testing.T) {
	value := func(text string) query.Value { return query.Value{Text: text} }
	f := &epoch.PublicFacts{
		Columns: []string{"hair"}, Values: []query.Value{value("f"), value("t")}, Tuples: [][]query.Value{{value("black")}},
		Units: []epoch.Unit{{Tuple: 0, People: 10, First: 1, Last: 1}}, Seals: []string{"700", "900"},
	}
	sealed := &seal.SealedTable{Seal: "950", Rows: []epoch.UnitRow{{Tuple: f.Tuples[0], Value: f.Values[0], Band: 1, N: 11}}}
	if _, err := seal.NewChange(&audited.Book{Facts: f}, sealed, 100); err != seal.ErrMoreRows {
		t.Errorf("%v", err)
	}
}
