package instead

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tacit/docs"
)

// This file finds in the catalogue of errors what to ask instead of what was refused. An entry is an SQLSTATE and a message with <placeholders>, and an explanation below it.

// A Passage is a part of an explanation: code, or prose.
type Passage struct {
	Code bool
	Text string
}

// A kind is an entry of the catalogue.
type kind struct {
	code    string
	message *regexp.Regexp
	fixed   int // bytes of the message that are no placeholder
	instead []Passage
}

var (
	entryBegins = regexp.MustCompile("^- `([0-9A-Z.]{5})` `([^`]+)`$")
	holes       = regexp.MustCompile(`<[a-z][a-z ]*>`)
	aLink       = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// kinds are all, the most definite messages first.
var kinds = sync.OnceValue(func() (all []kind) {
	for entry := range strings.SplitSeq("\n"+docs.Errors, "\n- ") {
		first, rest, _ := strings.Cut("- "+entry, "\n")
		found := entryBegins.FindStringSubmatch(first)
		if found == nil {
			continue
		}
		k := kind{code: found[1]}
		literals := holes.Split(found[2], -1)
		for i, text := range literals {
			k.fixed += len(text)
			literals[i] = regexp.QuoteMeta(text)
		}
		k.message = regexp.MustCompile(`(?s)\A` + strings.Join(literals, `.+`) + `\z`)
		if k.instead = passages(rest); len(k.instead) > 0 { // some are PostgreSQL's own slips, which explain themselves
			all = append(all, k)
		}
	}
	slices.SortStableFunc(all, func(a, b kind) int { return cmp.Compare(b.fixed, a.fixed) })
	return all
})

// passages are those of an explanation, whose lines are indented.
func passages(text string) (all []Passage) {
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	for i, part := range strings.Split(aLink.ReplaceAllString(strings.Join(lines, " "), "$1"), "`") {
		if part != "" {
			all = append(all, Passage{i%2 == 1, part})
		}
	}
	return all
}

// Of says what to ask instead of what was refused; nothing if the catalogue does not know it.
func Of(code, reason string) []Passage {
	for _, k := range kinds() {
		if k.code == code && k.message.MatchString(reason) {
			return k.instead
		}
	}
	return nil
}
