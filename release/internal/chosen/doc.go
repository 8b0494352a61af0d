// Package chosen chooses the value of a cell that is asked for in place of a count: a percentile, or the mode.
//
// It guarantees that a value is one of a grid that was fixed before any row is read, and says by how much it is off. It is drawn by the exponential mechanism of package
// mechanisms, or found by noisy counts that were released. What is charged for it, and which rows there are, is for the caller. Start at Choice.
package chosen
