package scan

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tacit/policy"
	"tacit/rewrite/pgerror"
)

// The C parser is fast on long input but recurses on deep input, and overflowing its stack kills the process. With 8 MiB of stack
// it prints trees of 24,000 operators in a chain badly and of 8,000 well; the Go protobuf decoder gives up at 10,000 messages,
// of which one nested sub-select takes up to ten. So nesting of 500 leaves a margin of more than ten.
//
// maxTokens bounds the tree's memory and the time spent on it: about a quarter of a second.
const maxTokens = 100_000

// CheckText refuses, before the C parser sees it, a text that could hurt it. It returns the offset of the first number that servers
// of different versions read differently, -1 if there is none. named says that the text may name a protected table.
func CheckText(sql string, limits policy.Limits, named bool) (oddNumber int, refusal *pgerror.Refusal) {
	if len(sql) > limits.StatementBytes {
		return -1, refuseLength(fmt.Sprintf("%d bytes (limits.statement_bytes)", limits.StatementBytes), named)
	}
	if at := InvalidUTF8(sql); at >= 0 {
		return -1, &pgerror.Refusal{Code: pgerror.CodeInvalidEncoding, Message: fmt.Sprintf(`invalid byte sequence for encoding "UTF8": 0x%02x`, sql[at])}
	}
	s := Scanner{SQL: sql, Limit: limits.Nesting}
	refusal = s.check(named)
	return s.oddNumber - 1, refusal
}

// refuseLength tells which limit was hit, and why the statement falls under it.
func refuseLength(limit string, named bool) *pgerror.Refusal {
	r := &pgerror.Refusal{Code: pgerror.CodeLimit, Message: "a statement that may concern a protected table is longer than " + limit,
		Hint: "Load data by statements that do not contain the name of a protected table."}
	if !named {
		r.Message = "a statement that may concern settings, roles, functions or prepared statements is longer than " + limit
		r.Hint = "Split it into several statements."
	}
	return r
}

// InvalidUTF8 returns the offset of the first byte that is not valid UTF-8 or is NUL, -1 if there is none.
func InvalidUTF8(s string) int {
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
type Scanner struct {
	SQL    string
	Pos    int
	Limit  int
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

func (s *Scanner) check(named bool) *pgerror.Refusal {
	s.levels = append(s.levels[:0], level{})
	dotted := false // the token before was a dot
	for s.Pos < len(s.SQL) {
		token := s.Next()
		s.measure(token, dotted)
		if token.deep || s.outer+s.top().depth() > s.Limit {
			return &pgerror.Refusal{
				Code:     pgerror.CodeTooComplex,
				Message:  fmt.Sprintf("a statement that the proxy must read is nested deeper than %d levels (limits.nesting)", s.Limit),
				Hint:     "Split it into several statements, for example with temporary tables.",
				Position: s.Pos + 1,
			}
		}
		if s.tokens > maxTokens {
			return pgerror.At(int32(s.Pos), refuseLength(fmt.Sprintf("%d words", maxTokens), named))
		}
		if token.Kind == BlankToken {
			continue
		}
		dotted, s.before = token.Text == ".", ""
		if token.Kind == WordToken {
			s.before = LowerASCII(token.Text)
		}
	}
	return nil
}

func (s *Scanner) top() *level { return &s.levels[len(s.levels)-1] }

// A token is a word, constant or punctuation of SQL, or what stands between them.
type token struct {
	Kind tokenKind
	Text string // with its quotes
	deep bool   // a comment that nests deeper than the limit
}

type tokenKind int

const (
	BlankToken    tokenKind = iota // white space and comments
	WordToken                      // a key word or an identifier
	QuotedToken                    // a quoted identifier
	operatorToken                  // a run of operator characters
	otherToken                     // a constant, a parameter or a character
)

// Next passes over one token.
func (s *Scanner) Next() token {
	start := s.Pos
	kind, deep := s.pass()
	if kind != BlankToken {
		s.tokens++
	}
	return token{kind, s.SQL[start:min(s.Pos, len(s.SQL))], deep}
}

func (s *Scanner) pass() (kind tokenKind, deep bool) {
	c := s.SQL[s.Pos]
	switch {
	case isSpace(c):
		s.Pos++
		return BlankToken, false
	case strings.HasPrefix(s.SQL[s.Pos:], "--"):
		s.skipLine()
		return BlankToken, false
	case strings.HasPrefix(s.SQL[s.Pos:], "/*"):
		return BlankToken, s.skipComment()
	case isWordStart(c):
		return s.word(), false
	case c == '"':
		s.skipQuoted()
		return QuotedToken, false
	case isOperator(c):
		s.operator()
		return operatorToken, false
	case IsDigit(c), c == '.' && s.Pos+1 < len(s.SQL) && IsDigit(s.SQL[s.Pos+1]):
		s.number()
	case c == '\'':
		s.skipString(false)
	case c == '$':
		s.dollar()
	default:
		s.Pos++
	}
	return otherToken, false
}

// measure takes a token into the estimate.
func (s *Scanner) measure(t token, dotted bool) {
	switch {
	case t.Kind == WordToken && !dotted:
		s.keyword(LowerASCII(t.Text))
	case t.Kind == operatorToken:
		s.operators(t.Text)
	case t.Kind == otherToken && len(t.Text) == 1:
		s.punctuation(t.Text[0])
	}
}

func (s *Scanner) skipLine() {
	for s.Pos < len(s.SQL) && s.SQL[s.Pos] != '\n' && s.SQL[s.Pos] != '\r' {
		s.Pos++
	}
}

// skipComment passes over a comment and those nested in it, on which the C scanner takes quadratic time.
func (s *Scanner) skipComment() (deep bool) {
	depth := 0
	for s.Pos < len(s.SQL) {
		switch {
		case strings.HasPrefix(s.SQL[s.Pos:], "/*"):
			depth++
			s.Pos += 2
		case strings.HasPrefix(s.SQL[s.Pos:], "*/"):
			depth--
			s.Pos += 2
		default:
			s.Pos++
		}
		if depth == 0 || depth > s.Limit {
			return depth > s.Limit
		}
	}
	return false
}

// word passes over a key word or identifier, or the string or quoted identifier whose prefix it is.
func (s *Scanner) word() tokenKind {
	start := s.Pos
	for s.Pos < len(s.SQL) && IsWordByte(s.SQL[s.Pos]) {
		s.Pos++
	}
	rest := s.SQL[s.Pos:]
	if s.Pos > start+1 {
		return WordToken
	}
	switch prefix := Lower[s.SQL[start]]; {
	case strings.IndexByte("ebxn", prefix) >= 0 && strings.HasPrefix(rest, "'"):
		s.skipString(prefix == 'e')
		return otherToken
	case prefix == 'u' && strings.HasPrefix(rest, "&'"):
		s.Pos++
		s.skipString(false)
		return otherToken
	case prefix == 'u' && strings.HasPrefix(rest, `&"`):
		s.Pos++
		s.skipQuoted()
		return QuotedToken
	}
	return WordToken
}

// keyword takes a word into the estimate. Those that end a segment are reserved: any other could be the name of a column or type in the
// midst of the operators that it would make forgotten.
func (s *Scanner) keyword(word string) {
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
func (s *Scanner) push(open byte) {
	l := s.top()
	s.outer += l.sets + l.chain + 1
	s.levels = append(s.levels, level{open: open})
}

func (s *Scanner) pop(open byte) {
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

func (s *Scanner) punctuation(c byte) {
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
func (s *Scanner) operator() {
	for s.Pos < len(s.SQL) && isOperator(s.SQL[s.Pos]) {
		if rest := s.SQL[s.Pos:]; strings.HasPrefix(rest, "--") || strings.HasPrefix(rest, "/*") {
			break
		}
		s.Pos++
	}
}

// operators counts the operators of a run: a + or - at its end may be one of its own.
func (s *Scanner) operators(run string) {
	for i := range len(run) {
		if i == 0 || run[i] == '+' || run[i] == '-' {
			s.top().chain++
		}
	}
}

func (s *Scanner) number() {
	digits := func() {
		for s.Pos < len(s.SQL) && IsDigit(s.SQL[s.Pos]) {
			s.Pos++
		}
	}
	digits()
	if s.Pos < len(s.SQL) && s.SQL[s.Pos] == '.' {
		s.Pos++
		digits()
	}
	if n := exponentPrefix(s.rest(0)); n > 0 {
		s.Pos += n
		digits()
	}
	if s.Pos < len(s.SQL) && isWordStart(s.SQL[s.Pos]) && s.oddNumber == 0 {
		s.oddNumber = s.Pos + 1
	}
}

// exponentPrefix is the length of e, e+ or e- before a digit, 0 if s does not begin with an exponent.
func exponentPrefix(s string) int {
	n := 1
	if len(s) > 1 && (s[1] == '+' || s[1] == '-') {
		n = 2
	}
	if len(s) > n && Lower[s[0]] == 'e' && IsDigit(s[n]) {
		return n
	}
	return 0
}

// rest is the text from n bytes on.
func (s *Scanner) rest(n int) string { return s.SQL[min(s.Pos+n, len(s.SQL)):] }

// dollar passes over a parameter or a dollar-quoted string.
func (s *Scanner) dollar() {
	end := s.Pos + 1
	for end < len(s.SQL) && IsWordByte(s.SQL[end]) && s.SQL[end] != '$' {
		end++
	}
	isTag := end < len(s.SQL) && s.SQL[end] == '$' && !IsDigit(s.SQL[s.Pos+1])
	if !isTag {
		s.Pos++
		for s.Pos < len(s.SQL) && IsDigit(s.SQL[s.Pos]) {
			s.Pos++
		}
		if s.Pos < len(s.SQL) && isWordStart(s.SQL[s.Pos]) && s.oddNumber == 0 {
			s.oddNumber = s.Pos + 1
		}
		return
	}
	tag := s.SQL[s.Pos : end+1]
	body := s.SQL[end+1:]
	if at := strings.Index(body, tag); at >= 0 {
		s.Pos = end + 1 + at + len(tag)
	} else {
		s.Pos = len(s.SQL)
	}
}

// skipString passes over a string constant from its opening quote. In an escape string a backslash hides the next character,
// also in the parts that continue it on further lines.
func (s *Scanner) skipString(escapes bool) {
	for {
		s.Pos++
		for s.Pos < len(s.SQL) && s.SQL[s.Pos] != '\'' {
			if escapes && s.SQL[s.Pos] == '\\' {
				s.Pos++
			}
			s.Pos++
		}
		s.Pos = min(s.Pos+1, len(s.SQL))
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
func (s *Scanner) skipToContinuation() bool {
	start, lines := s.Pos, false
	for s.Pos < len(s.SQL) {
		switch c := s.SQL[s.Pos]; {
		case c == '\n' || c == '\r':
			lines = true
			s.Pos++
		case isSpace(c):
			s.Pos++
		case strings.HasPrefix(s.SQL[s.Pos:], "--"):
			s.skipLine()
		case c == '\'' && lines:
			return true
		default:
			s.Pos = start
			return false
		}
	}
	s.Pos = start
	return false
}

// skipQuoted passes over a quoted identifier, in which a doubled quote is a quote.
func (s *Scanner) skipQuoted() {
	for {
		end := strings.IndexByte(s.rest(1), '"')
		if end < 0 {
			s.Pos = len(s.SQL)
			return
		}
		s.Pos += end + 2
		if !strings.HasPrefix(s.rest(0), `"`) {
			return
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func isOperator(c byte) bool { return strings.IndexByte("+-*/<>=~!@#%^&|`?", c) >= 0 }
