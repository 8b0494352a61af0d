package release

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tacit/rewrite/pgerror"
)

// TestUnlistedRanges asks for keys and percentiles of columns whose ranges are declared and whose values are not listed. It fails if the refusal says that
// nothing is declared, if it names an expression that is refused, too, or if it says what it says here of a column of which nothing is declared.
func TestUnlistedRanges(t *testing.T) {
	w := newWardOf(t, declaredSchema, strings.Replace(declaredPolicy, "cost: {range: [-2.5, 3.5], step: 0.5}", "cost: {range: [-2.5, 3.5], step: 0.00001}", 1))
	d := w.open()
	const undeclared, no = "No domain is declared for ", "has no step, so that its values are not listed."
	for _, c := range []struct{ column, why, key, value string }{
		{"salary", "The declared range of salary " + no, "trunc(salary, -4)", "round(salary, -3)"},
		{"salary * 2", "The declared range of salary " + no, "trunc((salary * 2), -4)", "round((salary * 2), -3)"},
		{"ratio", "The declared range of ratio " + no, "trunc(ratio::numeric, 1)", "round(ratio::numeric, 2)"},
		{"cost", "600001 values of cost are declared, more than limits.cells (2000).", "trunc(cost, 1)", "round(cost, 2)"},
		{"age", "400001 values of age are declared, more than limits.cells (2000).", "", "round(age, -3)"},
		{"seen", "The declared range of seen has too many values to be listed.", "date_trunc('month', seen)", "date_trunc('day', seen)"},
		{"diagnosis", "", "", ""},
		{"id", "", "", ""},
	} {
		refused := func(sql string) *pgerror.Refusal {
			_, _, err := w.ask(d, "ward_ana", sql)
			var r *pgerror.Refusal
			if !errors.As(err, &r) {
				t.Fatalf("%s: %v", sql, err)
			}
			return r
		}
		answered := func(sql string) {
			if _, _, err := w.ask(d, "ward_ana", sql); err != nil {
				t.Errorf("%s: %v", sql, err)
			}
		}
		switch r := refused(fmt.Sprintf("SELECT active, %s, count(*) FROM clinic.stays GROUP BY 1, 2", c.column)); {
		case c.why == "":
			if !strings.HasPrefix(r.Detail, undeclared+c.column+". ") || strings.Contains(r.Hint, "rounded") {
				t.Errorf("%s: %+v", c.column, r)
			}
		case c.key == "": // whole numbers make cells, which are too many
			if r.Code != "54000" {
				t.Errorf("%s: %+v", c.column, r)
			}
		default:
			if !strings.HasPrefix(r.Detail, c.why+" ") || strings.Contains(r.Detail, undeclared) || !strings.HasPrefix(r.Hint, "Group by rounded values, GROUP BY "+c.key+", or by columns with") {
				t.Errorf("%s: %+v", c.column, r)
			}
			answered(fmt.Sprintf("SELECT active, count(*) FROM clinic.stays GROUP BY active, %s", c.key))
		}
		if r := refused(fmt.Sprintf("SELECT mode() WITHIN GROUP (ORDER BY %s) FROM clinic.stays", c.column)); c.why == "" {
			if !strings.HasSuffix(r.Message, "since its values are not declared, or too many") {
				t.Errorf("%s: %+v", c.column, r)
			}
			continue
		} else if !strings.HasPrefix(r.Detail, c.why+" ") || !strings.Contains(r.Hint, "WITHIN GROUP (ORDER BY "+c.value+")") {
			t.Errorf("%s: %+v", c.column, r)
		}
		answered(fmt.Sprintf("SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY %s) FROM clinic.stays", c.value))
	}
	both := "SELECT salary, diagnosis, count(*) FROM clinic.stays GROUP BY 1, 2"
	_, _, err := w.ask(d, "ward_ana", both)
	var r *pgerror.Refusal
	if !errors.As(err, &r) || !strings.HasPrefix(r.Detail, undeclared+"diagnosis. The declared range of salary "+no) {
		t.Errorf("%s: %+v", both, r)
	}
}
