package policy

// Blocks are parts of a table, by the value of a column, each of which has the table's budget: a row is in exactly one of them, so that
// a release that only rows of one block can change costs the others nothing (parallel composition; McSherry 2009, Theorem 4).
type Blocks struct {
	Column string
	By     BlockUnit
}

// A BlockUnit says how values make blocks.
type BlockUnit string

const (
	ByDay   BlockUnit = "day"
	ByMonth BlockUnit = "month"
	ByYear  BlockUnit = "year"
	ByValue BlockUnit = "value"
)
