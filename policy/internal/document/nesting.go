package document

import (
	"fmt"

	"github.com/goccy/go-yaml/token"

	"tacit/policy/internal/nesting"
)

// This file bounds what the YAML parser is given. The parser goes down one call for each level, and keeps the path of each: 100,000 brackets
// would take it to gigabytes. It also copies its list of tokens for each key. The lexer, which knows strings and comments, is linear.

const (
	// maxNesting is beyond maxDepth, so that moderate mistakes are reported with their keys.
	maxNesting = 100
	// maxHeld is what anchors, tags and the like may add. Each adds at least three, so that there are at most 100 of them; a few are reported with their keys.
	maxHeld = 300
	// maxStructure bounds keys, brackets, entries of block lists and the like. Values in brackets and commas do not count.
	maxStructure = 50_000
)

// checkTokens refuses a file that would take the parser long, or deep.
func checkTokens(tokens token.Tokens) *Error {
	var n nesting.Nesting
	structure := 0
	for _, t := range tokens {
		n.Add(t)
		if nesting.IsScalar(t) || t.Type == token.CollectEntryType || t.Type == token.CommentType {
			continue
		}
		structure++
		switch {
		case n.Depth() > maxNesting:
			return &Error{Line: t.Position.Line, Problem: fmt.Sprintf("the nesting is deeper than %d levels", maxNesting), Remedy: "remove brackets or indentation"}
		case n.Held() > maxHeld:
			return &Error{Line: t.Position.Line, Problem: "anchors, aliases, tags, merge keys and block text are not supported", Remedy: "write each value out, on one line"}
		case structure > maxStructure:
			return &Error{Line: t.Position.Line, Problem: fmt.Sprintf("there are more than %d keys and entries", maxStructure), Remedy: "write lists of values in brackets, or read them from a table with values_from"}
		}
	}
	return nil
}
