// Package listener has clients connect: at the addresses of the policy, at sockets that systemd or another process hands over, and behind load balancers
// that say in the PROXY protocol on whose behalf they connect.
//
// It guarantees that nothing listens where the policy does not say so, that a connection is believed to come from elsewhere only if a balancer of
// the policy says so, and that the account behind a socket of this machine is what the kernel says. It leaves out who may log in and how many may
// connect. Start at Open.
package listener
