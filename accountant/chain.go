package accountant

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// The chain. The hash of an entry is the SHA-256 of the hash of the entry before it, its own columns, and the columns of all rows that
// were written with it. So an entry, or a row that belongs to one, that is edited, removed, added or moved no longer fits its hash or
// that of the next one, and whoever changes the hashes as well has to change all up to the head, and the guard, which remembers one.
//
// Each value goes into the hash with its length, and each kind of row with its number of rows, so that no two contents run together.

// A digest is a SHA-256.
type digest [sha256.Size]byte

func (d digest) String() string { return hex.EncodeToString(d[:]) }

// A linker computes digests of rows.
type linker struct {
	hash    hash.Hash
	scratch []byte
}

func newLinker() *linker { return &linker{hash: sha256.New()} }

func (l *linker) number(n int64) {
	l.scratch = binary.BigEndian.AppendUint64(l.scratch[:0], uint64(n))
	l.hash.Write(l.scratch)
}

func (l *linker) bytes(b []byte) {
	l.number(int64(len(b)))
	l.hash.Write(b)
}

func (l *linker) text(s string) {
	l.number(int64(len(s)))
	l.scratch = append(l.scratch[:0], s...)
	l.hash.Write(l.scratch)
}

func (l *linker) sum() (d digest) {
	l.hash.Sum(d[:0])
	l.hash.Reset()
	return d
}

// entry is the hash of an entry behind the one with the hash previous.
func (l *linker) entry(previous digest, e *entryRow) digest {
	l.hash.Write(previous[:])
	l.number(e.id)
	l.number(e.at)
	l.text(string(e.kind))
	l.bytes(e.operation)
	l.text(e.analyst)
	l.text(e.schema)
	l.text(e.name)
	l.number(e.epoch)
	l.text(e.statement)
	l.text(e.sqlstate)
	l.text(e.adjacency)
	l.number(e.epsilon)
	l.number(e.delta)
	l.number(e.releases)
	l.number(e.risk)
	l.number(e.refers)
	l.text(e.body)
	l.children(e)
	return l.sum()
}

// children takes in the rows that were written with an entry.
func (l *linker) children(e *entryRow) {
	l.number(int64(len(e.charged)))
	for i := range e.charged {
		l.charge(&e.charged[i])
	}
	l.number(int64(len(e.released)))
	for _, r := range e.released {
		l.number(r.id)
		l.number(r.entry)
		l.number(r.charge)
		l.number(r.at)
		l.bytes(r.payload)
	}
	l.number(int64(len(e.events)))
	for _, v := range e.events {
		l.number(v.id)
		l.number(v.entry)
		l.text(v.schema)
		l.text(v.name)
		l.number(v.sequence)
		l.text(v.kind)
		l.bytes(v.payload)
	}
	l.number(int64(len(e.answers)))
	for _, a := range e.answers {
		l.number(a.id)
		l.number(a.entry)
		l.number(a.event)
		l.number(a.at)
		l.bytes(a.payload)
	}
}

func (l *linker) charge(c *chargeRow) {
	l.number(c.id)
	l.number(c.entry)
	l.bytes(c.questionKey[:])
	l.text(c.question)
	l.text(c.mechanism)
	l.text(c.term)
	l.text(c.blocks)
	l.text(c.shape)
	l.number(c.epsilon)
	l.number(c.delta)
	l.number(c.releases)
}

// proxy is the digest of a proxy's row, by which an edit of one is found.
func (l *linker) proxy(p *proxyRow) digest {
	l.text(p.id)
	l.number(p.started)
	l.number(p.seen)
	return l.sum()
}
