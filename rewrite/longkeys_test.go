package rewrite

import (
	"fmt"
	"strings"
	"testing"
)

// The text that stands for keys that are too long is made for such a key alone: it is not in the plan, for which it would be made at each statement.
func TestLongKeysAreNotPlanned(t *testing.T) {
	server := newTwin(t)
	q := boundQuery(t, "SELECT city, count(*) FROM members GROUP BY city")
	sql, args := q.CountSQL(q.Counts)
	plan := fmt.Sprintf("%s", server.query("EXPLAIN (VERBOSE) "+sql, args))
	if !strings.Contains(plan, "repeat(") || len(plan) > 10_000 {
		t.Errorf("a plan of %d bytes:\n%.2000s", len(plan), plan)
	}
}
