package rewrite

import (
	"strings"
	"testing"
)

// The C printer ends the process at an alias without a name. PostgreSQL 16 and later take a sub-select that has no alias.
func TestSubselectWithoutAlias(t *testing.T) {
	for _, sql := range []string{
		"SELECT city, count(*) FROM (SELECT city FROM members) GROUP BY city",
		"SELECT count(*) FROM ((SELECT * FROM members))",
	} {
		v, err := Analyze(sql, testSession())
		if err != nil {
			t.Fatal(err)
		}
		a, ok := v.(*Answer)
		if !ok {
			t.Fatalf("%q: %T", sql, v)
		}
		if text := a.Outer.WithParameters(1); !strings.Contains(text, " unnamed_subquery(") {
			t.Errorf("%q becomes %q", sql, text)
		}
	}
}
