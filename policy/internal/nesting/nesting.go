package nesting

import "github.com/goccy/go-yaml/token"

// IsScalar says whether a token is a value by itself.
func IsScalar(t *token.Token) bool {
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

// A Nesting is how deep the parser may be at a token. It is never less than it is, also where the file is no YAML.
type Nesting struct {
	// block are the open collections in block style, with rising columns, and flow the brackets: how many keys and entries began in each since
	// its last comma. inFlow is their sum.
	block  []indent
	flow   []int
	inFlow int
	// hanging is the levels that list entries without a value may have added. The parser takes the key below one for its value, though it
	// stands in the same column, and so on for the next.
	hanging int
	// held is what anchors, tags and the like add.
	held int
}

// An indent is where a collection in block style stands. A list may stand in the column of the key whose value it is.
type indent struct {
	column int
	list   bool
}

// Depth is how deep the parser may be now, without what is held.
func (n *Nesting) Depth() int { return len(n.block) + len(n.flow) + n.inFlow + n.hanging }

// Held is how much deeper the parser may be for the anchors, tags and the like so far. One that has no value takes what follows for it, in
// whatever column, while all that it stands in is still open. It is a level itself, and so may be the key and the list in its own column.
func (n *Nesting) Held() int { return n.held }

// Add takes in the next token.
func (n *Nesting) Add(t *token.Token) {
	n.place(t)
	if isUnusable(t) {
		n.held += n.Depth() + 3
	}
}

// place adds the levels that a token begins and takes away those that it ends.
func (n *Nesting) place(t *token.Token) {
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
		after := t.Next
		for after != nil && after.Type == token.CommentType {
			after = after.Next
		}
		if t.Type == token.SequenceEntryType && after != nil && after.Position.Line > t.Position.Line && after.Position.Column <= t.Position.Column {
			n.hanging += 2
		}
	}
}

// setRun sets what has begun in the innermost brackets.
func (n *Nesting) setRun(run int) {
	last := len(n.flow) - 1
	n.inFlow += run - n.flow[last]
	n.flow[last] = run
}

// indent ends the collections to the right of one, and begins it unless it goes on.
func (n *Nesting) indent(to indent) {
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
	if t.Type == token.MappingValueType && before != nil && IsScalar(before) {
		return indent{column: before.Position.Column}
	}
	return indent{t.Position.Column, t.Type == token.SequenceEntryType}
}
