package proxy

import (
	"fmt"

	"tacit/rewrite"
)

const (
	inboundBytes = 16 << 10
	// maxNamesBytes bounds the names at the beginning of a Bind; the server keeps 63 bytes of each.
	maxNamesBytes = 10_000
	// parseOverhead is what a Parse may hold besides its text: a name, and up to 65,535 parameter types.
	parseOverhead = maxNamesBytes + 4<<16
)

// inbound is the way from the client to the server. It reads once, walks the headers, queues what the server will reply to and
// writes the very same bytes once; only protected statements are held back and replaced.
type inbound struct {
	s   *session
	buf []byte
	// buf[sent:r] goes to the server with the next write; buf[r:w] was read but not looked at.
	sent, r, w int
	// pass and cut are how many bytes of a message that has begun are still to be relayed or left out.
	pass, cut int
	// need is how many bytes from r must be there before the walk can go on.
	need int
	// size is that of the message at r.
	size int
	// goodbye is set by Terminate.
	goodbye bool

	// remembers is set when the first statement of the session is to be remembered. Before that most messages need not be read.
	remembers bool
	// portals that hold a statement whose execution has an effect on others, or a command tag of its own.
	portals map[string]*statement
	// prologue is what runs of the Query at r although the rest is refused.
	prologue rewrite.Prologue
	// asked says that the server was asked for the message at r; quiet, that notices are not wanted; fresh, that counts are to be asked anew.
	asked, quiet, fresh bool
	// questions counts those of the proxy's own.
	questions int
	// catalog is that under which the statements of the session were last judged; nil before the first.
	catalog *rewrite.Catalog
}

func newInbound(s *session) *inbound {
	return &inbound{s: s, buf: make([]byte, inboundBytes)}
}

// run relays until the client says goodbye (nil), is gone (errClient) or breaks the protocol (fatal).
func (in *inbound) run() error {
	for {
		n, err := in.s.client.Read(in.buf[in.w:])
		in.w += n
		if n > 0 {
			walked := in.walk()
			if err := in.flush(); err != nil {
				return err
			}
			if walked != nil || in.goodbye {
				return walked
			}
			in.buf, in.r, in.w = makeRoom(in.buf, in.r, in.w, max(in.need, inboundBytes))
			in.sent = in.r
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errClient, err)
		}
	}
}

// flush writes what was let through so far, and after it what is ours.
func (in *inbound) flush(ours ...byte) error {
	data := in.buf[in.sent:in.r]
	in.sent = in.r
	if len(ours) > 0 {
		data = append(data[:len(data):len(data)], ours...)
	}
	if len(data) == 0 {
		return nil
	}
	in.s.gate.enter()
	defer in.s.gate.leave()
	if _, err := in.s.server.Write(data); err != nil {
		return fmt.Errorf("%w: %w", errServer, err)
	}
	return nil
}

// walk deals with the messages that were read, one by one.
func (in *inbound) walk() error {
	for !in.goodbye {
		if err := in.consume(); err != nil {
			return err
		}
		in.need = headerBytes
		if in.w-in.r < in.need {
			return nil
		}
		var kind byte
		kind, in.size = header(in.buf[in.r:])
		longest, known := longestClientLength(kind)
		if !known {
			return protocolViolation(fmt.Sprintf("invalid frontend message type %d", kind))
		}
		if in.size < headerBytes || in.size > 1+longest {
			return protocolViolation("invalid message length")
		}
		ready, err := in.message(kind)
		if err != nil {
			return err
		}
		if !ready {
			return nil
		}
	}
	return nil
}

// consume disposes of the rest of a message that was begun.
func (in *inbound) consume() error {
	if in.pass > 0 {
		n := min(in.pass, in.w-in.r)
		in.pass -= n
		in.r += n
	}
	if in.cut > 0 {
		if err := in.flush(); err != nil {
			return err
		}
		n := min(in.cut, in.w-in.r)
		in.cut -= n
		in.r += n
		in.sent = in.r
	}
	return nil
}

// message deals with the message at r; ready=false if more of it must be read first.
func (in *inbound) message(kind byte) (ready bool, err error) {
	in.prologue = rewrite.Prologue{}
	if err := in.checkCatalog(kind); err != nil {
		return false, err
	}
	switch kind {
	case 'Q':
		return in.query()
	case 'P':
		return in.parse()
	case 'B':
		return in.bind()
	case 'D':
		return in.describe()
	case 'E':
		return in.execute()
	case 'C':
		return in.close()
	case 'S':
		return true, in.relay(syncRequest, nil)
	case 'c', 'f':
		return true, in.relay(copyEnd, nil)
	case 'F':
		return true, in.refuse(queryRequest, refuseFunctionCall())
	case 'X':
		in.goodbye = true
		in.s.parting.Store(true)
	}
	in.let()
	return true, nil
}

// checkCatalog ends the session when a table has become protected: what it prepared while the table was not, is not remembered, and the
// server would plan it again before it denies it.
func (in *inbound) checkCatalog(kind byte) error {
	if kind != 'Q' && kind != 'P' && kind != 'B' && kind != 'E' {
		return nil
	}
	now := in.s.proxy.door.Catalog()
	if now == in.catalog {
		return nil
	}
	if in.catalog != nil && now.ProtectsMore(in.catalog) {
		return fatalf("57P01", "terminating connection because more tables have become protected")
	}
	in.catalog = now
	return nil
}

// body returns the first n bytes of the body of the message at r, ok=false if they were not read yet.
func (in *inbound) body(n int) (body []byte, ok bool) {
	in.need = headerBytes + n
	if in.w-in.r < in.need {
		return nil, false
	}
	return in.buf[in.r+headerBytes : in.r+in.need], true
}

// let lets the message at r through.
func (in *inbound) let() {
	n := min(in.size, in.w-in.r)
	in.r += n
	in.pass = in.size - n
}

// relay queues a request for the message at r and lets it through.
func (in *inbound) relay(kind requestKind, how *handling) error {
	if err := in.push(kind, how); err != nil {
		return err
	}
	in.let()
	return nil
}

// push queues a request. What was let through is written first if the queue is full: the server may have to see it before
// it replies.
func (in *inbound) push(kind requestKind, how *handling) error {
	if in.s.replies.tryPush(kind, how) {
		return nil
	}
	if err := in.flush(); err != nil {
		return err
	}
	return in.s.replies.push(kind, how)
}

// replace sends something else in place of the message at r.
func (in *inbound) replace(kind requestKind, how *handling, message []byte) error {
	if err := in.flush(); err != nil {
		return err
	}
	if err := in.s.replies.push(kind, how); err != nil {
		return err
	}
	in.leaveOut()
	return in.flush(message...)
}

// leaveOut skips the message at r. What came before it must have been flushed.
func (in *inbound) leaveOut() {
	n := min(in.size, in.w-in.r)
	in.r += n
	in.sent = in.r
	in.cut = in.size - n
}
