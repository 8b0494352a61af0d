package accountant

import (
	"crypto/rand"
	"encoding/hex"
)

// A Kind is what an entry of the ledger says has happened.
type Kind string

// The kinds of entries. Those that say what came of a statement are also its Verdict.
const (
	kindCreated    Kind = "created"    // the first entry: which ledger this is
	kindCharged    Kind = "charged"    // a reservation of losses with its charges, or a risk with its audit event
	kindDecided    Kind = "decided"    // an audit event that cost nothing
	kindReplayed   Kind = "replayed"   // a statement that was answered from the ledger
	kindDerived    Kind = "derived"    // a statement that was answered by what follows from the ledger
	kindRefused    Kind = "refused"    // a statement that was refused
	kindRecorded   Kind = "recorded"   // the answers to charges
	kindAnswered   Kind = "answered"   // the answer to an audit event
	kindAdopted    Kind = "adopted"    // charges of a process that is gone, taken over by another one
	kindAbandoned  Kind = "abandoned"  // charges that will not be answered
	kindGranted    Kind = "granted"    // a budget was raised
	kindFrozen     Kind = "frozen"     // no more charges until thawed
	kindThawed     Kind = "thawed"     // the end of that
	kindEpoch      Kind = "epoch"      // the rows were exchanged: budgets are full again
	kindCheckpoint Kind = "checkpoint" // all sums, so that opening need not go further back
	kindMigrated   Kind = "migrated"   // what stands before was brought here from a former version
)

// An Operation identifies one wish to change the ledger, so that it can be repeated when the reply was lost. The zero Operation is none.
type Operation [16]byte

// NewOperation returns an operation that nobody has used.
func NewOperation() (o Operation) {
	rand.Read(o[:])
	return o
}

// String is the operation in hexadecimal digits.
func (o Operation) String() string { return hex.EncodeToString(o[:]) }

// bytes are what is stored of an operation: nothing, of none.
func (o Operation) bytes() []byte {
	if o == (Operation{}) {
		return []byte{}
	}
	return o[:]
}
