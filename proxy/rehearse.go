package proxy

import (
	"fmt"

	"tacit/rewrite"
)

// rehearse has the server parse the rest of a simple statement before anything is charged, so that a slip outside the counts (a
// function that does not exist, a column of the analyst's own table) costs nothing. What PostgreSQL finds only when it executes
// comes after the charge. In the extended protocol the client's own Parse has done this.
func (in *inbound) rehearse(rest *rewrite.Rest) error {
	q := in.s.replies
	if !q.inPipeline() {
		in.opened = true
	}
	parsed := &capture{}
	for _, how := range []request{{kind: parseRequest, how: &handling{capture: parsed}}, {kind: closeRequest, how: &handling{swallowed: true}}} {
		if err := q.push(how.kind, how.how); err != nil {
			return err
		}
	}
	in.questions++
	name := fmt.Sprintf("%s:%d", in.s.privateName, in.questions)
	messages := parseMessage{name: name, text: rest.WithParameters(1)}.append(nil)
	messages, mark := beginMessage(messages, 'C')
	messages = endMessage(appendString(append(messages, 'S'), name), mark)
	if err := in.flush(appendBare(messages, 'H')...); err != nil {
		return err
	}
	return q.await(parsed)
}
