package reply

import "fmt"

// Bounds say what one person counts for at most, and how much that leaves out: nothing of what is said here depends on rows but through a
// release that was charged.
type Bounds struct {
	Rows, Groups int
	// Known says that what is left out of all cells together was measured: LeftOut, within HalfWidth95 with probability 0.95.
	Known       bool
	LeftOut     int64
	HalfWidth95 int64
	// OfRows says that rows were measured, otherwise groups of persons; Most is how many of one person are looked at.
	OfRows bool
	Most   int
}

func (b *Bounds) String() string {
	text := fmt.Sprintf("each person counts for at most %d rows in %d groups", b.Rows, b.Groups)
	if b.Rows == 1 {
		text = "each person counts for one row at most"
	}
	if !b.Known {
		return text + ", and rows beyond that are left out (how many is not known)"
	}
	return fmt.Sprintf("%s, and about %d %s beyond that are left out (within ±%d with probability 95%%; of one person at most %d are looked at)",
		text, b.LeftOut, map[bool]string{true: "rows", false: "groups of persons"}[b.OfRows], b.HalfWidth95, b.Most)
}

// Merge is what holds of two queries: what is left out of the one of which that is more.
func (b *Bounds) Merge(other *Bounds) *Bounds {
	if b == nil || other != nil && b.Known && (!other.Known || other.LeftOut > b.LeftOut) {
		return other
	}
	return b
}
