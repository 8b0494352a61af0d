// Package cells has the cells of a count query as they are recorded: a [Released] is all that a replay needs, stored as JSON in the ledger.
//
// It guarantees that a damaged payload is refused and not shown, and that the number under a suppressed count is not stored. It knows neither
// mechanisms nor the ledger's order of things; cells.go names and orders cells, released.go and storedcounts.go are the stored form.
package cells
