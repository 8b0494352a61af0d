// Package pgerror is the error that an analyst sees in place of an answer: the fields of PostgreSQL's ErrorResponse.
//
// [Refusal] is one type for whoever refuses: rewrite, release and proxy. Its fields hold what the statement, the policy or the catalog
// says, never data, so that an error tells nothing of protected rows. Where PostgreSQL would refuse the statement too, the SQLSTATE and
// the message are its own; then clients that look at codes work as before.
//
// A [Form] is a refusal with places for what is different each time. The packages that refuse keep tables of them, so that
// a new refusal is one entry with its hint.
//
// [At] notes where in the statement the cause stands, as a byte offset; [Refusal.Place] turns that into the characters that
// PostgreSQL counts, once the statement was read.
package pgerror
