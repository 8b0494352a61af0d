package proxy

import (
	"fmt"
	"sync"

	"tacit/rewrite"
)

// A requestKind is what the server will reply to.
type requestKind uint8

const (
	parseRequest requestKind = iota
	bindRequest
	describeStatementRequest
	describePortalRequest
	executeRequest
	closeRequest
	syncRequest
	queryRequest
	// copyEnd is a CopyDone or CopyFail. It has no reply of its own: it tells where in the stream a copy-in can end.
	copyEnd
)

// A request is a message that was sent to the server and not yet replied to in full.
type request struct {
	kind requestKind
	// begun is set once a part of the reply has come.
	begun bool
	// failed is set once the reply has brought an error.
	failed bool
	// results counts the statements of it that are complete.
	results int
	// how the reply is handled; nil: the very same bytes go to the client.
	how *handling
}

// A handling says what a reply means to the proxy. It is not changed after it was queued.
type handling struct {
	// notice is sent to the client before the first part of the reply.
	notice []byte
	// refusal is what the client sees in place of the server's error: the message sent was made to fail.
	refusal *rewrite.Refusal
	// prologue is how many statements stand before the one that was made to fail, in its text.
	prologue int
	// tags are command tags that the client sees in place of the server's, by statement; empty ones are the server's.
	tags []string
	// rewritten says that positions in errors do not point into the client's text.
	rewritten bool
	// failure is like refusal an error that the client sees in place of the server's: the ErrorResponse to a question of the proxy's
	// own, which may have made a transaction block fail.
	failure []byte
	// capture takes the reply; the client sees nothing of it, except an error in its own pipeline.
	capture *capture
	// trim leaves only the first params parameters in a ParameterDescription.
	trim   bool
	params int
	// done is called, with replies.mu held, when the reply is complete; ok=false after an error and if the server skipped the
	// message. results is how many statements were completed.
	done func(results int, ok bool)
}

// hidden says whether the client sees nothing of the reply, errors excepted.
func (h *handling) hidden() bool { return h != nil && h.capture != nil }

// mustFail says whether the message was made to fail.
func (h *handling) mustFail() bool { return h != nil && (h.refusal != nil || h.failure != nil) }

// maxOutstanding bounds the requests of one client that wait for their replies. The sender waits when it is reached.
const maxOutstanding = 1 << 16

// replies matches what the server sends with what was asked of it. The sender queues a request before it writes the message;
// the receiver finds for each reply which request it belongs to. Any reply that does not fit is an error, after which nothing
// is known of the position in the stream and both sides are closed.
type replies struct {
	mu sync.Mutex // protects everything below and what belongs to the statements of the session
	// changed is signalled when a waiting sender may have something to do.
	changed sync.Cond

	ring        []request // a ring buffer whose length is a power of two
	first, n    int
	outstanding int // requests in the ring that have replies of their own

	// skipping: the server ignores everything up to the next Sync, which was not sent yet.
	skipping bool
	// unsynced: extended-protocol messages were sent since the last Sync or Query.
	unsynced bool
	// copyIn: the server takes CopyData for the first request of the ring.
	copyIn bool
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

// push queues a request that is about to be sent, waiting while there are too many. A server that copies in replies to none of
// them before it has seen the end of the data, which may stand behind this one.
func (q *replies) push(kind requestKind, how *handling) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.full() {
		if q.stuck() {
			return errOutOfStep
		}
		q.changed.Wait()
	}
	if q.ended {
		return errEnded
	}
	q.enter(kind, how)
	return nil
}

// tryPush is push without waiting; ok=false if it would have to wait or fail.
func (q *replies) tryPush(kind requestKind, how *handling) (ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended || q.full() {
		return false
	}
	q.enter(kind, how)
	return true
}

func (q *replies) full() bool { return q.n >= maxOutstanding && !q.ended && !q.skipping }

// enter queues a request. While the server skips to the next Sync it has no reply to it. The caller holds mu.
func (q *replies) enter(kind requestKind, how *handling) {
	if q.skipping && kind != syncRequest {
		q.finish(request{how: how}, false)
		return
	}
	switch kind {
	case syncRequest:
		q.skipping, q.unsynced = false, false
	case queryRequest:
		q.unsynced = false
	case copyEnd:
		if q.outstanding == 0 {
			return // the server ignores it outside of a copy
		}
	default:
		q.unsynced = true
	}
	q.append(request{kind: kind, how: how})
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
func (q *replies) drop(ok bool) {
	r := q.at(0)
	if r.kind != copyEnd {
		q.outstanding--
	}
	complete := *r
	*r = request{}
	q.first = (q.first + 1) & (len(q.ring) - 1)
	q.n--
	q.finish(complete, ok)
	if q.outstanding == 0 || q.n == maxOutstanding-1 {
		q.changed.Broadcast()
	}
}

func (q *replies) finish(r request, ok bool) {
	how := r.how
	if how == nil {
		return
	}
	if c := how.capture; c != nil {
		c.failed = c.failed || !ok
		if c.owed--; c.owed == 0 {
			q.changed.Broadcast()
		}
	}
	if how.done != nil {
		how.done(r.results, ok)
	}
}

// head returns the request that the next reply belongs to, nil if there is none.
func (q *replies) head() *request {
	for q.n > 0 {
		r := q.at(0)
		if r.kind != copyEnd {
			return r
		}
		q.drop(true) // the server read it outside of a copy and ignored it
	}
	return nil
}

// busy says whether the server owes a reply.
func (q *replies) busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.outstanding > 0
}

// end tells a waiting sender that there will be no more replies.
func (q *replies) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	for q.n > 0 {
		q.drop(false)
	}
	q.changed.Broadcast()
}

// A stray is the error for a reply that does not fit what was asked.
type stray struct {
	reply byte
	to    *request
}

func (s stray) Error() string {
	if s.to == nil {
		return fmt.Sprintf("the server sent %q without having been asked", s.reply)
	}
	return fmt.Sprintf("the server sent %q in reply to a request of kind %d", s.reply, s.to.kind)
}

// reply accounts for a message of the server other than an error or an asynchronous one, and returns the request that it
// belongs to. The caller holds mu. It must use the result before the next call.
func (q *replies) reply(kind byte, status byte) (how *handling, first bool, err error) {
	r := q.head()
	if r == nil {
		return nil, false, stray{kind, nil}
	}
	how, first = r.how, !r.begun
	r.begun = true
	fits, complete := true, false
	switch r.kind {
	case parseRequest:
		fits, complete = kind == '1', true
	case bindRequest:
		fits, complete = kind == '2', true
	case closeRequest:
		fits, complete = kind == '3', true
	case describeStatementRequest:
		if first {
			fits = kind == 't'
		} else {
			fits, complete = kind == 'T' || kind == 'n', true
		}
	case describePortalRequest:
		fits, complete = kind == 'T' || kind == 'n', true
	case executeRequest:
		fits, complete, err = q.partOfExecute(kind)
	case queryRequest:
		fits, complete, err = q.partOfQuery(kind)
	case syncRequest:
		fits, complete = kind == 'Z', true
	default:
		fits = false
	}
	// A message that was made to fail must not succeed.
	if !fits || how.mustFail() && kind != 'Z' && !(kind == 'C' && r.results < how.prologue) {
		return nil, false, stray{kind, r}
	}
	if kind == 'C' || kind == 'I' {
		r.results++
	}
	if err != nil {
		return nil, false, err
	}
	if kind == 'Z' {
		q.status = status
	}
	if complete {
		q.drop(!r.failed)
	}
	return how, first, nil
}

// tag returns the command tag that the client sees in place of the next one, empty if it is the server's. The caller holds mu.
func (q *replies) tag() string {
	if r := q.head(); r != nil && r.how != nil && r.results < len(r.how.tags) {
		return r.how.tags[r.results]
	}
	return ""
}

// inPrologue says whether the server is at a statement before the one that was made to fail. The caller holds mu.
func (q *replies) inPrologue() bool {
	r := q.head()
	return r != nil && r.how != nil && r.results < r.how.prologue
}

func (q *replies) partOfExecute(kind byte) (fits, complete bool, err error) {
	switch kind {
	case 'D', 'd', 'c', 'H':
		return true, false, nil
	case 'C':
		return true, true, q.endCopy(true)
	case 'I', 's':
		return !q.copyIn, true, nil
	case 'G':
		return true, false, q.beginCopy()
	}
	return false, false, nil
}

func (q *replies) partOfQuery(kind byte) (fits, complete bool, err error) {
	switch kind {
	case 'T', 'D', 'I', 'd', 'c', 'H':
		return true, false, nil
	case 'C':
		return true, false, q.endCopy(true)
	case 'G':
		return true, false, q.beginCopy()
	case 'Z':
		return !q.copyIn, true, nil
	}
	return false, false, nil
}

// fail accounts for an ErrorResponse that leaves the connection in use, and returns how it is handled. The caller holds mu.
func (q *replies) fail() (how *handling, first bool, err error) {
	r := q.head()
	if r == nil {
		if !q.unsynced {
			return nil, false, stray{'E', nil}
		}
		q.skipping = true // a timeout between two messages of a pipeline
		q.changed.Broadcast()
		return nil, false, nil
	}
	how, first = r.how, !r.begun
	r.begun, r.failed = true, true
	if q.copyIn {
		if err := q.endCopy(false); err != nil {
			return nil, false, err
		}
	}
	if r = q.head(); r.kind == queryRequest || r.kind == syncRequest {
		return how, first, nil // its ReadyForQuery comes next
	}
	q.drop(false)
	q.skip()
	return how, first, nil
}

// skip forgets the requests that the server skips after an error in the extended protocol: everything up to the next Sync.
func (q *replies) skip() {
	for q.n > 0 && q.at(0).kind != syncRequest {
		q.drop(false)
	}
	if q.n == 0 {
		q.skipping = true
		q.changed.Broadcast()
	}
}

// inPipeline says whether extended-protocol messages were sent that no Sync or Query has followed.
func (q *replies) inPipeline() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.unsynced
}

// inFailedBlock says whether the server will refuse any statement that does not end the transaction block. It is to be asked when
// everything sent was replied to.
func (q *replies) inFailedBlock() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.status == 'E' && !q.unsynced
}

// mayBeInBlock says whether the next statement may stand in a transaction block. It is to be asked when everything sent was
// replied to.
func (q *replies) mayBeInBlock() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.status != 'I' || q.unsynced
}

// settle waits until everything that was sent has been replied to. errSkipped says that the server skips what comes next.
func (q *replies) settle() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.outstanding > 0 && !q.ended && !q.skipping {
		if q.stuck() {
			return errOutOfStep
		}
		q.changed.Wait()
	}
	switch {
	case q.ended:
		return errEnded
	case q.skipping:
		return errSkipped
	}
	return nil
}
