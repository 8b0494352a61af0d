// Package quickstart holds a small example to try tacit on and to copy from: real data, roles and a policy. `tacit demo` plays with it.
//
// Start at policy.yaml, which explains each of its lines. README.md tells where the data comes from. The roles are made for a throwaway
// server on this machine, which lets everybody in: what to do on a server of your own stands in docs/steward.md.
package quickstart
