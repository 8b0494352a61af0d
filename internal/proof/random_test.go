package proof

import (
	"iter"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
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
	c := newComparison(t)
	compared := 0
	for r := range randomly(t, 3000) {
		sql := &testCase{path: "random", steps: []string{newGrammar(randomBytes(r)).statement()}}
		if uncertain.MatchString(sql.last()) {
			continue
		}
		before := c.door.asked()
		got := c.run(c.proxied, sql, modes[0])
		if c.door.asked() == before {
			continue
		}
		compared++
		want := c.run(c.direct, sql, modes[0])
		if diff := cmp.Diff(withoutMinusZero(comparable(want, false)), withoutMinusZero(comparable(got, false))); diff != "" {
			t.Errorf("%s\n(-PostgreSQL +proxy):\n%s", sql.last(), diff)
			break
		}
	}
	if t.Logf("%d answers", compared); compared < 50 && !t.Failed() {
		t.Errorf("only %d answers", compared)
	}
}

// uncertain are statements with several right answers, among them those that depend on the role, or on what the session did before;
// and row locks, which PostgreSQL refuses where it finds aggregates within.
var uncertain = regexp.MustCompile(`(?i)\b(limit|offset|fetch|random|distinct on|tablesample|ctid|tableoid|for (update|share|key share)|` +
	`execute|prepare|pg_advisory_lock|has_table_privilege|current_setting)\b`)

// withoutMinusZero takes the two zeroes of a floating-point type for one: PostgreSQL shows the one that it meets first.
func withoutMinusZero(lines []string) []string {
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, `\x00\x00\x00\x02-0`, `\x00\x00\x00\x010`)
	}
	slices.Sort(lines)
	return lines
}
