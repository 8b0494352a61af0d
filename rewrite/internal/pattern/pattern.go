package pattern

import (
	"regexp"
	"strconv"
	"strings"
)

// MaxBytes is the length of the longest pattern.
const MaxBytes = 1000

var (
	hard       = regexp.MustCompile(`\\[1-9]|\(\?[^:]|\(\?$|^\*\*\*|\\[mMyYAZ<>]|\[\[[:<>]`)
	emptiness  = regexp.MustCompile(`[?*]|\|[|)]|[(:]\|`)
	repetition = regexp.MustCompile(`(.?)\{(\d+)(?:,(\d*))?\}`)
)

// The time to compile a regular expression is spent when the first row is reached. It grows with the third power of the parts that may
// be absent, and with the length when all repetitions are written out.
const (
	maxOptional = 40
	maxExpanded = 10_000
)

// IsQuick reports whether a regular expression of PostgreSQL is one that is compiled and matched in a bounded time: it has no back references, no
// look-around and no embedded options, and few repetitions.
func IsQuick(text string) bool {
	if len(text) > MaxBytes || hard.MatchString(text) {
		return false
	}
	size, optional := expanded(text)
	return size <= maxExpanded && optional <= maxOptional
}

// expanded is the length of a regular expression when all repetitions are written out, and how many of its parts may then be absent. A repetition that is
// too large makes it too long.
func expanded(text string) (size, optional int) {
	optional = len(emptiness.FindAllString(text, -1)) - strings.Count(text, "(?:")
	size = len(text)
	total := 1
	for _, r := range repetition.FindAllStringSubmatch(text, -1) {
		least, _ := strconv.Atoi(r[2])
		n := least
		if m, err := strconv.Atoi(r[3]); err == nil {
			n = max(n, m)
			optional += n - least
		}
		if n > 100 {
			return maxExpanded + 1, optional
		}
		if r[1] == ")" { // what is optional in it is so each time
			total = min(total*max(n, 1), maxExpanded+1)
		} else {
			size += n
		}
	}
	return size * total, optional * total
}

var (
	capture  = regexp.MustCompile(`\((?:[^?]|$)`)
	repeated = regexp.MustCompile(`\)[*+{]`)
)

// IsQuickToCapture reports whether what groups match is found in a bounded time, too: there are none whose text is taken, or nothing in parentheses is
// repeated. PostgreSQL tries all ways to divide a text among the repetitions of a group, which are exponentially many.
func IsQuickToCapture(text string) bool {
	return IsQuick(text) && !(capture.MatchString(text) && repeated.MatchString(text))
}
