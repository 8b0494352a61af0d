package relay

import (
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/proxy/internal/wire"
)

// This file writes to the client what the server has not sent. The invariant: it stands between two messages of the server's, and after the
// replies to everything before. Start at Inbound.Answer.

// Answer replies to the Query or Sync at hand in the server's place, which never sees it. It does nothing, and ok is false, if the server is at work, is
// in a transaction block or a pipeline, or in the middle of a message. A client that does not read keeps only itself waiting, as it would
// keep the server.
func (in *Inbound) Answer(reply []byte) (ok bool, err error) {
	if err := in.flush(); err != nil {
		return false, err
	}
	r := in.r
	r.clientMu.Lock()
	defer r.clientMu.Unlock()
	if !r.atBoundary || !r.replies.idle() {
		return false, nil
	}
	in.leaveOut(in.size)
	message := wire.Append(append(make([]byte, 0, len(reply)+16), reply...), &pgproto3.ReadyForQuery{TxStatus: 'I'})
	if _, err := r.Client.Write(message); err != nil {
		r.atBoundary = false
		return true, fmt.Errorf("%w: %w", ErrClient, err)
	}
	return true, nil
}

// Tell sends the last message to the client, if it may follow what was written.
func (r *Relay) Tell(message []byte, within time.Duration) (told bool) {
	r.Client.SetWriteDeadline(time.Now().Add(within)) // ends a write that is under way, too
	r.clientMu.Lock()
	defer r.clientMu.Unlock()
	if !r.atBoundary {
		return false
	}
	_, err := r.Client.Write(message)
	return err == nil
}

// idle says whether the server waits for a statement outside of a transaction block.
func (q *replies) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.outstanding == 0 && !q.ended && !q.skipping && !q.unsynced && q.status == 'I'
}
