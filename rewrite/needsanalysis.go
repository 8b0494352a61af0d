package rewrite

import (
	"slices"
	"strings"

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
