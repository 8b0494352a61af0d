// Package address reads where a policy has clients connect, and from where proxies in front may come. It reads texts alone: nothing is looked up and no
// file is touched, so that a policy is the same on every machine. Who may listen where, package policy says. Start at Check.
package address
