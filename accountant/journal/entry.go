package journal

// A Head is the end of the chain.
type Head struct {
	Entry int64
	Hash  Digest
}

// An Entry is a row of the table entry, with the rows of other tables that were written with it and that its hash covers, each kind
// in the order of their identifiers.
type Entry struct {
	ID           int64
	At           int64 // Unix nanoseconds
	Kind         Kind
	Operation    []byte // of 16 bytes, or empty
	Analyst      string
	Schema, Name string // of the table; empty if there is none
	Epoch        int64
	Statement    string
	Sqlstate     string
	Adjacency    string
	Epsilon      int64
	Delta        int64
	Releases     int64
	Risk         int64
	Refers       int64
	Body         string
	Hash         Digest

	Charged  []Charge
	Released []Release
	Events   []Event
	Answers  []Answer
}

// A Charge is a row of the table charge.
type Charge struct {
	ID, Entry   int64
	QuestionKey Digest
	Question    string
	Mechanism   string
	Term        string
	Blocks      string // canonical JSON; empty: all
	Shape       string
	Epsilon     int64
	Delta       int64
	Releases    int64
}

// A Release is a row of the table release.
type Release struct {
	ID, Entry, Charge int64
	At                int64
	Payload           []byte
}

// An Event is a row of the table audit_event.
type Event struct {
	ID, Entry    int64
	Schema, Name string
	Sequence     int64
	Kind         string
	Payload      []byte
}

// An Answer is a row of the table audit_answer.
type Answer struct {
	ID, Entry, Event int64
	At               int64
	Payload          []byte
}

// A Proxy is a row of the table proxy: a process that may write. It is the only kind of row that changes.
type Proxy struct {
	ID            string
	Started, Seen int64 // Unix nanoseconds of the store's clock; seen 0: it has left
	Digest        Digest
}
