// Package attack does to a published table what an attacker would, so that a steward sees what classical suppression hides and what it does
// not. It answers two questions:
//
//   - What values can a hidden cell have, given what is shown and that sums hold? [Publication.Bounds] finds the least and the largest by linear
//     programs (Fischetti and Gonzalez 2000 call these the attacker's problems), for tables of any number of ways, with totals in trees.
//   - What does it say that just these cells are hidden, to somebody who knows the rule by which they were chosen? [Rule.Infer] goes through
//     all tables of two ways (Nabar and Mishra 2009, section 3: "Suppressions leak information").
//
// Start at [Cross], which makes a publication of a table, or at [Figure1].
//
// # What is guaranteed
//
// A bound is exact, and comes with its proof: a table that attains it, and multipliers of the sums from which it follows that no table is beyond
// it. Both are checked in rational arithmetic (math/big) by code that does not share any with the search, before the bound is returned and again
// by whoever calls [Publication.Check]. What cannot be solved exactly is an error. Ranges of [Rule.Infer] are exact; its probabilities are sums
// in floating point.
//
// # Real and whole tables
//
// Counts are whole numbers. In two ways without levels between codes and totals the bounds of real tables are those of counts. Proof: an
// inner cell is in the sum of its row and, turned around, in the sum of its column, with coefficients 1 and -1. The total of a row is in its own sum, with -1,
// and in the sum over those totals, with 1; turned around, the same is so of columns; and the grand total is in the two sums over totals,
// with -1 and, turned around, 1. So every column of the matrix has at most one 1 and one -1: it is the incidence matrix of a directed
// graph, which is totally unimodular (Poincare 1900), and stays so when shown cells are moved to the right side. All vertices of such a program
// with whole right sides are whole (Hoffman and Kruskal 1956), and a finite bound is attained at a vertex.
//
// In more ways that is not so: the bounds of counts may be tighter, and [Interval].Whole says whether they are known not to be, since whole
// tables attain them.
//
// # What it leaves out
//
// An attacker may know more: values of some cells (show them), limits of others (Cell.Least and Cell.Most), likely values (a [Prior]; Bounds has
// none). Nothing here runs against a database; the cells are the caller's.
package attack
