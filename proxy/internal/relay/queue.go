package relay

import "sync"

// This file is the queue of requests that wait for their replies. The invariant: it holds, in order, exactly the requests that the server
// has read or will read and has not replied to in full. Start at replies.

// A RequestKind is what the server will reply to.
type RequestKind uint8

const (
	ParseRequest RequestKind = iota
	BindRequest
	DescribeStatementRequest
	DescribePortalRequest
	ExecuteRequest
	CloseRequest
	SyncRequest
	QueryRequest
	// copyEnd is a CopyDone or CopyFail. It has no reply of its own: it tells where in the stream a copy-in can end.
	copyEnd
)

// A request is a message that was sent to the server and not yet replied to in full.
type request struct {
	kind RequestKind
	// begun is set once a part of the reply has come.
	begun bool
	// failed is set once the reply has brought an error.
	failed bool
	// results counts the statements of it that are complete.
	results int
	// how the reply is handled; nil: the very same bytes go to the client.
	how *Handling
}

// An End is what became of a message.
type End int

const (
	Succeeded End = iota
	Failed        // the server has begun to deal with it
	Skipped       // the server read it, and did nothing
)

// A Handling says what a reply means to the proxy. It is not changed after it was queued.
type Handling struct {
	// Notice is sent to the client before the first part of the reply.
	Notice []byte
	// Silent says that an error which comes first has neither the notice nor the hint.
	Silent bool
	// Error is an ErrorResponse that the client sees in place of the server's: the message sent was made to fail.
	Error []byte
	// Yields says that the client sees the server's error nevertheless if it is that of a transaction block which has failed already.
	Yields bool
	// Prologue is how many statements stand before the one that was made to fail, in its text.
	Prologue int
	// Tags are command tags that the client sees in place of the server's, by statement; empty ones are the server's.
	Tags []string
	// Rewritten says that positions in errors do not point into the client's text.
	Rewritten bool
	// Hint makes a hint that is added to an error of the server's, from its SQLSTATE; nil if there is none. That of a Bind is for what is executed
	// before the next Bind or Sync, too.
	Hint func(code string) string
	// Trim leaves only the first Params parameters in a ParameterDescription.
	Trim   bool
	Params int
	// Done is called when the reply is complete. results is how many statements were completed. It must not call the relay.
	Done func(results int, end End)
	// Transcript, if not nil, keeps the reply to a Query of one statement.
	Transcript *Transcript
	// capture takes the reply; the client sees nothing of it, except an error in its own pipeline.
	capture *Reply
}

// hidden says whether the client sees nothing of the reply, errors excepted.
func (h *Handling) hidden() bool { return h != nil && h.capture != nil }

// transcript is what keeps the reply, nil if nothing does.
func (h *Handling) transcript() *Transcript {
	if h == nil {
		return nil
	}
	return h.Transcript
}

// mustFail says whether the message was made to fail.
func (h *Handling) mustFail() bool { return h != nil && h.Error != nil }

// MaxOutstanding bounds the requests of one client that wait for their replies. The sender waits when it is reached.
const MaxOutstanding = 1 << 16

// replies matches what the server sends with what was asked of it. The sender queues a request before it writes the message;
// the receiver finds for each reply which request it belongs to. Any reply that does not fit is an error, after which nothing
// is known of the position in the stream and both sides are closed.
type replies struct {
	mu sync.Mutex // protects everything below
	// changed is signalled when a waiting sender may have something to do.
	changed sync.Cond

	ring        []request // a ring buffer whose length is a power of two
	first, n    int
	outstanding int // requests in the ring that have replies of their own

	// skipping: the server ignores everything up to the next Sync, which was not sent yet.
	skipping bool
	// unsynced: extended-protocol messages were sent since the last Sync or Query.
	unsynced bool
	// bound: one of these was a Bind, so that there may be a portal, or a transaction that an Execute has begun.
	bound bool
	// copyIn: the server takes CopyData for the first request of the ring.
	copyIn bool
	// hint is that of the last Bind since the last Sync.
	hint func(code string) string
	// status is that of the last ReadyForQuery: 'I' idle, 'T' in a transaction block, 'E' in a failed one.
	status byte
	// ended: there will be no more replies.
	ended bool
}

func newReplies(status byte) *replies {
	q := &replies{ring: make([]request, 16), status: status}
	q.changed.L = &q.mu
	return q
}

func (q *replies) append(r request) {
	if q.n == len(q.ring) {
		larger := make([]request, 2*len(q.ring))
		for i := range q.n {
			larger[i] = *q.at(i)
		}
		q.ring, q.first = larger, 0
	}
	q.n++
	*q.at(q.n - 1) = r
	if r.kind != copyEnd {
		q.outstanding++
	}
}

// at returns the i-th request of the ring.
func (q *replies) at(i int) *request { return &q.ring[(q.first+i)&(len(q.ring)-1)] }

// drop takes the first request from the ring.
func (q *replies) drop(end End) {
	r := q.at(0)
	if r.kind != copyEnd {
		q.outstanding--
	}
	complete := *r
	*r = request{}
	q.first = (q.first + 1) & (len(q.ring) - 1)
	q.n--
	q.finish(complete, end)
	if q.outstanding == 0 || q.n == MaxOutstanding-1 {
		q.changed.Broadcast()
	}
}

func (q *replies) finish(r request, end End) {
	how := r.how
	if how == nil {
		return
	}
	if c := how.capture; c != nil {
		c.failed = c.failed || end != Succeeded
		if c.owed--; c.owed == 0 {
			q.changed.Broadcast()
		}
	}
	if how.Done != nil {
		how.Done(r.results, end)
	}
}

// head returns the request that the next reply belongs to, nil if there is none.
func (q *replies) head() *request {
	for q.n > 0 {
		r := q.at(0)
		if r.kind != copyEnd {
			return r
		}
		q.drop(Succeeded) // the server read it outside of a copy and ignored it
	}
	return nil
}
