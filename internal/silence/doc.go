// Package silence makes connections to servers that end when nobody is at the other end, though no packet says so.
//
// Without it a program waits for minutes for a machine that has vanished, and for ever for one whose machine acknowledges what a dead program is sent. [Dialer] has TCP find out the
// former. [Bounded] ends a connection on which a reply is awaited for longer than the caller knows that one can take: that is the caller's to say. What is sent is not bounded, nor a
// reply that comes slowly. Nothing here defends against a server that lies.
//
// Start at [Dialer] and at [Bounded]. Left out: whether what was asked is asked again, which is for whoever asked.
package silence
