package proxy

import (
	"context"

	"tacit/rewrite"
)

// maskQuery sends the masked text of a Query. One that has become too large goes as it was: the server denies it.
func (in *inbound) maskQuery(v *rewrite.Masked) error {
	var effects []*effect
	if v.Forget != nil {
		effects = append(effects, forgetting(v.Forget))
	}
	message := appendQuery(nil, v.Text)
	if !fitsMessage(len(message)) {
		return in.relayQuery(nil, effects...)
	}
	if in.concerned("") {
		effects = append(effects, &effect{always: true})
	}
	how := &handling{rewritten: true}
	if len(effects) > 0 {
		how = in.affecting(how, effects...)
	}
	return in.replace(queryRequest, how, message)
}

// maskParse sends the masked text of a Parse, with the types that the client declares. What is bound, described and executed then is
// the server's business, as with any statement.
func (in *inbound) maskParse(m parseMessage, v *rewrite.Masked) error {
	message := parseMessage{name: m.name, text: v.Text, paramOIDs: m.paramOIDs}.append(nil)
	if !fitsMessage(len(message)) {
		return in.relayParse(m.name, nil)
	}
	how := &handling{rewritten: true}
	if in.concerned(m.name) {
		how = in.affecting(how, &effect{name: m.name, always: m.name == ""})
	}
	return in.replace(parseRequest, how, message)
}

// report gets the rows of a statement's reports, before anything is charged for its counts. The error may be a *rewrite.Refusal.
func (in *inbound) report(v *rewrite.Answer) ([]*rewrite.Cells, error) {
	if len(v.Reports) == 0 {
		return nil, nil
	}
	var cells []*rewrite.Cells
	err := in.atDoor(func(ctx context.Context) (err error) {
		cells, err = in.s.proxy.door.Report(ctx, in.s.analyst, v.Reports)
		return err
	})
	return cells, err
}
