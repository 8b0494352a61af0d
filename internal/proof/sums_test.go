package proof

import (
	"math"
	"strings"
	"testing"

	"tacit/internal/battery"
)

// TestSumsThroughTheWire asks for sums and averages with noise: they cost what one count costs, are near the truth, are repeated for nothing, and
// coarser ones follow from them.
//
// Each result is compared within eight times the error that the notice states at 95%. Of geometric noise that is passed with a probability below
// 0.05^8 < 4e-11.
func TestSumsThroughTheWire(t *testing.T) {
	s := &site{t: t, files: "testdata/hints", random: battery.Seeded(7)}
	s.fill("CALL fill(4000, 0.7)", "hints/schema.sql")
	s.establish()
	proxied, direct := connect(t, s.url(s.serve(s.gateway))), connect(t, cluster.URL("postgres", s.database))
	for _, setting := range []string{"off", "on"} {
		proxied.query("SET tacit.intervals = " + setting)
		got := rows(proxied.query("SELECT tacit.low(sum(age)), sum(age), tacit.high(sum(age)), tacit.low(avg(age)), avg(age), tacit.high(avg(age)) FROM patients WHERE age > 30"))
		if len(got) != 1 || !(number(got[0][0]) < number(got[0][1]) && number(got[0][1]) < number(got[0][2]) && number(got[0][3]) < number(got[0][4]) && number(got[0][4]) < number(got[0][5])) {
			t.Errorf("tacit.intervals = %s: %s", setting, got)
		}
	}
	proxied.query("SET tacit.intervals = off")
	for _, c := range []struct {
		sql  string
		said []string
		off  float64 // how far the results may be off
	}{
		{"SELECT sex, sum(age) FROM patients GROUP BY sex ORDER BY 1", []string{"geometric noise; age: each sum within ±330", "charged epsilon 1;"}, 8 * 330},
		{"SELECT sex, sum(age) FROM patients GROUP BY sex ORDER BY 1", []string{"free (answered just now"}, 8 * 330},
		{"SELECT sum(age) FROM patients", []string{"free (derived from release 2", "SET tacit.fresh = on asks anew, for epsilon 1"}, 8 * 600},
		{"SELECT avg(age) FROM patients", []string{"free (derived from release 2"}, 8},
		{"SELECT sex, avg(age), variance(age), stddev(age) FROM patients GROUP BY sex ORDER BY 1", []string{"charged epsilon 1;"}, 200},
		{"SELECT region, count(*), avg(height), sum(age) FROM patients GROUP BY region ORDER BY 1", []string{"each count within ±9", "values beyond 400 to 2400 are left out", "age: each sum", "charged epsilon 1;"}, 80_000},
	} {
		replies := proxied.query(c.sql)
		if e, failed := failure(replies); failed {
			t.Errorf("%s\n%s", c.sql, e.fields())
			continue
		}
		notice := noticeOf(replies)
		for _, words := range c.said {
			if !strings.Contains(notice, words) {
				t.Errorf("%s\nsays %s\nwithout %q", c.sql, notice, words)
			}
		}
		got, want := rows(replies), rows(direct.query(c.sql))
		for i := range want {
			for j := range want[i] {
				if n := number(want[i][j]); !math.IsNaN(n) && math.Abs(number(got[i][j])-n) > c.off {
					t.Errorf("%s\n%s, where %s is true", c.sql, got[i][j], want[i][j])
				}
			}
		}
	}
}

// TestSumsAtTheEndsOfTypes asks for sums whose values come to the ends of what types can hold, or beyond: each is answered, or refused
// before the curator sees it, and the table stays open for everybody.
func TestSumsAtTheEndsOfTypes(t *testing.T) {
	s := &site{t: t, files: "testdata/hints", random: battery.Seeded(7)}
	s.fill("CALL fill(100, 0.7)", "hints/schema.sql")
	s.establish()
	c := connect(t, s.url(s.serve(s.gateway)))
	var numbers []string
	for _, value := range []string{
		"1.7976931348623157e308::float8", "-1.7976931348623157e308::float8", "3.4028235e38::real", "5e-324::float8", "1e-45::real", "2.3e-308::float8", "1e18::float8", "999999999999999999::real",
		"1e-18::float8", "1e-17::real", "1e18", "1e19", "1e1000", "1e-1000", "0.5", "32767::smallint", "(-32768)::smallint", "2147483647", "(-2147483648)::int", "9223372036854775807",
		"(-9223372036854775808)::bigint", "'NaN'::float8", "'Infinity'::float8", "'-Infinity'::real", "'NaN'::numeric", "'Infinity'::numeric",
	} {
		numbers = append(numbers, "CASE WHEN age > 5 THEN "+value+" ELSE 0 END", "CASE WHEN age > 5 THEN "+value+" ELSE age END")
	}
	numbers = append(numbers, "(age * 0.5)::int", "(age * 0.5)::smallint", "(age * 1e16)::bigint", "age::float8 * 1e300", "age::numeric * 1e300", "age::real * 1e-40", "age::float8 / 1e300",
		"'9999-12-31'::date - born", "'5874897-12-31'::date - born", "extract(epoch FROM '294276-12-31'::timestamp - born)", "extract(year FROM born)")
	answered, least := 0, 30
	if testing.Short() {
		least /= 2
	}
	for i, number := range numbers {
		for j, aggregate := range []string{"sum", "stddev"} {
			if testing.Short() && i/2%2 != j {
				continue
			}
			sql := "SELECT " + aggregate + "(" + number + ") FROM patients"
			e, failed := failure(c.query(sql))
			if !failed {
				answered++
			} else if code := e.field('C'); strings.HasPrefix(code, "58") || strings.HasPrefix(code, "XX") || code == "55000" {
				t.Fatalf("%s\n%s", sql, e.fields())
			}
		}
	}
	if answered < least {
		t.Errorf("only %d answers", answered)
	}
}

// TestSumsOutside asks for expressions of a column whose values beyond the range are left out, and of one whose such values count as its ends.
func TestSumsOutside(t *testing.T) {
	s := &site{t: t, files: "testdata/hints", random: battery.Seeded(7)}
	s.fill("CALL fill(4000, 0.7)", "hints/schema.sql")
	if err := execute(s.database, "UPDATE patients SET height = 1000000 WHERE id % 2 = 0"); err != nil {
		t.Fatal(err)
	}
	s.establish()
	c := connect(t, s.url(s.serve(s.gateway)))
	for number, leaves := range map[string]bool{"height": true, "height * 2": true, "CASE WHEN age > 5 THEN height ELSE 500 END": true, "age * 2": false} {
		replies := c.query("SELECT avg(" + number + ") FROM patients")
		if e, failed := failure(replies); failed {
			t.Fatalf("%s\n%s", number, e.fields())
		}
		if notice := noticeOf(replies); strings.Contains(notice, "are left out") != leaves {
			t.Errorf("%s: %s", number, notice)
		}
	}
	// Of 2000 rows with a mean below 3,000: those beyond would bring it to 3,800. The noise of 6,000 rows' worth has a probability below 1e-9.
	if mean := number(rows(c.query("SELECT avg(height * 2) FROM patients"))[0][0]); mean > 3300 {
		t.Errorf("the average is %v", mean)
	}
	// The span of a bucket's number is 0 to 101.
	notice := noticeOf(c.query("SELECT sum(width_bucket(age, 0, 100, 100)) FROM patients"))
	if !strings.Contains(notice, "0 to 101") {
		t.Error(notice)
	}
}

func noticeOf(replies []message) (text string) {
	for _, m := range replies {
		if m.kind == 'N' {
			text += m.field('M')
		}
	}
	return text
}
