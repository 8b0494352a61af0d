// Package edit changes single values in the text of a policy file, and leaves every other byte as it is, comments included. A change that
// would alter anything else of what the policy says is refused. Start at [Certified] or [Workload], which say what is changed and where;
// edit.go changes it.
package edit
