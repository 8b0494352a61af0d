// Package curator holds the login that may read protected rows, and proves that analysts cannot read them in another way.
//
// Against an analyst who may own objects in the same database it guarantees:
//
//   - [CheckSeparation] finds, on the live catalog, every way in which the roles of analysts reach protected rows or have code run by a role
//     that does; [HardeningSQL] is the script that closes them;
//   - the connections are read-only and run plans that leave no trace of single rows (see settings), and only SQL that this program wrote;
//   - protected rows are read by the functions of count.go alone. For an analyst's answer these demand the reservation that pays for it,
//     which only a durable charge makes. The steward's commands read through an [Inspection].
//
// Begin with [Curator], then count.go. The checks are written in separation.sql, one query for each finding. Declared domains and the columns
// of tables are read by catalog.go; they depend on the policy, on public tables and on the catalog, never on a protected row.
//
// It leaves out what the server does not show: how roles authenticate, other databases, and copies of rows that no dependency records. How
// long a count takes is not hidden (docs/privacy.md).
package curator
