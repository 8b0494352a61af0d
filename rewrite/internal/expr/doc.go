// Package expr has the values and conditions that can be asked of a row of a protected table.
//
// It guarantees that whatever is built of its types has a value for every row: the curator's statement cannot raise an error that depends
// on a row, which would tell the analyst of it. Functions, operators and casts are those of functionlist.go and the files of their
// families, each with bounds (package bounds) that prove that no row makes it fail; columns count as NULL beyond the guards where the proof needs that.
//
// An [Expression] or a [Predicate] still has parameters; a [Binding] gives them values. Bound, an expression is a [Column], stored or
// computed, and a predicate is a [Formula], which says of each row only whether it is counted. canonical.go brings a formula into the one
// form that is the identity of a question: what it prints must never change, or recorded answers are no longer found.
// within.go says which values of a column a formula lets pass (package extent); known.go and grain.go which values a computed column can have.
// sql.go prints for the curator: every constant is an argument, and every name has its schema.
//
// To allow another function in conditions, add it to the file of its family with its bounds; the test of totality then tries it on the
// extremes of its types. Reading SQL is not done here: package rewrite makes expressions of parse trees.
package expr
