package journal

import (
	"errors"
	"fmt"

	"tacit/policy"
)

// applyRisk applies a risk, with the audit event that it is charged for.
func (s *State) applyRisk(e *Entry) error {
	name := e.TableName()
	var body ChargedBody
	if err := Unmarshal(e.Body, &body); err != nil {
		return err
	}
	if e.Risk <= 0 || e.Adjacency != "" || e.Epsilon != 0 || e.Delta != 0 || e.Releases != 0 {
		return errors.New("a risk that is not only one")
	}
	t := s.changed(name)
	if err := s.applyAccounting(t, e, body.Accounting); err != nil {
		return err
	}
	t.All.addRisk(policy.Risk(e.Risk))
	t.changedAnalyst(e.Analyst).addRisk(policy.Risk(e.Risk))
	return s.applyEvent(e, body.Owner)
}

// applyDecided applies an auditor's event that cost nothing.
func (s *State) applyDecided(e *Entry) error {
	var body ChargedBody
	if err := Unmarshal(e.Body, &body); err != nil {
		return err
	}
	if body.Accounting != nil {
		return errors.New("it says how nothing was accounted for")
	}
	return s.applyEvent(e, body.Owner)
}

// applyEvent applies an auditor's event, which a process may answer.
func (s *State) applyEvent(e *Entry, owner string) error {
	name, v := e.TableName(), e.Events[0]
	if v.Schema != name.Schema || v.Name != name.Name {
		return fmt.Errorf("audit event %d is of another table", v.ID)
	}
	t := s.changed(name)
	if err := t.FrozenFor(name, e.Analyst); err != nil {
		return err
	}
	if v.Sequence != t.Events+1 {
		return fmt.Errorf("audit event %d is number %d of its table, behind number %d", v.ID, v.Sequence, t.Events)
	}
	t.Events, t.Event, t.Answered = v.Sequence, v.ID, false
	t.Auditor, t.decided = owner, e.At
	s.Owners[owner] = true
	return nil
}

// applyAnswered applies what an auditor's event let out, which must be the last one of its table.
func (s *State) applyAnswered(e *Entry) error {
	a, t := e.Answers[0], s.Table(e.TableName())
	if t.Events == 0 || a.Event != t.Event || t.Answered {
		return fmt.Errorf("audit answer %d is not of the last event of its table, or that has one", a.ID)
	}
	t.Answered = true
	t.Answers++
	return nil
}

// applyAbandonedEvent applies that an auditor's event will not be answered, which must be the last one of its table.
func (s *State) applyAbandonedEvent(e *Entry, event int64) error {
	t := s.Table(e.TableName())
	if t.Events == 0 || event != t.Event || t.Answered {
		return fmt.Errorf("audit event %d, which it abandons, is not the last of its table, or has an answer", event)
	}
	t.Auditor = ""
	return nil
}
