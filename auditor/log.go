package auditor

import (
	"fmt"

	"tacit/policy"
)

// Restore makes the state that a log of events leads to. Decisions are taken from the log, not made again.
func Restore(events []Event) (*State, error) {
	if len(events) == 0 || events[0].Kind != EventOpened {
		return nil, invalid("a log that does not begin with an opening")
	}
	o, err := decodeOpening(events[0].Payload)
	if err != nil {
		return nil, err
	}
	s, err := newState(o)
	if err != nil {
		return nil, err
	}
	for i := range events[1:] {
		if err := s.Apply(events[i+1]); err != nil {
			return nil, fmt.Errorf("event %d: %w", i+1, err)
		}
	}
	return s, nil
}

// Apply adds an event of the log, such as one that another process recorded. Statements under way are to be begun anew after it.
func (s *State) Apply(e Event) error {
	switch e.Kind {
	case EventRound:
		r, err := decodeRound(e.Payload)
		if err != nil {
			return err
		}
		return s.applyRound(r, e.Answer)
	case EventSealed:
		p, err := decodeEpoch(e.Payload)
		if err != nil {
			return err
		}
		s.applying = nil
		return s.seal(&p)
	case eventAcknowledged:
		if err := newDecoder(e.Payload).end(); err != nil {
			return err
		}
		s.applying = nil
		s.acknowledge()
		return nil
	}
	return invalid("an event of kind %q", e.Kind)
}

// applyRound adds a round of the log.
func (s *State) applyRound(r *Round, answer []byte) error {
	st, err := s.resume(r)
	if err != nil {
		return err
	}
	return s.applyTo(st, r, answer)
}

// applyTo adds the answers of a round of the log to a statement. A round without answers was charged, and released nothing.
func (s *State) applyTo(st *Statement, r *Round, answer []byte) error {
	defer s.asOf(r)()
	s.noteRule(r.Charge)
	if err := r.check(st.queries); err != nil {
		return err
	}
	if answer == nil && len(r.Open) > 0 {
		st.current = r
		st.GiveUp()
		s.applying = nil
		return nil
	}
	var values []int64
	if answer != nil {
		var err error
		if values, err = decodeAnswer(answer); err == nil && len(values) != len(r.Open) {
			err = invalid("%d answers to %d counts", len(values), len(r.Open))
		}
		if err != nil {
			return err
		}
	}
	return st.advance(r, values)
}

// asOf goes back to the rule of a round until the returned function is called.
func (s *State) asOf(r *Round) (present func()) {
	s.earlier = s.intervals && !r.boxed
	return func() { s.earlier = false }
}

// noteRule counts a charge of the rule before boxRule.
func (s *State) noteRule(charge policy.Risk) {
	if s.earlier && charge > 0 {
		s.earlierCharges++
	}
}

// resume returns the statement that a round of the log belongs to.
func (s *State) resume(r *Round) (*Statement, error) {
	if r.Number == 0 {
		st, err := newStatement(&s.knowledge, r.request)
		s.applying = st
		return st, err
	}
	if s.applying == nil || s.applying.rounds != r.Number {
		return nil, invalid("round %d of no statement", r.Number)
	}
	return s.applying, nil
}
