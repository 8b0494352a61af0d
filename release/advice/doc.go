// Package advice tells stewards which one finer release would have answered most of what analysts were charged for on a table, and what it would have saved.
//
// It guarantees that it reads the ledger alone: no protected row, and of answers only what was shown. It charges nothing. What it says of losses is
// what the table's rule says of them. It is about the past. Which workload would have served the same questions, package workloads says. Begin with [Advise].
package advice
