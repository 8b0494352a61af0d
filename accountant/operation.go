package accountant

import (
	"crypto/rand"
	"encoding/hex"
)

// An Operation identifies one change of the ledger, so that it can be repeated when the reply was lost. The zero Operation is none.
type Operation [16]byte

// NewOperation returns an operation that nobody has used.
func NewOperation() (o Operation) {
	rand.Read(o[:])
	return o
}

// String is the operation in hexadecimal digits.
func (o Operation) String() string { return hex.EncodeToString(o[:]) }

// Bytes are what is stored of an operation: nothing, of none.
func (o Operation) Bytes() []byte {
	if o == (Operation{}) {
		return []byte{}
	}
	return o[:]
}
