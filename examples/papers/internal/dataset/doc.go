// Package dataset reads the data sets that the papers' results are regenerated from. What is wrong with a file is reported with its path and line,
// because the usual mistake is to name another folder, or a file of the same name that was processed otherwise.
//
// Start at [Read]. Left out: what the columns mean, which each paper's package knows.
package dataset
