// Package wire reads and writes the messages of PostgreSQL's protocol, version 3, as strictly as the server does: a message that is not
// well-formed is an error, so that the proxy and the server cannot understand it differently. It guards against clients that send
// anything at all; every count is checked against the bytes that are there before anything is allocated for it.
//
// What is written is encoded by pgproto3, which measures the same as code of our own. What is read on the path of every message is decoded
// here (see message.go for the figures). Start at frame.go for the layout of a message, at startup.go for a connection's first packet.
//
// Left out: connections, and what a message leads to (see package relay).
package wire
