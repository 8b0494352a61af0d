package proof

import (
	"encoding/binary"
	"iter"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// randomDuration is for how long the tests of random statements run, each with another seed each time. Without it they are short,
// and always the same.
const randomDuration = "TACIT_RANDOM_DURATION"

// randomly yields a source of randomness n times, or for the duration that is asked for.
func randomly(t testing.TB, n int) iter.Seq[*rand.Rand] {
	t.Helper()
	seed, end := uint64(1), time.Time{}
	if set := os.Getenv(randomDuration); set != "" {
		duration, err := time.ParseDuration(set)
		if err != nil {
			t.Fatal(err)
		}
		seed, end = uint64(time.Now().UnixNano()), time.Now().Add(duration)
	}
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	return func(yield func(*rand.Rand) bool) {
		for i := 0; i < n && end.IsZero() || time.Now().Before(end); i++ {
			if !yield(r) {
				return
			}
		}
	}
}

// TestRandomAnswersArePostgresOwn compares the answers to statements of the grammar with those of PostgreSQL itself. It leaves out those that say nothing
// certain: with a LIMIT over ties, or volatile.
func TestRandomAnswersArePostgresOwn(t *testing.T) {
	t.Parallel()
	c := newComparison(t)
	for _, sql := range withoutExtremes {
		c.direct.query(sql)
	}
	compared := 0
	n, least := 3000, 50
	if testing.Short() {
		n, least = 300, 25
	}
	for r := range randomly(t, n) {
		sql := &testCase{path: "random", steps: []string{newGrammar(randomBytes(r)).statement()}}
		if uncertain.MatchString(sql.last()) {
			continue
		}
		before := c.gateway.asked()
		got := c.run(c.proxied, sql, modes[0])
		if c.gateway.asked() == before {
			continue
		}
		compared++
		want := c.run(c.direct, sql, modes[0])
		if strings.Contains(sql.last(), "GROUP BY") && (none.MatchString(strings.Join(comparable(want, false), "\n")) || sets.MatchString(sql.last())) {
			continue // groups by constants: their one cell is shown whether or not it has rows
		}
		if diff := cmp.Diff(plainNumbers(comparable(want, false)), plainNumbers(comparable(got, false))); diff != "" {
			t.Errorf("%s\n(-PostgreSQL +proxy):\n%s", sql.last(), diff)
			break
		}
	}
	if t.Logf("%d answers", compared); compared < least && !t.Failed() {
		t.Errorf("only %d answers", compared)
	}
}

// withoutExtremes takes away the values that are NULL within functions (docs/analyst.md).
var withoutExtremes = []string{
	"UPDATE people SET admitted = NULL WHERE NOT isfinite(admitted)", "UPDATE people SET seen = NULL WHERE NOT isfinite(seen)",
	"UPDATE people SET left_at = NULL WHERE NOT isfinite(left_at)",
	"UPDATE people SET ratio = NULL WHERE ratio IN ('NaN', 'Infinity', '-Infinity')", "UPDATE people SET score = NULL WHERE score IN ('NaN', 'Infinity', '-Infinity')",
	"UPDATE members SET joined = NULL WHERE NOT isfinite(joined)", "UPDATE members SET seen = NULL WHERE NOT isfinite(seen)",
	"UPDATE members SET paid = NULL WHERE NOT isfinite(paid)", "UPDATE members SET salary = NULL WHERE salary = 'NaN'",
	"UPDATE members SET ratio = NULL WHERE ratio IN ('NaN', 'Infinity', '-Infinity')",
	"UPDATE members SET score = NULL WHERE score IN ('NaN', 'Infinity', '-Infinity')",
	"UPDATE members SET weight = NULL WHERE weight IN ('NaN', 'Infinity', '-Infinity')",
	"UPDATE people SET income = NULL WHERE income = 'NaN'", "UPDATE people SET dose = NULL WHERE dose IN ('NaN', 'Infinity', '-Infinity')",
}

// uncertain are statements with several right answers, among them those that depend on the role, or on what the session did before;
// row locks, which PostgreSQL refuses where it finds aggregates within; and sums of ones, which are zero over no rows.
var uncertain = regexp.MustCompile(`(?i)\b(limit|offset|fetch|random|distinct on|tablesample|ctid|tableoid|for (update|no key update|share|key share)|` +
	`execute|prepare|commit|rollback|pg_advisory_lock|has_table_privilege|current_setting)\b|sum\((\(|case)`)

// plainNumbers takes the two zeroes of a floating-point type for one, since PostgreSQL shows the one that it meets first; and drops the
// zeros at the end of decimal fractions, which computed numerics do not keep.
func plainNumbers(lines []string) []string {
	for i, line := range lines {
		quoted, ok := strings.CutPrefix(line, "D ")
		if !ok {
			lines[i] = modifier.ReplaceAllString(line, "$1 _ $2")
			continue
		}
		body, err := strconv.Unquote(quoted)
		if err != nil || len(body) < 2 {
			continue
		}
		var fields []string
		for rest := body[2:]; len(rest) >= 4; {
			n := int32(binary.BigEndian.Uint32([]byte(rest)))
			rest = rest[4:]
			if n < 0 || int(n) > len(rest) {
				fields = append(fields, "NULL")
				continue
			}
			field := rest[:n]
			if rest = rest[n:]; fraction.MatchString(field) {
				field = strings.TrimRight(strings.TrimRight(field, "0"), ".")
			}
			if field == "-0" {
				field = "0"
			}
			fields = append(fields, strconv.Quote(field))
		}
		lines[i] = "D " + strings.Join(fields, " ")
	}
	slices.Sort(lines)
	return lines
}

// modifier is the type modifier in a RowDescription: PostgreSQL's planner may fold a CASE to the one of its branches that has one.
var modifier = regexp.MustCompile(`(" [0-9]+ -?[0-9]+) -?[0-9]+ ([0-9];)`)

// sets are grouping sets, in which there may be constants, too.
var sets = regexp.MustCompile(`ROLLUP|CUBE|SETS`)

// none is the tag of a statement that yields nothing.
var none = regexp.MustCompile(`C "(SELECT|COPY|INSERT 0|FETCH|DECLARE) 0\\x00"`)

var fraction = regexp.MustCompile(`^-?[0-9]+\.[0-9]+$`)
