package relay

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/proxy/internal/wire"
)

// This file is the way from the server to the client. The invariant: every reply is accounted for in replies before its first byte is
// written, and is written as it came unless the handling of its request says otherwise. Start at Outbound.Run, then walk.

const (
	// prefixBytes of an ErrorResponse or ParameterStatus are looked at: severity and SQLSTATE stand first, and the values that
	// matter are short.
	prefixBytes = 128
	// aborted is the SQLSTATE of the server's error for every statement in a transaction block that has failed.
	aborted = "25P02"
)

// Outbound is the way from the server to the client. It reads once, walks the headers and writes the very same bytes once;
// only where the sender asked for it are replies left out, put in or edited.
type Outbound struct {
	stream
	r *Relay
	// out goes to the client with the next write, before what was let through and not taken.
	out []byte
	// ended is set once the server has sent the error with which it ends the session.
	ended bool
}

// Outbound is the way to the client. There is to be one.
func (r *Relay) Outbound() *Outbound {
	return &Outbound{r: r}
}

// Run relays until the server closes the connection (ErrServer), the client is gone (ErrClient), or something is wrong.
func (o *Outbound) Run() (err error) {
	failed := o.read(o.r.Server, func() (over bool) {
		o.r.activity.Add(1)
		err = o.pump()
		return err != nil
	})
	if failed != nil {
		return fmt.Errorf("%w: %w", ErrServer, failed)
	}
	return err
}

// pump deals with what was read. Nobody else writes to the client between the account of a reply and its last byte.
func (o *Outbound) pump() error {
	o.r.clientMu.Lock()
	defer o.r.clientMu.Unlock()
	walked := o.walk()
	if err := o.flush(); err != nil {
		o.r.atBoundary = false
		return err
	}
	o.r.atBoundary = o.pass == 0 && !o.ended
	return walked
}

// flush writes to the client and makes room.
func (o *Outbound) flush() error {
	data := o.take()
	if len(o.out) > 0 {
		o.out = append(o.out, data...)
		data = o.out
	}
	if len(data) > 0 {
		if _, err := o.r.Client.Write(data); err != nil {
			return fmt.Errorf("%w: %w", ErrClient, err)
		}
	}
	if o.out = o.out[:0]; cap(o.out) > 2*bufferBytes {
		o.out = nil
	}
	o.makeRoom()
	return nil
}

// walk looks at what was read, message by message.
func (o *Outbound) walk() error {
	q := o.r.replies
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		kind, size, ok := o.header()
		if !ok {
			return nil
		}
		if size < wire.HeaderBytes || size > wire.MaxLargeLength+1 {
			return fmt.Errorf("the server sent %q with a length of %d", kind, size-1)
		}
		o.need = o.needs(kind, size)
		if !o.has() {
			if o.need > o.r.longestEdited {
				return fmt.Errorf("the server sent %q with %d bytes", kind, size)
			}
			return nil
		}
		if err := o.message(kind, size); err != nil {
			return err
		}
	}
}

// transcript is what keeps the reply at hand, nil if nothing does. The caller holds replies.mu.
func (o *Outbound) transcript() *Transcript {
	if r := o.r.replies.head(); r != nil {
		return r.how.transcript()
	}
	return nil
}

// needs returns how much of a message must have been read before it can be dealt with. The caller holds replies.mu.
func (o *Outbound) needs(kind byte, size int) int {
	if o.transcript().wants(kind, size) {
		return size
	}
	switch kind {
	case 'N':
		return min(size, wire.HeaderBytes+prefixBytes)
	case 'D', 'd', 'A':
		if r := o.r.replies.head(); kind == 'D' && r != nil && r.how.hidden() {
			return size
		}
		return wire.HeaderBytes
	case 'S':
		return min(size, wire.HeaderBytes+prefixBytes)
	case 'E':
		r := o.r.replies.head()
		if r != nil && size <= o.r.longestEdited &&
			(r.kind == ExecuteRequest && o.r.replies.hint != nil || r.how != nil && (r.how.Rewritten || r.how.hidden() || r.how.Prologue > 0)) {
			return size
		}
		return min(size, wire.HeaderBytes+prefixBytes)
	case 'Z':
		return min(size, wire.HeaderBytes+1)
	case 't':
		if r := o.r.replies.head(); r != nil && r.how != nil && (r.how.Trim || r.how.hidden()) {
			return size
		}
	}
	return wire.HeaderBytes
}

// message deals with the message at hand, of which as much was read as it needs. The caller holds replies.mu.
func (o *Outbound) message(kind byte, size int) error {
	body := o.beginning(size)
	if t := o.transcript(); t.wants(kind, size) {
		t.take(o.buf[o.at : o.at+size])
	}
	switch kind {
	case 'A':
		o.let(size)
		return nil
	case 'N':
		if wire.ReadSeverity(body).IsForOperators() {
			o.skip(size)
		} else {
			o.let(size)
		}
		return nil
	case 'S':
		o.let(size)
		return checkParameterStatus(body)
	case 'E':
		return o.error(body, size)
	}
	var status byte
	if kind == 'Z' {
		if size != wire.HeaderBytes+1 {
			return fmt.Errorf("the server sent ReadyForQuery with %d bytes", size)
		}
		status = body[0]
	}
	tag := ""
	if kind == 'C' {
		tag = o.r.replies.tag()
	}
	how, first, err := o.r.replies.reply(kind, status)
	switch {
	case err != nil:
		return err
	case how == nil:
		o.let(size)
	case how.hidden():
		how.capture.take(kind, body)
		o.skip(size)
	default:
		if first {
			o.insert(how.Notice)
		}
		if kind == 't' && how.Trim {
			return o.trim(body, size, how.Params)
		}
		if tag != "" {
			o.replaceBy(wire.Append(nil, &pgproto3.CommandComplete{CommandTag: []byte(tag)}), size)
			return nil
		}
		o.let(size)
	}
	return nil
}

// error deals with an ErrorResponse. The caller holds replies.mu.
func (o *Outbound) error(body []byte, size int) error {
	severity := wire.ReadSeverity(body)
	if severity.EndsSession() {
		o.ended = true
		o.let(size)
		return nil
	}
	prologue, hint := o.r.replies.inPrologue(), o.r.replies.hintFor(severity.Code)
	how, first, err := o.r.replies.fail()
	if err != nil {
		return err
	}
	switch {
	case how == nil || !first:
	case how.Silent:
		hint = ""
	default:
		o.insert(how.Notice)
	}
	whole := len(body) == size-wire.HeaderBytes
	if how.hidden() {
		how.capture.fail(severity.Code, body, whole)
	}
	switch {
	case how.hidden() && how.capture.apart:
		o.skip(size)
	case prologue && whole:
		o.replaceBy(wire.WithoutPosition(body), size)
	case prologue:
		o.let(size)
	case how.mustFail() && !(how.Yields && severity.Code == aborted):
		o.replaceBy(how.Error, size)
	case (hint != "" || how != nil && (how.Rewritten || how.hidden())) && whole:
		o.replaceBy(wire.WithHint(wire.WithoutPosition(body), hint), size)
	default:
		o.let(size)
	}
	return nil
}

// skip leaves the message at hand out.
func (o *Outbound) skip(size int) { o.replaceBy(nil, size) }

// replaceBy sends a message of ours in place of the one at hand.
func (o *Outbound) replaceBy(message []byte, size int) {
	o.insert(message)
	o.leaveOut(size)
}

// insert puts a message of ours behind what was let through so far.
func (o *Outbound) insert(message []byte) {
	o.out = append(append(o.out, o.take()...), message...)
}

// trim lets a ParameterDescription through with its first n parameters only.
func (o *Outbound) trim(body []byte, size, n int) error {
	oids, ok := wire.DecodeParameterDescription(body)
	if !ok || n > len(oids) {
		return errors.New("the server described other parameters than it was given")
	}
	o.replaceBy(wire.Append(nil, &pgproto3.ParameterDescription{ParameterOIDs: oids[:n]}), size)
	return nil
}

// checkParameterStatus ends the session when a setting that decides how SQL is read has changed.
func checkParameterStatus(body []byte) error {
	b := wire.Reader{Rest: body}
	name := b.String()
	value := b.String()
	if b.Bad {
		return nil // longer than any value that is looked at
	}
	return CheckReported(name, value)
}

// requiredSettings decide how the server reads SQL, and must be what the proxy's own parser takes them for.
var requiredSettings = map[string]string{
	"client_encoding":             "UTF8",
	"server_encoding":             "UTF8",
	"standard_conforming_strings": "on",
}

// CheckReported refuses a session in which a setting that decides how SQL is read has another value than the proxy reads it with.
func CheckReported(name, value string) error {
	if name == "client_encoding" && value == "UNICODE" {
		return nil // which PostgreSQL keeps as the client wrote it, and takes for UTF8
	}
	if required, ok := requiredSettings[name]; ok && value != required {
		return wire.Fatal{ErrorFields: wire.ErrorFields{
			Code:    "0A000",
			Message: fmt.Sprintf("%s must be %s on a connection through this proxy", name, required),
			Hint:    "Connect again; the setting cannot be changed.",
		}}
	}
	return nil
}
