// Package workloads tells stewards about the workloads of their tables: which of a policy are never measured, and which one would have served what
// analysts asked.
//
// It guarantees that what it says of costs is what the ledger would charge by the table's rule, and that it reads the policy, the catalog and the
// ledger alone: no protected row, and no recorded count. It charges nothing. What it says of errors is in closed form, from the numbers of declared
// values. It leaves out what is measured and how, which package release/internal/marginals has. Start at Problems and Propose.
package workloads
