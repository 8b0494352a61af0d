package proxy

import (
	"errors"

	"tacit/rewrite"
)

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
	// replaced says that the server's statement is another than execute: one with the cells of an earlier Bind. Only inbound uses it.
	replaced bool
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
	// a new one.
	always bool
}

// statements are the prepared statements of one session that must be remembered, however they came about: the wire and SQL share one
// set of names on the server. What is remembered is what the server has confirmed. Nothing depends on it but comfort: a client
// that is relayed where it should be answered is refused by the server. All of it is protected by replies.mu.
type statements struct {
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

// concerned says whether the name is, or may become or cease to be, that of a statement that is remembered.
func (s *statements) concerned(name string) bool {
	return s.unsettled(name) || s.byName[nameKey(name)] != nil
}

// unsettled says whether the server has yet to confirm what the name means.
func (s *statements) unsettled(name string) bool {
	return s.changingAll > 0 || s.changing[nameKey(name)] > 0
}

// begin notes that an effect is under way, and returns what is to be called when it has happened or not.
func (s *statements) begin(e *effect) (done func(ok bool)) {
	key := nameKey(e.name)
	if e.all {
		s.changingAll++
	} else {
		s.changing[key]++
	}
	s.underWay += e.becomes.text()
	return func(ok bool) {
		s.underWay -= e.becomes.text()
		if e.all {
			s.changingAll--
		} else if s.changing[key]--; s.changing[key] == 0 {
			delete(s.changing, key)
		}
		if ok || e.always {
			s.apply(e, ok)
		}
	}
}

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

// affecting adds effects to a handling, which may be nil, and marks the session as one that remembers statements.
func (in *inbound) affecting(how *handling, effects ...*effect) *handling {
	changed := handling{}
	if how != nil {
		changed = *how
	}
	in.remembers = true
	q := in.s.replies
	q.mu.Lock()
	defer q.mu.Unlock()
	var pending []func(bool)
	for _, e := range effects {
		pending = append(pending, in.s.statements.begin(e))
	}
	changed.done = func(results int, ok bool) {
		for i, done := range pending {
			n := effects[i].statement
			done(ok || n > 0 && n <= results)
		}
	}
	return &changed
}

// concerned says whether a name must be looked up or kept track of.
func (in *inbound) concerned(name string) bool {
	if !in.remembers {
		return false
	}
	q := in.s.replies
	q.mu.Lock()
	defer q.mu.Unlock()
	return in.s.statements.concerned(name)
}

// lookUp returns the statement of a name, nil if it is none that is remembered. It waits until the server has confirmed it.
func (in *inbound) lookUp(name string) (*statement, error) {
	if !in.remembers {
		return nil, nil
	}
	q := in.s.replies
	q.mu.Lock()
	unsettled := in.s.statements.unsettled(name)
	q.mu.Unlock()
	if unsettled {
		if err := in.settle(); err != nil {
			return nil, err
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return in.s.statements.byName[nameKey(name)], nil
}

// forgetIfGone forgets a statement that the server has just said does not exist.
func (in *inbound) forgetIfGone(name string, err error) {
	var f failure
	if !errors.As(err, &f) || f.code != codeNoSuchStatement {
		return
	}
	q := in.s.replies
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(in.s.statements.byName, nameKey(name))
}

// tooManyStatements says whether no further statement can be remembered. Portals hold statements that have lost their names.
func (in *inbound) tooManyStatements() bool {
	q := in.s.replies
	q.mu.Lock()
	defer q.mu.Unlock()
	s := in.s.statements
	held := make(map[*statement]bool, len(s.byName)+len(in.portals))
	for _, st := range s.byName {
		held[st] = true
	}
	for _, st := range in.portals {
		held[st] = true
	}
	text := s.underWay
	for st := range held {
		text += st.text()
	}
	return len(held)+len(s.changing) >= maxStatements || text >= maxStatementsText
}
