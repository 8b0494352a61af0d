package accountant

import (
	"errors"
	"fmt"

	"tacit/policy"
)

// takeAct takes in what a steward has done.
func (s *state) takeAct(e *entryRow) error {
	var body actBody
	if err := unmarshal(e.body, &body); err != nil {
		return err
	}
	name := e.tableName()
	if name == (policy.TableName{}) || (e.kind == kindGranted) != (body.Amounts != nil) {
		return errors.New("a steward's act without its object")
	}
	t := s.changed(name)
	switch e.kind {
	case kindGranted:
		amounts := body.Amounts.loss()
		if !amounts.valid() {
			return errors.New("a grant of an impossible amount")
		}
		t.granted[e.analyst] = t.granted[e.analyst].Add(amounts)
	case kindFrozen:
		t.frozen[e.analyst] = body.Reason
	case kindThawed:
		if _, frozen := t.frozen[e.analyst]; !frozen {
			return errors.New("what was not frozen is thawed")
		}
		delete(t.frozen, e.analyst)
	case kindEpoch:
		return s.takeEpoch(t, e, body.Reason)
	}
	return nil
}

// takeEpoch begins an epoch: what was charged in the one before is kept apart, and what was granted in it ends with it. What waited for
// an answer was asked about rows that are gone. The adjacency and what is frozen stay.
func (s *state) takeEpoch(t *table, e *entryRow, reason string) error {
	if t.events > 0 || e.epoch != t.epoch+1 || e.analyst != "" {
		return errors.New("an epoch that cannot begin here")
	}
	t.earlier = append(t.earlier, epochTotal{
		epoch: t.epoch, began: t.began, ended: e.at, reason: reason, charged: t.all.sumFrom(always).once, risk: t.all.risk,
	})
	t.epoch, t.began = e.epoch, e.at
	t.all, t.analysts = newScope(), make(map[string]*scope)
	t.granted, t.stated = make(map[string]Loss), make(map[string]statement)
	for id, c := range s.open {
		if c.table == e.tableName() {
			s.close(id)
		}
	}
	return nil
}

// takeRisk takes in a risk, with the audit event that it is charged for.
func (s *state) takeRisk(e *entryRow) error {
	name := e.tableName()
	var body chargedBody
	if err := s.unmarshalCharged(e, &body); err != nil {
		return err
	}
	if e.risk <= 0 || e.adjacency != "" || e.epsilon != 0 || e.delta != 0 || e.releases != 0 {
		return errors.New("a risk that is not only one")
	}
	t := s.changed(name)
	if err := s.state(t, e, body.Accounting); err != nil {
		return err
	}
	t.all.risk = policy.Risk(addAmounts(int64(t.all.risk), e.risk))
	hers := t.changedAnalyst(e.analyst)
	hers.risk = policy.Risk(addAmounts(int64(hers.risk), e.risk))
	return s.takeEvent(e, body.Owner)
}

// takeDecided takes in an auditor's event that cost nothing.
func (s *state) takeDecided(e *entryRow) error {
	var body chargedBody
	if err := s.unmarshalCharged(e, &body); err != nil {
		return err
	}
	if body.Accounting != nil {
		return errors.New("it says how nothing was accounted for")
	}
	return s.takeEvent(e, body.Owner)
}

// takeEvent takes in an auditor's event, which a process may answer.
func (s *state) takeEvent(e *entryRow, owner string) error {
	name, v := e.tableName(), e.events[0]
	if v.schema != name.Schema || v.name != name.Name {
		return fmt.Errorf("audit event %d is of another table", v.id)
	}
	t := s.changed(name)
	if err := t.frozenFor(name, e.analyst); err != nil {
		return err
	}
	if v.sequence != t.events+1 {
		return fmt.Errorf("audit event %d is number %d of its table, behind number %d", v.id, v.sequence, t.events)
	}
	t.events, t.event, t.answered = v.sequence, v.id, false
	t.auditor, t.decided = owner, e.at
	s.owners[owner] = true
	return nil
}

// takeAnswered takes in what an auditor's event let out, which must be the last one of its table.
func (s *state) takeAnswered(e *entryRow) error {
	a, t := e.answers[0], s.table(e.tableName())
	if t.events == 0 || a.event != t.event || t.answered {
		return fmt.Errorf("audit answer %d is not of the last event of its table, or that has one", a.id)
	}
	t.answered = true
	t.answers++
	return nil
}

// takeAbandonedEvent takes in that an auditor's event will not be answered, which must be the last one of its table.
func (s *state) takeAbandonedEvent(e *entryRow, event int64) error {
	t := s.table(e.tableName())
	if t.events == 0 || event != t.event || t.answered {
		return fmt.Errorf("audit event %d, which it abandons, is not the last of its table, or has an answer", event)
	}
	t.auditor = ""
	return nil
}

// A migratedBody says what a former version's sums were.
type migratedBody struct {
	From     int             `json:"from"`
	Balances []formerBalance `json:"balances"`
}

// A formerBalance is a row of the table balance that former versions kept.
type formerBalance struct {
	Schema    string  `json:"schema"`
	Name      string  `json:"name"`
	Analyst   string  `json:"analyst"`
	Adjacency string  `json:"adjacency,omitempty"`
	Spent     amounts `json:"spent"`
}

// takeMigrated ends what was brought from a former version: its sums must be those of its entries. Charges that it left without an answer
// are not going to be answered.
func (s *state) takeMigrated(e *entryRow) error {
	var body migratedBody
	if err := unmarshal(e.body, &body); err != nil {
		return err
	}
	if !s.migrating {
		return errors.New("the ledger was brought up twice")
	}
	scopes := 0
	for _, t := range s.tables {
		scopes += len(t.analysts)
	}
	for _, b := range body.Balances {
		name := policy.TableName{Schema: b.Schema, Name: b.Name}
		t := s.table(name)
		hers := t.analyst(b.Analyst)
		spent := hers.sumFrom(always).once.sum().Add(Loss{Risk: hers.risk})
		if amountsOf(spent) != b.Spent || b.Adjacency != "" && policy.Adjacency(b.Adjacency) != t.adjacency {
			return fmt.Errorf("the former balance of %s on %v is not the sum of the charges", b.Analyst, name)
		}
	}
	if scopes != len(body.Balances) {
		return fmt.Errorf("there were %d balances, and %d are left", scopes, len(body.Balances))
	}
	s.migrating = false
	clear(s.open)
	clear(s.asked)
	return nil
}
