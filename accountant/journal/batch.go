package journal

import "tacit/policy"

// A Batch is what is written at once: entries that follow from the state, with the rows that belong to them, and the head after them. Each
// entry is applied to the state when it is added, so that the next one is decided in its light.
type Batch struct {
	Entries []*Entry
	Head    Head
	// Thinned are notes of former batches of which this one drops what they say: the rows as they are from now on.
	Thinned []*Entry
	// Upgrade says that the tables are brought up to the present format before.
	Upgrade bool
	// Heartbeat is the row of this process to be inserted or replaced; nil if it need not be. A batch may have only that.
	Heartbeat *Proxy
	// size is how many bytes the values that may be large take.
	Size int

	State *State
	Now   int64 // which entries are dated
}

func NewBatch(s *State, now int64) Batch { return Batch{State: s, Now: now} }

// Add appends an entry about a table, or about none, with the rows that belong to it: it gives them their numbers, the time and the hash. One
// that contradicts the state is a fault of this program, and nothing may be built on it.
func (b *Batch) Add(e *Entry) *Entry {
	s := b.State
	e.ID = s.Position + 1
	if e.At == 0 {
		e.At = max(b.Now, s.At)
	}
	if e.Operation == nil {
		e.Operation = []byte{}
	}
	if name := e.TableName(); name != (policy.TableName{}) && e.Epoch == 0 {
		e.Epoch = s.Table(name).Epoch
	}
	b.number(e)
	e.Hash = s.Linker.Entry(s.Hash, e)
	if err := s.Apply(e); err != nil {
		panic("accountant: internal error: " + err.Error())
	}
	b.Entries = append(b.Entries, e)
	b.Head = Head{Entry: e.ID, Hash: e.Hash}
	return e
}

// number numbers the rows that belong to an entry.
func (b *Batch) number(e *Entry) {
	last := b.State.Last
	for i := range e.Charged {
		e.Charged[i].ID, e.Charged[i].Entry = last.Charge+int64(i)+1, e.ID
		b.Size += len(e.Charged[i].Question) + len(e.Charged[i].Shape)
	}
	for i := range e.Released {
		r := &e.Released[i]
		r.ID, r.Entry, r.At = last.Release+int64(i)+1, e.ID, e.At
		b.Size += len(r.Payload)
	}
	for i := range e.Events {
		e.Events[i].ID, e.Events[i].Entry = last.Event+int64(i)+1, e.ID
		b.Size += len(e.Events[i].Payload)
	}
	for i := range e.Answers {
		a := &e.Answers[i]
		a.ID, a.Entry, a.At = last.Answer+int64(i)+1, e.ID, e.At
		b.Size += len(a.Payload)
	}
}

// NewEntry is an entry of a kind about a table.
func NewEntry(kind Kind, name policy.TableName, analyst string) *Entry {
	return &Entry{Kind: kind, Schema: name.Schema, Name: name.Name, Analyst: analyst}
}
