package proxy

import (
	"errors"
	"strconv"

	"tacit/rewrite"
)

// A question is what the proxy itself asks the server in the analyst's session, to judge or answer the message at hand: messages of
// the extended protocol, and the requests that they are. What they leave behind has names that no client can know, because
// they were drawn at random for the session.
type question struct {
	messages []byte
	kinds    []requestKind
}

func (q *question) parse(m parseMessage) {
	q.messages = m.append(q.messages)
	q.kinds = append(q.kinds, parseRequest)
}

func (q *question) bind(m bindMessage) {
	q.messages = m.appendWith(q.messages, nil)
	q.kinds = append(q.kinds, bindRequest)
}

func (q *question) execute(portal string) {
	m, mark := beginMessage(q.messages, 'E')
	q.messages = endMessage(append(appendString(m, portal), 0, 0, 0, 0), mark)
	q.kinds = append(q.kinds, executeRequest)
}

func (q *question) describeStatement(name string) { q.aim('D', 'S', name, describeStatementRequest) }
func (q *question) closePortal(name string)       { q.aim('C', 'P', name, closeRequest) }
func (q *question) closeStatement(name string)    { q.aim('C', 'S', name, closeRequest) }

// aim appends a Describe or Close.
func (q *question) aim(message, target byte, name string, kind requestKind) {
	m, mark := beginMessage(q.messages, message)
	q.messages = endMessage(appendString(append(m, target), name), mark)
	q.kinds = append(q.kinds, kind)
}

// parameter is how the n-th parameter is written.
func parameter(n int) string { return "$" + strconv.Itoa(n) }

// A capture is the reply to a question.
type capture struct {
	// apart: the question was put outside of the client's pipeline.
	apart bool
	rows  [][]byte // bodies of DataRow
	// params is the body of the last ParameterDescription.
	params []byte
	// owed counts the requests that were not replied to in full.
	owed int
	// failed is set when the server raised an error; then failure is what it sent if the question was put apart.
	failed  bool
	failure failure
}

// A failure is returned when the server raised an error at a question of the proxy's own.
type failure struct {
	code string // SQLSTATE
	// response is the ErrorResponse. It is nil if the client has seen it, in its pipeline, which the server skips from there on.
	response []byte
}

func (f failure) Error() string {
	return "the server raised an error " + f.code + " at the proxy's own question"
}

// put puts a question to the server and waits for the whole reply. Everything sent before must have been replied to.
//
// In the middle of the client's pipeline the question becomes a part of it, with its transaction and its errors. Anywhere else it
// ends with a Sync of its own, so that nothing of it stays open: the client's message, and the count before it, find the session
// as if nothing had been asked. There the client sees nothing of an error, which failAs makes that of its message.
func (in *inbound) put(ask question) (rows [][]byte, err error) {
	c, err := in.putAll(ask)
	return c.rows, err
}

// putAll is put with the whole of the reply that is kept. It is valid if err is nil.
func (in *inbound) putAll(ask question) (*capture, error) {
	q := in.s.replies
	end, kinds := byte('H'), ask.kinds
	apart := !q.inPipeline()
	if apart {
		end, kinds = 'S', append(kinds, syncRequest)
	}
	c := &capture{apart: apart, owed: len(kinds)}
	how := &handling{capture: c}
	for _, kind := range kinds {
		if err := q.push(kind, how); err != nil {
			return c, err
		}
	}
	if err := in.flush(appendBare(ask.messages, end)...); err != nil {
		return c, err
	}
	return c, q.await(c)
}

// await waits for the reply to a question.
func (q *replies) await(c *capture) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for c.owed > 0 && !q.ended {
		q.changed.Wait()
	}
	switch {
	case q.ended:
		return errEnded
	case c.failed:
		return c.failure
	}
	return nil
}

// take takes a message of the reply. The caller holds replies.mu.
func (c *capture) take(kind byte, body []byte) {
	switch kind {
	case 'D':
		c.rows = append(c.rows, append([]byte(nil), body...))
	case 't':
		c.params = append([]byte(nil), body...)
	}
}

// fail takes an error, body being the whole of it or, if it is very long, its beginning. The caller holds replies.mu.
func (c *capture) fail(code string, body []byte, whole bool) {
	c.failure.code = code
	switch {
	case !c.apart:
	case whole:
		c.failure.response = withoutPosition(nil, body)
	default:
		c.failure.response = appendError(nil, "ERROR", &rewrite.Refusal{Code: code, Message: "the server's error is too long to be shown"})
	}
}

// failAs makes a failed question the failure of the message at r, which it was asked for. Other errors go on.
func (in *inbound) failAs(kind requestKind, err error) error {
	var f failure
	switch {
	case !errors.As(err, &f):
		return err
	case f.response != nil:
		return in.substitute(kind, &handling{failure: f.response})
	case kind == queryRequest: // which has a ReadyForQuery although the pipeline before it has failed
		return in.replace(syncRequest, nil, appendBare(nil, 'S'))
	}
	return errSkipped
}
