package policy

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// This file bounds what the YAML parser is given. The parser goes down one call for each level, and keeps the path of each: 100,000 brackets
// would take it to gigabytes. It also copies its list of tokens for each key. The lexer, which knows strings and comments, is linear.

const (
	// maxNesting is beyond maxDepth, so that moderate mistakes are reported with their keys.
	maxNesting = 100
	// maxUnusable is how many anchors, tags and the like are left to be reported with their keys. Each holds what follows it, wherever that is.
	maxUnusable = 100
	// maxStructure bounds keys, brackets, entries of block lists and the like. Values in brackets and commas do not count.
	maxStructure = 50_000
)

// checkTokens refuses a file that would take the parser long, or deep.
func checkTokens(tokens token.Tokens) *Error {
	var n nesting
	structure, unusable := 0, 0
	for _, t := range tokens {
		n.add(t)
		switch {
		case isScalar(t) || t.Type == token.CollectEntryType || t.Type == token.CommentType:
			continue
		case isUnusable(t):
			unusable++
		}
		structure++
		switch {
		case n.depth() > maxNesting:
			return &Error{Line: t.Position.Line, Problem: fmt.Sprintf("the nesting is deeper than %d levels", maxNesting), Remedy: "remove brackets or indentation"}
		case unusable > maxUnusable:
			return &Error{Line: t.Position.Line, Problem: "anchors, aliases, tags, merge keys and block text are not supported", Remedy: "write each value out, on one line"}
		case structure > maxStructure:
			return &Error{Line: t.Position.Line, Problem: fmt.Sprintf("there are more than %d keys and entries", maxStructure), Remedy: "write lists of values in brackets, or read them from a table with values_from"}
		}
	}
	return nil
}

func isScalar(t *token.Token) bool {
	switch t.Type {
	case token.StringType, token.SingleQuoteType, token.DoubleQuoteType, token.IntegerType, token.BinaryIntegerType, token.OctetIntegerType, token.HexIntegerType,
		token.FloatType, token.BoolType, token.NullType, token.ImplicitNullType, token.InfinityType, token.NanType:
		return true
	}
	return false
}

// isUnusable says whether a token is of a part of YAML that no policy may use. Where the token is unknown it is not, and counts as structure.
func isUnusable(t *token.Token) bool {
	switch t.Type {
	case token.AnchorType, token.AliasType, token.TagType, token.MergeKeyType, token.MappingKeyType, token.LiteralType, token.FoldedType,
		token.DirectiveType, token.DocumentHeaderType, token.DocumentEndType:
		return true
	}
	return false
}

// A nesting is how deep the parser may be at a token. It is never less than it is, also where the file is no YAML, but for what anchors, tags
// and the like add, which checkTokens bounds.
type nesting struct {
	// block are the open collections in block style, with rising columns, and flow the brackets: how many keys and entries began in each since
	// its last comma. inFlow is their sum.
	block  []indent
	flow   []int
	inFlow int
	// hanging is the levels that list entries without a value may have added. The parser takes the key below one for its value, though it
	// stands in the same column, and so on for the next.
	hanging int
}

// An indent is where a collection in block style stands. A list may stand in the column of the key whose value it is.
type indent struct {
	column int
	list   bool
}

func (n *nesting) depth() int { return len(n.block) + len(n.flow) + n.inFlow + n.hanging }

// add takes in the next token.
func (n *nesting) add(t *token.Token) {
	switch inFlow := len(n.flow) > 0; t.Type {
	case token.SequenceStartType, token.MappingStartType:
		n.flow = append(n.flow, 0)
	case token.SequenceEndType, token.MappingEndType:
		if inFlow {
			n.setRun(0)
			n.flow = n.flow[:len(n.flow)-1]
		}
	case token.CollectEntryType:
		if inFlow {
			n.setRun(0)
		}
	case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType, token.MergeKeyType:
		if inFlow {
			n.setRun(n.flow[len(n.flow)-1] + 1)
			return
		}
		n.indent(indentOf(t))
		if t.Type == token.SequenceEntryType && t.Next != nil && t.Next.Position.Line > t.Position.Line && t.Next.Position.Column <= t.Position.Column {
			n.hanging += 2
		}
	}
}

// setRun sets what has begun in the innermost brackets.
func (n *nesting) setRun(run int) {
	last := len(n.flow) - 1
	n.inFlow += run - n.flow[last]
	n.flow[last] = run
}

// indent ends the collections to the right of one, and begins it unless it goes on.
func (n *nesting) indent(to indent) {
	last := len(n.block) - 1
	for last >= 0 && (n.block[last].column > to.column || n.block[last].column == to.column && n.block[last].list && !to.list) {
		last--
	}
	n.block = n.block[:last+1]
	if last < 0 || n.block[last] != to {
		n.block = append(n.block, to)
	}
}

// indentOf is where the key or entry begins of which a token is the sign. The sign of a key stands behind it, and a comment may stand between.
func indentOf(t *token.Token) indent {
	before := t.Prev
	for before != nil && before.Type == token.CommentType {
		before = before.Prev
	}
	if t.Type == token.MappingValueType && before != nil && isScalar(before) {
		return indent{column: before.Position.Column}
	}
	return indent{t.Position.Column, t.Type == token.SequenceEntryType}
}
