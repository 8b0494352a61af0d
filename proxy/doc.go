// Package proxy accepts analysts' connections, relays ordinary statements untouched, and answers protected ones with sanitized cells.
//
// Each client has one connection to the server of its own, logged in under the analyst's own role. That role has no privilege on
// protected tables. So whatever this package or the parser gets wrong, the server still refuses. Against clients that send
// anything at all, and that go away at any moment, it guarantees:
//
//   - the server never sees a message that the proxy understood differently: what is not well-formed is refused, not forwarded;
//   - replies belong to requests: every reply is matched with what was asked. At the first that does not fit both sides are closed;
//   - a protected statement is replaced as a whole, or refused in sequence by an error of the server's own. What follows from an
//     error is as without the proxy;
//   - an answer is asked for once per execution (a Query, a Bind, an EXECUTE), never by Parse, Describe or EXPLAIN;
//   - memory per connection is bounded, before and after login, and so are the connections.
//
// The work is divided so that the compiler holds it apart:
//
//	serve.go, handshake.go  accept, log in         proxy/internal/wire   reads and writes single messages
//	client.go, auth.go      TLS, passwords         proxy/encryption      certificates
//	session.go, cancel.go   one analyst's session  proxy/internal/relay  carries bytes both ways, matches replies, knows no SQL
//	messages.go             the interceptor: what becomes of a message that holds a statement
//
// Start at [New], then session.go. For statements start at messages.go: query.go, script.go, parse.go and bind.go are the kinds of message,
// analyze.go asks package rewrite what a text is, preflight.go finds slips before a charge, answer.go asks the [Releaser].
//
// Left out: every form of pooling.
package proxy
