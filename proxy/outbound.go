package proxy

import (
	"errors"
	"fmt"

	"tacit/rewrite"
)

const (
	outboundBytes = 32 << 10
	// prefixBytes of an ErrorResponse or ParameterStatus are looked at: severity and SQLSTATE stand first, and the values that
	// matter are short.
	prefixBytes = 128
	// longestEdited bounds the messages of the server that are held as a whole, in order to edit them.
	longestEdited = rewrite.MaxConstants + 1<<16
)

// outbound is the way from the server to the client. It reads once, walks the headers and writes the very same bytes once;
// only where the sender asked for it are replies left out, put in or edited.
type outbound struct {
	s   *session
	buf []byte
	// buf[sent:r] goes to the client with the next write, behind out; buf[r:w] was read but not looked at.
	sent, r, w int
	// pass and cut are how many bytes of a message that has begun are still to be relayed or left out.
	pass, cut int
	out       []byte
	// need is how many bytes from r must be there before the walk can go on.
	need int
	// said is set once the server has sent the error with which it ends the session.
	said bool
}

func newOutbound(s *session) *outbound {
	return &outbound{s: s, buf: make([]byte, outboundBytes)}
}

// run relays until the server closes the connection (errServer), the client is gone (errClient), or something is wrong.
func (o *outbound) run() error {
	for {
		n, err := o.s.server.Read(o.buf[o.w:])
		o.w += n
		if n > 0 {
			walked := o.walk()
			if err := o.flush(); err != nil {
				return err
			}
			if walked != nil {
				return walked
			}
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errServer, err)
		}
	}
}

// flush writes to the client and makes room.
func (o *outbound) flush() error {
	data := o.buf[o.sent:o.r]
	if len(o.out) > 0 {
		o.out = append(o.out, data...)
		data = o.out
	}
	if len(data) > 0 {
		if _, err := o.s.client.Write(data); err != nil {
			return fmt.Errorf("%w: %w", errClient, err)
		}
	}
	if o.out = o.out[:0]; cap(o.out) > 2*outboundBytes {
		o.out = nil
	}
	o.buf, o.r, o.w = makeRoom(o.buf, o.r, o.w, max(o.need, outboundBytes))
	o.sent = o.r
	return nil
}

// makeRoom moves what was not looked at to the front of a buffer, which grows no faster than data come, up to want bytes, and
// shrinks again.
func makeRoom(buf []byte, r, w, want int) ([]byte, int, int) {
	left := w - r
	switch {
	case left == 0 && len(buf) > want:
		buf = make([]byte, want)
	case left == len(buf):
		larger := make([]byte, min(2*len(buf), want))
		copy(larger, buf[r:w])
		buf = larger
	case r > 0:
		copy(buf, buf[r:w])
	}
	return buf, 0, left
}

// atBoundary says whether a message of our own may follow what was written.
func (o *outbound) atBoundary() bool { return o.pass == 0 && !o.said }

// walk looks at what was read, message by message.
func (o *outbound) walk() error {
	q := o.s.replies
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		o.consume()
		o.need = headerBytes
		if o.w-o.r < o.need {
			return nil
		}
		kind, size := header(o.buf[o.r:])
		if size < headerBytes || size > maxLargeLength+1 {
			return fmt.Errorf("the server sent %q with a length of %d", kind, size-1)
		}
		o.need = o.needs(kind, size)
		if o.w-o.r < o.need {
			if o.need > longestEdited {
				return fmt.Errorf("the server sent %q with %d bytes", kind, size)
			}
			return nil
		}
		if err := o.message(kind, size); err != nil {
			return err
		}
	}
}

// consume disposes of the rest of a message that was begun.
func (o *outbound) consume() {
	if o.pass > 0 {
		n := min(o.pass, o.w-o.r)
		o.pass -= n
		o.r += n
	}
	if o.cut > 0 {
		n := min(o.cut, o.w-o.r)
		o.cut -= n
		o.r += n
		o.sent = o.r
	}
}

// needs returns how much of a message must have been read before it can be dealt with. The caller holds replies.mu.
func (o *outbound) needs(kind byte, size int) int {
	switch kind {
	case 'N':
		return min(size, headerBytes+prefixBytes)
	case 'D', 'd', 'A':
		if r := o.s.replies.head(); kind == 'D' && r != nil && r.how.hidden() {
			return size
		}
		return headerBytes
	case 'S':
		return min(size, headerBytes+prefixBytes)
	case 'E':
		if r := o.s.replies.head(); r != nil && r.how != nil && (r.how.rewritten || r.how.hidden() || r.how.prologue > 0) && size <= longestEdited {
			return size
		}
		return min(size, headerBytes+prefixBytes)
	case 'Z':
		return headerBytes + 1
	case 't':
		if r := o.s.replies.head(); r != nil && r.how != nil && (r.how.trim || r.how.hidden()) {
			return size
		}
	}
	return headerBytes
}

// message deals with the message at r, of which as much was read as it needs. The caller holds replies.mu.
func (o *outbound) message(kind byte, size int) error {
	body := o.buf[o.r+headerBytes : min(o.r+size, o.w)]
	switch kind {
	case 'A':
		o.relay(size)
		return nil
	case 'N':
		if readErrorFields(body).isForOperators() {
			o.skip(size)
		} else {
			o.relay(size)
		}
		return nil
	case 'S':
		o.relay(size)
		return checkParameterStatus(body)
	case 'E':
		return o.error(body, size)
	}
	var status byte
	if kind == 'Z' {
		if size != headerBytes+1 {
			return fmt.Errorf("the server sent ReadyForQuery with %d bytes", size)
		}
		status = body[0]
	}
	tag := ""
	if kind == 'C' {
		tag = o.s.replies.tag()
	}
	how, first, err := o.s.replies.reply(kind, status)
	if err != nil {
		return err
	}
	switch {
	case how == nil:
		o.relay(size)
	case how.hidden():
		how.capture.take(kind, body)
		o.skip(size)
	default:
		if first {
			o.insert(how.notice)
		}
		if kind == 't' && how.trim {
			return o.trim(body, size, how.params)
		}
		if tag != "" {
			m, mark := beginMessage(nil, 'C')
			o.insert(endMessage(appendString(m, tag), mark))
			o.skip(size)
			return nil
		}
		o.relay(size)
	}
	return nil
}

// error deals with an ErrorResponse. The caller holds replies.mu.
func (o *outbound) error(body []byte, size int) error {
	fields := readErrorFields(body)
	if fields.endsSession() {
		o.said = true
		o.relay(size)
		return nil
	}
	prologue := o.s.replies.inPrologue()
	how, first, err := o.s.replies.fail()
	if err != nil {
		return err
	}
	if how != nil && first {
		o.insert(how.notice)
	}
	whole := len(body) == size-headerBytes
	if how.hidden() {
		how.capture.fail(fields.code, body, whole)
	}
	switch {
	case how.hidden() && how.capture.apart:
		o.skip(size)
	case prologue && whole:
		o.insert(withoutPosition(nil, body))
		o.skip(size)
	case prologue:
		o.relay(size)
	case how != nil && how.failure != nil:
		o.insert(how.failure)
		o.skip(size)
	case how != nil && how.refusal != nil && (fields.code != codeInFailedTransaction || how.refusal.Code == codeInFailedTransaction):
		o.insert(appendError(nil, "ERROR", how.refusal))
		o.skip(size)
	case how != nil && (how.rewritten || how.hidden()) && whole:
		o.insert(withoutPosition(nil, body))
		o.skip(size)
	default:
		o.relay(size)
	}
	return nil
}

// relay lets the message at r through.
func (o *outbound) relay(size int) {
	n := min(size, o.w-o.r)
	o.r += n
	o.pass = size - n
}

// skip leaves the message at r out.
func (o *outbound) skip(size int) {
	o.insert(nil)
	n := min(size, o.w-o.r)
	o.r += n
	o.sent = o.r
	o.cut = size - n
}

// insert puts a message of ours behind what was let through so far.
func (o *outbound) insert(message []byte) {
	o.out = append(o.out, o.buf[o.sent:o.r]...)
	o.sent = o.r
	o.out = append(o.out, message...)
}

// trim lets a ParameterDescription through with its first n parameters only.
func (o *outbound) trim(body []byte, size, n int) error {
	b := bodyReader{rest: body}
	oids := b.take(4 * b.uint16())
	if !b.done() || 4*n > len(oids) {
		return errors.New("the server described other parameters than it was given")
	}
	m, mark := beginMessage(nil, 't')
	m = appendUint16(m, n)
	m = append(m, oids[:4*n]...)
	o.insert(endMessage(m, mark))
	o.skip(size)
	return nil
}

// checkParameterStatus ends the session when a setting that decides how SQL is read has changed.
func checkParameterStatus(body []byte) error {
	b := bodyReader{rest: body}
	name := b.string()
	value := b.string()
	if b.bad {
		return nil // longer than any value that is looked at
	}
	return checkReported(name, value)
}

// requiredSettings decide how the server reads SQL, and must be what the proxy's own parser takes them for.
var requiredSettings = map[string]string{
	"client_encoding":             "UTF8",
	"server_encoding":             "UTF8",
	"standard_conforming_strings": "on",
}

func checkReported(name, value string) error {
	if required, ok := requiredSettings[name]; ok && value != required {
		f := fatalf("0A000", fmt.Sprintf("%s must be %s on a connection through this proxy", name, required))
		f.Hint = "Connect again; the setting cannot be changed."
		return f
	}
	return nil
}
