package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// The chain. The hash of an entry is the SHA-256 of the hash of the entry before it, its own columns, and the columns of all rows that
// were written with it. So an entry, or a row that belongs to one, that is edited, removed, added or moved no longer fits its hash or
// that of the next one, and whoever changes the hashes as well has to change all up to the head, and the guard, which remembers one.
//
// A note, which cost nothing, may be dropped later: its hash covers a digest of what it says, see note.go.
//
// Each value goes into the hash with its length, and each kind of row with its number of rows, so that no two contents run together.

// A Digest is a SHA-256.
type Digest [sha256.Size]byte

func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// parse reads what String wrote.
func (d *Digest) parse(text string) error {
	b, err := hex.DecodeString(text)
	if err == nil && copy(d[:], b) != len(b) || len(b) != len(d) {
		err = fmt.Errorf("%q is not a digest", text)
	}
	return err
}

// DigestOf reads a digest. Bytes of another length are none, which fits nothing.
func DigestOf(b []byte) (d Digest) {
	if len(b) == len(d) {
		copy(d[:], b)
	}
	return d
}
