// Package live has what answers are made under: a [State] is the policy, the catalog and the mechanisms, and a [Monitor] says which State
// is in force, holds the ledger, and closes protected tables when a check fails.
//
// Against a server or a ledger that changes while the proxy runs it guarantees that protected tables are open only while the separation of
// the roles was confirmed some minutes ago at most, the ledger can be used and is out of analysts' reach, and no count has failed in a way
// that could tell of a row.
//
// Begin with monitor.go. noise.go and terms.go say which mechanism a query has, accounting.go how losses add up. Who answers queries are
// the packages noisy and audited.
package live
