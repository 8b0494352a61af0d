package journal

import (
	"fmt"
	"strconv"
	"strings"
)

// A Mark is an entry with its hash. Whoever has noted one can tell that a ledger still has all that it had then.
type Mark struct {
	Entry int64
	Hash  [32]byte
}

// String is NUMBER:HASH.
func (m Mark) String() string { return fmt.Sprintf("%d:%x", m.Entry, m.Hash) }

// ParseMark reads what Mark.String wrote.
func ParseMark(text string) (m Mark, err error) {
	number, hash, _ := strings.Cut(text, ":")
	if m.Entry, err = strconv.ParseInt(number, 10, 64); err == nil {
		err = (*Digest)(&m.Hash).parse(hash)
	}
	if err != nil || m.Entry <= 0 || m.String() != text {
		return Mark{}, fmt.Errorf("%q is not a mark: write NUMBER:HASH, as tacit verify prints it", text)
	}
	return m, nil
}
