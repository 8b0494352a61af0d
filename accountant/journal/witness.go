package journal

import (
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// A Witness is what a guard file remembers of a ledger: which one it is, and its last entry.
type Witness struct {
	ID    string // of the ledger, 32 hexadecimal digits
	Entry int64  // its last
	Hash  Digest // of that
}

// String is the content of a guard file: one line of fixed length, so that a new mark overwrites the old one within a single sector.
func (m Witness) String() string {
	return fmt.Sprintf("tacit ledger %s entry %019d hash %s\n", m.ID, m.Entry, m.Hash)
}

var witnessForm = regexp.MustCompile(`\Atacit ledger ([0-9a-f]{32}) entry ([0-9]{19}) hash ([0-9a-f]{64})\n\z`)

// ParseWitness reads what String wrote. An empty file is the zero Witness.
func ParseWitness(content []byte) (m Witness, err error) {
	if len(content) == 0 {
		return Witness{}, nil
	}
	fields := witnessForm.FindSubmatch(content)
	if fields == nil {
		return Witness{}, errors.New("not the line that tacit writes")
	}
	m.ID = string(fields[1])
	if m.Entry, err = strconv.ParseInt(string(fields[2]), 10, 64); err != nil {
		return Witness{}, err
	}
	_, err = hex.Decode(m.Hash[:], fields[3])
	return m, err
}

// Used is how far it has come from its creation.
func (m Witness) Used() int64 { return m.Entry - 1 }

// Known says whether a ledger has existed.
func (m Witness) Known() bool { return m.ID != "" }
