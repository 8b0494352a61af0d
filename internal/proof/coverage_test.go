package proof

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/battery"
)

// mostMissed is the largest number of intervals that may miss the truth of so many, where each misses it with a probability of 5% at most: more do with
// a probability below 1e-8, so that all assertions of this file together fail falsely with one below 1e-6.
func mostMissed(n int) int {
	const miss = 0.05
	logOf := func(k int) float64 { // of the binomial probability of k
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		return a - b - c + float64(k)*math.Log(miss) + float64(n-k)*math.Log1p(-miss)
	}
	tail := 0.0
	for k := n; k > 0; k-- {
		if tail += math.Exp(logOf(k)); tail > 1e-8 {
			return k
		}
	}
	return 0
}

// coverageCases are numbers of 4,000 groups, and by how much their intervals can be made narrower until too many of them miss the truth. By
// 0.8 they can where the bound is that of one noise. Where it adds up the bounds of several, whose errors are not all as large at once, it is
// wider than need be. On average so many more miss the truth then that fewer are found with a probability below 1e-8, too.
var coverageCases = []struct {
	name, table, number, truth string
	narrower                   float64
}{
	{"counts", "geometric", "count(*)", "count(*)", 0.8},
	{"counts", "laplace", "count(*)", "count(*)", 0.8},
	{"counts", "gaussian", "count(*)", "count(*)", 0.8},
	{"counts", "discrete_gaussian", "count(*)", "count(*)", 0.8},
	{"counts that are withheld", "suppressing", "count(*)", "count(*)", 0.7},
	{"counts that are cut at 0", "cut", "count(*) FILTER (WHERE f)", "count(*) FILTER (WHERE f)", 0.7},
	{"counts of rows of persons", "visiting", "count(*)", "count(*)", 0.8},
	{"counts of persons", "visiting", "count(DISTINCT id)", "count(DISTINCT id)", 0.8},
	{"sums", "geometric", "sum(x)", "sum(x)", 0.6},
	{"sums", "gaussian", "sum(x)", "sum(x)", 0.7},
	{"sums about 0", "geometric", "sum(v)", "sum(v)", 0.4},
	{"sums of persons", "visiting", "sum(x)", "sum(x)", 0.6},
	{"averages", "geometric", "avg(x)", "avg(x)", 0.4},
	{"averages", "gaussian", "avg(x)", "avg(x)", 0.5},
	{"averages of persons", "visiting", "avg(v)", "avg(v)", 0.4},
	{"shares", "geometric", "avg(f::int)", "avg(f::int)", 0.5},
	{"ratios", "gaussian", "100.0 * count(*) FILTER (WHERE f) / nullif(count(*), 0)", "100.0 * count(*) FILTER (WHERE f) / count(*)", 0.5},
	{"ratios of a sum", "geometric", "sum(x) / nullif(count(*), 0)", "sum(x)::numeric / count(*)", 0.3},
}

// TestStatedIntervalsCover asks for numbers of 4,000 groups and for their intervals at 95%, three times, and compares with the truth. It fails if more
// intervals miss it than chance allows, and if they would not be found out when they were narrower. An interval that is not told misses nothing, but most are told.
func TestStatedIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	conn, direct := newCoverageSite(t)
	for _, c := range coverageCases {
		truth := make(map[string]float64)
		for _, row := range ask(t, direct, fmt.Sprintf("SELECT k, %s FROM %s GROUP BY k", c.truth, c.table), false).Rows {
			truth[row[0]] = number([]byte(row[1]))
		}
		sql := fmt.Sprintf("SELECT k, %[1]s, tacit.low(%[1]s), tacit.high(%[1]s) FROM %[2]s GROUP BY k", c.number, c.table)
		asked, told, missed, narrow := 0, 0, 0, 0
		for range 3 {
			for _, row := range ask(t, conn, sql, false).Rows {
				asked++
				if row[2] == "NULL" {
					continue
				}
				told++
				is, low, high := truth[row[0]], number([]byte(row[2])), number([]byte(row[3]))
				if is < low-1e-9 || is > high+1e-9 {
					missed++
				}
				middle := (low + high) / 2
				if row[1] != "NULL" {
					middle = number([]byte(row[1]))
				}
				if is < middle-c.narrower*(middle-low)-1e-9 || is > middle+c.narrower*(high-middle)+1e-9 {
					narrow++
				}
			}
		}
		most := mostMissed(asked)
		t.Logf("%s of %s: %d told, %d missed of at most %d, %d if narrower by %v", c.name, c.table, told, missed, most, narrow, c.narrower)
		if missed > most || asked != 12_000 || told < asked*8/10 {
			t.Errorf("%s of %s: %d of %d intervals miss the truth, of %d told", c.name, c.table, missed, asked, told)
		}
		if narrow <= most {
			t.Errorf("%s of %s: only %d miss the truth if the intervals are narrower by %v", c.name, c.table, narrow, c.narrower)
		}
	}
}

// newCoverageSite has the tables of the test, and sessions of an analyst and of PostgreSQL itself.
func newCoverageSite(t *testing.T) (proxied, direct *pgconn.PgConn) {
	t.Helper()
	s := &site{t: t, files: "testdata/coverage", random: battery.Seeded(41)}
	s.fill("", "coverage/schema.sql")
	s.establish()
	open := func(url string) *pgconn.PgConn {
		config, err := pgx.ParseConfig(url)
		if err != nil {
			t.Fatal(err)
		}
		config.OnNotice = nil
		conn, err := pgconn.ConnectConfig(t.Context(), &config.Config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(context.Background()) })
		return conn
	}
	proxied = open(s.url(s.serve(s.gateway)))
	ask(t, proxied, "SET tacit.fresh = on", false)
	return proxied, open(cluster.URL("postgres", s.database))
}

// percentileCases are fractions of groups, and by how much the bounds of ranks can be made narrower until too many values are beyond.
var percentileCases = []struct {
	of, all  int64
	narrower float64
}{{1, 2, 0.2}, {9, 10, 0.2}, {1, 100, 0.1}}

// TestStatedRanksCover does the same for values: of 4,000 groups each, the notice says within how many ranks of the fraction that is asked for they are.
func TestStatedRanksCover(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	conn, direct := newCoverageSite(t)
	const values = 101
	rows := make(map[string]*[values]int64) // of a group, by value
	for _, row := range ask(t, direct, "SELECT k, x, count(*) FROM geometric GROUP BY k, x", false).Rows {
		if rows[row[0]] == nil {
			rows[row[0]] = &[values]int64{}
		}
		rows[row[0]][whole(t, row[1])] = whole(t, row[2])
	}
	for _, c := range percentileCases {
		sql := fmt.Sprintf("SELECT k, percentile_disc(%g) WITHIN GROUP (ORDER BY x) FROM geometric GROUP BY k", float64(c.of)/float64(c.all))
		answers := ask(t, conn, sql, false).Rows
		told := ranksWithin.FindStringSubmatch(ask(t, conn, "SELECT notice FROM tacit.answers LIMIT 1", false).Rows[0][0])
		if told == nil {
			t.Fatalf("%s: no ranks are told", sql)
		}
		within := float64(whole(t, told[1]))
		missed, narrow := 0, 0
		for _, row := range answers {
			var before, upTo, n int64
			value := whole(t, row[1])
			for v, count := range rows[row[0]] {
				n += count
				if int64(v) < value {
					before += count
				}
				if int64(v) <= value {
					upTo += count
				}
			}
			off := float64(max(0, c.all*before-c.of*n+1, c.of*n-c.all*upTo)) / float64(c.all)
			if off > within {
				missed++
			}
			if off > c.narrower*within {
				narrow++
			}
		}
		t.Logf("%d/%d: within %v ranks, %d missed, %d if narrower by %v", c.of, c.all, within, missed, narrow, c.narrower)
		if most := mostMissed(len(answers)); len(answers) != 4000 || missed > most || narrow <= most {
			t.Errorf("%d/%d: of %d values %d are beyond %v ranks, and %d if these are narrower by %v", c.of, c.all, len(answers), missed, within, narrow, c.narrower)
		}
	}
}

var ranksWithin = regexp.MustCompile(`within ±(\d+) ranks`)
