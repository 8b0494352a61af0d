package rewrite

import (
	"strings"
	"sync/atomic"

	"tacit/rewrite/internal/scan"
)

// watchedWords are the words without which no statement can do what the proxy must see although no protected table is named:
// change a setting, an identity or an owner (setting.go), define code, or use prepared statements by SQL. All are ASCII.
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
