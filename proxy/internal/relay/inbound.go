package relay

import (
	"fmt"

	"tacit/proxy/internal/wire"
)

// This file is the way from the client to the server. The invariant: every message that the server will reply to is queued in replies
// before its first byte is written, and what was let through is written as it came. Start at Inbound.Run, then walk.

// Inbound reads once, walks the headers, queues what the server will reply to and writes the very same bytes once. Messages that hold
// SQL, or names of statements, go to the interceptor first, which calls one of Relay, Replace and Skip.
type Inbound struct {
	stream
	r *Relay
	// size is that of the message at hand.
	size int
	// terminated is set by Terminate.
	terminated bool
	// Holding is set by the interceptor while it keeps messages back: then it is told of all that follow.
	Holding bool
	// Waiting is called before replies are waited for, while nobody reads from the client, and what it returns afterwards. It ends the relay if the
	// client leaves meanwhile. The server may never reply.
	Waiting func() (over func())
}

// An Interceptor decides about the messages that are not the relay's business alone.
type Interceptor interface {
	// Message deals with a Query, Parse, Bind, Describe, Execute, Close or FunctionCall of a size in bytes, header included.
	// ready=false says that more of it must be read first; then nothing was done.
	Message(kind byte, size int) (ready bool, err error)
	// Release is called before any other kind of message while messages are kept back. done says that the message itself was dealt with, too.
	Release(kind byte) (done bool, err error)
}

// Inbound is the way to the server. There is to be one.
func (r *Relay) Inbound() *Inbound {
	return &Inbound{r: r}
}

// Run relays until the client says goodbye (nil), is gone (ErrClient) or breaks the protocol (wire.Fatal).
func (in *Inbound) Run(interceptor Interceptor) (err error) {
	in.r.reading.Store(true)
	failed := in.read(in.r.Client, func() (over bool) {
		in.r.reading.Store(false)
		in.r.activity.Add(1)
		if err = in.pump(interceptor); err != nil || in.terminated {
			return true
		}
		in.r.reading.Store(true)
		return false
	})
	in.r.reading.Store(false)
	if failed != nil {
		return fmt.Errorf("%w: %w", ErrClient, failed)
	}
	return err
}

// pump deals with what was read.
func (in *Inbound) pump(interceptor Interceptor) error {
	walked := in.walk(interceptor)
	if err := in.flush(); err != nil {
		return err
	}
	if walked == nil && !in.terminated {
		in.makeRoom()
	}
	return walked
}

// flush writes what was let through so far, and after it what is ours.
func (in *Inbound) flush(ours ...byte) error {
	data := in.take()
	if len(ours) > 0 {
		data = append(data[:len(data):len(data)], ours...)
	}
	if len(data) == 0 {
		return nil
	}
	in.r.gate.enter()
	defer in.r.gate.leave()
	if _, err := in.r.Server.Write(data); err != nil {
		return fmt.Errorf("%w: %w", ErrServer, err)
	}
	return nil
}

// walk deals with the messages that were read, one by one.
func (in *Inbound) walk(interceptor Interceptor) error {
	for !in.terminated {
		kind, size, ok := in.header()
		if !ok {
			return nil
		}
		in.size = size
		longest, known := wire.LongestClientLength(kind)
		if !known {
			return unknownType(kind)
		}
		if in.size < wire.HeaderBytes || in.size > 1+longest {
			return wire.ProtocolViolation("invalid message length")
		}
		ready, err := in.message(kind, interceptor)
		if err != nil {
			return err
		}
		if !ready {
			return nil
		}
	}
	return nil
}

func unknownType(kind byte) error {
	return wire.ProtocolViolation(fmt.Sprintf("invalid frontend message type %d", kind))
}

// message deals with the message at hand; ready=false if more of it must be read first.
func (in *Inbound) message(kind byte, interceptor Interceptor) (ready bool, err error) {
	switch kind {
	case 'Q', 'P', 'B', 'D', 'E', 'C', 'F':
		return interceptor.Message(kind, in.size)
	}
	if in.Holding {
		if done, err := interceptor.Release(kind); done || err != nil {
			return true, err
		}
	}
	switch kind {
	case 'S':
		return true, in.Relay(SyncRequest, nil)
	case 'c', 'f':
		return true, in.Relay(copyEnd, nil)
	case 'X': // the rest of it, if it claims to be longer than it is, may never come
		in.terminated = true
		in.r.clientGone.Store(true)
		return true, in.flush(wire.Terminate...)
	case 'd', 'H':
		in.let(in.size)
	default:
		return false, unknownType(kind)
	}
	return true, nil
}

// Body returns the first n bytes of the body of the message at hand, ok=false if they were not read yet.
func (in *Inbound) Body(n int) (body []byte, ok bool) {
	in.need = wire.HeaderBytes + n
	if !in.has() {
		return nil, false
	}
	return in.beginning(in.need), true
}

// Beginning returns what was read of the body of the message at hand.
func (in *Inbound) Beginning() []byte { return in.beginning(in.size) }

// Relay queues a request for the message at hand and lets it through. What was let through before is written first if the queue is
// full: the server may have to see it before it replies.
func (in *Inbound) Relay(kind RequestKind, how *Handling) error {
	if !in.r.replies.tryPush(kind, how) {
		if err := in.flush(); err != nil {
			return err
		}
		if err := in.push(kind, how); err != nil {
			return err
		}
	}
	in.let(in.size)
	return nil
}

// Replace sends something else in place of the message at hand.
func (in *Inbound) Replace(kind RequestKind, how *Handling, message []byte) error {
	err := in.Send(kind, how, message)
	in.leaveOut(in.size)
	return err
}

// Send sends something before the message at hand.
func (in *Inbound) Send(kind RequestKind, how *Handling, message []byte) error {
	if err := in.flush(); err != nil {
		return err
	}
	if err := in.push(kind, how); err != nil {
		return err
	}
	return in.flush(message...)
}

// Skip leaves the message at hand out: the server would skip it.
func (in *Inbound) Skip() error {
	if err := in.flush(); err != nil {
		return err
	}
	in.leaveOut(in.size)
	return nil
}

// Drain waits until the server has replied to everything before the message at hand. ErrSkipped says that the server skips it.
func (in *Inbound) Drain() error {
	if err := in.flush(); err != nil {
		return err
	}
	q := in.r.replies
	if q.state().InPipeline && q.busy() {
		if err := in.flush(wire.Flush...); err != nil {
			return err
		}
	}
	if !q.busy() {
		return q.drain()
	}
	return in.wait(q.drain)
}

// push queues a request, when there is room for it.
func (in *Inbound) push(kind RequestKind, how *Handling) error {
	if in.r.replies.tryPush(kind, how) {
		return nil
	}
	return in.wait(func() error { return in.r.replies.push(kind, how) })
}

func (in *Inbound) wait(forReplies func() error) error {
	if in.Waiting != nil {
		defer in.Waiting()()
	}
	return forReplies()
}

// RoundTrip sends messages of the proxy's own and waits for the whole reply. Everything sent before must have been replied to. The error
// may be a ServerError.
//
// In the middle of the client's pipeline they become a part of it, with its transaction and its errors. Anywhere else they end with a
// Sync of their own, so that nothing of them stays open: the client's message, and the count before it, find the session as if
// nothing had been asked. There the client sees nothing of an error; the ServerError brings it.
func (in *Inbound) RoundTrip(t RoundTrip) (*Reply, error) {
	if t.tooLarge {
		return nil, ErrTooLarge
	}
	q := in.r.replies
	end, kinds := wire.Flush, t.kinds
	apart := !q.state().InPipeline
	if apart {
		end, kinds = wire.Sync, append(kinds, SyncRequest)
	}
	return in.ask(t.messages, end, kinds, apart)
}

// EndPipeline ends the client's pipeline by a Sync before a Query, if nothing in it was bound. Otherwise the proxy's own questions would become
// a part of it, and since PostgreSQL 18 the first statement that runs in a pipeline begins a transaction block, which a Query does not end. What is to
// be asked must be drained before.
func (in *Inbound) EndPipeline() error {
	if s := in.r.replies.state(); !s.InPipeline || s.Bound {
		return nil
	}
	_, err := in.ask(nil, wire.Sync, []RequestKind{SyncRequest}, true)
	return err
}

// ask sends messages of the proxy's own, and those that end them, and waits for the whole reply.
func (in *Inbound) ask(messages, end []byte, kinds []RequestKind, apart bool) (*Reply, error) {
	q := in.r.replies
	reply := &Reply{apart: apart, owed: len(kinds)}
	how := &Handling{capture: reply}
	for _, kind := range kinds {
		if err := in.push(kind, how); err != nil {
			return nil, err
		}
	}
	if err := in.flush(append(messages, end...)...); err != nil {
		return nil, err
	}
	return reply, in.wait(func() error { return q.await(reply) })
}

// State says where the server stands. It is to be asked after Drain.
func (in *Inbound) State() State { return in.r.replies.state() }
