package auditor

// An Event is one step in the life of an audited table, as a durable log keeps it. A table's events in their order are its state.
type Event struct {
	Kind    string
	Payload []byte
	// Answer is what Statement.Answer returned, for a round whose counts were read; nil if none was recorded.
	Answer []byte
}

// The kinds of events.
const (
	// EventOpened opens a table: see [Opening].
	EventOpened = "opened"
	// EventRound is a round of decisions: see [Round.Event].
	EventRound = "round"
	// EventSealed seals a further epoch: see [Epoch].
	EventSealed = "sealed"
	// EventAcknowledged ends an alarm: see [State.Acknowledge].
	eventAcknowledged = "acknowledged"
)

// A Difference is a decision that comes out otherwise when it is made again.
type Difference struct {
	Event int // index of the event
	Query int // of the statement; -1 if the round as a whole differs
	Text  string
}
