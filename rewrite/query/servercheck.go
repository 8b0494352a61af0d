package query

import (
	"fmt"
	"slices"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// This file has what the server is asked about constants before it counts. The invariant: a constant at which a count would fail once it reached a row makes a
// check fail, whatever rows there are, if both are made under the same settings. The settings of analysts' sessions are their own.

// A ServerCheck is a statement for the curator's connection, with Constant as its argument. It yields one text. Told is what the analyst's own session said
// to the same, NULL if it was not asked.
type ServerCheck struct {
	SQL, Constant string
	Told          pgvalue.Value
}

// checksOf are the checks of what was bound, each once.
func checksOf(b *expr.Binding) (checks []ServerCheck) {
	for _, c := range b.Checked {
		made := ServerCheck{SQL: fmt.Sprintf("SELECT ("+c.Function.ServerCheck+")::pg_catalog.text", "$1::pg_catalog.text"), Constant: c.Constant, Told: pgvalue.Value{Null: true}}
		if 0 < c.Told && c.Told <= len(b.Constants) {
			made.Told = b.Constants[c.Told-1]
		}
		if !slices.Contains(checks, made) {
			checks = append(checks, made)
		}
	}
	return checks
}
