// Package moment writes sums, averages and variances as expressions over the counts that they are made of.
//
// It guarantees that without noise such an expression has the very digits that PostgreSQL's own aggregate has, and that an interval holds the
// value wherever those of its columns hold theirs. The columns are sums of polynomials with a sensitivity of one each (query.Measure), so that
// an expression over them costs nothing more.
//
// [Aggregate] is where to start: [Aggregate.Node] takes the place of a call, and [Aggregate.Ends] are the ends of its interval. By file:
// node.go and ends.go have these two, types.go which aggregates there are and of what types, and instead.go what to ask of a number without
// bounds.
//
// It reads no statements: which call has which bounds, and where its columns come from, is for package rewrite.
package moment
