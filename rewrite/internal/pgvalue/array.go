package pgvalue

import (
	"fmt"
	"strconv"
	"strings"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
)

// ArrayLiteral prints a one-dimensional array in the text form that array_in reads.
func ArrayLiteral(values []string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		writeElement(&b, v)
	}
	b.WriteByte('}')
	return b.String()
}

// ArrayOfValues is ArrayLiteral for values that may be NULL.
func ArrayOfValues(values []Value) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		if v.Null {
			b.WriteString("NULL")
		} else {
			writeElement(&b, v.Text)
		}
	}
	b.WriteByte('}')
	return b.String()
}

// ArrayOfCounts is an array of counts, NULL where they are suppressed.
func ArrayOfCounts(counts []int64, suppressed []bool) string {
	if suppressed != nil && len(suppressed) != len(counts) { // a count must not be shown for want of a mark
		panic(fmt.Sprintf("rewrite: internal error: %d marks of suppression for %d counts", len(suppressed), len(counts)))
	}
	text := make([]byte, 0, len("{}")+len(counts)*len("1234,"))
	text = append(text, '{')
	for i, n := range counts {
		if i > 0 {
			text = append(text, ',')
		}
		if suppressed != nil && suppressed[i] {
			text = append(text, "NULL"...)
		} else {
			text = strconv.AppendInt(text, n, 10)
		}
	}
	return string(append(text, '}'))
}

// writeElement quotes every element, so that the word NULL, an empty string, braces, commas and blanks are all plain text.
func writeElement(b *strings.Builder, v string) {
	b.WriteByte('"')
	for i := range len(v) {
		if v[i] == '"' || v[i] == '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(v[i])
	}
	b.WriteByte('"')
}

// ParseArray reads a one-dimensional array as array_in does; bounds before it, and nested arrays, are refused.
func ParseArray(text string) ([]Value, *pgerror.Refusal) {
	p := arrayParser{rest: strings.Trim(text, pgtree.WhiteSpace)}
	values, ok := p.parse()
	if !ok {
		return nil, &pgerror.Refusal{
			Code:    pgerror.CodeInvalidText,
			Message: fmt.Sprintf("malformed array literal: %q", text),
			Detail:  "Only one-dimensional arrays are supported in a condition on a protected table.",
		}
	}
	return values, nil
}

type arrayParser struct{ rest string }

func (p *arrayParser) parse() ([]Value, bool) {
	if !p.take('{') {
		return nil, false
	}
	var values []Value
	p.skipSpace()
	if p.take('}') {
		return values, p.rest == ""
	}
	for {
		v, ok := p.element()
		if !ok {
			return nil, false
		}
		values = append(values, v)
		switch {
		case p.take(','):
		case p.take('}'):
			return values, p.rest == ""
		default:
			return nil, false
		}
	}
}

func (p *arrayParser) take(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *arrayParser) skipSpace() { p.rest = strings.TrimLeft(p.rest, pgtree.WhiteSpace) }

func (p *arrayParser) element() (Value, bool) {
	p.skipSpace()
	if p.take('"') {
		v, ok := p.quoted()
		p.skipSpace()
		return v, ok
	}
	var b strings.Builder
	escaped, keep := false, 0 // keep: how much of b cannot be trailing blanks
	for p.rest != "" && strings.IndexByte(`,}`, p.rest[0]) < 0 {
		c := p.rest[0]
		p.rest = p.rest[1:]
		switch {
		case c == '\\' && p.rest != "":
			b.WriteByte(p.rest[0])
			p.rest = p.rest[1:]
			escaped, keep = true, b.Len()
		case c == '"' || c == '{' || c == '\\':
			return Value{}, false
		default:
			b.WriteByte(c)
		}
	}
	text := b.String()
	text = text[:keep] + strings.TrimRight(text[keep:], pgtree.WhiteSpace)
	if text == "" {
		return Value{}, false
	}
	if !escaped && scan.LowerASCII(text) == "null" {
		return Value{Null: true}, true
	}
	return Value{Text: text}, true
}

func (p *arrayParser) quoted() (Value, bool) {
	var b strings.Builder
	for p.rest != "" {
		c := p.rest[0]
		p.rest = p.rest[1:]
		switch {
		case c == '"':
			return Value{Text: b.String()}, true
		case c == '\\' && p.rest != "":
			b.WriteByte(p.rest[0])
			p.rest = p.rest[1:]
		case c == '\\':
			return Value{}, false
		default:
			b.WriteByte(c)
		}
	}
	return Value{}, false
}
