package audited

import (
	"crypto/sha256"
	"encoding/binary"

	"tacit/auditor"
	"tacit/policy"
)

// suppressedStatements remembers the statements that were decided about since the history last changed, and of which all was suppressed. A
// decision follows from the history, the questions and what is left, so the same comes out again; the log has the first. Under a rule
// that draws at random, or one under which decisions are numbered, each is a decision of its own, and none is remembered. The zero value
// remembers none.
type suppressedStatements struct {
	kept  bool // else nothing is to be remembered
	known map[[32]byte]bool
}

// maxSuppressedStatements bounds the memory; it is emptied when it is full.
const maxSuppressedStatements = 100_000

// restore begins to remember, behind a history.
func (s *suppressedStatements) restore(state *auditor.State) {
	_, numbered := state.DecisionsLeft()
	s.kept = state.Config.Rule != policy.PaperRule && !numbered
}

// has reports whether the statement of a round was suppressed before.
func (s *suppressedStatements) has(d Decided) bool {
	return d.withholdsAll() && s.known[d.statement()]
}

// note takes in a round that was written down.
func (s *suppressedStatements) note(d Decided) {
	if !s.kept {
		return
	}
	if !d.withholdsAll() || len(s.known) >= maxSuppressedStatements {
		s.known = nil
	}
	if !d.withholdsAll() {
		return
	}
	if s.known == nil {
		s.known = make(map[[32]byte]bool)
	}
	s.known[d.statement()] = true
}

// withholdsAll reports whether the round is a statement's only one, and lets nothing out.
func (d Decided) withholdsAll() bool {
	return d.Round.Number == 0 && len(d.Round.Open) == 0 && d.Round.Charge == 0
}

// statement identifies the questions and what was left when they were asked.
func (d Decided) statement() [32]byte {
	h := sha256.New()
	head := binary.LittleEndian.AppendUint64(nil, uint64(d.left.Table))
	h.Write(binary.LittleEndian.AppendUint64(head, uint64(d.left.Analyst)))
	for _, q := range d.Questions {
		identity := q.identity()
		h.Write(identity[:])
	}
	return [32]byte(h.Sum(nil))
}
