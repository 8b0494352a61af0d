package journal

// A Kind is what an entry of the ledger says has happened.
type Kind string

// The kinds of entries. Those that say what came of a statement are also its Verdict.
const (
	kindCreated    Kind = "created"    // the first entry: which ledger this is
	KindCharged    Kind = "charged"    // a reservation of losses with its charges, or a risk with its audit event
	KindDecided    Kind = "decided"    // an audit event that cost nothing
	kindReplayed   Kind = "replayed"   // a statement that was answered from the ledger
	kindDerived    Kind = "derived"    // a statement that was answered by what follows from the ledger
	KindRefused    Kind = "refused"    // a statement that was refused
	KindRecorded   Kind = "recorded"   // the answers to charges
	KindAnswered   Kind = "answered"   // the answer to an audit event
	KindAdopted    Kind = "adopted"    // charges of a process that is gone, taken over by another one
	KindAbandoned  Kind = "abandoned"  // charges that will not be answered
	KindGranted    Kind = "granted"    // a budget was raised
	KindFrozen     Kind = "frozen"     // no more charges until thawed
	KindThawed     Kind = "thawed"     // the end of that
	KindEpoch      Kind = "epoch"      // the rows were exchanged: budgets are full again
	KindInspected  Kind = "inspected"  // a steward was shown true counts
	KindResolved   Kind = "resolved"   // a steward has decided something that changes no budget
	KindRequested  Kind = "requested"  // an analyst asks for more budget
	KindDeclined   Kind = "declined"   // a steward has said no to that
	KindCheckpoint Kind = "checkpoint" // all sums, so that opening need not go further back
	KindThinned    Kind = "thinned"    // what notes up to an entry said was dropped
	KindFormat     Kind = "format"     // from here on the ledger has a newer format
)

// isNote says whether it is of statements that cost nothing.
func (k Kind) isNote() bool { return k == kindReplayed || k == kindDerived || k == KindRefused }
