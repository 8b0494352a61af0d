package release

import (
	"errors"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/rewrite/pgerror"
)

// TestConditionsOutsideOfDeclaredValues fails if a count is charged that no declared value of a column lets anybody be in, or if the refusal
// depends on what the table holds: ten rows have the undeclared region atlantis, and none has nowhere.
func TestConditionsOutsideOfDeclaredValues(t *testing.T) {
	w := newWard(t)
	d := w.open()
	for _, c := range []struct{ sql, column, hint string }{
		{"SELECT count(*) FROM clinic.people WHERE sex = 'm'", "sex", "Perhaps you meant 'M'."},
		{"SELECT count(*) FROM clinic.people WHERE sex = 'Female' AND age > 30", "sex", "Perhaps you meant 'F'."},
		{"SELECT count(*) FROM clinic.people WHERE sex IN ('x', 'y')", "sex", "Compare with a declared value, as it is spelled there."},
		{"SELECT count(*) FROM clinic.people WHERE region = 'atlantis'", "region", "Compare with a declared value, as it is spelled there."},
		{"SELECT count(*) FROM clinic.people WHERE region = 'nowhere'", "region", "Compare with a declared value, as it is spelled there."},
		{"SELECT count(*) FROM clinic.people WHERE region NOT IN ('north', 'south', 'east')", "region", "Compare with a declared value, as it is spelled there."},
		{"SELECT count(*) FILTER (WHERE sex = 'Male') FROM clinic.people", "sex", "Perhaps you meant 'M'."},
		{"SELECT sex, count(*) FILTER (WHERE sex = 'Male') FROM clinic.people GROUP BY sex", "sex", "Perhaps you meant 'M'."},
		{"SELECT avg((region = 'North ')::int) FROM clinic.people", "region", "Perhaps you meant 'north'."},
		{"SELECT region, count(*) FROM clinic.people WHERE sex = 'f' GROUP BY region", "sex", "Perhaps you meant 'F'."},
		{"SELECT illness, count(*) FROM clinic.people WHERE sex = 'f' GROUP BY illness", "sex", "Perhaps you meant 'F'."},
		{"SELECT sex, illness, count(*) FROM clinic.people WHERE sex = 'f' GROUP BY sex, illness", "sex", "Perhaps you meant 'F'."},
	} {
		_, _, err := w.ask(d, "ward_ana", c.sql)
		var r *pgerror.Refusal
		if !errors.As(err, &r) || r.Code != "22023" || r.Message != `no declared value of column "`+c.column+`" of clinic.people meets the condition` || r.Hint != c.hint {
			t.Errorf("%s: %v, %+v", c.sql, err, r)
		}
		if _, err := w.explain(d, "ward_ana", c.sql); refusalCode(err) != "22023" {
			t.Errorf("EXPLAIN %s: %v", c.sql, err)
		}
	}
	if spent := w.spent(d); spent != (accountant.Loss{}) {
		t.Errorf("%v was charged", spent)
	}
	for _, sql := range []string{
		"SELECT count(*) FROM clinic.people WHERE sex <> 'Male'",
		"SELECT count(*) FROM clinic.people WHERE sex = 'Male' OR sex = 'M'",
		"SELECT count(*) FROM clinic.people WHERE sex IS NULL",
		"SELECT count(*) FROM clinic.people WHERE lower(sex) = 'm'",
		"SELECT count(*) FROM clinic.people WHERE sex = 'M' AND sex = 'F'",
		"SELECT count(*) FROM clinic.people WHERE age > 150",     // rows beyond a range may be there
		"SELECT count(*) FROM clinic.people WHERE illness = 'x'", // not declared
		"SELECT count(*) FROM clinic.people WHERE region = 'atlantis' GROUP BY region",
	} {
		if _, _, err := w.ask(d, "ward_ana", sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// TestNoCellsSayWhy fails if the notice of a question without cells does not say which condition leaves none, and what may have been meant; or if
// it says so where each value is declared.
func TestNoCellsSayWhy(t *testing.T) {
	w := newWard(t)
	d := w.open()
	for _, c := range []struct{ sql, want string }{
		{"SELECT region, count(*) FROM clinic.people WHERE region = 'North' GROUP BY region", `; free (no cells: no declared value of column "region" meets the condition, perhaps you meant 'north'); left`},
		{"SELECT region, count(*) FROM clinic.people WHERE region = 'atlantis' GROUP BY region", `; free (no cells: no declared value of column "region" meets the condition); left`},
		{"SELECT sex, count(*) FROM clinic.people WHERE sex = 'M' AND sex = 'F' GROUP BY sex", "; free (no cells); left"},
	} {
		_, receipt, err := w.ask(d, "ward_ana", c.sql)
		if err != nil || !strings.Contains(receipt.Notice(), c.want) {
			t.Errorf("%s: %v, %v", c.sql, receipt, err)
		}
	}
	if spent := w.spent(d); spent != (accountant.Loss{}) {
		t.Errorf("%v was charged", spent)
	}
}
