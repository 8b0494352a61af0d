package journal

import (
	"errors"

	"tacit/accountant"
	"tacit/policy"
)

// applyAction applies what a steward has done.
func (s *State) applyAction(e *Entry) error {
	var body ActionBody
	if err := Unmarshal(e.Body, &body); err != nil {
		return err
	}
	name := e.TableName()
	if name == (policy.TableName{}) || (e.Kind == KindGranted) != (body.Amounts != nil) {
		return errors.New("a steward's act without its object")
	}
	if e.Kind == KindInspected || e.Kind == KindResolved {
		return nil // looking and deciding charge nothing and change nothing
	}
	t := s.changed(name)
	switch e.Kind {
	case KindGranted:
		amounts := body.Amounts.Loss()
		if !amounts.IsChargeable() {
			return errors.New("a grant of an impossible amount")
		}
		t.Granted[e.Analyst] = t.Granted[e.Analyst].Add(amounts)
		if e.Refers != 0 {
			return s.answerRequest(e, body)
		}
	case KindFrozen:
		t.Frozen[e.Analyst] = body.Reason
	case KindThawed:
		if _, frozen := t.Frozen[e.Analyst]; !frozen {
			return errors.New("what was not frozen is thawed")
		}
		delete(t.Frozen, e.Analyst)
	case KindEpoch:
		return s.applyEpoch(t, e, body.Reason)
	default:
		return errors.New("a steward's action of an unknown kind")
	}
	return nil
}

// applyEpoch begins an epoch: what was charged in the one before is kept apart, and what was granted in it ends with it. What waited for
// an answer was asked about rows that are gone. The adjacency and what is frozen stay.
func (s *State) applyEpoch(t *Table, e *Entry, reason string) error {
	if t.Events > 0 || e.Epoch != t.Epoch+1 || e.Analyst != "" {
		return errors.New("an epoch that cannot begin here")
	}
	t.Earlier = append(t.Earlier, epochTotal{
		epoch: t.Epoch, began: t.began, ended: e.At, reason: reason, charged: t.All.sumFrom(always).once, risk: t.All.Risk,
	})
	t.Epoch, t.began = e.Epoch, e.At
	t.All, t.Analysts = newScope(), make(map[string]*scope)
	t.Granted, t.Stated = make(map[string]accountant.Loss), make(map[string]statement)
	for id, c := range s.Open {
		if c.Table == e.TableName() {
			s.close(id)
		}
	}
	return nil
}
