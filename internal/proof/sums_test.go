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
	s := &site{t: t, database: cluster.CreateDatabase(t), files: "testdata/hints", random: battery.Seeded(7)}
	s.load("hints/schema.sql")
	if err := execute(s.database, "CALL fill(4000, 0.7)"); err != nil {
		t.Fatal(err)
	}
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

func noticeOf(replies []message) (text string) {
	for _, m := range replies {
		if m.kind == 'N' {
			text += m.field('M')
		}
	}
	return text
}
