package journal

import (
	"errors"
	"fmt"

	"tacit/accountant"
	"tacit/policy"
)

// applyCharged applies a reservation of losses.
func (s *State) applyCharged(e *Entry) error {
	name := e.TableName()
	body, err := s.chargedBody(e.Body)
	if err != nil {
		return err
	}
	t := s.changed(name)
	if err := t.FrozenFor(name, e.Analyst); err != nil {
		return err
	}
	if err := s.applyAccounting(t, e, body.Accounting); err != nil {
		return err
	}
	adjacency := policy.Adjacency(e.Adjacency)
	if err := OneAdjacency(name, t.Adjacency, adjacency); err != nil {
		return err
	}
	t.Adjacency = adjacency
	s.Owners[body.Owner] = true
	var total accountant.Loss
	for i := range e.Charged {
		p, err := s.applyCharge(t, e, &e.Charged[i], body.Owner)
		if err != nil {
			return err
		}
		total = total.Add(p.Loss)
	}
	if total != (accountant.Loss{Epsilon: policy.Epsilon(e.Epsilon), Delta: policy.Delta(e.Delta), Releases: e.Releases}) || e.Risk != 0 {
		return errors.New("its amounts are not the sums of its charges")
	}
	return nil
}

// chargedBody reads the body of a charge. Nobody changes what it points to.
func (s *State) chargedBody(text string) (ChargedBody, error) {
	if text == s.body && text != "" {
		return s.charged, nil
	}
	var body ChargedBody
	if err := Unmarshal(text, &body); err != nil {
		return ChargedBody{}, err
	}
	s.body, s.charged = text, body
	return body, nil
}

// applyAccounting applies the accounting that an entry states, or refers to.
func (s *State) applyAccounting(t *Table, e *Entry, stated *StatedAccounting) error {
	if stated == nil {
		before, ok := t.Stated[e.Analyst]
		if !ok || before.Entry != e.Refers || string(before.Accounting.Adjacency) != e.Adjacency {
			return errors.New("it does not say how it was accounted for")
		}
		t.Latest = before.Accounting
		return nil
	}
	if _, _, err := stated.Of(e.TableName()); err != nil {
		return err
	}
	if e.Refers != 0 || string(stated.Adjacency) != e.Adjacency {
		return errors.New("it says twice how it was accounted for")
	}
	t.Stated[e.Analyst] = statement{Entry: e.ID, Accounting: *stated}
	t.Latest = *stated
	return nil
}

// applyCharge counts one charge, and keeps it open.
func (s *State) applyCharge(t *Table, e *Entry, c *Charge, owner string) (Priced, error) {
	p, err := s.Price(c)
	if err != nil {
		return p, err
	}
	if !p.Loss.IsChargeable() {
		return p, fmt.Errorf("charge %d is of %v", c.ID, p.Loss)
	}
	blocks, err := ParseBlocks(c.Blocks)
	if err != nil {
		return p, err
	}
	day, partition := DayOf(e.At), t.Stated[e.Analyst].Accounting.Partition
	t.All.charge(day, p, partition, blocks)
	t.changedAnalyst(e.Analyst).charge(day, p, partition, blocks)
	key := EpochQuestion{Table: e.TableName(), Epoch: e.Epoch, Key: c.QuestionKey}
	// An open charge for the same question, whose process is gone and which cannot be adopted, is not going to be answered.
	delete(s.Open, s.Asked[key])
	s.Open[c.ID] = &OpenCharge{EpochQuestion: key, Owner: e.ID, Proxy: owner, Day: day, Promise: Promise(*c)}
	s.Asked[key] = c.ID
	return p, nil
}

// applyRecorded applies the answers to charges.
func (s *State) applyRecorded(e *Entry) error {
	for _, r := range e.Released {
		c := s.Open[r.Charge]
		if c == nil || c.Table != e.TableName() {
			return fmt.Errorf("release %d is of no charge that waits for it", r.ID)
		}
		s.close(r.Charge)
		if s.OnRecorded != nil {
			s.OnRecorded(c.EpochQuestion, r.ID, r.At)
		}
	}
	return nil
}

func (s *State) applyAdopted(e *Entry) error {
	var body AdoptedBody
	if err := Unmarshal(e.Body, &body); err != nil {
		return err
	}
	if err := s.Table(e.TableName()).FrozenFor(e.TableName(), e.Analyst); err != nil {
		return err
	}
	for _, id := range body.Charges {
		c := s.Open[id]
		if c == nil || c.Table != e.TableName() {
			return fmt.Errorf("charge %d, which it adopts, is not open", id)
		}
		c.Owner, c.Proxy = e.ID, body.Owner
	}
	s.Owners[body.Owner] = true
	return nil
}

// OneAdjacency returns an *AdjacencyError if losses are recorded, and under another adjacency.
func OneAdjacency(table policy.TableName, recorded, asked policy.Adjacency) error {
	if recorded != "" && recorded != asked {
		return &accountant.AdjacencyError{Table: table, Recorded: recorded, Asked: asked}
	}
	return nil
}
