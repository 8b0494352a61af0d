package console

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tacit/docs"
)

// This file finds in the catalogue of errors what to ask instead of what was refused. An entry is an SQLSTATE and a message with <placeholders>, and an explanation below it.

// A passage is a part of an explanation: code, or prose.
type passage struct {
	Code bool
	Text string
}

// A refusedKind is an entry of the catalogue.
type refusedKind struct {
	code    string
	message *regexp.Regexp
	fixed   int // bytes of the message that are no placeholder
	instead []passage
}

var (
	entryBegins = regexp.MustCompile("^- `([0-9A-Z.]{5})` `([^`]+)`$")
	holes       = regexp.MustCompile(`<[a-z][a-z ]*>`)
	aLink       = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// refusedKinds are all, the most definite messages first.
var refusedKinds = sync.OnceValue(func() (all []refusedKind) {
	for entry := range strings.SplitSeq("\n"+docs.Errors, "\n- ") {
		first, rest, _ := strings.Cut("- "+entry, "\n")
		found := entryBegins.FindStringSubmatch(first)
		if found == nil {
			continue
		}
		kind := refusedKind{code: found[1]}
		literals := holes.Split(found[2], -1)
		for i, text := range literals {
			kind.fixed += len(text)
			literals[i] = regexp.QuoteMeta(text)
		}
		kind.message = regexp.MustCompile(`(?s)\A` + strings.Join(literals, `.+`) + `\z`)
		if kind.instead = passages(rest); len(kind.instead) > 0 { // some are PostgreSQL's own slips, which explain themselves
			all = append(all, kind)
		}
	}
	slices.SortStableFunc(all, func(a, b refusedKind) int { return cmp.Compare(b.fixed, a.fixed) })
	return all
})

// passages are those of an explanation, whose lines are indented.
func passages(text string) (all []passage) {
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	for i, part := range strings.Split(aLink.ReplaceAllString(strings.Join(lines, " "), "$1"), "`") {
		if part != "" {
			all = append(all, passage{i%2 == 1, part})
		}
	}
	return all
}

// insteadOf says what to ask instead of what was refused; nothing if the catalogue does not know it.
func insteadOf(code, reason string) []passage {
	for _, kind := range refusedKinds() {
		if kind.code == code && kind.message.MatchString(reason) {
			return kind.instead
		}
	}
	return nil
}
