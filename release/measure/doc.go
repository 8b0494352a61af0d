// Package measure is tacit measure: it measures the workload of a table for the steward.
//
// It guarantees that nothing is read before the roles are known to be separate and the loss is reserved durably, and that what was measured is
// recorded before the command ends. Proxies that run meanwhile answer of it from their next statement on. A crash after the reservation leaves
// it spent, and the next measurement under the same policy takes it over. Start at [Measure].
package measure
