// Package relay carries messages between one client and its own connection to the server, byte for byte. It knows the protocol and no SQL:
// what becomes of a message that holds a statement an Interceptor says, which the relay calls and knows nothing else of. Against
// clients that send anything at all, and that go away at any moment, it guarantees:
//
//   - replies belong to requests: every reply is matched with what was sent, and at the first that does not fit both sides are closed;
//   - what the interceptor hides, puts in or replaces stands at the place of the message that it belongs to;
//   - memory is bounded: a buffer grows no faster than data come, and requests that wait for a reply are counted;
//   - neither direction waits for the other's peer, but that the sender of too many requests waits for their replies.
//
// Start at inbound.go, the way to the server, then outbound.go, the way back; replies.go ties them together. A message is relayed
// without being decoded or copied: 87 µs for 64 executions that return ten rows each, where pgproto3's Backend and Frontend take
// 480 µs and 208 allocations (BenchmarkForward), so that this walk is our own.
//
// Left out: logging in, what statements mean, and what a client is told when its session ends.
package relay
