package accountant

import (
	"errors"
	"fmt"

	"tacit/policy"
)

// apply takes in the next entry, with the rows that belong to it, or says how it contradicts the chain, itself or what came before. After
// an error the state is not to be used.
func (s *state) apply(e *entryRow) error {
	if err := s.admits(e); err != nil {
		return fmt.Errorf("entry %d: %w", e.id, err)
	}
	s.position, s.hash, s.at = e.id, e.hash, max(s.at, e.at)
	s.last.charge += int64(len(e.charged))
	s.last.release += int64(len(e.released))
	s.last.event += int64(len(e.events))
	s.last.answer += int64(len(e.answers))
	if err := s.take(e); err != nil {
		return fmt.Errorf("entry %d: %w", e.id, err)
	}
	return nil
}

// admits says whether an entry stands where it must, and has the hash that it must have.
func (s *state) admits(e *entryRow) error {
	switch {
	case e.id != s.position+1:
		return fmt.Errorf("it stands behind entry %d: an entry is missing", s.position)
	case s.linker.entry(s.hash, e) != e.hash:
		return errors.New("it is not as it was written: it does not have the hash that follows from it and from the entry before it")
	case e.at < s.at && !s.migrating:
		return errors.New("its time is before that of the entry before it")
	case (s.ledger == "") != (e.kind == kindCreated):
		return errors.New("a ledger begins with its creation, once")
	}
	if name := e.tableName(); name == (policy.TableName{}) {
		if e.epoch != 0 {
			return errors.New("it has an epoch and no table")
		}
	} else if epoch := s.table(name).epoch; e.epoch != epoch && (e.kind != kindEpoch || e.epoch != epoch+1) {
		return fmt.Errorf("it is of epoch %d of %v, which is in epoch %d", e.epoch, name, epoch)
	}
	return s.admitsRows(e)
}

// admitsRows says whether the rows of other tables that belong to an entry are numbered in order and are of its kind.
func (s *state) admitsRows(e *entryRow) error {
	for i, c := range e.charged {
		if c.id != s.last.charge+int64(i)+1 {
			return fmt.Errorf("charge %d is out of order", c.id)
		}
	}
	for i, r := range e.released {
		if r.id != s.last.release+int64(i)+1 {
			return fmt.Errorf("release %d is out of order", r.id)
		}
	}
	for i, v := range e.events {
		if v.id != s.last.event+int64(i)+1 {
			return fmt.Errorf("audit event %d is out of order", v.id)
		}
	}
	for i, a := range e.answers {
		if a.id != s.last.answer+int64(i)+1 {
			return fmt.Errorf("audit answer %d is out of order", a.id)
		}
	}
	rows := [4]bool{len(e.charged) > 0, len(e.released) > 0, len(e.events) > 0, len(e.answers) > 0}
	allowed := map[Kind][4]bool{
		kindCharged: {!rows[2], false, rows[2] && len(e.events) == 1, false}, kindRecorded: {false, true, false, false},
		kindDecided: {false, false, len(e.events) == 1, false}, kindAnswered: {false, false, false, len(e.answers) == 1},
	}
	if rows != allowed[e.kind] {
		return fmt.Errorf("rows belong to it that an entry of kind %q does not have, or miss", e.kind)
	}
	return nil
}

// take takes in an entry by its kind.
func (s *state) take(e *entryRow) error {
	switch e.kind {
	case kindCreated:
		return s.takeCreated(e)
	case kindCharged:
		if len(e.events) > 0 {
			return s.takeRisk(e)
		}
		return s.takeCharged(e)
	case kindDecided:
		return s.takeDecided(e)
	case kindReplayed, kindDerived, kindRefused:
		return nil
	case kindRecorded:
		return s.takeRecorded(e)
	case kindAnswered:
		return s.takeAnswered(e)
	case kindAdopted:
		return s.takeAdopted(e)
	case kindAbandoned:
		return s.takeAbandoned(e)
	case kindGranted, kindFrozen, kindThawed, kindEpoch:
		return s.takeAct(e)
	case kindCheckpoint:
		s.checkpoint, s.weight = e.id, int64(len(e.body))
		return nil
	case kindMigrated:
		return s.takeMigrated(e)
	}
	return fmt.Errorf("there is no kind of entry %q in this version", e.kind)
}

func (s *state) takeCreated(e *entryRow) error {
	var body createdBody
	if err := unmarshal(e.body, &body); err != nil {
		return err
	}
	if body.Ledger == "" {
		return errors.New("the ledger has no identity")
	}
	s.ledger, s.migrating, s.checkpoint = body.Ledger, body.Version != schemaVersion, e.id
	return nil
}

// takeCharged takes in a reservation of losses.
func (s *state) takeCharged(e *entryRow) error {
	name := e.tableName()
	var body chargedBody
	if err := s.unmarshalCharged(e, &body); err != nil {
		return err
	}
	t := s.changed(name)
	if err := t.frozenFor(name, e.analyst); err != nil {
		return err
	}
	if err := s.state(t, e, body.Accounting); err != nil {
		return err
	}
	adjacency := policy.Adjacency(e.adjacency)
	if err := oneAdjacency(name, t.adjacency, adjacency); err != nil {
		return err
	}
	t.adjacency = adjacency
	s.owners[body.Owner] = true
	var total Loss
	for i := range e.charged {
		p, err := s.takeCharge(t, e, &e.charged[i], body.Owner)
		if err != nil {
			return err
		}
		total = total.Add(p.loss)
	}
	if total != (Loss{Epsilon: policy.Epsilon(e.epsilon), Delta: policy.Delta(e.delta), Releases: e.releases}) || e.risk != 0 {
		return errors.New("its amounts are not the sums of its charges")
	}
	return nil
}

// unmarshalCharged reads the body of a charged entry. Of a former version's entry there is none.
func (s *state) unmarshalCharged(e *entryRow, body *chargedBody) error {
	if s.migrating {
		if e.body != "" || e.refers != 0 {
			return errors.New("an entry of a former version has no body")
		}
		return nil
	}
	return unmarshal(e.body, body)
}

// state takes in the accounting that an entry states, or refers to.
func (s *state) state(t *table, e *entryRow, stated *accounting) error {
	if s.migrating {
		return nil
	}
	if stated == nil {
		before, ok := t.stated[e.analyst]
		if !ok || before.entry != e.refers || string(before.accounting.Adjacency) != e.adjacency {
			return errors.New("it does not say how it was accounted for")
		}
		t.latest = before.accounting
		return nil
	}
	if _, _, err := stated.of(e.tableName()); err != nil {
		return err
	}
	if e.refers != 0 || string(stated.Adjacency) != e.adjacency {
		return errors.New("it says twice how it was accounted for")
	}
	t.stated[e.analyst] = statement{entry: e.id, accounting: *stated}
	t.latest = *stated
	return nil
}

// takeCharge counts one charge, and keeps it open.
func (s *state) takeCharge(t *table, e *entryRow, c *chargeRow, owner string) (priced, error) {
	p, err := s.price(c)
	if err != nil {
		return p, err
	}
	if !p.loss.valid() {
		return p, fmt.Errorf("charge %d is of %v", c.id, p.loss)
	}
	blocks, err := parseBlocks(c.blocks)
	if err != nil {
		return p, err
	}
	day, partition := dayOf(e.at), t.stated[e.analyst].accounting.Partition
	t.all.charge(day, p, partition, blocks)
	t.changedAnalyst(e.analyst).charge(day, p, partition, blocks)
	key := asked{table: e.tableName(), epoch: e.epoch, key: c.questionKey}
	if !s.migrating {
		// An open charge for the same question, whose process is gone and which cannot be adopted, is not going to be answered. Former versions
		// charged a question for each who asked it at the same time, and answered each.
		delete(s.open, s.asked[key])
	}
	s.open[c.id] = &openCharge{asked: key, owner: e.id, proxy: owner, day: day, promise: promise(*c)}
	s.asked[key] = c.id
	return p, nil
}

// close ends the wait for the answer to a charge.
func (s *state) close(id int64) {
	if c := s.open[id]; c != nil {
		delete(s.open, id)
		if s.asked[c.asked] == id {
			delete(s.asked, c.asked)
		}
	}
}

// takeRecorded takes in the answers to charges.
func (s *state) takeRecorded(e *entryRow) error {
	for _, r := range e.released {
		c := s.open[r.charge]
		if c == nil || c.table != e.tableName() {
			return fmt.Errorf("release %d is of no charge that waits for it", r.id)
		}
		s.close(r.charge)
		if s.onRecorded != nil {
			s.onRecorded(c.asked, r.id, r.at)
		}
	}
	return nil
}

func (s *state) takeAdopted(e *entryRow) error {
	var body adoptedBody
	if err := unmarshal(e.body, &body); err != nil {
		return err
	}
	if err := s.table(e.tableName()).frozenFor(e.tableName(), e.analyst); err != nil {
		return err
	}
	for _, id := range body.Charges {
		c := s.open[id]
		if c == nil || c.table != e.tableName() {
			return fmt.Errorf("charge %d, which it adopts, is not open", id)
		}
		c.owner, c.proxy = e.id, body.Owner
	}
	s.owners[body.Owner] = true
	return nil
}

func (s *state) takeAbandoned(e *entryRow) error {
	var body abandonedBody
	if err := unmarshal(e.body, &body); err != nil {
		return err
	}
	for _, id := range body.Charges {
		if c := s.open[id]; c == nil || c.table != e.tableName() {
			return fmt.Errorf("charge %d, which it abandons, is not open", id)
		}
		s.close(id)
	}
	if body.Event != 0 {
		return s.takeAbandonedEvent(e, body.Event)
	}
	return nil
}

// oneAdjacency returns an *AdjacencyError if losses are recorded, and under another adjacency.
func oneAdjacency(table policy.TableName, recorded, asked policy.Adjacency) error {
	if recorded != "" && recorded != asked {
		return &AdjacencyError{Table: table, Recorded: recorded, Asked: asked}
	}
	return nil
}
