// Package extent is the algebra of sets of values of one column: their union, their intersection, and whether one lies within another.
//
// Numbers and times are ordered as the server orders them, with infinity and NaN, and their sets are spans. Of other types only equality is known, and
// their sets are lists of values, or all values but those of a list. A set never has fewer values than its name says; where it has more, functions say so.
//
// Start at [Extent]. Which extent a condition has is worked out in package expr.
package extent
