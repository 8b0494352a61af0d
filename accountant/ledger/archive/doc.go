// Package archive writes a ledger's entries as lines of JSON, and reads them.
//
// It guarantees that a line has all that the hash of its entry covers, so that whoever has the lines can follow the chain again: [Append] refuses what
// would be read otherwise than it was written. A line is bounded when it is read ([Reader]), and has the fields that are written here, each once and in their order. The fields of
// a line never change; there may be more of them.
//
// Start at line.go, which has the fields. What the lines say together, ledger.VerifyEntries checks. Left out are the rows of proxies, which are in no
// chain, and a mark at the end: an archive whose last lines are missing is a shorter ledger, which only a head that was noted tells.
package archive
