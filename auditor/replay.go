package auditor

import (
	"fmt"
	"math"
	"slices"

	"tacit/policy"
)

// Replay makes all decisions of a log again, from public facts and released answers only, and returns those that come out otherwise. No
// difference proves that no suppression said anything about what was suppressed: all follow from what was not secret.
//
// Left.Table, too, follows from delta and what was charged; where it does not, delta was changed since, which a steward can tell, or what was
// left was invented, which could suppress by what the data are. Not proved, but taken from the log, are the seeds of policy.PaperRule, what an
// analyst had left of her share (at most what the table had), and that a round without an answer was never read: whoever
// keeps the log could choose these by the data. [Event.Decisions] tells how many counts an unanswered round opened.
//
// Rounds of an earlier version are made again by its rule (see boxRule); [State.EarlierCharges] counts them.
//
// A round whose decisions differ is taken from the log all the same, so that later ones are judged by what was released.
func Replay(events []Event) ([]Difference, error) {
	if len(events) == 0 {
		return nil, invalid("an empty log")
	}
	s, err := Restore(events[:1])
	if err != nil {
		return nil, err
	}
	differences, err := replayOpening(events[0])
	if err != nil {
		return nil, err
	}
	for i := range events[1:] {
		found, err := s.replay(events[i+1])
		if err != nil {
			return differences, fmt.Errorf("event %d: %w", i+1, err)
		}
		for k := range found {
			found[k].Event = i + 1
		}
		differences = append(differences, found...)
	}
	return differences, nil
}

// replayOpening computes the certificate of a workload again.
func replayOpening(e Event) ([]Difference, error) {
	o, err := decodeOpening(e.Payload)
	if err != nil || o.Workload == nil {
		return nil, err
	}
	logged := o.Workload.Charge
	o.Workload.Charge = 0
	k, err := newKnowledge(&o)
	if err != nil || near(logged, k.workloadCharge) {
		return nil, err
	}
	return []Difference{difference(-1, "the charge %v of the workload was logged, and %v follows", logged, k.workloadCharge)}, nil
}

func (s *State) replay(e Event) ([]Difference, error) {
	if e.Kind != EventRound {
		return nil, s.Apply(e)
	}
	logged, err := decodeRound(e.Payload)
	if err != nil {
		return nil, err
	}
	st, err := s.resume(logged)
	if err != nil {
		return nil, err
	}
	var differences []Difference
	if logged.Number == 0 {
		differences = s.compareLeft(logged.request.left)
	}
	present := s.asOf(logged)
	if r, ok := st.Next(); ok {
		differences = append(differences, compare(logged, r)...)
	} else {
		differences = append(differences, difference(-1, "no decision was left to make"))
	}
	present()
	st.current = nil
	return differences, s.applyTo(st, logged, e.Answer)
}

// compareLeft lists how what a statement of the log had left differs from what follows. A delta that was changed is reported once.
func (s *State) compareLeft(left Left) []Difference {
	var differences []Difference
	if follows := max(0, s.Config.Delta+s.raised-s.account.charged); left.Table != follows {
		differences = append(differences,
			difference(-1, "%v was logged as left to the table, and %v follows unless delta was changed", left.Table, follows))
		s.raised = left.Table - (s.Config.Delta - s.account.charged)
	}
	if left.Analyst > left.Table {
		differences = append(differences,
			difference(-1, "%v was logged as left to the analyst, and %v to the table", left.Analyst, left.Table))
	}
	return differences
}

func difference(query int, format string, args ...any) Difference {
	return Difference{Query: query, Text: fmt.Sprintf(format, args...)}
}

// compare lists how a round that was made again differs from the log.
func compare(logged, r *Round) []Difference {
	var differences []Difference
	differ := func(query int, format string, args ...any) {
		differences = append(differences, difference(query, format, args...))
	}
	if len(logged.Decisions) != len(r.Decisions) {
		differ(-1, "%d decisions were logged, and %d are made", len(logged.Decisions), len(r.Decisions))
		return differences
	}
	for k := range logged.Decisions {
		was, is := &logged.Decisions[k], &r.Decisions[k]
		switch {
		case was.Query != is.Query || was.Outcome != is.Outcome:
			differ(was.Query, "%v was logged, and %v follows for query %d: %s", was.Outcome, is.Outcome, is.Query, is.Reason)
		case !slices.Equal(was.Values, is.Values):
			differ(was.Query, "the free values %d were logged, and %d follow", was.Values, is.Values)
		case !near(was.Charge, is.Charge):
			differ(was.Query, "the charge %v was logged, and %v follows", was.Charge, is.Charge)
		}
	}
	if !near(logged.Charge, r.Charge) || !slices.Equal(logged.Open, r.Open) || logged.counted != r.counted {
		differ(-1, "%d counts for %v were logged, and %d for %v follow", len(logged.Open), logged.Charge, len(r.Open), r.Charge)
	}
	return differences
}

// near allows for the last digits of floating point, which differ between machines.
func near(a, b policy.Risk) bool {
	return math.Abs(float64(a)-float64(b)) <= 1e-6*math.Max(float64(a), float64(b))+1e4
}
