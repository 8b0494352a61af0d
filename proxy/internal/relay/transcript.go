package relay

// A Transcript keeps the reply to a request, as the server has sent it: the description of its rows, the rows, and the tag.
type Transcript struct {
	// Most is how many bytes are kept at most. Required.
	Most int
	// Bytes is the reply up to its ReadyForQuery, once Handling.Done was called. It is nil if there was anything else in it, or too much.
	Bytes []byte

	spoiled bool
}

// wants says whether a message of a size is to be kept. What is not, but for the end of the reply, spoils it. The caller holds replies.mu.
func (t *Transcript) wants(kind byte, size int) bool {
	switch {
	case t == nil || t.spoiled || kind == 'Z':
		return false
	case kind != 'T' && kind != 'D' && kind != 'C' || len(t.Bytes)+size > t.Most:
		t.spoiled, t.Bytes = true, nil
		return false
	}
	return true
}

// take keeps a message. The caller holds replies.mu.
func (t *Transcript) take(message []byte) { t.Bytes = append(t.Bytes, message...) }
