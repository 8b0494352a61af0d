package proxy

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
)

// This file shows what the server replied to the very same Bind before, as repeat.go does for a Query. The messages Bind, Describe and Execute are
// kept back until the Sync, before which the server would not have to reply either. If anything else comes, they are sent as they would have been.
// The invariant: what is kept back is answered as a whole, or sent as a whole before what follows. Start at holdBind.

// A heldBind is a Bind of a lasting statement, outside of a pipeline and a transaction block, with the messages behind it.
type heldBind struct {
	bind      []byte // as the server would be sent it
	how       *relay.Handling
	statement string // the server's
	behind    []heldMessage
}

type heldMessage struct {
	kind    relay.RequestKind
	message []byte
}

// holdBind keeps back a Bind of the unnamed portal, ok=false if it is to be sent.
func (in *interceptor) holdBind(m []byte, how *relay.Handling, st *statement) (ok bool) {
	state := in.inbound.State()
	if state.InPipeline || state.MayBeInBlock || len(m) > maxRepeatBytes || bytes.Contains(m, []byte("NULL")) {
		return false
	}
	in.held = &heldBind{bind: m, how: how, statement: st.answer.Outer.WithParameters(st.answer.Params + 1)}
	in.inbound.Holding = true
	return true
}

// relayOrHold deals with a Describe or an Execute: it is kept back behind a Bind that is, if it belongs to it.
func (in *interceptor) relayOrHold(kind relay.RequestKind, belongs bool, body []byte) error {
	if in.held == nil {
		return in.inbound.Relay(kind, nil)
	}
	if !belongs || in.held.executes() || len(in.held.behind) == 2 {
		if err := in.sendHeld(nil); err != nil {
			return err
		}
		return in.inbound.Relay(kind, nil)
	}
	letter := byte('D')
	if kind == relay.ExecuteRequest {
		letter = 'E'
	}
	message := append(binary.BigEndian.AppendUint32([]byte{letter}, uint32(4+len(body))), body...)
	in.held.behind = append(in.held.behind, heldMessage{kind, message})
	return in.inbound.Skip()
}

// executes reports whether an Execute is kept back behind the Bind.
func (h *heldBind) executes() bool {
	return len(h.behind) > 0 && h.behind[len(h.behind)-1].kind == relay.ExecuteRequest
}

// key is different for what may have different replies. The server's statement may have the same name as another session's.
func (h *heldBind) key() string {
	key := h.statement + "\x00" + string(h.bind)
	for _, m := range h.behind {
		key += string(m.message)
	}
	return key
}

// Release deals with what is kept back when something comes that is no business of the interceptor's otherwise.
func (in *interceptor) Release(kind byte) (done bool, err error) {
	h := in.held
	if kind != 'S' || !h.executes() {
		return false, in.sendHeld(nil)
	}
	reply, known := in.replies.get(h.key())
	if !known {
		return false, in.sendHeld(in.learning(h))
	}
	if done, err = in.inbound.Answer(slices.Concat(h.how.Notice, bindComplete, reply)); done || err != nil {
		in.drop()
		return done, err
	}
	return false, in.sendHeld(nil)
}

var bindComplete = wire.Append(nil, &pgproto3.BindComplete{})

// drop forgets what is kept back.
func (in *interceptor) drop() { in.held, in.inbound.Holding = nil, false }

// learning is how the replies to the messages behind a Bind are handled, so that they are remembered.
func (in *interceptor) learning(h *heldBind) []*relay.Handling {
	key, replies := h.key(), in.replies
	var parts []*relay.Transcript
	hows := make([]*relay.Handling, len(h.behind))
	for i := range hows {
		kept := &relay.Transcript{Most: maxRepeatBytes}
		parts, hows[i] = append(parts, kept), &relay.Handling{Transcript: kept}
	}
	hows[len(hows)-1].Done = func(_ int, end relay.End) {
		var reply []byte
		for _, kept := range parts {
			if end != relay.Succeeded || kept.Bytes == nil {
				return
			}
			reply = append(reply, kept.Bytes...)
		}
		replies.put(key, reply)
	}
	return hows
}

// sendHeld sends what is kept back, if anything is. hows are how the replies to the messages behind the Bind are handled, nil if they are relayed.
func (in *interceptor) sendHeld(hows []*relay.Handling) error {
	h := in.held
	if h == nil {
		return nil
	}
	in.drop()
	if err := in.inbound.Send(relay.BindRequest, h.how, h.bind); err != nil {
		return err
	}
	for i, m := range h.behind {
		var how *relay.Handling
		if hows != nil {
			how = hows[i]
		}
		if err := in.inbound.Send(m.kind, how, m.message); err != nil {
			return err
		}
	}
	return nil
}
