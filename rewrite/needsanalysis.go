package rewrite

import (
	"slices"
	"strings"
	"sync/atomic"

	"tacit/rewrite/internal/scan"
)

// NeedsAnalysis reports whether a statement must be analysed. If it reports false, [Analyze] would answer *Relay.
//
// Behind a [Barrier] every statement must be. What is served for comfort (reports, masks) it finds by ordinary spellings.
//
// It cannot miss a protected table. A name in SQL text is either an unquoted identifier, which the server folds by ASCII
// alone in UTF-8 (a server or client in another encoding is refused elsewhere); or a quoted one, which stands in the text byte
// by byte, with its double quotes doubled; or a quoted one with Unicode escapes, which begins with U&". White space,
// comments and line ends cannot stand inside an identifier, and one that is longer than 63 bytes is cut at its end. So the
// ASCII-lowered text contains the ASCII-lowered name, or U&". The watched words are key words, or names of settings, or names in
// pg_catalog; where one occurs, watches looks at where.
func NeedsAnalysis(sql string, c *Catalog) bool {
	if c.Barrier != nil {
		return true
	}
	found := c.prefilter().match(sql)
	return found.name || found.word && watches(sql) || found.hint && hints(sql, c)
}

// guards is NeedsAnalysis without what is looked at for comfort only.
func guards(sql string, c *Catalog) bool {
	if c.Barrier != nil {
		return true
	}
	found := c.prefilter().match(sql)
	return found.name || found.word && watches(sql)
}

func (c *Catalog) prefilter() *prefilter {
	p := c.watch.Load()
	if p == nil {
		p = newPrefilter(c)
		c.watch.Store(p)
	}
	return p
}

// plainHeads begin statements that neither change a setting (but by pg_settings and set_config), nor define code, nor use prepared
// statements, whatever columns they name: in their grammar, DO stands for ON CONFLICT's, ROLE, NAMES and the others for identifiers.
var plainHeads = []string{"select", "insert", "update", "delete", "merge", "values", "table", "with", "copy", "("}

// watches reports whether a text that names no protected table has a watched word where it can matter: as a word or a quoted
// name, in a statement that begins otherwise than the plain ones. Strings hold no names: those of settings are read by
// set_config and as rows of pg_settings alone, which count everywhere. Semicolons within statements (CREATE RULE) only
// begin more of them than there are.
func watches(sql string) bool {
	s := scan.Scanner{SQL: sql, Limit: len(sql)}
	head, plain := true, false
	for s.Pos < len(sql) {
		t := s.Next()
		switch {
		case t.Kind == scan.BlankToken:
			continue
		case t.Text == ";":
			head = true
			continue
		case head:
			head, plain = false, t.Kind != scan.QuotedToken && slices.Contains(plainHeads, scan.LowerASCII(t.Text))
		}
		if t.Kind != scan.WordToken && t.Kind != scan.QuotedToken || len(t.Text) > maxNameBytes {
			continue
		}
		name := strings.Trim(scan.LowerASCII(t.Text), `"`)
		if name == "set_config" || name == "pg_settings" || !plain && slices.Contains(watchedWords, name) {
			return true
		}
	}
	return false
}

// maxNameBytes is more than a watched word has, with its quotes.
const maxNameBytes = 64

// namesProtected reports whether the text may name a protected table.
func namesProtected(sql string, c *Catalog) bool {
	folded := scan.LowerASCII(sql)
	if strings.Contains(folded, `u&"`) {
		return true
	}
	for _, name := range c.names() {
		if strings.Contains(folded, writtenName(name)) {
			return true
		}
	}
	return false
}

// hints reports whether a text that names no protected table names what the proxy serves to make tools and analysts comfortable: a
// relation of its own, or a withheld part of the system's catalog. As in watches, strings hold no names.
func hints(sql string, c *Catalog) bool {
	s := scan.Scanner{SQL: sql, Limit: len(sql)}
	class, wanted, schema, dot := false, false, false, false
	for s.Pos < len(sql) {
		t := s.Next()
		if t.Kind == scan.BlankToken {
			continue
		}
		word := ""
		if (t.Kind == scan.WordToken || t.Kind == scan.QuotedToken) && len(t.Text) <= maxNameBytes {
			word = strings.Trim(scan.LowerASCII(t.Text), `"`)
		}
		switch {
		case dot && word != "" || c.Masks.Mentions(word):
			return true
		case word == "pg_class":
			class = true
		case t.Text == "*" || word == "table" || c.Masks.MasksColumn(word):
			wanted = true
		}
		schema, dot = word == reportSchema, schema && t.Text == "."
	}
	return class && wanted && c.Masks.MasksClass()
}

// watchedWords are the words without which no statement can do what the proxy must see although no protected table is named:
// change a setting, an identity or an owner (package forbidden), define code, or use prepared statements by SQL. All are ASCII.
var watchedWords = []string{
	"aggregate", "alter", "array_nulls", "authorization", "backslash_quote", "client_encoding", "deallocate",
	"debug_print_parse", "debug_print_plan", "debug_print_rewritten", "discard", "do", "execute",
	"extension", "function", "grant", "language", "materialized", "names", "owned", "pg_settings", "procedure", "revoke", "role", "routine", "security",
	"session_authorization", "set_config", "standard_conforming_strings", "transform_null_equals",
}

// A prefilter finds hint patterns in ASCII-lowered text in one pass: a table of byte pairs says where one may begin.
type prefilter struct {
	pairs    [1 << 16 / 64]uint64
	patterns [256][]pattern // by first byte
}

// A pattern is ASCII-lowered. A word counts only if no letter stands beside it, a hint only if none stands before it.
type pattern struct {
	text       string
	word, hint bool
}

// A match says what a text has: perhaps the name of a protected table; or else a watched word; or the beginning of a name that the
// proxy serves for comfort.
type match struct{ name, word, hint bool }

type watch = atomic.Pointer[prefilter]

func newPrefilter(c *Catalog) *prefilter {
	p := &prefilter{}
	for _, name := range c.names() {
		p.add(pattern{text: writtenName(name)})
	}
	for _, w := range watchedWords {
		p.add(pattern{text: w, word: true})
	}
	p.add(pattern{text: `u&"`})
	p.add(pattern{text: reportSchema, hint: true})
	if c.Masks != nil {
		for _, beginning := range []string{"pg_", "has_", "information_schema"} {
			p.add(pattern{text: beginning, hint: true})
		}
	}
	return p
}

func (p *prefilter) add(n pattern) {
	p.patterns[n.text[0]] = append(p.patterns[n.text[0]], n)
	for second := range 256 {
		if len(n.text) == 1 || n.text[1] == byte(second) {
			i := int(n.text[0])<<8 | second
			p.pairs[i/64] |= 1 << (i % 64)
		}
	}
}

// match looks no further when it has found a name.
func (p *prefilter) match(sql string) (found match) {
	if sql == "" {
		return found
	}
	first := scan.Lower[sql[0]]
	for i := 1; i <= len(sql); i++ {
		second := byte(0)
		if i < len(sql) {
			second = scan.Lower[sql[i]]
		}
		pair := int(first)<<8 | int(second)
		if p.pairs[pair/64]&(1<<(pair%64)) != 0 {
			if p.matchAt(sql, i-1, &found); found.name {
				return found
			}
		}
		first = second
	}
	return found
}

func (p *prefilter) matchAt(sql string, at int, found *match) {
	for _, n := range p.patterns[scan.Lower[sql[at]]] {
		end := at + len(n.text)
		switch {
		case end > len(sql) || !scan.EqualLower(sql[at:end], n.text):
		case !n.word && !n.hint:
			found.name = true
			return
		// A digit before a word is no part of it: older servers read 1do as two tokens.
		case at > 0 && scan.IsWordByte(sql[at-1]) && !scan.IsDigit(sql[at-1]):
		case n.hint:
			found.hint = true
		case end == len(sql) || !scan.IsWordByte(sql[end]):
			found.word = true
		}
	}
}

// writtenName is how a name stands in lowered text, inside double quotes or without them.
func writtenName(name string) string { return scan.LowerASCII(strings.ReplaceAll(name, `"`, `""`)) }
