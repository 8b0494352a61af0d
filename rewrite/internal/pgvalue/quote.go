package pgvalue

import (
	"strings"

	"tacit/policy"
)

// QuoteString quotes a string constant for standard_conforming_strings = on.
func QuoteString(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// QuoteIdentifier quotes a name where SQL needs it, as policy does for the names of tables.
func QuoteIdentifier(name string) string {
	quoted := policy.TableName{Schema: "x", Name: name}.String()
	return strings.TrimPrefix(quoted, "x.")
}

// AlwaysQuoted quotes a name for the SQL that this package makes.
func AlwaysQuoted(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// QuoteConstant quotes a string constant so that it is read alike whatever standard_conforming_strings is.
func QuoteConstant(s string) string {
	if !strings.Contains(s, `\`) {
		return QuoteString(s)
	}
	return "E" + QuoteString(strings.ReplaceAll(s, `\`, `\\`))
}

// QuoteList is a list of names, each quoted where SQL needs it.
func QuoteList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = QuoteIdentifier(name)
	}
	return strings.Join(quoted, ", ")
}
