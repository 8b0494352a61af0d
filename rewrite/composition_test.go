package rewrite

import (
	"strings"
	"testing"
)

// dangerousRows hold values at which a function of a function fails, or a rounding shows.
const dangerousRows = `
INSERT INTO members (id, plan, city, birth_year, points, ratio, score, weight, joined, seen, paid) VALUES
	(1000, 'free', repeat('a', 300), 2147483647, -9223372036854775808, 1 + 1e-400, 1e-110, 1e-20, '9999-12-31', '9999-12-31', '9999-12-31Z'),
	(1001, 'gold', repeat('x', 60000), -2147483648, 9223372036854775807, 1e-50, 1e-90, 1e30, '0001-01-01', '0001-01-01', '0001-01-01Z'),
	(1002, 'gold', 'a', 0, 0, 1.0000000000000001, 0, 0, '2020-01-01', '2020-01-01', '2020-01-01Z')`

// TestCompositionsAreTotal asks for conditions in which the result of one function is an argument of another, of rows that make
// them fail. A condition is refused, or the server counts without an error.
func TestCompositionsAreTotal(t *testing.T) {
	server := newTwin(t)
	server.exec(dangerousRows)
	double := "(" + strings.Repeat("city || ", 12) + "city)"
	session := testSession()
	for name, domain := range map[string][]string{"score": {"0", "1"}, "weight": {"0", "0.5", "1"}, "joined": {"2020-01-01", "infinity"}, "id": {"1", "90"}} {
		session.Catalog.Tables[tableNamed("members")].Column(name).Domain = domain
	}
	for _, c := range []struct {
		condition string
		refused   bool
	}{
		// A field of an interval is as large as the interval, and a year as far as times have been moved.
		{"extract(day FROM (seen - '0001-01-01'::timestamp))::int2 > 3", true},
		{"extract(day FROM (seen - '0001-01-01'::timestamp))::int4 > 3", false},
		{"extract(month FROM (seen - '0001-01-01'::timestamp))::int4 > 3", false},
		{"extract(year FROM (seen" + strings.Repeat(" + interval '2700 years'", 12) + "))::int2 > 3", true},
		{"extract(year FROM seen)::int2 > 3", false},
		{"(extract(epoch FROM (seen" + strings.Repeat(" + interval '2700 years'", 12) + ")) * 30000000)::int8 > 3", true},
		{"extract(year FROM CASE WHEN id > 1000 THEN 'infinity'::timestamp ELSE seen END)::int4 > 3", true},
		// NaN is neither a sign nor within a bucket.
		{"width_bucket(CASE WHEN id > 1000 THEN 'NaN'::float8 ELSE 1::float8 END, 0, 10, 5) > 3", true},
		{"width_bucket(score, 0, 10, 5) > 3", false},
		{"sign(CASE WHEN id > 1000 THEN 'NaN'::float8 ELSE 1::float8 END)::int4 > 0", true},
		{"sign(score)::int4 > 0", false},
		// Binary floating point rounds to what an integer cannot hold.
		{"(abs(birth_year::real) - 2::real)::int4 > 0", true},
		{"(abs(points::float8) - 2::float8)::int8 > 0", true},
		{"(abs(birth_year::float8) - 2::float8)::int4 > 0", false},
		// Small numbers that decimals hold vanish in binary floating point, where that is an error.
		{"(ratio - 1)::float8 > 0", false},
		{"(ratio - 1)::float8 * (ratio - 1)::float8 > 0", false},
		{"(ratio % 1)::float8 * (ratio % 1)::float8 * (ratio % 1)::float8 > 0", true},
		{"round(ratio, 100)::float8 * round(ratio, 100)::float8 / 1e150 / 1e100 > 0", true},
		// Texts of texts grow without end.
		{"replace(city, 'a', 'bb') = 'b'", false},
		{"replace(replace(replace(city, '-', ''), ' ', ''), '.', '') = 'b'", false},
		{"replace(replace(replace(replace(city, 'a', '" + strings.Repeat("a", 100) + "'), 'a', '" + strings.Repeat("a", 100) +
			"'), 'a', '" + strings.Repeat("a", 100) + "'), 'a', '" + strings.Repeat("a", 100) + "') = 'b'", true},
		{"regexp_replace(city, '.', '" + strings.Repeat("b", 60000) + "', 'g') = 'b'", true},
		{"regexp_replace(city, 'a', 'b', 'g') = 'b'", false},
		{"regexp_replace(regexp_replace(regexp_replace(city, '.*', '" + strings.Repeat(`\&`, 50) + "'), '.*', '" + strings.Repeat(`\&`, 50) +
			"'), '.*', '" + strings.Repeat(`\&`, 50) + "') = 'b'", false}, // of short texts
		{"length(" + double + ") > 0", false},
		{"length(replace(" + double + ", 'a', '" + strings.Repeat("a", 100) + "')) > 0", true},
		// Integers are divided without a rest, so that a quotient can be zero.
		{"7 / (5 / id) > 1", true},
		{"7 / (100 / id) > 1", false},
		// Declared domains, of which a row may have other values.
		{"score * score * score > 0", false},
		{"weight * weight > 0::real", false},
		{"joined + id > '2020-01-01'", false},
		{"lpad(rpad(upper(initcap(city)), 100), 100) = 'b'", false},
	} {
		v, err := Analyze("SELECT count(*) FROM members WHERE "+c.condition, session)
		if err != nil {
			t.Fatal(err)
		}
		shown := c.condition[:min(len(c.condition), 100)]
		answer, ok := v.(*Answer)
		if !ok {
			if !c.refused {
				t.Errorf("%s\n%s", shown, describe(v))
			}
			continue
		}
		if c.refused {
			t.Errorf("%s is answered", shown)
		}
		q, refusal := answer.Queries[0].Bind(nil)
		if refusal != nil {
			t.Fatal(refusal)
		}
		sql, args := q.CountSQL(q.Counts)
		if err := server.try(sql, args); err != nil {
			t.Errorf("%s\n%v", shown, err)
		}
	}
}
