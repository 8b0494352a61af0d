// Package timetext knows the formats in which to_char writes times: which words they are made of, and which texts come of those fields that repeat.
//
// It guarantees that a format that it can take apart fails on no time, and that the texts that it lists hold all that PostgreSQL writes: a test of
// package expr compares them with the server's. Start at [Words] and [Texts]. Formats of numbers, and patterns that are read rather than written,
// are left out.
package timetext
