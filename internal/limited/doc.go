// Package limited bounds the connections of a listener of web pages: together, and from one address. Where there is no room, a connection that waits for a
// request makes room for a new one, so that no client keeps others out by sending nothing or half a request. It also says by which names this machine is
// reached, so that no page elsewhere passes for one of them. Start at Listener.
package limited
