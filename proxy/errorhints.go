package proxy

import (
	"strings"

	"tacit/rewrite"
)

// This file says what helps after an error that PostgreSQL raises once the counts of a statement are there: what stands around noisy numbers can fail
// on them. The loss is charged by then, and the counts are recorded, so that the statement costs nothing when it is corrected. The error tells nothing that the
// counts themselves would not.

// errorHints are what can be done about errors of noisy numbers, by SQLSTATE.
var errorHints = map[string]string{
	"22012": "A noisy number can be 0: divide by nullif(count(*), 0).",
	"2201E": "A noisy number can be 0 or less: ln(nullif(greatest(count(*), 0), 0)).",
	"2201F": "A noisy number can be less than 0: sqrt(greatest(sum(x), 0)).",
	"22003": "A noisy number can be beyond the range of a type: cast it to numeric.",
	"42501": "Whoever owns the table or function can grant the privilege.",
}

// hintAfter is the hint at errors of the server's for a statement whose counts were answered; nil if it has none.
func (in *interceptor) hintAfter(v *rewrite.Answer) func(code string) string {
	if len(v.Queries) == 0 || v.Nothing {
		return nil
	}
	recorded := in.recordedHint()
	return func(code string) string { return strings.TrimSpace(errorHints[code] + " " + recorded(code)) }
}

// recordedHint is the hint where the error may be that of another statement of the same text.
func (in *interceptor) recordedHint() func(code string) string {
	free := "The counts are recorded: the corrected statement is free."
	if in.fresh {
		free = "The counts are recorded: with tacit.fresh off the corrected statement is free."
	}
	return func(string) string { return free }
}
