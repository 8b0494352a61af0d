// Package scram says whether a text is a SCRAM-SHA-256 verifier in PostgreSQL's form. It guarantees that its errors do not repeat the text, which may be a
// password in clear. Start at CheckVerifier.
package scram
