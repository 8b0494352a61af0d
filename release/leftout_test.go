package release

import (
	"slices"
	"testing"
)

// Of people, ten live where the policy declares nothing. They are in no cell, so not in a sum of cells, which the receipt says; it says so of no
// sum that they could not be in. With noise that is nothing but with probability 4e-9 for each count, from a seeded source.
func TestUndeclaredAreLeftOut(t *testing.T) {
	w := derivingWard(t)
	for _, table := range w.Policy.Tables {
		table.Mechanism.Epsilon = 20e9
	}
	d, other := w.open(), w.apart()
	w.answered(d, nil, "SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex")
	for _, c := range []struct {
		sql     string
		sum     int64
		leftOut []string
	}{
		{"SELECT count(*) FROM clinic.people", 1000, []string{"region", "sex"}},
		{"SELECT count(*) FROM clinic.people WHERE sex IS NULL OR sex = 'F'", 500, []string{"region"}},
		{"SELECT sex, count(*) FROM clinic.people GROUP BY sex", 1000, []string{"region"}},
		{"SELECT region, count(*) FROM clinic.people GROUP BY region", 1000, []string{"sex"}},
		{"SELECT count(*) FROM clinic.people WHERE region IN ('north', 'south') AND sex = 'M'", 500, nil},
		{"SELECT count(*) FILTER (WHERE region <> 'south') FROM clinic.people", 600, []string{"region", "sex"}},
		{"SELECT region, sex, count(*) FROM clinic.people WHERE region <> 'south' GROUP BY region, sex", 600, nil},
	} {
		got := w.answered(d, nil, c.sql)
		if got.receipt.Derived == nil || !slices.Equal(got.receipt.Derived.LeftOut, c.leftOut) {
			t.Errorf("%s: %+v, want %v left out", c.sql, got.receipt.Derived, c.leftOut)
		}
		if n := sumOf(got); n != c.sum {
			t.Errorf("%s: %d rows, want %d", c.sql, n, c.sum)
		}
		if n := sumOf(w.answered(other, asksFresh, c.sql)); n != c.sum && len(c.leftOut) == 0 {
			t.Errorf("%s: %d rows when asked anew, and nothing is said to be left out of %d", c.sql, n, c.sum)
		}
	}
}

func sumOf(a askedCells) (sum int64) {
	for _, n := range a.cells.Counts[0] {
		sum += n
	}
	return sum
}
