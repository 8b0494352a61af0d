package reply

import "fmt"

// AtOnce bounds the errors of all counts of a statement at once. It is said where a statement may choose by counts: what is said of a count by
// itself is not true of one that was chosen for its size.
type AtOnce struct {
	Counts int
	// HalfWidth95 holds for all of them with probability 0.95.
	HalfWidth95 int64
	// Known is false of kinds of which no such bound is known.
	Known bool
}

// notice is what the notice says.
func (a *AtOnce) notice() string {
	if !a.Known {
		return fmt.Sprintf("that is not so of those of the %d counts that are chosen by size", a.Counts)
	}
	return fmt.Sprintf("all %d counts at once within ±%d, also those that are chosen by size", a.Counts, a.HalfWidth95)
}

// line is what EXPLAIN says.
func (a *AtOnce) line() string {
	if !a.Known {
		return fmt.Sprintf("  Error of All at Once: not known, of those of the %d counts that are chosen by size", a.Counts)
	}
	return fmt.Sprintf("  Error of All at Once: all %d counts within ±%d with probability 95%%", a.Counts, a.HalfWidth95)
}

// Totals say how exact totals of grouping sets are that add up cells.
type Totals struct {
	// Missing says that cells can be missing in them, since a threshold decides which are shown.
	Missing bool
	// Cells is how many a total adds up at most, and HalfWidth95 bounds the error of one with probability 0.95, or of all of them where the
	// statement chooses by counts; both are 0 if no bound is known.
	Cells       int
	HalfWidth95 int64
}

// line is what EXPLAIN says.
func (t *Totals) line() string {
	if t.Missing {
		return "  Totals: sums of the cells that are shown, which leave out all others; no error is known"
	}
	return fmt.Sprintf("  Totals: sums of at most %d cells, within ±%d with probability 95%%", t.Cells, t.HalfWidth95)
}

// Merge is what holds of the totals of two queries.
func (t *Totals) Merge(other *Totals) *Totals {
	switch {
	case t == nil:
		return other
	case other == nil:
		return t
	}
	both := &Totals{Missing: t.Missing || other.Missing}
	if t.Cells > 0 && other.Cells > 0 {
		both.Cells, both.HalfWidth95 = max(t.Cells, other.Cells), max(t.HalfWidth95, other.HalfWidth95)
	}
	return both
}
