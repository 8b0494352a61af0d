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

// OperationOf returns an operation of a request, if there is one. It has two random bytes of its own: two of one request may be the same, and one of none
// is taken for one of a request once in 65,536 times. So it is for the log, and not to be repeated when a reply was lost.
func OperationOf(r Request) Operation {
	o := NewOperation()
	if r != (Request{}) {
		copy(o[copy(o[:], r[:]):], ofRequest)
	}
	return o
}

// ofRequest follows the request in an operation of one.
const ofRequest = "rq"

// Request is the request that an operation is of, if it is of one.
func (o Operation) Request() Request {
	if string(o[len(Request{}):][:len(ofRequest)]) != ofRequest {
		return Request{}
	}
	return Request(o[:len(Request{})])
}

// A Request identifies an analyst's statement, once sent, in the operator's log and in the ledger. The zero Request is none.
type Request [12]byte

// NewRequest returns a request that nobody has used.
func NewRequest() (r Request) {
	rand.Read(r[:])
	return r
}

// String is the request in hexadecimal digits, empty if it is none.
func (r Request) String() string {
	if r == (Request{}) {
		return ""
	}
	return hex.EncodeToString(r[:])
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
