// Package publish makes a sanitized copy of a protected table, which analysts may then query freely.
//
// It guarantees what an answer does: the loss is reserved durably before a protected row is read, stays spent whatever happens next, and the
// release is recorded before the table can be seen. What can be found out without a row is found out before anything is charged.
//
// Begin with [Publish]. sanitize.go runs the mechanisms of package mechanisms/microdata, which state their guarantees; publisher.go
// writes the table under the publisher's role. Errors are for the steward.
package publish
