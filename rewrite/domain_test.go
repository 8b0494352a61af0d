package rewrite

import "testing"

// TestColumnsOfOneRowAreOneKeyGroup fails if columns of one row of a public table are taken for independent of each other, so that there
// would be cells of a city in another country.
func TestColumnsOfOneRowAreOneKeyGroup(t *testing.T) {
	v, err := Analyze("SELECT count(*) FROM members m JOIN cities c ON c.city = m.city GROUP BY c.country, c.city, m.plan", testSession())
	if err != nil {
		t.Fatal(err)
	}
	answer, ok := v.(*Answer)
	if !ok {
		t.Fatal(describe(v))
	}
	q, refusal := answer.Queries[0].Bind(nil)
	if refusal != nil {
		t.Fatal(refusal)
	}
	if groups := q.KeyGroups(); len(groups) != 2 {
		t.Errorf("%d groups, want one of the public row and one of the plan", len(groups))
	}
}
