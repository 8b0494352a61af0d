package proxy

import "tacit/rewrite"

// rehearse has the server parse the rest of a simple statement before anything is charged, so that a slip outside the counts (a
// function that does not exist, a column of the analyst's own table) costs nothing. What PostgreSQL finds only when it executes
// comes after the charge. In the extended protocol the client's own Parse has done this.
func (in *inbound) rehearse(rest *rewrite.Rest) error {
	name := in.ownName()
	var ask question
	ask.parse(parseMessage{name: name, text: rest.WithParameters(1)})
	ask.closeStatement(name)
	_, err := in.put(ask)
	return err
}
