package rewrite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// groupingSets are the sets of a query as names of columns.
func groupingSets(t *testing.T, sql string) []string {
	t.Helper()
	verdict := analyze(t, sql)
	answer, ok := verdict.(*Answer)
	if !ok {
		t.Fatalf("%s: %s", sql, describe(verdict))
	}
	q, refusal := answer.Queries[0].Bind(nil)
	if refusal != nil {
		t.Fatal(refusal)
	}
	var sets []string
	for _, set := range q.GroupingSets {
		names := make([]string, len(set))
		for i, k := range set {
			names[i] = q.Keys[k].Text()
		}
		sets = append(sets, strings.Join(names, " "))
	}
	slices.Sort(sets)
	return sets
}

// TestGroupingSets compares the grouping sets of a query with those in which the server has rows. It fails if ROLLUP has no empty set,
// CUBE not all, items are united instead of crossed, nested sets crossed instead of united, or a row in ROLLUP is taken apart.
func TestGroupingSets(t *testing.T) {
	server := newTwin(t)
	columns := []string{"active", "city", "plan"} // in the order of keys
	for _, clause := range []string{
		"ROLLUP (city, plan, active)",
		"ROLLUP ((city, plan), active)",
		"ROLLUP ((city, plan, active))",
		"CUBE (city, plan, active)",
		"CUBE ((city, plan), (plan, active))",
		"city, ROLLUP (plan, active)",
		"ROLLUP (city, plan), (plan, active)",
		"(city, plan), CUBE (active)",
		"GROUPING SETS (city, plan, active)",
		"GROUPING SETS ((city, plan), active)",
		"GROUPING SETS ((city, plan, active), ())",
		"GROUPING SETS (ROLLUP (city, plan), CUBE (active, city), ())",
		"GROUPING SETS (GROUPING SETS ((city, plan), (plan)), active)",
		"GROUPING SETS (city, plan), GROUPING SETS (active, ())",
		"ROLLUP (city, plan), ROLLUP (active, plan)",
		"DISTINCT ROLLUP (city, plan), CUBE (active, plan)",
		"(), city, ROLLUP (plan), active",
		"city, plan, ROLLUP (active, active)",
	} {
		rows := server.query("SELECT DISTINCT grouping("+strings.Join(columns, ", ")+") FROM members GROUP BY "+clause, nil)
		var want []string
		for _, row := range rows {
			var mask int
			if _, err := fmt.Sscan(string(row[0]), &mask); err != nil {
				t.Fatal(err)
			}
			var set []string
			for i, name := range columns {
				if mask>>(len(columns)-1-i)&1 == 0 {
					set = append(set, name)
				}
			}
			want = append(want, strings.Join(set, " "))
		}
		slices.Sort(want)
		got := groupingSets(t, "SELECT count(*) FROM members GROUP BY "+clause)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("GROUP BY %s (-server +got):\n%s", clause, diff)
		}
	}
}

// TestGroupingSetsOfOtherKeys reads sets of constants, positions, names and expressions, and those that are none or too many.
func TestGroupingSetsOfOtherKeys(t *testing.T) {
	for _, c := range []struct {
		sql  string
		want string
	}{
		{"SELECT count(*) FROM members", ""},
		{"SELECT city, count(*) FROM members GROUP BY city", ""},
		{"SELECT count(*) FROM members GROUP BY (city, plan)", ""},
		{"SELECT count(*) FROM members GROUP BY GROUPING SETS (())", "{}"},
		{"SELECT city AS c, plan, count(*) FROM members GROUP BY ROLLUP (c, 2)", "{} {city} {city plan}"},
		{"SELECT count(*) FROM members GROUP BY ROLLUP (lower('x'), city)", "{} {city}"},
		{"SELECT count(*) FROM members m GROUP BY CUBE (m.city, city)", "{} {city}"},
		{"SELECT count(*) FROM members GROUP BY CUBE (upper(city))", "{} {upper(city)}"},
		{"SELECT count(*) FROM members GROUP BY CUBE (birth_year > 1, birth_year > 2, birth_year > 3, birth_year > 4, birth_year > 5, birth_year > 6, birth_year > 7)", ""},
		{"SELECT count(*) FROM members GROUP BY CUBE (birth_year > 1, birth_year > 2, birth_year > 3, birth_year > 4, birth_year > 5, birth_year > 6, birth_year > 7), CUBE (birth_year > 8, birth_year > 9, birth_year > 10, birth_year > 11, birth_year > 12, birth_year > 13, birth_year > 14)", ""},
	} {
		sets := groupingSets(t, c.sql)
		for i, set := range sets {
			sets[i] = "{" + set + "}"
		}
		if got := strings.Join(sets, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.sql, got, c.want)
		}
	}
}
