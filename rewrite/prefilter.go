package rewrite

import (
	"strings"
	"sync/atomic"
)

// watchedWords are the words without which no statement can do what the proxy must see although no protected table is named:
// change a setting or an identity (setting.go), define code, or use prepared statements by SQL. All are ASCII.
var watchedWords = []string{
	"alter", "array_nulls", "authorization", "backslash_quote", "client_encoding", "deallocate",
	"debug_print_parse", "debug_print_plan", "debug_print_rewritten", "discard", "do", "execute",
	"extension", "function", "language", "names", "pg_settings", "procedure", "role", "routine", "session_authorization",
	"set_config", "standard_conforming_strings", "transform_null_equals",
}

// Mentions reports whether a statement must be analysed. If it reports false, [Analyze] would answer *Relay.
//
// It cannot miss a protected table. A name in SQL text is either an unquoted identifier, which the server folds by ASCII
// alone in UTF-8 (a server or client in another encoding is refused elsewhere); or a quoted one, which stands in the text byte
// by byte, since the policy allows no double quote in a name; or a quoted one with Unicode escapes, which begins with U&". White space,
// comments and line ends cannot stand inside an identifier, and one that is longer than 63 bytes is cut at its end. So the
// ASCII-lowered text contains the ASCII-lowered name, or U&". The watched words are key words, or names in pg_catalog, or
// values of string constants; for the last, set_config and pg_settings are themselves watched.
func Mentions(sql string, c *Catalog) bool {
	p := c.watch.Load()
	if p == nil {
		p = newPrefilter(c)
		c.watch.Store(p)
	}
	return p.match(sql)
}

// A prefilter finds needles in ASCII-lowered text in one pass: a table of byte pairs says where one may begin.
type prefilter struct {
	pairs   [1 << 16 / 64]uint64
	needles [256][]needle // by first byte
}

// A needle is ASCII-lowered. A word counts only if no letter stands beside it.
type needle struct {
	text string
	word bool
}

type watch = atomic.Pointer[prefilter]

func newPrefilter(c *Catalog) *prefilter {
	p := &prefilter{}
	for name := range c.Tables {
		p.add(needle{lowerASCII(name.Name), false})
	}
	for _, w := range watchedWords {
		p.add(needle{w, true})
	}
	p.add(needle{`u&"`, false})
	return p
}

func (p *prefilter) add(n needle) {
	p.needles[n.text[0]] = append(p.needles[n.text[0]], n)
	for second := range 256 {
		if len(n.text) == 1 || n.text[1] == byte(second) {
			i := int(n.text[0])<<8 | second
			p.pairs[i/64] |= 1 << (i % 64)
		}
	}
}

func (p *prefilter) match(sql string) bool {
	if sql == "" {
		return false
	}
	first := lower[sql[0]]
	for i := 1; i < len(sql); i++ {
		second := lower[sql[i]]
		pair := int(first)<<8 | int(second)
		if p.pairs[pair/64]&(1<<(pair%64)) != 0 && p.matchAt(sql, i-1) {
			return true
		}
		first = second
	}
	return p.matchAt(sql, len(sql)-1)
}

func (p *prefilter) matchAt(sql string, at int) bool {
	for _, n := range p.needles[lower[sql[at]]] {
		end := at + len(n.text)
		if end > len(sql) || !equalLower(sql[at:end], n.text) {
			continue
		}
		// A digit before a word is no part of it: older servers read 1do as two tokens.
		if n.word && (at > 0 && isWordByte(sql[at-1]) && !isDigit(sql[at-1]) || end < len(sql) && isWordByte(sql[end])) {
			continue
		}
		return true
	}
	return false
}

// namesProtected reports whether the text may name a protected table.
func namesProtected(sql string, c *Catalog) bool {
	folded := lowerASCII(sql)
	if strings.Contains(folded, `u&"`) {
		return true
	}
	for name := range c.Tables {
		if strings.Contains(folded, lowerASCII(name.Name)) {
			return true
		}
	}
	return false
}

// lower maps A to Z to a to z and every other byte to itself.
var lower = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if 'A' <= i && i <= 'Z' {
			t[i] += 'a' - 'A'
		}
	}
	return t
}()

func equalLower(s, lowered string) bool {
	for i := range len(s) {
		if lower[s[i]] != lowered[i] {
			return false
		}
	}
	return true
}

func lowerASCII(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = lower[b[i]]
	}
	return string(b)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordStart(c byte) bool {
	return 'a' <= lower[c] && lower[c] <= 'z' || c == '_' || c >= 0x80
}

func isWordByte(c byte) bool { return isWordStart(c) || isDigit(c) || c == '$' }
