// Package docs has the documents that programs show, too.
package docs

import _ "embed"

// Errors is errors.md: every refusal, with what to ask instead.
//
//go:embed errors.md
var Errors string
