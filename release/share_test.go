package release

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// percent asks for counts within so many hundredths of how many there are in all.
func percent(n policy.Share) func(*reply.Request) {
	return func(r *reply.Request) { r.Within = query.Exactness{Share: n * policy.OneShare / 100} }
}

// shareTold is what a notice says of a share: the number that it is of, and what it comes to.
func shareTold(t *testing.T, line reply.ReceiptLine) (total, rows int64) {
	t.Helper()
	found := regexp.MustCompile(`; asked for [0-9.]+% of (-?[0-9]+) (?:rows|persons) \([^()]*\) = ([0-9]+); `).FindStringSubmatch(line.String())
	if found == nil {
		t.Fatalf("the notice tells of no share: %s", line)
	}
	total, _ = strconv.ParseInt(found[1], 10, 64)
	rows, _ = strconv.ParseInt(found[2], 10, 64)
	return total, rows
}

// TestShareOfRecordedTotal: a share is of the number that was answered before, and charged is the least loss for what it comes to. Without such a number it
// is refused and the number itself is answered as without the setting. It fails if the loss is found by the true number, or the number is not told.
func TestShareOfRecordedTotal(t *testing.T) {
	w := choosing(t, "geometric", "zcdp")
	d := w.open()
	const sql = "SELECT sex, count(*) FROM clinic.people WHERE age < 50 GROUP BY sex"
	r := w.refusedAsking(d, percent(2), sql)
	if r.Message != "tacit.within is 2% of the number of rows of table clinic.people, which nobody has asked for yet" || !strings.HasSuffix(r.Hint, ": SELECT count(*) FROM clinic.people") {
		t.Errorf("%s; %s", r.Message, r.Hint)
	}
	total := w.answered(d, percent(2), "SELECT count(*) AS n FROM clinic.people")
	if total.receipt.Charged.Epsilon != 5e8 || !strings.Contains(total.receipt.String(), "; asked for 2% of the number of rows, which this count tells; ") {
		t.Errorf("the number itself: %s", total.receipt)
	}
	n := total.cells.Counts[0][0]
	w.Exec("INSERT INTO clinic.people SELECT i, 'north', 'F', 30, 'flu' FROM generate_series(2001, 9000) AS i") // which must not be looked at
	e, err := d.Explain(context.Background(), Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql), Within: query.Exactness{Share: 2e7}})
	if err != nil {
		t.Fatal(err)
	}
	want := leastByHand(t, live.MechanismConfig(d.Policy().Tables[0], live.SensitivityOfRow, live.NoRandomness{}), n/50)
	told := fmt.Sprintf("\n  Asked: within ±%d with probability 95%% (tacit.within), for which epsilon %v is the least that is charged\n  Share: 2%% of %d rows (recorded just now, ", n/50, want, n)
	if text := strings.Join(e.Lines(), "\n"); !strings.Contains(text, told) || !strings.Contains(text, fmt.Sprintf(" UTC) = %d\n", n/50)) {
		t.Errorf("EXPLAIN has no%s:\n%s", told, text)
	}
	line := w.answered(d, percent(2), sql).receipt
	if of, rows := shareTold(t, line); line.Charged.Epsilon != want || line.HalfWidth95 > rows || of != n || rows != n/50 {
		t.Errorf("charged %v for ±%d, of %d: %s", line.Charged, line.HalfWidth95, n, line)
	}
	for _, ask := range []func(*reply.Request){percent(2), percent(9), within(n / 50)} {
		if again := w.answered(d, ask, sql).receipt; again.Charged != (accountant.Loss{}) || again.Replayed == 0 {
			t.Errorf("again: %s", again)
		}
	}
	atMostOne := func(r *reply.Request) { r.Within = query.Exactness{Share: policy.OneShare / 1000} } // of which the number is not within
	for _, ask := range []func(*reply.Request){percent(2), atMostOne} {
		if again := w.answered(d, ask, "SELECT count(*) FROM clinic.people").receipt; again.Charged != (accountant.Loss{}) {
			t.Errorf("the number itself again: %s", again)
		}
	}
}

// TestShareOfDerivedTotal: the number in all may follow from counts by groups, and be answered under a loss that an analyst chose.
func TestShareOfDerivedTotal(t *testing.T) {
	w := choosing(t, "geometric", "zcdp")
	d := w.open()
	byRegion := w.answered(d, within(3), "SELECT region, count(*) FROM clinic.people GROUP BY region")
	sum := int64(0)
	for _, n := range byRegion.cells.Counts[0] {
		sum += n
	}
	line := w.answered(d, percent(5), "SELECT sex, count(*) FROM clinic.people GROUP BY sex").receipt
	if of, rows := shareTold(t, line); of != sum || rows != sum/20 {
		t.Errorf("5%% of %d: %s", sum, line)
	}
}

// TestShareOfDeclaredSize: of a table whose size the policy declares a share is of that, whatever rows there are: two tables that differ in a person are
// charged alike.
func TestShareOfDeclaredSize(t *testing.T) {
	w := choosing(t, "geometric", "zcdp")
	w.Policy = w.changed(func(p *policy.Table) { p.DeclaredSize = 5_050 })
	text := func(d *Gateway) (told string) {
		for _, share := range []policy.Share{1, 3, 20} {
			ask := func(r *reply.Request) { percent(share)(r); r.Fresh = true }
			line := w.answered(d, ask, "SELECT region, count(*) FROM clinic.people GROUP BY region").receipt
			if of, rows := shareTold(t, line); of != 5_050 || rows != 5_050*int64(share)/100 {
				t.Errorf("%d%%: %s", share, line)
			}
			told += fmt.Sprintf("%v ±%d\n", line.Charged, line.HalfWidth95)
		}
		return told
	}
	w.toldAlikeWithout(text)
}

// TestShareRefused: what a share cannot be is refused before anything is charged.
func TestShareRefused(t *testing.T) {
	w := choosing(t, "geometric", "zcdp")
	w.Policy = w.changed(func(p *policy.Table) { p.DeclaredSize = 40 })
	d := w.open()
	for _, c := range []struct{ sql, want string }{
		{"SELECT count(*) FROM clinic.people", "tacit.within is less than one row: 2% of 40 rows (declared) = 0, of table clinic.people"},
		{"SELECT avg(age) FROM clinic.people", "tacit.within is for statements that only count rows or persons of table clinic.people"},
		{"SELECT count(*) FROM clinic.staff WHERE id < 9", "tacit.within is 2% of the number of rows of table clinic.staff, which nobody has asked for yet"},
	} {
		if r := w.refusedAsking(d, percent(2), c.sql); r.Message != c.want {
			t.Errorf("%s: %s", c.sql, r.Message)
		}
	}
	w.answered(d, percent(2), "SELECT count(*) FROM clinic.staff")
	r := w.refusedAsking(d, percent(50), "SELECT count(*) FROM clinic.staff WHERE id < 9")
	if r.Message != "the privacy budget of table clinic.staff does not cover this answer" {
		t.Errorf("a table with one loss, which is exact enough: %s", r.Message)
	}
}

// TestShareOfPersons: counts of persons have a share of persons, others one of rows; a join that of the table in which it is less.
func TestShareOfPersons(t *testing.T) {
	w := newWardOf(t, patientsSchema, strings.NewReplacer("epsilon: 300,", "epsilon: 10000,").Replace(patientsPolicy))
	d := w.open()
	const persons, rows = "SELECT count(DISTINCT patient) FROM clinic.visits", "SELECT count(*) FROM clinic.visits"
	if r := w.refusedAsking(d, percent(2), persons+" WHERE illness = 'flu'"); !strings.Contains(r.Message, "2% of the number of persons of table clinic.visits,") || !strings.HasSuffix(r.Hint, ": "+persons) {
		t.Errorf("%s; %s", r.Message, r.Hint)
	}
	inAll := make(map[string]int64)
	for _, sql := range []string{persons, rows, "SELECT count(*) FROM clinic.patients"} {
		inAll[sql] = w.answered(d, percent(2), sql).cells.Counts[0][0]
	}
	for sql, of := range map[string]int64{
		persons + " WHERE illness = 'flu'": inAll[persons], rows + " WHERE illness = 'flu'": inAll[rows],
		"SELECT count(*), count(DISTINCT patient) FROM clinic.visits WHERE illness = 'flu'": inAll[rows],
		"SELECT count(*) FROM clinic.patients p JOIN clinic.visits v ON v.patient = p.id":   min(inAll[rows], inAll["SELECT count(*) FROM clinic.patients"]),
	} {
		if told, _ := shareTold(t, w.answered(d, percent(10), sql).receipt); told != of {
			t.Errorf("%s: a share of %d, want %d", sql, told, of)
		}
	}
}

// TestShareOfExactCounts: exact counts, which an auditor allows, do not mind a share.
func TestShareOfExactCounts(t *testing.T) {
	w := newCarriers(t)
	w.seal(false)
	d := w.open()
	const sql = "SELECT count(*) FROM clinic.carriers"
	r := Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql), Within: query.Exactness{Share: 2e7}}
	if _, _, err := d.Answer(context.Background(), r); err != nil {
		t.Error(err)
	}
}
