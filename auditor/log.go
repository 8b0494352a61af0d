package auditor

import "fmt"

// Restore makes the state that a log of events leads to. Decisions are taken from the log, not made again.
func Restore(events []Event) (*State, error) {
	if len(events) == 0 || events[0].Kind != EventOpened {
		return nil, invalid("a log that does not begin with an opening")
	}
	o, err := decodeOpening(events[0].Payload)
	if err != nil {
		return nil, err
	}
	s, err := Open(o)
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
	case EventAcknowledged:
		if err := newDecoder(e.Payload).end(); err != nil {
			return err
		}
		s.applying = nil
		s.acknowledge()
		return nil
	}
	return invalid("an event of kind %q", e.Kind)
}

func (s *State) applyRound(r *encodedRound, answer []byte) error {
	st, err := s.resume(r)
	if err != nil {
		return err
	}
	return s.applyLogged(st, r, answer)
}

// applyLogged adds the answers of a round of the log. A round without answers was charged, and released nothing.
func (s *State) applyLogged(st *Statement, r *encodedRound, answer []byte) error {
	round, err := st.logged(r)
	if err != nil {
		return err
	}
	if answer == nil && len(r.open) > 0 {
		st.current = round
		st.GiveUp()
		s.applying = nil
		return nil
	}
	values, err := r.values(answer)
	if err != nil {
		return err
	}
	return st.advance(round, values)
}

// values are the recorded answers of a round.
func (r *encodedRound) values(answer []byte) ([]int64, error) {
	if answer == nil {
		return nil, nil
	}
	values, err := decodeAnswer(answer)
	if err == nil && len(values) != len(r.open) {
		err = invalid("%d answers to %d counts", len(values), len(r.open))
	}
	return values, err
}

// resume returns the statement that a round of the log belongs to.
func (s *State) resume(r *encodedRound) (*Statement, error) {
	if r.number == 0 {
		st, err := s.Begin(r.queries, r.left, r.seed)
		s.applying = st
		return st, err
	}
	if s.applying == nil || s.applying.rounds != r.number {
		return nil, invalid("round %d of no statement", r.number)
	}
	return s.applying, nil
}

// logged makes a round of what the log says. Its counts rise, and are those of the queries that it released.
func (st *Statement) logged(r *encodedRound) (*Round, error) {
	opens := make(map[int]bool) // decided so, and whether a count of the query was opened
	for i := range r.decisions {
		switch d := &r.decisions[i]; {
		case d.Query >= len(st.queries):
			return nil, invalid("a decision of query %d", d.Query)
		case d.Outcome == Released || d.Outcome == Certified:
			opens[d.Query] = false
		}
	}
	for k, o := range r.open {
		if o.Query >= len(st.queries) || o.Set >= len(st.queries[o.Query].Values) {
			return nil, invalid("a count of query %d", o.Query)
		}
		if k > 0 && (o.Query < r.open[k-1].Query || o.Query == r.open[k-1].Query && o.Set <= r.open[k-1].Set) {
			return nil, invalid("counts that do not rise")
		}
		if _, decided := opens[o.Query]; !decided {
			return nil, invalid("a count of query %d, which was not released", o.Query)
		}
		opens[o.Query] = true
	}
	for query, opened := range opens {
		if !opened {
			return nil, invalid("query %d was released without a count", query)
		}
	}
	return &Round{Number: r.number, Decisions: r.decisions, Open: r.open, Charge: r.charge, counted: r.counted, statement: st}, nil
}
