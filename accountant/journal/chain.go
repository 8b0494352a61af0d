package journal

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// A linker computes digests of rows. It collects what is to be hashed: a row has some twenty short values, and to hash each for itself
// takes longer than to hash them together.
type linker struct {
	hash      hash.Hash
	collected []byte
}

// maxCollected is how many bytes are collected, and as many more of one value. Longer values are hashed where they are.
const maxCollected = 16 << 10

func NewLinker() *linker { return &linker{hash: sha256.New(), collected: make([]byte, 0, 1<<10)} }

func (l *linker) number(n int64) {
	l.collected = binary.BigEndian.AppendUint64(l.collected, uint64(n))
}

func (l *linker) bytes(b []byte) {
	l.number(int64(len(b)))
	if len(b) > maxCollected {
		l.write()
		l.hash.Write(b)
		return
	}
	l.collected = append(l.collected, b...)
	l.bound()
}

func (l *linker) text(s string) {
	l.number(int64(len(s)))
	l.collected = append(l.collected, s...)
	l.bound()
}

func (l *linker) bound() {
	if len(l.collected) > maxCollected {
		l.write()
	}
}

func (l *linker) write() {
	l.hash.Write(l.collected)
	l.collected = l.collected[:0]
}

func (l *linker) sum() (d Digest) {
	l.write()
	l.hash.Sum(d[:0])
	l.hash.Reset()
	return d
}

// Entry is the hash of an entry behind the one with the hash previous. Of a note with a salt it is that of what is left when the note is dropped.
func (l *linker) Entry(previous Digest, e *Entry) Digest {
	if e.isSalted() {
		e = l.thinned(e)
	}
	l.collected = append(l.collected, previous[:]...)
	l.row(e)
	return l.sum()
}

// row hashes the columns of an entry, and the rows that were written with it.
func (l *linker) row(e *Entry) {
	l.number(e.ID)
	l.number(e.At)
	l.text(string(e.Kind))
	l.bytes(e.Operation)
	l.text(e.Analyst)
	l.text(e.Schema)
	l.text(e.Name)
	l.number(e.Epoch)
	l.text(e.Statement)
	l.text(e.Sqlstate)
	l.text(e.Adjacency)
	l.number(e.Epsilon)
	l.number(e.Delta)
	l.number(e.Releases)
	l.number(e.Risk)
	l.number(e.Refers)
	l.text(e.Body)
	l.children(e)
}

// children hashes the rows that were written with an entry.
func (l *linker) children(e *Entry) {
	l.number(int64(len(e.Charged)))
	for i := range e.Charged {
		l.charge(&e.Charged[i])
	}
	l.number(int64(len(e.Released)))
	for _, r := range e.Released {
		l.number(r.ID)
		l.number(r.Entry)
		l.number(r.Charge)
		l.number(r.At)
		l.bytes(r.Payload)
	}
	l.number(int64(len(e.Events)))
	for _, v := range e.Events {
		l.number(v.ID)
		l.number(v.Entry)
		l.text(v.Schema)
		l.text(v.Name)
		l.number(v.Sequence)
		l.text(v.Kind)
		l.bytes(v.Payload)
	}
	l.number(int64(len(e.Answers)))
	for _, a := range e.Answers {
		l.number(a.ID)
		l.number(a.Entry)
		l.number(a.Event)
		l.number(a.At)
		l.bytes(a.Payload)
	}
}

func (l *linker) charge(c *Charge) {
	l.number(c.ID)
	l.number(c.Entry)
	l.bytes(c.QuestionKey[:])
	l.text(c.Question)
	l.text(c.Mechanism)
	l.text(c.Term)
	l.text(c.Blocks)
	l.text(c.Shape)
	l.number(c.Epsilon)
	l.number(c.Delta)
	l.number(c.Releases)
}

// Proxy is the digest of a proxy's row, by which an edit of one is found.
func (l *linker) Proxy(p *Proxy) Digest {
	l.text(p.ID)
	l.number(p.Started)
	l.number(p.Seen)
	return l.sum()
}
