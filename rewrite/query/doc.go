// Package query is a count query: what is counted of a protected table for one sub-select of a statement.
//
// Package rewrite makes a [CountQuery]; [CountQuery.Bind] gives its parameters their values. Of the [BoundQuery] this package says
//
//   - what identifies a count ([BoundQuery.Question]): equal texts are one question, which is charged once;
//   - how much one person changes it ([BoundQuery.Sensitivity]), with the proof beside it in person.go;
//   - with which SQL the curator counts ([BoundQuery.CountSQL]);
//   - with which it finds the cells that there can be ([BoundQuery.DomainSQL], [BoundQuery.CellsSQL]);
//   - with which it tells whom a count of an audited table counts ([BoundQuery.MembershipSQL]);
//   - which values keys are known to have, though they are not declared ([KeyGroup]);
//   - which blocks of the table it reads ([BoundQuery.Blocks]), so that disjoint ones are charged in parallel;
//   - whether it follows from a count that was recorded ([Shape.Derive]), and then costs nothing;
//   - from when on a count of its days may be used for it ([BoundQuery.FinalSince]).
//
// The curator's SQL cannot raise an error that depends on a row. It has every constant as an argument, and names everything with its schema.
// Texts and shapes are kept in ledgers, and never change.
//
// Nothing here runs a statement, makes noise or knows a budget: package release does.
package query
