package rewrite

import "testing"

// A statement that may choose by counts says so, whatever it chooses with; one that shows its cells as they are, in any order of keys, does not.
func TestChoosesByCount(t *testing.T) {
	for sql, want := range map[string]bool{
		"SELECT city, count(*) FROM members GROUP BY city":                                                      false,
		"SELECT city, count(*) FROM members GROUP BY city ORDER BY city DESC":                                   false,
		"SELECT city, count(*) FROM members GROUP BY city ORDER BY 1 LIMIT 3":                                   false,
		"SELECT city AS c, count(*) AS n FROM members GROUP BY c ORDER BY c":                                    false,
		"SELECT city, plan, count(*) FROM members GROUP BY ROLLUP (city, plan) ORDER BY city":                   false,
		"SELECT city, count(*) FROM members GROUP BY city HAVING city <> 'Oslo'":                                false,
		"EXPLAIN SELECT city, count(*) FROM members GROUP BY city":                                              false,
		"COPY (SELECT city, count(*) FROM members GROUP BY city) TO STDOUT":                                     false,
		"SELECT city, count(*) FROM members GROUP BY city ORDER BY 2 DESC":                                      true,
		"SELECT city, count(*) FROM members GROUP BY city ORDER BY count(*)":                                    true,
		"SELECT city, count(*) AS n FROM members GROUP BY city ORDER BY n":                                      true,
		"SELECT city, count(*) FROM members GROUP BY city ORDER BY count(*) FILTER (WHERE active) > 3":          true,
		"SELECT city FROM members GROUP BY city HAVING count(*) > 5":                                            true,
		"SELECT DISTINCT ON (count(*)) city, count(*) FROM members GROUP BY city":                               true,
		"SELECT city, rank() OVER (ORDER BY count(*)) FROM members GROUP BY city":                               true,
		"SELECT city, count(*), rank() OVER w FROM members GROUP BY city WINDOW w AS (ORDER BY count(*))":       true,
		"SELECT max(n) FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS c":                       true,
		"WITH c AS (SELECT city, count(*) AS n FROM members GROUP BY city) SELECT * FROM c":                     true,
		"EXPLAIN SELECT city, count(*) FROM members GROUP BY city ORDER BY 2":                                   true,
		"CREATE TABLE kept AS SELECT city, count(*) FROM members GROUP BY city":                                 true,
		"SELECT city, count(*) FROM members GROUP BY 1 UNION ALL SELECT plan, count(*) FROM members GROUP BY 1": true,
	} {
		answer, ok := analyze(t, sql).(*Answer)
		if !ok {
			t.Fatalf("%s: %s", sql, describe(analyze(t, sql)))
		}
		q, refusal := answer.Queries[0].Bind(nil)
		if refusal != nil {
			t.Fatal(refusal)
		}
		if q.ChoosesByCount != want {
			t.Errorf("%s: %v", sql, q.ChoosesByCount)
		}
	}
}
