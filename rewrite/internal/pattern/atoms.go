package pattern

import (
	"regexp"
	"strings"
)

// What a regular expression takes on one text, in atoms: about a microsecond each. PostgreSQL makes a deterministic automaton of it, state by state, as the
// text calls for them. It keeps twice as many states as the pattern has places. If there are more, each byte may cost a new state, in proportion to the
// pattern; so that is what counts, unless the pattern is such that there are few.
const (
	quickNanos   = 5   // a byte, where all states are kept
	stateNanos   = 100 // a byte, where its state is made anew
	placeNanos   = 7   // for each place of the pattern, besides
	matchNanos   = 700 // a byte that is replaced
	compileAtoms = 2   // a place, when the first row is reached
)

var (
	escape = regexp.MustCompile(`\\.`)
	class  = regexp.MustCompile(`\[\^?\]?(?:[^\]\[]|\[:\w+:\])*\]`)
	place  = regexp.MustCompile(`[^()|^$*+?]`)
	loose  = regexp.MustCompile(`[.#][*+?]?|[*+?{]`)
	open   = regexp.MustCompile(`[*+]|,\}`)
	last   = regexp.MustCompile(`[*+]\)*$`)
)

// shape is a pattern with # for each escape and each class.
func shape(text string) string {
	return strings.ReplaceAll(class.ReplaceAllString(escape.ReplaceAllString(text, "#"), "#"), "(?:", "(")
}

// nanos is what a byte of a text takes. There are few states if all sets of the places are kept, and if but one part of the pattern can match different
// texts.
func nanos(text string) int {
	s := shape(text)
	parts := len(loose.FindAllString(s, -1))
	if strings.Contains(s, "|") {
		parts += strings.Count(s, "(")
	}
	if parts <= 1 || len(place.FindAllString(s, -1)) <= 3 && !strings.Contains(s, "{") {
		return quickNanos
	}
	size, _ := expanded(text)
	return stateNanos + placeNanos*size
}

// ahead is how far one attempt to match goes on: to the end of the text, if something is repeated without limit before the end of the pattern.
func ahead(text string, bytes int) int {
	s := shape(text)
	size, _ := expanded(text)
	if n := len(open.FindAllString(s, -1)); n > 1 || n == 1 && !last.MatchString(s) {
		return max(size, bytes/2)
	}
	return size
}

// onlyAtBeginning reports whether there is one attempt to match, at the beginning of the text.
func onlyAtBeginning(shape string) bool {
	return strings.HasPrefix(shape, "^") && !strings.Contains(shape, "|")
}

// Atoms is what it takes to tell whether a regular expression matches a text of so many bytes.
func Atoms(text string, bytes int) int {
	s := shape(text)
	size, _ := expanded(text)
	matched := bytes
	if onlyAtBeginning(s) && !open.MatchString(s) {
		matched = min(bytes, 4*size)
	}
	return compileAtoms*size + (bytes*quickNanos+matched*nanos(text))/1000
}

// AtomsToFind is what it takes to find all that a regular expression matches, and its parts in parentheses.
func AtomsToFind(text string, bytes int) int {
	s := shape(text)
	size, _ := expanded(text)
	attempts := ahead(text, bytes)
	if onlyAtBeginning(s) && !strings.Contains(s, "(") {
		attempts = 1
	}
	return compileAtoms*size + bytes*(matchNanos+attempts*nanos(text))/1000
}
