// Package pattern tells which regular expressions take little time, whatever text they are matched with. So an analyst cannot hold up the curator's
// connection by a pattern, nor tell by the time that it takes what stands in a row.
//
// Begin with [IsQuick]; how much time they take on a text of some length is told by [Atoms] and [AtomsToFind]. That the pattern is one at all is for the server to say, in the analyst's own session. LIKE's patterns are in package expr.
package pattern
