// Package marginals measures the workload of a table, and answers counts that follow from what was measured.
//
// It guarantees that a measurement costs at most the loss that the policy gives for it, under the table's adjacency: each row is counted in one cell of
// the full table of the workload's columns, or in none, and what is released are noisy residuals of the marginals (see package mechanisms/residual). What it
// says of the errors of counts holds for every sum of cells, whose noises are not independent. Nothing of it depends on rows but the
// integers that were released.
//
// Begin with [New] in workload.go: what is measured, by which question, and what it costs. [Workload.Measure] counts; measured.go has what is
// recorded, found.go finds it again, and derive.go the counts that follow from it.
//
// It leaves out tables in which a person has several rows, tables with blocks, and keys that are computed: the policy has none of them. Whoever
// calls Measure has reserved the loss before, and records what it returns before anything is shown.
package marginals
