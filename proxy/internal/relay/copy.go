package relay

import (
	"errors"

	"tacit/proxy/internal/wire"
)

var errCopy = errors.New("position lost in a COPY FROM STDIN")

// While the server copies in, it reads CopyData up to a CopyDone or CopyFail, ignores Flush and Sync, and gives up the
// connection at any other message. So a Sync that was sent in the middle has no ReadyForQuery (client libraries send one, not
// knowing that their statement is a COPY). Which messages the server read as part of a copy that failed cannot be seen
// from outside; all that were sent before its error are taken for that. If the server did stop before one of the Syncs, it
// sends one ReadyForQuery too many, which fits nothing and closes both sides.

// beginCopy notes that the server asked for CopyData. The caller holds mu.
func (q *replies) beginCopy() error {
	if q.copyIn {
		return errCopy
	}
	q.copyIn = true
	q.changed.Broadcast() // whoever waits for a reply, or for room, may wait for ever
	return nil
}

// endCopy forgets what the server read while it copied in: Syncs, then a CopyDone or CopyFail. The request that copies stands
// first in the ring and stays there. A CommandComplete without a copy-in ends nothing. The caller holds mu.
func (q *replies) endCopy(ok bool) error {
	if !q.copyIn {
		return nil
	}
	q.copyIn = false
	read, ended := q.readByCopy()
	if ok && !ended || !ended && read != q.n-1 {
		return errCopy
	}
	copying := *q.at(0)
	for i := range read {
		if r := q.at(1 + i); r.kind == SyncRequest {
			q.outstanding--
			q.finish(*r, Skipped)
		}
	}
	if copying.kind == ExecuteRequest && read > 0 && q.n == 1+read {
		q.unsynced = true // what the client took for the end of its pipeline was not
	}
	q.first = (q.first + read) & (len(q.ring) - 1)
	q.n -= read
	*q.at(0) = copying
	q.changed.Broadcast() // there may be room again
	return nil
}

// readByCopy counts the requests behind the first one that the server read as part of the copy, and says whether one of them
// ended it.
func (q *replies) readByCopy() (n int, ended bool) {
	for i := 1; i < q.n; i++ {
		switch q.at(i).kind {
		case copyEnd:
			return i, true
		case SyncRequest:
		default:
			return i - 1, false
		}
	}
	return q.n - 1, false
}

// errOutOfStep is returned when the server waits for CopyData and the sender for the server.
var errOutOfStep = wire.ProtocolViolation("terminating connection because protocol synchronization was lost")

// stuck says that the server waits for CopyData of which no end was sent, so that waiting for its reply is in vain. The
// caller holds mu.
func (q *replies) stuck() bool {
	if !q.copyIn {
		return false
	}
	_, ended := q.readByCopy()
	return !ended
}
