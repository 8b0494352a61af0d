package name

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxBytes is the longest identifier that PostgreSQL keeps (NAMEDATALEN - 1); a longer one would silently name another object.
const MaxBytes = 63

// Split splits a dotted name, honouring double quotes. A double quote within a name is refused.
func Split(s string) ([]string, error) {
	var parts []string
	for rest := s; ; {
		part, after, err := firstPart(rest)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", s, err)
		}
		parts = append(parts, part)
		if after == "" {
			return parts, nil
		}
		if after[0] != '.' {
			return nil, fmt.Errorf("%q: something other than a dot follows a quoted name", s)
		}
		rest = after[1:]
	}
}

func firstPart(s string) (part, after string, err error) {
	if quoted, ok := strings.CutPrefix(s, `"`); ok {
		end := strings.IndexByte(quoted, '"')
		if end < 0 {
			return "", "", errors.New("a double quote is not closed")
		}
		part, after = quoted[:end], quoted[end+1:]
		return part, after, Check(part)
	}
	end := strings.IndexByte(s, '.')
	if end < 0 {
		end = len(s)
	}
	part, after = s[:end], s[end:]
	if strings.ContainsFunc(part, unicode.IsSpace) {
		return "", "", errors.New("a name with a space is not in double quotes")
	}
	return part, after, Check(part)
}

// Check reports whether a single name is one that PostgreSQL can hold and that needs no escape inside double quotes.
func Check(name string) error {
	switch {
	case name == "":
		return errors.New("a name is empty")
	case len(name) > MaxBytes:
		return fmt.Errorf("a name is longer than PostgreSQL's %d bytes", MaxBytes)
	case !utf8.ValidString(name):
		return errors.New("a name is not valid UTF-8")
	case strings.Contains(name, `"`):
		return errors.New("a name contains a double quote")
	case strings.ContainsFunc(name, unicode.IsControl):
		return errors.New("a name contains a control character")
	}
	return nil
}

// Quote writes a name as SQL reads it, with double quotes only where they are needed.
func Quote(name string) string {
	if IsPlain(name) && !IsReserved(name) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// IsPlain reports whether SQL reads the name as itself without quotes, apart from reserved words.
func IsPlain(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z'
		if !letter && (i == 0 || r != '$' && (r < '0' || r > '9')) {
			return false
		}
	}
	return name != ""
}

// IsReserved says whether a name is a key word that needs double quotes.
func IsReserved(name string) bool { return reservedWords[name] }

// reservedWords are PostgreSQL's key words that cannot stand as a schema's or a table's name without quotes: categories R and T
// of pg_get_keywords(), PostgreSQL 15 to 18.
var reservedWords = wordSet(`all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate
	collation column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
	current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from full
	grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime
	localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references returning right
	select session_user similar some symmetric system_user table tablesample then to trailing true union unique user using
	variadic verbose when where window with`)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
