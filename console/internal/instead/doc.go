// Package instead finds in the catalogue of errors, docs/errors.md, what to ask instead of what was refused.
//
// It guarantees that what it says is an entry of the catalogue, whose message the refusal has; of several the most definite one. Nothing of the refused statement is
// in it, and its examples are about tables of the manual. It leaves out refusals that the catalogue explains by their message alone.
//
// Start at [Of].
package instead
