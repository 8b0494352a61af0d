package proxy

import (
	"sync"

	"tacit/proxy/internal/relay"
	"tacit/rewrite"
)

// This file remembers the prepared statements of a session that are not the server's business only. The invariant: what is remembered is
// what the server has confirmed. Nothing depends on it but comfort: a client that is relayed where it should be answered is refused
// by the server. Start at statements.

// Bounds on the prepared statements that are remembered for one session. What is kept of a statement is some times as large as its
// text.
const (
	maxStatements     = 1000
	maxStatementsText = 4 << 20
)

// A statement is a prepared statement that the proxy must remember. All others are the server's business only.
type statement struct {
	sql string // the analyst's text
	// answer is set for a protected statement: each execution of it brings its own cells. It is set, too, for the PREPARE of one.
	answer *rewrite.Answer
	// execute is set, and answer is not, for an EXECUTE of a protected statement that was itself prepared by a Parse, and paramOIDs are
	// the types which that declared. The server takes no parameters there.
	execute   *rewrite.Execute
	paramOIDs []uint32
	// replaced says that the server's statement is another than execute: one with the cells of an earlier Bind. Only the interceptor uses it.
	replaced bool
	// parsed is what the session had executed when the statement was prepared by a Parse: as long as it has executed nothing else, the
	// server has the very same statement. Only the interceptor uses it.
	parsed uint64
	// effect, if not nil, is what its execution does to prepared statements: it is a PREPARE, DEALLOCATE or DISCARD that was
	// itself prepared by a Parse.
	effect *effect
}

// text is how many bytes of text the statement holds.
func (st *statement) text() int {
	if st == nil {
		return 0
	}
	return len(st.sql)
}

// protected says whether cells are to be bound to the statement.
func (st *statement) protected() bool { return st != nil && st.effect == nil }

// explains says whether its execution shows an explanation, whose command tag is to be EXPLAIN's.
func (st *statement) explains() bool {
	return st.execute != nil && st.execute.Explain != nil || st.answer != nil && st.answer.Explain != nil
}

// An effect is what a completed message does to the prepared statements that are remembered.
type effect struct {
	// statement is the number of the statement that has the effect, from 1, in a text of several; 0: the message as a whole.
	statement int
	// all says that every statement is forgotten, otherwise the one named.
	all  bool
	name string
	// becomes is what the name means then; nil: nothing that must be remembered.
	becomes *statement
	// always says that the name is forgotten even if the message fails: the server drops the unnamed statement before it looks at
	// a new one, but not for a message that it skips.
	always bool
}

// preparing is the effect of a PREPARE of a protected statement.
func preparing(text string, v *rewrite.Answer) *effect {
	return &effect{name: v.Prepare, becomes: &statement{sql: text, answer: v}}
}

func forgetting(v *rewrite.Forget) *effect {
	return &effect{all: v.Name == "", name: v.Name}
}

// statements are the prepared statements of one session that must be remembered, however they came about: the wire and SQL share one
// set of names on the server.
type statements struct {
	mu     sync.Mutex // protects what follows
	byName map[string]*statement
	// changing counts the effects under way on each name, changingAll those on all names.
	changing    map[string]int
	changingAll int
	// underWay is the text of the statements that effects under way may bring.
	underWay int
}

func newStatements() *statements {
	return &statements{byName: make(map[string]*statement), changing: make(map[string]int)}
}

// maxNameBytes is how much of a statement's name the server distinguishes (NAMEDATALEN - 1).
const maxNameBytes = 63

func nameKey(name string) string { return name[:min(len(name), maxNameBytes)] }

// tracks says whether the name is, or may become or cease to be, that of a statement that is remembered.
func (s *statements) tracks(name string) bool {
	st, unconfirmed := s.get(name)
	return unconfirmed || st != nil
}

// get returns the statement of a name, nil if it is none that is remembered. unconfirmed says that the server has yet to confirm what
// the name means.
func (s *statements) get(name string) (st *statement, unconfirmed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := nameKey(name)
	return s.byName[key], s.changingAll > 0 || s.changing[key] > 0
}

// forget forgets a statement that the server does not have.
func (s *statements) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byName, nameKey(name))
}

// begin notes that effects of a message are under way, and returns what is to be called when it is known which of its statements are
// complete, and whether all are.
func (s *statements) begin(effects []*effect) (done func(results int, end relay.End)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range effects {
		s.count(e, 1)
	}
	return func(results int, end relay.End) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, e := range effects {
			s.count(e, -1)
			if happened := end == relay.Succeeded || e.statement > 0 && e.statement <= results; happened || e.always && end == relay.Failed {
				s.apply(e, happened)
			}
		}
	}
}

// count adds an effect to those under way, or takes it away. The caller holds mu.
func (s *statements) count(e *effect, n int) {
	s.underWay += n * e.becomes.text()
	if e.all {
		s.changingAll += n
		return
	}
	key := nameKey(e.name)
	if s.changing[key] += n; s.changing[key] == 0 {
		delete(s.changing, key)
	}
}

// apply does what an effect does; ok=false if the message failed. The caller holds mu.
func (s *statements) apply(e *effect, ok bool) {
	switch key := nameKey(e.name); {
	case e.all:
		clear(s.byName)
	case ok && e.becomes != nil:
		s.byName[key] = e.becomes
	default:
		delete(s.byName, key)
	}
}

// full says whether no further statement can be remembered. Portals hold statements that have lost their names.
func (s *statements) full(portals map[string]*statement) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := make(map[*statement]bool, len(s.byName)+len(portals))
	for _, st := range s.byName {
		held[st] = true
	}
	for _, st := range portals {
		held[st] = true
	}
	text := s.underWay
	for st := range held {
		text += st.text()
	}
	return len(held)+len(s.changing) >= maxStatements || text >= maxStatementsText
}
