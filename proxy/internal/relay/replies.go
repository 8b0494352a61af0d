package relay

import "fmt"

// This file matches what the server sends with what was asked of it. The invariant: each reply belongs to the first request of the queue,
// or both sides are closed. Start at push and reply.

// push queues a request that is about to be sent, waiting while there are too many. A server that copies in replies to none of
// them before it has seen the end of the data, which may stand behind this one.
func (q *replies) push(kind RequestKind, how *Handling) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.full() {
		if q.stuck() {
			return errOutOfStep
		}
		q.changed.Wait()
	}
	if q.ended {
		return ErrEnded
	}
	q.enter(kind, how)
	return nil
}

// tryPush is push without waiting; ok=false if it would have to wait or fail.
func (q *replies) tryPush(kind RequestKind, how *Handling) (ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended || q.full() {
		return false
	}
	q.enter(kind, how)
	return true
}

func (q *replies) full() bool { return q.n >= MaxOutstanding && !q.ended && !q.skipping }

// enter queues a request. While the server skips to the next Sync it has no reply to it. The caller holds mu.
func (q *replies) enter(kind RequestKind, how *Handling) {
	if q.skipping && kind != SyncRequest {
		q.finish(request{how: how}, Skipped)
		return
	}
	switch kind {
	case SyncRequest:
		q.skipping, q.unsynced, q.bound = false, false, false
	case QueryRequest:
		q.unsynced, q.bound = false, false
	case copyEnd:
		if q.outstanding == 0 {
			return // the server ignores it outside of a copy
		}
	default:
		q.unsynced, q.bound = true, q.bound || kind == BindRequest
	}
	q.append(request{kind: kind, how: how})
}

// busy says whether the server owes a reply.
func (q *replies) busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.outstanding > 0
}

// standing is what the session is doing while nothing comes from the client.
func (q *replies) standing() Standing {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.outstanding > 0:
		return Active
	case q.status != 'I' || q.unsynced || q.skipping:
		return InTransaction
	}
	return Idle
}

// end tells a waiting sender that there will be no more replies.
func (q *replies) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	for q.n > 0 {
		q.drop(Failed)
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
func (q *replies) reply(kind byte, status byte) (how *Handling, first bool, err error) {
	r := q.head()
	if r == nil {
		return nil, false, stray{kind, nil}
	}
	how, first = r.how, !r.begun
	r.begun = true
	fits, complete := true, false
	switch r.kind {
	case ParseRequest:
		fits, complete = kind == '1', true
	case BindRequest:
		fits, complete = kind == '2', true
		if q.hint = nil; how != nil {
			q.hint = how.Hint
		}
	case CloseRequest:
		fits, complete = kind == '3', true
	case DescribeStatementRequest:
		if first {
			fits = kind == 't'
		} else {
			fits, complete = kind == 'T' || kind == 'n', true
		}
	case DescribePortalRequest:
		fits, complete = kind == 'T' || kind == 'n', true
	case ExecuteRequest:
		fits, complete, err = q.partOfExecute(kind)
	case QueryRequest:
		fits, complete, err = q.partOfQuery(kind)
	case SyncRequest:
		fits, complete = kind == 'Z', true
	default:
		fits = false
	}
	// A message that was made to fail must not succeed.
	if !fits || how.mustFail() && kind != 'Z' && !(kind == 'C' && r.results < how.Prologue) {
		return nil, false, stray{kind, r}
	}
	if kind == 'C' || kind == 'I' {
		r.results++
	}
	if err != nil {
		return nil, false, err
	}
	if kind == 'Z' {
		q.status, q.hint = status, nil
	}
	switch {
	case complete && r.failed:
		q.drop(Failed)
	case complete:
		q.drop(Succeeded)
	}
	return how, first, nil
}

// tag returns the command tag that the client sees in place of the next one, empty if it is the server's. The caller holds mu.
func (q *replies) tag() string {
	if r := q.head(); r != nil && r.how != nil && r.results < len(r.how.Tags) {
		return r.how.Tags[r.results]
	}
	return ""
}

// hintFor makes the hint at an error that comes next, empty if there is none. The caller holds mu.
func (q *replies) hintFor(code string) string {
	r := q.head()
	switch {
	case r == nil:
		return ""
	case r.how != nil && r.how.Hint != nil:
		return r.how.Hint(code)
	case r.kind == ExecuteRequest && q.hint != nil:
		return q.hint(code)
	}
	return ""
}

// inPrologue says whether the server is at a statement before the one that was made to fail. The caller holds mu.
func (q *replies) inPrologue() bool {
	r := q.head()
	return r != nil && r.how != nil && r.results < r.how.Prologue
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
func (q *replies) fail() (how *Handling, first bool, err error) {
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
	if r = q.head(); r.kind == QueryRequest || r.kind == SyncRequest {
		return how, first, nil // its ReadyForQuery comes next
	}
	q.drop(Failed)
	q.skip()
	return how, first, nil
}

// skip forgets the requests that the server skips after an error in the extended protocol: everything up to the next Sync.
func (q *replies) skip() {
	for q.n > 0 && q.at(0).kind != SyncRequest {
		q.drop(Skipped)
	}
	if q.n == 0 {
		q.skipping = true
		q.changed.Broadcast()
	}
}

// A State is where the server stands when everything sent was replied to.
type State struct {
	InPipeline    bool // extended-protocol messages were sent that no Sync or Query has followed
	InFailedBlock bool // the server will refuse any statement that does not end the transaction block
	MayBeInBlock  bool // the next statement may stand in a transaction block
	Bound         bool // in the pipeline a statement was bound, and may have run
}

func (q *replies) state() State {
	q.mu.Lock()
	defer q.mu.Unlock()
	return State{InPipeline: q.unsynced, InFailedBlock: q.status == 'E' && !q.unsynced, MayBeInBlock: q.status != 'I' || q.unsynced, Bound: q.bound}
}

// drain waits until everything that was sent has been replied to. ErrSkipped says that the server skips what comes next.
func (q *replies) drain() error {
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
		return ErrEnded
	case q.skipping:
		return ErrSkipped
	}
	return nil
}

// await waits for the reply to a round trip.
func (q *replies) await(r *Reply) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for r.owed > 0 && !q.ended {
		q.changed.Wait()
	}
	switch {
	case q.ended:
		return ErrEnded
	case r.failed:
		return r.failure
	}
	return nil
}
