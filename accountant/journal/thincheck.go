package journal

import "encoding/binary"

// A ThinCheck finds whether those notes were dropped, and only those, of which entries of the kind thinned say so. It goes through the entries of a ledger once, in
// order; of each note that was dropped it keeps a byte or two, until the entry comes that says so.
type ThinCheck struct {
	// dropped are the notes of which what they said is gone, and of which no entry has said so yet: the distance of each from the one before, and its kind.
	dropped []byte
	before  int64 // what the first distance is from
	last    int64 // the last of them
	// kept is the first note behind what was dropped of which what it says is there; 0: there is none.
	kept int64
}

// kindNumbers number the kinds of notes.
var (
	kindNumbers = map[Kind]uint64{kindReplayed: 0, kindDerived: 1, KindRefused: 2}
	noteKinds   = [...]Kind{kindReplayed, kindDerived, KindRefused}
)

// After looks at an entry that was applied.
func (c *ThinCheck) After(e *Entry, tell report) {
	switch {
	case e.isThinned():
		c.dropped = binary.AppendUvarint(c.dropped, uint64(e.ID-c.last)<<2|kindNumbers[e.Kind])
		c.last = e.ID
	case e.isSalted() && c.kept == 0:
		c.kept = e.ID
	case e.Kind == KindThinned:
		c.thinned(e, tell)
	}
}

// thinned compares an entry that says what was dropped with the rows.
func (c *ThinCheck) thinned(e *Entry, tell report) {
	var body ThinnedBody
	if err := Unmarshal(e.Body, &body); err != nil {
		tell(e.ID, "%v", err)
		return
	}
	if c.kept != 0 && c.kept <= body.Through {
		tell(c.kept, "what it says is there, and entry %d says that it was dropped", e.ID)
		c.kept = 0
	}
	if found := c.take(body.Through); found != body.Dropped {
		tell(e.ID, "it says that notes were dropped, %+v, and those that were are %+v", body.Dropped, found)
	}
}

// take counts the notes up to an entry that were dropped, and forgets them.
func (c *ThinCheck) take(through int64) (found NoteCount) {
	for len(c.dropped) > 0 {
		id, kind, size := c.next()
		if id > through {
			break
		}
		found.Add(kind)
		c.before, c.dropped = id, c.dropped[size:]
	}
	return found
}

// next is the first note that was dropped, and how many bytes it takes.
func (c *ThinCheck) next() (id int64, kind Kind, size int) {
	n, size := binary.Uvarint(c.dropped)
	return c.before + int64(n>>2), noteKinds[n&3], size
}

// End is told that there are no more entries.
func (c *ThinCheck) End(tell report) {
	if len(c.dropped) > 0 {
		id, _, _ := c.next()
		tell(id, "what it said is gone, and no entry says that it was dropped")
	}
}
