// Package docs has documents of this directory that programs show, too.
//
// It guarantees that they are those of the version that was built, and holds nothing else: no figure and no text that depends on a policy or on data. Whom a text
// helps is an analyst who was refused: the console finds there what to ask instead, and anybody may read it. It leaves out all other documents.
//
// Start at [Errors].
package docs

import _ "embed"

// Errors is errors.md: every refusal, with what to ask instead.
//
//go:embed errors.md
var Errors string
