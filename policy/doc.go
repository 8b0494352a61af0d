// Package policy reads the steward's policy file: what is protected, how it is counted, who may ask, and how much.
//
// [Load] guarantees that a policy which it returns is complete and consistent as far as the file alone can show: no key that means
// nothing, no amount that was rounded, no domain read from a table that is not declared public, no epsilon above its budget. A
// mistyped key must not silently leave a table with less protection than its steward believes; so whatever is not understood is an
// error, and all errors of a file are reported together, each an [Error] with line, key and remedy.
//
// The file is YAML, of which only a plain part is read: one document of mappings, lists and scalars. Values are taken as they
// stand in the file, so that YAML's guesses about types (NO, 017, 1_000) do not reach the data.
//
// Amounts of epsilon, delta and risk are integers, see [Epsilon], [Delta] and [Risk]. Start at [Policy]. Files are read by [Load] alone;
// all else works on bytes and values.
//
// Left out: whether tables, columns and roles exist, and whether their privileges keep the protected tables apart, which only the
// live catalog can tell; and everything that happens after start, such as reloading.
package policy
