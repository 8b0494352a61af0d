// Package memory admits what takes much memory out of one budget of bytes, the limits.memory of the policy.
//
// It guarantees that what is admitted at one time never exceeds the budget, nor what one statement is admitted its share, and that a statement gives
// back all it was admitted when it ends. Against whom: analysts whose statements cost nothing, such as EXPLAIN, and who could fill the
// memory of the proxy with them.
//
// Start at [Budget.Begin]. It leaves out what is bounded elsewhere: the buffers of connections, and the texts of statements. Bytes are estimated from
// above, from what is kept; garbage is the business of Go's own limit, which is set from the same figure.
package memory
