package policy

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func dayOfTest(t *testing.T, text string) int64 {
	t.Helper()
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return daysOf(day)
}

// TestRangesEndOnTheDay fails if a range that ends today ends on another day, if a policy that is in use is changed, or if what a table is divided
// by is named otherwise tomorrow.
func TestRangesEndOnTheDay(t *testing.T) {
	text := edited(t, budgetLine+"\n    columns:\n      "+sexLine,
		"budget: {epsilon: 10, blocks: {column: at, by: day}}\n    columns:\n      at: {range: [2026-11-20, today]}\n      until: {range: [2020-01-01, 2020-01-02]}")
	read, err := Parse("policy.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p := read
	for _, c := range []struct{ now, last string }{
		{"2026-11-23T23:59:59Z", "2026-11-23"}, {"2026-11-24T00:30:00+01:00", "2026-11-23"}, {"2026-11-24T00:00:00Z", "2026-11-24"}, {"2020-01-01T00:00:00Z", "2026-11-20"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		before, was := p, p.Tables[0].Columns[0].Domain.Range.Last
		p = p.On(now)
		table := p.Tables[0]
		last := dayOfTest(t, c.last)
		if table.Columns[0].Domain.Range.Last != last || table.Blocks.Domain.Range.Last != last || table.Columns[1].Domain.Range.Last != dayOfTest(t, "2020-01-02") {
			t.Errorf("%s: %+v, blocks to %d", c.now, table.Columns, table.Blocks.Domain.Range.Last)
		}
		if before.Tables[0].Columns[0].Domain.Range.Last != was || p.On(now) != p || (before == p) != (was == last) {
			t.Errorf("%s: a policy was changed, or copied without need", c.now)
		}
		if got := table.Blocks.Partition(); got != "at by day from 2026-11-20 to today" {
			t.Errorf("%s: %s", c.now, got)
		}
		if _, moving := read.Tables[0].Grows(now); !slices.Equal(moving, []string{"at"}) {
			t.Errorf("%s: the table grows by %v", c.now, moving)
		}
	}
	if all := strings.Join(p.On(time.Date(2026, 11, 21, 5, 0, 0, 0, time.UTC)).Tables[0].Blocks.All(), " "); all != "2026-11-20 2026-11-21 NULL outside" {
		t.Errorf("the blocks are %s", all)
	}
}
