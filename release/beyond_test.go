package release

import (
	"slices"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/site"
)

var visitsTable = policy.TableName{Schema: "clinic", Name: "visits"}

const unknownLeftOut = "; each person counts for at most 4 rows in 2 groups, and rows beyond that are left out (how many is not known); "

// TestBoundsAreTold fails if a notice, or EXPLAIN, is silent about rows that the bounds of a person leave out: 2 of the 6 visits of 100 persons,
// and 196 of the 200 of one. What is not bounded says nothing.
func TestBoundsAreTold(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, site.VisitsPolicy)
	d := w.open()
	for sql, told := range map[string]bool{
		"SELECT house, count(*) FROM clinic.visits GROUP BY house":                true,
		"SELECT count(*) FROM clinic.visits WHERE illness = 'flu'":                true,
		"SELECT house, count(DISTINCT patient) FROM clinic.visits GROUP BY house": true,
		"SELECT count(DISTINCT patient) FROM clinic.visits":                       false,
	} {
		_, receipt, err := w.ask(d, "ward_ana", sql)
		if err != nil || strings.Contains(receipt.Notice(), unknownLeftOut) != told || strings.Contains(receipt.Notice(), "each person") != told {
			t.Errorf("%s: %v, %v", sql, receipt, err)
		}
		e, err := w.explain(d, "ward_ana", sql)
		if err != nil || slices.Contains(e.Lines(), "  Bounds: "+strings.Trim(unknownLeftOut, "; ")) != told {
			t.Errorf("EXPLAIN %s: %v, %v", sql, e, err)
		}
	}
}

// TestUniquePersonsLoseNothing fails if rows are said, or measured at a price, to be left out of a table in which no person can have two.
func TestUniquePersonsLoseNothing(t *testing.T) {
	const schema = `CREATE SCHEMA clinic; CREATE TABLE clinic.visits (patient int PRIMARY KEY, house text NOT NULL, illness text, cost int NOT NULL DEFAULT 1);
		INSERT INTO clinic.visits SELECT p, 'north', 'flu' FROM generate_series(1, 100) AS p;`
	for _, bounds := range []string{"rows: 4, groups: 2, left-out: {epsilon: 400}", "rows: 1, groups: 1"} {
		text := strings.Replace(site.VisitsPolicy, "rows: 4, groups: 2", bounds, 1)
		w := newWardOf(t, schema, text)
		_, receipt, err := w.ask(w.open(), "ward_ana", "SELECT house, count(*) FROM clinic.visits GROUP BY house")
		if err != nil || strings.Contains(receipt.Notice(), "left out") || !strings.Contains(receipt.Notice(), "charged epsilon 100;") {
			t.Errorf("%s: %v, %v", bounds, receipt, err)
		}
	}
}

// TestLeftOutIsMeasured fails if what bounds leave out is told without being charged, is charged again, is charged beside answers that are free, or
// is not what is left out: 2 visits of each of 100 persons and 40, the most that is looked at, of one. The noise is that of 40 rows with
// epsilon 400, so that it is 0 but with a probability of 1e-4 for each; seeded.
func TestLeftOutIsMeasured(t *testing.T) {
	const measured = "{column: patient, rows: 4, groups: 2, left-out: {epsilon: 400}}"
	text := strings.Replace(site.VisitsPolicy, "{column: patient, rows: 4, groups: 2}", measured, 1)
	w := newWardOf(t, site.VisitsSchema, text)
	d := w.open()
	const about = "; each person counts for at most 4 rows in 2 groups, and about "
	const looked = " beyond that are left out (within ±0 with probability 95%; of one person at most 40 are looked at); "
	const counted, left = 100e9, 400e9
	for _, c := range []struct {
		sql, notice string
		charged     policy.Epsilon
	}{
		{"SELECT house, count(*) FROM clinic.visits GROUP BY house", about + "240 rows" + looked, counted + left},
		{"SELECT house, count(*) AS n FROM clinic.visits GROUP BY 1 ORDER BY 1", about + "240 rows" + looked, 0},
		{"SELECT house, count(*) FILTER (WHERE illness = 'flu') FROM clinic.visits GROUP BY house", about + "240 rows" + looked, counted}, // the same rows are left out
		{"SELECT count(*) FROM clinic.visits", about + "240 rows" + looked, counted + left},
		{"SELECT count(*) FROM clinic.visits WHERE illness = 'flu'", about + "0 rows" + looked, counted + left}, // four visits each
		{"SELECT house, count(DISTINCT patient) FROM clinic.visits GROUP BY house", about + "100 groups of persons" + looked, counted + left},
		{"SELECT count(DISTINCT patient) FROM clinic.visits", "", counted},
	} {
		before := w.charged(d, visitsTable)
		e, err := w.explain(d, "ward_ana", c.sql)
		if err != nil || e.Tables[0].Loss != (accountant.Loss{Epsilon: c.charged}) {
			t.Errorf("EXPLAIN %s: %+v, %v", c.sql, e, err)
		}
		_, receipt, err := w.ask(d, "ward_ana", c.sql)
		if err != nil || !strings.Contains(receipt.Notice(), c.notice) {
			t.Errorf("%s: %v, %v", c.sql, receipt, err)
		}
		if charged := w.charged(d, visitsTable).Epsilon - before.Epsilon; charged != c.charged {
			t.Errorf("%s: epsilon %v was charged, want %v", c.sql, charged, c.charged)
		}
	}
}

// TestLeftOutOfNoCells asks for groups that are known to be none: that is free, also where it would be measured what bounds leave out of them.
func TestLeftOutOfNoCells(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, strings.Replace(site.VisitsPolicy, "groups: 2}", "groups: 2, left-out: {epsilon: 400}}", 1))
	_, receipt, err := w.ask(w.open(), "ward_ana", "SELECT house, count(*) FROM clinic.visits WHERE house = 'nowhere' GROUP BY house")
	if err != nil || !strings.Contains(receipt.Notice(), "no cells") {
		t.Errorf("%v, %v", receipt, err)
	}
}

// TestLeftOutIsNotChargedLater asks for the measure of a policy that begins to want it: what was answered before stays free, and how much is
// left out of it unknown.
func TestLeftOutIsNotChargedLater(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, site.VisitsPolicy)
	d := w.open()
	const sql = "SELECT house, count(*) FROM clinic.visits GROUP BY house"
	w.mustAsk(d, "ward_ana", sql)
	before := w.charged(d, visitsTable)
	w.reload(d, strings.Replace(site.VisitsPolicy, "groups: 2}", "groups: 2, left-out: {epsilon: 400}}", 1))
	_, receipt, err := w.ask(d, "ward_ana", sql)
	if err != nil || !strings.Contains(receipt.Notice(), unknownLeftOut) || !strings.Contains(receipt.Notice(), "free (answered") {
		t.Errorf("%v, %v", receipt, err)
	}
	if after := w.charged(d, visitsTable); after != before {
		t.Errorf("%v was charged, %v before", after, before)
	}
}

// TestLeftOutOfOnePerson takes away the person with 200 visits, all but 40 of whose rows beyond the bounds make no difference: the measure falls by
// 40, which is what its noise is made for.
func TestLeftOutOfOnePerson(t *testing.T) {
	text := strings.Replace(site.VisitsPolicy, "groups: 2}", "groups: 2, left-out: {epsilon: 400}}", 1)
	w := newWardOf(t, site.VisitsSchema, text)
	d := w.open()
	for _, c := range []struct{ sql, left string }{
		{"SELECT count(*) FROM clinic.visits WHERE cost > 0", "about 240 rows"},
		{"SELECT count(*) FROM clinic.visits WHERE cost < 2", "about 200 rows"},
	} {
		_, receipt, err := w.ask(d, "ward_ana", c.sql)
		if err != nil || !strings.Contains(receipt.Notice(), c.left) {
			t.Errorf("%v, %v, want %s", receipt, err, c.left)
		}
		w.Exec("DELETE FROM clinic.visits WHERE patient = 1000")
	}
}
