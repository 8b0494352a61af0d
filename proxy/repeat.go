package proxy

import (
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tacit/proxy/internal/relay"
)

// This file remembers what the server replied to a text that has the same reply whoever sends it: a plain statement, with the cells in it, none
// of whose values depends on a setting. So the types, the names and the order of what is shown are the server's own. The invariant: what
// is remembered is the reply to the very same text. Start at repeatQuery.

// Bounds on the replies that are remembered, for all sessions together, and on one of them.
const (
	maxReplies     = 4096
	maxReplyBytes  = 16 << 20 // with their texts
	maxRepeatBytes = 32 << 10
)

// replies remembers replies by the text of the Query, the least recently used ones forgotten first.
type replies struct {
	mu    sync.Mutex // protects what follows
	lru   *simplelru.LRU[string, []byte]
	bytes int
}

func newReplies() *replies {
	r := &replies{}
	lru, err := simplelru.NewLRU(maxReplies, func(text string, reply []byte) { r.bytes -= len(text) + len(reply) })
	if err != nil {
		panic("proxy: internal error: " + err.Error()) // only for a size below one
	}
	r.lru = lru
	return r
}

func (r *replies) get(text string) (reply []byte, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lru.Get(text)
}

func (r *replies) put(text string, reply []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lru.Remove(text)
	r.bytes += len(text) + len(reply)
	r.lru.Add(text, reply)
	for r.bytes > maxReplyBytes {
		r.lru.RemoveOldest()
	}
}

// repeatQuery sends a lasting statement in place of the Query at hand, or shows what the server replied to the same text before. It is sent
// if the server must see it for something else: it ends a pipeline, or drops the unnamed prepared statement. array_nulls says how the
// server reads NULL in an array.
func (in *interceptor) repeatQuery(how *relay.Handling, text string) error {
	if len(text) > maxRepeatBytes || strings.Contains(text, "NULL") {
		in.unnamed = false
		return in.replaceQuery(how, text)
	}
	if reply, known := in.replies.get(text); known && !in.unnamed {
		if ok, err := in.inbound.Answer(append(how.Notice[:len(how.Notice):len(how.Notice)], reply...)); ok || err != nil {
			return err
		}
	}
	in.unnamed = false
	kept, replies := &relay.Transcript{Most: maxRepeatBytes}, in.replies
	how.Transcript, how.Done = kept, func(_ int, end relay.End) {
		if end == relay.Succeeded && kept.Bytes != nil {
			replies.put(text, kept.Bytes)
		}
	}
	return in.replaceQuery(how, text)
}
