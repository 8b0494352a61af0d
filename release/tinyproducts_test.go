package release

import (
	"strings"
	"testing"

	"tacit/rewrite"
)

// TestTinyProductsAreNoDivisors divides by products of so many tiny decimals that the server rounds them to zero, on every row. It fails if one is
// counted: the error would tell whether there is a row.
func TestTinyProductsAreNoDivisors(t *testing.T) {
	w := newWardOf(t, wardSchema, strings.Replace(wardPolicy, "age: {range: [0, 99]}", "age: {range: [1, 99]}", 1))
	d := w.open()
	product := func(factors int) string { return "age" + strings.Repeat(" * 1e-990", factors) }
	for _, c := range []struct {
		condition string
		refused   bool
	}{
		{"(" + product(17) + ") / (" + product(17) + ") > 0", true},
		{"1 / ceil(" + product(17) + ") > 0", true},
		{"mod(1, " + product(17) + ") = 0", true},
		{"1 / (" + product(8) + " * " + product(8) + " * 1e-990) > 0", true},
		{"1 / (" + product(1) + ") > 0", false},
		{product(17) + " >= 0", false},
	} {
		const from = "SELECT count(*) FROM clinic.people WHERE "
		verdict, err := rewrite.Analyze(from+c.condition, &rewrite.Session{Catalog: d.Catalog(), Limits: w.Policy.Limits})
		if err != nil {
			t.Fatal(err)
		}
		if _, answered := verdict.(*rewrite.Answer); answered == c.refused {
			t.Errorf("%s: %T", c.condition, verdict)
		} else if answered {
			if _, _, err := w.ask(d, "ward_ana", from+c.condition); err != nil {
				t.Errorf("%s: %v", c.condition, err)
			}
		}
	}
}
