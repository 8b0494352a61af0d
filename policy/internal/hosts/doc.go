// Package hosts tells which servers a connection string names, and whether one of them is another machine.
//
// It guarantees that what it cannot read counts as another machine, so that a steward is told too often rather than too seldom that a server is not
// verified. It asks no resolver: a name of this machine other than localhost counts as another machine. Start at Elsewhere.
package hosts
