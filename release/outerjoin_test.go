package release

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/policy"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// besidePolicy has a delta, by which a threshold could decide about keys.
var besidePolicy = strings.NewReplacer("epsilon: 20}", "epsilon: 20, delta: 1e-6}", "{epsilon: 10000}", "{epsilon: 10000, delta: 1e-2}").Replace(knownPolicy)

// besideOthers are statements that keep rows of another side, with how many cells are released for them.
var besideOthers = []struct {
	sql   string
	cells int
	says  string
}{
	{"SELECT d::date, count(t.seen) FROM generate_series(date '2024-01-28', '2024-02-05', '1 day') AS d LEFT JOIN %s t ON t.seen::date = d::date GROUP BY d", 9, ""},
	{"SELECT d::date, count(*) FROM generate_series(date '2024-01-28', '2024-02-05', '1 day') AS d LEFT JOIN %s t ON t.seen >= d AND t.seen < d + interval '1 day' GROUP BY d", 9,
		"count(*) is 1 or more, since it counts the row beside which nobody is"},
	{"SELECT date_trunc('month', d), count(t.admitted) FROM generate_series(date '2024-02-01', '2024-03-31', '1 day') AS d LEFT JOIN %s t ON t.admitted = d::date GROUP BY 1", 60,
		"a number that is shown may add up the counts of several keys, with the noise of each: no ± holds for it"},
	{"SELECT d, count(t.seen) FROM generate_series('2024-01-30'::timestamp, '2024-02-01', '1 hour') AS d LEFT JOIN %s t ON date_trunc('hour', t.seen) = d GROUP BY d", 72, ""},
	// The other side is larger than limits.cells.
	{"SELECT g %% 2, count(t.active) FROM generate_series(1, 100000) AS g LEFT JOIN %s t ON t.active = (g %% 2 = 0) GROUP BY 1", 3, "may add up the counts of several keys"},
	{"SELECT x.fit, (SELECT count(*) FROM %s t WHERE t.fit = x.fit) FROM (VALUES (true), (false), (NULL)) AS x(fit)", 2, ""},
}

// TestCellsBesideOtherRowsAreTheSameForNeighbours fails if a person whose values are all beyond what is usual changes which cells are shown, what is
// charged, or what is said, or if the cells depend on the other side.
func TestCellsBesideOtherRowsAreTheSameForNeighbours(t *testing.T) {
	w := newWardOf(t, knownSchema, besidePolicy)
	d := w.open()
	for _, c := range besideOthers {
		var keys [2][][]query.Value
		var told [2]string
		for i, table := range []string{"clinic.stays", "clinic.planted"} {
			cells, receipt, err := w.ask(d, "ward_ana", fmt.Sprintf(c.sql, table))
			if err != nil {
				t.Fatalf("%s: %v", c.sql, err)
			}
			keys[i], told[i] = cells[0].Keys, strings.ReplaceAll(receipt.Notice(), table, "")
			if n := len(cells[0].Counts[0]); n != c.cells || receipt.Lines[0].Threshold != 0 || !strings.Contains(told[i], c.says) || c.says == "" && strings.Contains(told[i], "add up") {
				t.Errorf("%s: %d cells: %s", c.sql, n, told[i])
			}
			e, err := w.explain(d, "ward_ana", fmt.Sprintf(c.sql, table))
			if err != nil || !strings.Contains(strings.Join(e.Lines(), "\n"), c.says) {
				t.Errorf("%s: %+v, %v", c.sql, e, err)
			}
		}
		if !slices.EqualFunc(keys[0], keys[1], slices.Equal[[]query.Value]) || told[0] != told[1] {
			t.Errorf("%s: %v, %s; with a person more %v, %s", c.sql, keys[0], told[0], keys[1], told[1])
		}
	}
	if spent := w.charged(d, policy.TableName{Schema: "clinic", Name: "planted"}); spent.Delta != 0 || spent == (accountant.Loss{}) {
		t.Errorf("%v was charged", spent)
	}
}

// TestCountsBesideOtherRowsAreThoseAlone fails if a join is another question than the count by its keys.
func TestCountsBesideOtherRowsAreThoseAlone(t *testing.T) {
	w := newWardOf(t, knownSchema, besidePolicy)
	d := w.open()
	w.mustAsk(d, "ward_ana", "SELECT active, count(*) FROM clinic.stays WHERE age > 5 GROUP BY active")
	for _, sql := range []string{
		"SELECT x.a, count(t.fit) FROM (VALUES (true), (false)) AS x(a) LEFT JOIN clinic.stays t ON t.active = x.a AND t.age > 5 GROUP BY x.a",
		"SELECT (SELECT count(*) FROM clinic.stays t WHERE t.active = x.a AND age > 5) FROM (VALUES (true), (false)) AS x(a)",
	} {
		if _, receipt, err := w.ask(d, "ward_ana", sql); err != nil || receipt.Charged() || receipt.Lines[0].Replayed != 1 {
			t.Errorf("%s: %+v, %v", sql, receipt, err)
		}
	}
}

// TestTooManyCellsBesideOtherRows fails if a threshold decides instead, for which the answer would be charged.
func TestTooManyCellsBesideOtherRows(t *testing.T) {
	w := newWardOf(t, knownSchema, besidePolicy)
	d := w.open()
	const sql = "SELECT d, count(t.seen) FROM generate_series(date '2024-01-01', '2024-06-30', '1 hour') AS d LEFT JOIN clinic.stays t ON date_trunc('hour', t.seen) = d GROUP BY d"
	_, _, err := w.ask(d, "ward_ana", sql)
	var refusal *pgerror.Refusal
	if !errors.As(err, &refusal) || refusal.Code != "54000" {
		t.Errorf("%v", err)
	}
	if spent := w.charged(d, policy.TableName{Schema: "clinic", Name: "stays"}); spent != (accountant.Loss{}) {
		t.Errorf("%v was charged", spent)
	}
}
