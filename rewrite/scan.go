package rewrite

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tacit/policy"
)

// The C parser is fast on long input but recurses on deep input, and overflowing its stack kills the process. With 8 MiB of stack
// it prints trees of 24,000 operators in a chain badly and of 8,000 well; the Go protobuf decoder gives up at 10,000 messages,
// of which one nested sub-select takes up to ten. So nesting of 500 leaves a margin of more than ten.
const (
	defaultStatementBytes = 1 << 20
	defaultNesting        = 500
	maxNesting            = 1000
	// maxTokens bounds the tree's memory and the time spent on it: about a quarter of a second.
	maxTokens = 100_000
)

// checkText refuses, before the C parser sees it, a text that could hurt it. It returns the offset of the first number that servers
// of different versions read differently, -1 if there is none.
func checkText(sql string, limits policy.Limits) (oddNumber int, refusal *Refusal) {
	size, nesting := limits.StatementBytes, limits.Nesting
	if size <= 0 {
		size = defaultStatementBytes
	}
	if nesting <= 0 {
		nesting = defaultNesting
	}
	if len(sql) > size {
		return -1, &Refusal{
			Code:    "54000",
			Message: fmt.Sprintf("a statement that may concern a protected table is longer than %d bytes", size),
			Hint:    "Load data by statements that do not name protected tables.",
		}
	}
	if at := invalidUTF8(sql); at >= 0 {
		return -1, &Refusal{Code: codeInvalidEncoding, Message: fmt.Sprintf(`invalid byte sequence for encoding "UTF8": 0x%02x`, sql[at])}
	}
	s := scanner{sql: sql, limit: min(nesting, maxNesting)}
	refusal = s.check()
	return s.oddNumber - 1, refusal
}

// invalidUTF8 returns the offset of the first byte that is not valid UTF-8 or is NUL, -1 if there is none.
func invalidUTF8(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == 0 || r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// A scanner splits SQL into tokens as PostgreSQL's scan.l does with standard_conforming_strings on, to estimate from above
// how deep the tree of the statement is. What it estimates for text that is no SQL does not matter: the parser stops there.
type scanner struct {
	sql    string
	pos    int
	limit  int
	tokens int
	levels []level
	outer  int  // depth of the innermost open level's surroundings
	dotted bool // the token before was a dot
	// oddNumber is the offset after a number that runs into letters (1_000, 0x1F, 1a), plus one; servers differ on those.
	oddNumber int
}

// A level is what stands inside one pair of brackets, or inside CASE and END.
//
// Its tree is at most as deep as its joins and set operations, which nest without limit, and below them one of its segments: the
// parts between commas, clauses, AND and OR, which the grammar keeps in flat lists. A segment is at most as deep as it
// has operators, and below them the deepest bracket within it.
type level struct {
	open     byte // '(' or '[' or 'c' for CASE
	sets     int  // joins and set operations
	chain    int  // operators in this segment
	below    int  // deepest closed level in this segment
	deepest  int  // deepest segment
	betweens int  // BETWEENs whose AND is to come: that AND ends no segment
}

func (l *level) depth() int { return l.sets + max(l.deepest, l.chain+l.below) }

func (l *level) endSegment() {
	l.deepest = max(l.deepest, l.chain+l.below)
	l.chain, l.below = 0, 0
}

func (s *scanner) check() *Refusal {
	s.levels = append(s.levels[:0], level{})
	for s.pos < len(s.sql) {
		if deep := s.next(); deep || s.outer+s.top().depth() > s.limit {
			return &Refusal{
				Code:     "54001",
				Message:  fmt.Sprintf("a statement that may concern a protected table is nested deeper than %d levels", s.limit),
				Hint:     "Split it into several statements, for example with temporary tables.",
				Position: s.pos + 1,
			}
		}
		if s.tokens > maxTokens {
			return &Refusal{
				Code:     "54000",
				Message:  fmt.Sprintf("a statement that may concern a protected table has more than %d words", maxTokens),
				Hint:     "Load data by statements that do not name protected tables.",
				Position: s.pos + 1,
			}
		}
	}
	return nil
}

func (s *scanner) top() *level { return &s.levels[len(s.levels)-1] }

// next passes over one token or comment, and reports whether comments are nested too deeply.
func (s *scanner) next() (deep bool) {
	c := s.sql[s.pos]
	dotted := s.dotted
	switch {
	case isSpace(c):
		s.pos++
		return false
	case strings.HasPrefix(s.sql[s.pos:], "--"):
		s.skipLine()
		return false
	case strings.HasPrefix(s.sql[s.pos:], "/*"):
		return s.skipComment()
	}
	s.tokens++
	s.dotted = c == '.'
	switch {
	case isWordStart(c):
		s.word(dotted)
	case isDigit(c), c == '.' && s.pos+1 < len(s.sql) && isDigit(s.sql[s.pos+1]):
		s.dotted = false
		s.number()
	case c == '\'':
		s.skipString(false)
	case c == '"':
		s.skipQuoted('"')
	case c == '$':
		s.dollar()
	case isOperator(c):
		s.operator()
	default:
		s.pos++
		s.punctuation(c)
	}
	return false
}

func (s *scanner) skipLine() {
	for s.pos < len(s.sql) && s.sql[s.pos] != '\n' && s.sql[s.pos] != '\r' {
		s.pos++
	}
}

// skipComment passes over a comment and those nested in it, on which the C scanner takes quadratic time.
func (s *scanner) skipComment() (deep bool) {
	depth := 0
	for s.pos < len(s.sql) {
		switch {
		case strings.HasPrefix(s.sql[s.pos:], "/*"):
			depth++
			s.pos += 2
		case strings.HasPrefix(s.sql[s.pos:], "*/"):
			depth--
			s.pos += 2
		default:
			s.pos++
		}
		if depth == 0 || depth > s.limit {
			return depth > s.limit
		}
	}
	return false
}

// word passes over a key word or identifier, or the string or quoted identifier whose prefix it is.
func (s *scanner) word(dotted bool) {
	start := s.pos
	for s.pos < len(s.sql) && isWordByte(s.sql[s.pos]) {
		s.pos++
	}
	word := lowerASCII(s.sql[start:s.pos])
	rest := s.sql[s.pos:]
	switch {
	case len(word) == 1 && strings.Contains("ebxn", word) && strings.HasPrefix(rest, "'"):
		s.skipString(word == "e")
	case word == "u" && strings.HasPrefix(rest, "&'"):
		s.pos++
		s.skipString(false)
	case word == "u" && strings.HasPrefix(rest, `&"`):
		s.pos++
		s.skipQuoted('"')
	case !dotted:
		s.keyword(word)
	}
}

func (s *scanner) keyword(word string) {
	l := s.top()
	switch word {
	case "not", "is", "isnull", "notnull", "collate", "at", "like", "ilike", "similar", "escape", "in", "overlaps", "operator":
		l.chain++
	case "between":
		l.chain++
		l.betweens++
	case "join", "union", "intersect", "except":
		l.sets++
		l.endSegment()
	case "and":
		if l.betweens > 0 {
			l.betweens--
		} else {
			l.endSegment()
		}
	case "or", "select", "where", "having", "by", "on", "values", "returning", "when", "then", "else":
		l.endSegment()
	case "case":
		s.push('c')
	case "end":
		s.pop('c')
	}
}

// push opens a level. The segment that it stands in is below the joins and operators to its left.
func (s *scanner) push(open byte) {
	l := s.top()
	s.outer += l.sets + l.chain + 1
	s.levels = append(s.levels, level{open: open})
}

func (s *scanner) pop(open byte) {
	closed := s.top()
	if len(s.levels) == 1 || closed.open != open {
		return
	}
	depth := closed.depth() + 1
	s.levels = s.levels[:len(s.levels)-1]
	l := s.top()
	s.outer -= l.sets + l.chain + 1
	l.below = max(l.below, depth)
}

func (s *scanner) punctuation(c byte) {
	switch c {
	case '(', '[':
		s.push(c)
	case ')':
		s.pop('(')
	case ']':
		s.pop('[')
	case ',':
		s.top().endSegment()
	case ';':
		s.top().endSegment()
		s.top().sets = 0
	case ':': // of ::
		s.top().chain++
	}
}

// operator passes over a run of operator characters. Of those, a + or - at its end may be operators of their own.
func (s *scanner) operator() {
	n := 0
	for s.pos < len(s.sql) && isOperator(s.sql[s.pos]) {
		if rest := s.sql[s.pos:]; strings.HasPrefix(rest, "--") || strings.HasPrefix(rest, "/*") {
			break
		}
		if n == 0 || s.sql[s.pos] == '+' || s.sql[s.pos] == '-' {
			n++
		}
		s.pos++
	}
	s.top().chain += n
}

func (s *scanner) number() {
	digits := func() {
		for s.pos < len(s.sql) && isDigit(s.sql[s.pos]) {
			s.pos++
		}
	}
	digits()
	if s.pos < len(s.sql) && s.sql[s.pos] == '.' {
		s.pos++
		digits()
	}
	if n := exponentPrefix(s.rest(0)); n > 0 {
		s.pos += n
		digits()
	}
	if s.pos < len(s.sql) && isWordStart(s.sql[s.pos]) && s.oddNumber == 0 {
		s.oddNumber = s.pos + 1
	}
}

// exponentPrefix is the length of e, e+ or e- before a digit, 0 if s does not begin with an exponent.
func exponentPrefix(s string) int {
	n := 1
	if len(s) > 1 && (s[1] == '+' || s[1] == '-') {
		n = 2
	}
	if len(s) > n && lower[s[0]] == 'e' && isDigit(s[n]) {
		return n
	}
	return 0
}

// rest is the text from n bytes on.
func (s *scanner) rest(n int) string { return s.sql[min(s.pos+n, len(s.sql)):] }

// dollar passes over a parameter or a dollar-quoted string.
func (s *scanner) dollar() {
	end := s.pos + 1
	for end < len(s.sql) && isWordByte(s.sql[end]) && s.sql[end] != '$' {
		end++
	}
	isTag := end < len(s.sql) && s.sql[end] == '$' && !isDigit(s.sql[s.pos+1])
	if !isTag {
		s.pos++
		for s.pos < len(s.sql) && isDigit(s.sql[s.pos]) {
			s.pos++
		}
		if s.pos < len(s.sql) && isWordStart(s.sql[s.pos]) && s.oddNumber == 0 {
			s.oddNumber = s.pos + 1
		}
		return
	}
	tag := s.sql[s.pos : end+1]
	body := s.sql[end+1:]
	if at := strings.Index(body, tag); at >= 0 {
		s.pos = end + 1 + at + len(tag)
	} else {
		s.pos = len(s.sql)
	}
}

// skipString passes over a string constant from its opening quote. In an escape string a backslash hides the next character,
// also in the parts that continue it on further lines.
func (s *scanner) skipString(escapes bool) {
	for {
		s.pos++
		for s.pos < len(s.sql) && s.sql[s.pos] != '\'' {
			if escapes && s.sql[s.pos] == '\\' {
				s.pos++
			}
			s.pos++
		}
		s.pos = min(s.pos+1, len(s.sql))
		if strings.HasPrefix(s.rest(0), "'") {
			continue // a doubled quote
		}
		if !escapes || !s.skipToContinuation() {
			return
		}
	}
}

// skipToContinuation moves to the opening quote of the next part of a string constant: a quote after white space
// that includes a line end.
func (s *scanner) skipToContinuation() bool {
	start, lines := s.pos, false
	for s.pos < len(s.sql) {
		switch c := s.sql[s.pos]; {
		case c == '\n' || c == '\r':
			lines = true
			s.pos++
		case isSpace(c):
			s.pos++
		case strings.HasPrefix(s.sql[s.pos:], "--"):
			s.skipLine()
		case c == '\'' && lines:
			return true
		default:
			s.pos = start
			return false
		}
	}
	s.pos = start
	return false
}

func (s *scanner) skipQuoted(quote byte) {
	end := strings.IndexByte(s.rest(1), quote)
	if end < 0 {
		s.pos = len(s.sql)
		return
	}
	s.pos += end + 2
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func isOperator(c byte) bool { return strings.IndexByte("+-*/<>=~!@#%^&|`?", c) >= 0 }

// characters turns a byte offset into a 1-based character position.
func characters(sql string, offset int) int {
	return utf8.RuneCountInString(sql[:min(max(offset, 0), len(sql))]) + 1
}

// byteOffset is the inverse of characters.
func byteOffset(sql string, character int) int {
	for offset := range sql {
		if character--; character == 0 {
			return offset
		}
	}
	return len(sql)
}
