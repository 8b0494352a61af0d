package proof

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestSumsFollowFromCounts asks for counts by a number, without noise, and then for its sums: they are PostgreSQL's own, and free.
func TestSumsFollowFromCounts(t *testing.T) {
	s := &site{t: t, files: "testdata/questions"}
	s.fill("", "questions/schema.sql")
	s.establish()
	open := func(url string) *pgconn.PgConn {
		conn, err := pgconn.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(context.Background()) })
		return conn
	}
	conn, direct := open(s.url(s.serve(s.gateway))), open(cluster.URL("postgres", s.database))
	left := func() string {
		return ask(t, conn, "SELECT epsilon_left FROM tacit.budget WHERE table_name = 'patients'", false).Rows[0][0]
	}
	ask(t, conn, "SELECT region, sex, age, count(*) FROM patients GROUP BY region, sex, age", false)
	ask(t, conn, "SELECT smoker, weight, count(*) FROM patients GROUP BY smoker, weight", false)
	before := left()
	for _, sql := range []string{
		"SELECT sum(age), avg(age), count(*) FROM patients",
		"SELECT region, sum(age), avg(age), count(*) FROM patients GROUP BY region",
		"SELECT sex, avg(age), var_pop(age), stddev_samp(age) FROM patients WHERE region IN ('north', 'east') GROUP BY sex",
		"SELECT region, sum(age) FROM patients WHERE age >= 18 AND sex = 'F' GROUP BY region",
		"SELECT sum(age) FILTER (WHERE sex = 'M'), avg(age) FILTER (WHERE age < 50) FROM patients",
		"SELECT age / 10, avg(age) FROM patients WHERE age < 90 GROUP BY age / 10",
		"SELECT smoker, sum(weight), avg(weight), stddev_pop(weight) FROM patients GROUP BY smoker",
	} {
		for _, extended := range []bool{false, true} {
			truth := make(map[string][]string)
			for _, row := range ask(t, direct, sql, false).Rows {
				truth[row[0]] = row
			}
			answered := ask(t, conn, sql, extended).Rows
			if len(truth) == 1 { // without keys
				truth = map[string][]string{answered[0][0]: ask(t, direct, sql, false).Rows[0]}
			}
			for _, row := range answered {
				want, ok := truth[row[0]]
				for i := range row {
					if !ok || row[i] != want[i] && math.Abs(number([]byte(row[i]))-number([]byte(want[i]))) > 1e-9 {
						t.Errorf("%s: %q, want %q", sql, row, want)
						break
					}
				}
			}
		}
		if after := left(); after != before {
			t.Errorf("%s: charged, %s left of %s: %s", sql, after, before, ask(t, conn, "SELECT notice FROM tacit.answers LIMIT 1", false).Rows[0][0])
			before = after
		}
	}
	notice := ask(t, conn, "SELECT notice FROM tacit.answers LIMIT 1", false).Rows[0][0]
	if !strings.Contains(notice, "derived from release 2") || !strings.Contains(notice, "rows with undeclared values of weight are left out") {
		t.Error(notice)
	}
	for _, sql := range []string{ // of which counts by the number are not recorded, or do not tell
		"SELECT insurance, sum(age) FROM patients GROUP BY insurance", "SELECT smoker, sum(age) FROM patients GROUP BY smoker", "SELECT sum(age * 2) FROM patients",
	} {
		before := left()
		ask(t, conn, sql, false)
		if left() == before {
			t.Errorf("%s: free", sql)
		}
	}
	before = left()
	rows := ask(t, conn, "SELECT insurance, round(sum(age) / nullif(avg(age), 0)) FROM patients GROUP BY insurance ORDER BY 1", false).Rows
	if diff := cmp.Diff(ask(t, direct, "SELECT insurance, count(age) FROM patients GROUP BY insurance ORDER BY 1", false).Rows, rows); diff != "" || left() != before {
		t.Errorf("the number of rows of an average, %s left of %s (-want +got):\n%s", left(), before, diff)
	}
}

// TestStatedIntervalsOfDerivedSumsCover draws counts by a number anew each time, and compares the sums that follow with the truth.
func TestStatedIntervalsOfDerivedSumsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	conn, direct := newIntervalSite(t, 400)
	const truths = "SELECT region, sum(age), avg(age) FROM patients GROUP BY region"
	truth := make(map[string][]string)
	for _, row := range ask(t, direct, truths, false).Rows {
		truth[row[0]] = row
	}
	told, missed, narrow := 0, 0, 0
	for range 60 {
		ask(t, conn, "SET tacit.fresh = on", false)
		ask(t, conn, "SELECT region, age, count(*) FROM patients GROUP BY region, age", false)
		ask(t, conn, "SET tacit.fresh = off", false)
		rows := ask(t, conn, "SELECT region, sum(age), tacit.low(sum(age)), tacit.high(sum(age)) FROM patients GROUP BY region", false).Rows
		if notice := ask(t, conn, "SELECT notice FROM tacit.answers LIMIT 1", false).Rows[0][0]; !strings.Contains(notice, "derived") {
			t.Fatal(notice)
		}
		for _, row := range rows {
			want, ok := truth[row[0]]
			if !ok || row[2] == "NULL" {
				continue
			}
			is, value, low, high := number([]byte(want[1])), number([]byte(row[1])), number([]byte(row[2])), number([]byte(row[3]))
			told++
			if is < low || is > high {
				missed++
			}
			if is < value-0.1*(value-low) || is > value+0.1*(high-value) {
				narrow++
			}
		}
	}
	t.Logf("%d told, %d missed, %d if narrower by 0.1", told, missed, narrow)
	if most := mostMissed(told); told < 200 || missed > most || narrow <= most {
		t.Errorf("%d of %d intervals miss the truth, and %d if they are narrower", missed, told, narrow)
	}
}
