package wire

import (
	"fmt"
	"strings"
)

// This file writes names into a parameter, and reads them from a row.

// NameArray is the text form of an array of NULL and the names, each a quoted identifier.
func NameArray(names []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	var b strings.Builder
	b.WriteString("{NULL")
	for _, n := range names {
		identifier := `"` + strings.ReplaceAll(n, `"`, `""`) + `"`
		fmt.Fprintf(&b, `,"%s"`, escape.Replace(identifier))
	}
	b.WriteString("}")
	return b.String()
}

// Unquote is the name that an identifier means which the server has quoted where that is needed.
func Unquote(identifier []byte) string {
	name := string(identifier)
	if len(name) < 2 || name[0] != '"' {
		return name
	}
	return strings.ReplaceAll(name[1:len(name)-1], `""`, `"`)
}
