package rewrite

import (
	"testing"

	"tacit/rewrite/internal/expr"
)

// TestAgesUntilToday fails if sums of ages until the present day are refused, are made between bounds that ages of declared dates cannot have in
// the year, or are released for a year that is not known. Bounds are known before the day is.
func TestAgesUntilToday(t *testing.T) {
	ages := map[string][2]string{
		"extract(year FROM age(joined))":               {"0", "28"},
		"extract(year FROM age(current_date, joined))": {"0", "28"},
		"date_part('year', age(now(), joined))":        {"0", "28"},
		"current_date - joined":                        {"1826", "9863"},
		"extract(month FROM age(joined))":              {"0", "11"},
		"extract(day FROM now() - seen)":               {"0", "9863"},
	}
	for _, year := range []int{0, 2026} {
		for age, want := range ages {
			s := testSession()
			table := s.Catalog.Tables[tableNamed("members")]
			table.Year = year
			for _, name := range []string{"joined", "seen"} {
				column := table.Column(name)
				declared, err := expr.NewValueRange(column, "2000-01-01", "2020-12-31")
				if err != nil {
					t.Fatal(err)
				}
				column.Range = declared
			}
			v, err := Analyze("SELECT avg("+age+") FROM members", s)
			if err != nil {
				t.Fatal(err)
			}
			a, ok := v.(*Answer)
			if ok != (year > 0) {
				t.Errorf("%s in %d: %+v", age, year, v)
			}
			if !ok {
				continue
			}
			m := a.Queries[0].Counts[0].Measure
			if got := [2]string{m.Least.RatString(), m.Greatest().RatString()}; got != want || m.Rounds {
				t.Errorf("%s is between %v in steps of %v, want %v", age, got, m.Grid, want)
			}
		}
	}
}
