// Package limited bounds the connections of a listener of web pages: together, and from one address. Who has had their share is
// disconnected at once, so that one client does not keep others out; beyond the bound of all, others wait to be accepted. It also says by which names this
// machine is reached, so that no page elsewhere passes for one of them. Start at Listener.
package limited
