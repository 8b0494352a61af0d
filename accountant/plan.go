package accountant

import (
	"tacit/accountant/composition"
	"tacit/policy"
)

// A plan is a batch in the making: entries that follow from the state, each of which is taken in by it at once, so that the next one is
// decided in its light.
type plan struct {
	ledger   *Ledger
	state    *state
	composer *composition.Composer
	batch    batch
	now      int64
	size     int    // bytes of what may be large in the batch
	asking   bool   // only what would be, see Afford
	owes     bool   // an answer, for which this process must be seen alive
	witness  digest // see store.lock
}

// add appends an entry that follows from the state. One that contradicts it is a fault of this program, and nothing may be built on it.
func (p *plan) add(e *entryRow) *entryRow {
	if err := p.try(e); err != nil {
		panic("accountant: internal error: " + err.Error())
	}
	return e
}

// try appends an entry about a table, or about none, with the rows that belong to it: it gives them their numbers, the time and the hash.
// After an error the plan is not to be used.
func (p *plan) try(e *entryRow) error {
	s := p.state
	e.id = s.position + 1
	if e.at == 0 {
		e.at = max(p.now, s.at)
	}
	if e.operation == nil {
		e.operation = []byte{}
	}
	if name := e.tableName(); name != (policy.TableName{}) && e.epoch == 0 {
		e.epoch = s.table(name).epoch
	}
	p.number(e)
	e.hash = s.linker.entry(s.hash, e)
	if err := s.apply(e); err != nil {
		return err
	}
	p.batch.entries = append(p.batch.entries, e)
	p.batch.head = head{entry: e.id, hash: e.hash}
	return nil
}

// number numbers the rows that belong to an entry.
func (p *plan) number(e *entryRow) {
	last := p.state.last
	for i := range e.charged {
		e.charged[i].id, e.charged[i].entry = last.charge+int64(i)+1, e.id
		p.size += len(e.charged[i].question) + len(e.charged[i].shape)
	}
	for i := range e.released {
		r := &e.released[i]
		r.id, r.entry = last.release+int64(i)+1, e.id
		if r.at == 0 {
			r.at = e.at
		}
		p.size += len(r.payload)
	}
	for i := range e.events {
		e.events[i].id, e.events[i].entry = last.event+int64(i)+1, e.id
		p.size += len(e.events[i].payload)
	}
	for i := range e.answers {
		a := &e.answers[i]
		a.id, a.entry = last.answer+int64(i)+1, e.id
		if a.at == 0 {
			a.at = e.at
		}
		p.size += len(a.payload)
	}
}

// about is an entry of a kind about a table.
func about(kind Kind, name policy.TableName, analyst string) *entryRow {
	return &entryRow{kind: kind, schema: name.Schema, name: name.Name, analyst: analyst}
}
