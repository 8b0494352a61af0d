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
//
// maxTokens bounds the tree's memory and the time spent on it: about a quarter of a second.
const maxTokens = 100_000

// checkText refuses, before the C parser sees it, a text that could hurt it. It returns the offset of the first number that servers
// of different versions read differently, -1 if there is none. named says that the text may name a protected table.
func checkText(sql string, limits policy.Limits, named bool) (oddNumber int, refusal *Refusal) {
	if len(sql) > limits.StatementBytes {
		return -1, refuseLength(fmt.Sprintf("%d bytes (limits.statement_bytes)", limits.StatementBytes), named)
	}
	if at := invalidUTF8(sql); at >= 0 {
		return -1, &Refusal{Code: codeInvalidEncoding, Message: fmt.Sprintf(`invalid byte sequence for encoding "UTF8": 0x%02x`, sql[at])}
	}
	s := scanner{sql: sql, limit: limits.Nesting}
	refusal = s.check(named)
	return s.oddNumber - 1, refusal
}

// refuseLength tells which limit was hit, and why the statement falls under it.
func refuseLength(limit string, named bool) *Refusal {
	r := &Refusal{Code: codeLimit, Message: "a statement that may concern a protected table is longer than " + limit,
		Hint: "Load data by statements that do not contain the name of a protected table."}
	if !named {
		r.Message = "a statement that may concern settings, roles, functions or prepared statements is longer than " + limit
		r.Hint = "Split it into several statements."
	}
	return r
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

// A scanner splits SQL into tokens as PostgreSQL's scan.l does with standard_conforming_strings on. Its check estimates from above
// how deep the tree of the statement is. What it makes of text that is no SQL does not matter: the parser stops there.
type scanner struct {
	sql    string
	pos    int
	limit  int
	tokens int
	levels []level
	outer  int // depth of the innermost open level's surroundings
	// before is the token before, if it was a key word or an identifier, in lower case.
	before string
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

func (s *scanner) check(named bool) *Refusal {
	s.levels = append(s.levels[:0], level{})
	dotted := false // the token before was a dot
	for s.pos < len(s.sql) {
		token := s.next()
		s.measure(token, dotted)
		if token.deep || s.outer+s.top().depth() > s.limit {
			return &Refusal{
				Code:     codeTooComplex,
				Message:  fmt.Sprintf("a statement that the proxy must read is nested deeper than %d levels (limits.nesting)", s.limit),
				Hint:     "Split it into several statements, for example with temporary tables.",
				Position: s.pos + 1,
			}
		}
		if s.tokens > maxTokens {
			return at(int32(s.pos), refuseLength(fmt.Sprintf("%d words", maxTokens), named))
		}
		if token.kind == blankToken {
			continue
		}
		dotted, s.before = token.text == ".", ""
		if token.kind == wordToken {
			s.before = lowerASCII(token.text)
		}
	}
	return nil
}

func (s *scanner) top() *level { return &s.levels[len(s.levels)-1] }

// A token is a word, constant or punctuation of SQL, or what stands between them.
type token struct {
	kind tokenKind
	text string // with its quotes
	deep bool   // a comment that nests deeper than the limit
}

type tokenKind int

const (
	blankToken    tokenKind = iota // white space and comments
	wordToken                      // a key word or an identifier
	quotedToken                    // a quoted identifier
	operatorToken                  // a run of operator characters
	otherToken                     // a constant, a parameter or a character
)

// next passes over one token.
func (s *scanner) next() token {
	start := s.pos
	kind, deep := s.pass()
	if kind != blankToken {
		s.tokens++
	}
	return token{kind, s.sql[start:min(s.pos, len(s.sql))], deep}
}

func (s *scanner) pass() (kind tokenKind, deep bool) {
	c := s.sql[s.pos]
	switch {
	case isSpace(c):
		s.pos++
		return blankToken, false
	case strings.HasPrefix(s.sql[s.pos:], "--"):
		s.skipLine()
		return blankToken, false
	case strings.HasPrefix(s.sql[s.pos:], "/*"):
		return blankToken, s.skipComment()
	case isWordStart(c):
		return s.word(), false
	case c == '"':
		s.skipQuoted()
		return quotedToken, false
	case isOperator(c):
		s.operator()
		return operatorToken, false
	case isDigit(c), c == '.' && s.pos+1 < len(s.sql) && isDigit(s.sql[s.pos+1]):
		s.number()
	case c == '\'':
		s.skipString(false)
	case c == '$':
		s.dollar()
	default:
		s.pos++
	}
	return otherToken, false
}

// measure takes a token into the estimate.
func (s *scanner) measure(t token, dotted bool) {
	switch {
	case t.kind == wordToken && !dotted:
		s.keyword(lowerASCII(t.text))
	case t.kind == operatorToken:
		s.operators(t.text)
	case t.kind == otherToken && len(t.text) == 1:
		s.punctuation(t.text[0])
	}
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
func (s *scanner) word() tokenKind {
	start := s.pos
	for s.pos < len(s.sql) && isWordByte(s.sql[s.pos]) {
		s.pos++
	}
	rest := s.sql[s.pos:]
	if s.pos > start+1 {
		return wordToken
	}
	switch prefix := lower[s.sql[start]]; {
	case strings.IndexByte("ebxn", prefix) >= 0 && strings.HasPrefix(rest, "'"):
		s.skipString(prefix == 'e')
		return otherToken
	case prefix == 'u' && strings.HasPrefix(rest, "&'"):
		s.pos++
		s.skipString(false)
		return otherToken
	case prefix == 'u' && strings.HasPrefix(rest, `&"`):
		s.pos++
		s.skipQuoted()
		return quotedToken
	}
	return wordToken
}

// keyword takes a word into the estimate. Those that end a segment are reserved: any other could be the name of a column or type in the
// midst of the operators that it would make forgotten.
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
	case "or", "select", "where", "having", "on", "returning", "when", "then", "else":
		l.endSegment()
	case "by":
		if s.before == "group" || s.before == "order" {
			l.endSegment()
		}
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

// operator passes over a run of operator characters.
func (s *scanner) operator() {
	for s.pos < len(s.sql) && isOperator(s.sql[s.pos]) {
		if rest := s.sql[s.pos:]; strings.HasPrefix(rest, "--") || strings.HasPrefix(rest, "/*") {
			break
		}
		s.pos++
	}
}

// operators counts the operators of a run: a + or - at its end may be one of its own.
func (s *scanner) operators(run string) {
	for i := range len(run) {
		if i == 0 || run[i] == '+' || run[i] == '-' {
			s.top().chain++
		}
	}
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

// skipQuoted passes over a quoted identifier, in which a doubled quote is a quote.
func (s *scanner) skipQuoted() {
	for {
		end := strings.IndexByte(s.rest(1), '"')
		if end < 0 {
			s.pos = len(s.sql)
			return
		}
		s.pos += end + 2
		if !strings.HasPrefix(s.rest(0), `"`) {
			return
		}
	}
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
