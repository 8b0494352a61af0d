// Package draft writes the first version of a policy from the catalog, for a steward to edit.
//
// It guarantees that nothing in a draft depends on a row: it goes by types, enums, CHECK constraints and foreign keys, which whoever designed
// the tables wrote down. So a draft may be shown to anybody who may see the tables' definitions, and its domains are as good as they are. What
// the catalog cannot know (who a person is, what an epsilon is worth, who the analysts are) is marked FILL, and a draft is no valid policy
// until all marks are filled.
//
// Begin with [Policy], then checks.go, which reads domains out of constraints. It leaves out whether a policy fits its database: tacit check.
package draft
