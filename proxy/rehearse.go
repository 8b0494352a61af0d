package proxy

import "tacit/rewrite"

// rehearse has the server parse what it can of a simple statement before anything is charged, so that a slip outside the counts (a
// function that does not exist, a column of the analyst's own table) costs nothing. What PostgreSQL finds only when it executes
// comes after the charge. In the extended protocol the client's own Parse has done this.
func (in *inbound) rehearse(v *rewrite.Answer) error {
	ask := in.rehearsal(v)
	in.try(&ask, v)
	_, err := in.put(ask)
	return err
}

// rehearsal is the question whether the server can parse a statement.
func (in *inbound) rehearsal(v *rewrite.Answer) (ask question) {
	name := in.ownName()
	ask.parse(parseMessage{name: name, text: v.Rehearsal.WithParameters(v.Params + 1), paramOIDs: v.ParamOIDs})
	ask.closeStatement(name)
	return ask
}

// try adds to a question what shows whether the server would refuse a cursor or a COPY for something else than its query.
func (in *inbound) try(ask *question, v *rewrite.Answer) {
	for _, text := range v.Trial {
		in.performs(ask, text)
	}
}

// performs adds a statement to a question, to be run and forgotten.
func (in *inbound) performs(ask *question, text string) {
	name := in.ownName()
	ask.parse(parseMessage{name: name, text: text})
	ask.bind(bindMessage{portal: name, name: name, results: []byte{0, 0}})
	ask.execute(name)
	ask.closePortal(name)
	ask.closeStatement(name)
}

// rehearseBind is rehearse for what the client's own Parse has left out.
func (in *inbound) rehearseBind(v *rewrite.Answer) error {
	var ask question
	if v.Inline {
		ask = in.rehearsal(v)
	}
	in.try(&ask, v)
	if len(ask.kinds) == 0 {
		return nil
	}
	_, err := in.put(ask)
	return err
}
