// Package setting reads the values of the proxy's own settings, tacit.max_age and the like.
//
// It guarantees that a value means what the error for another value says, whoever reads it: [Check] refuses SET of a value in package rewrite
// before the server takes it, and package proxy reads what the server keeps with the same functions, [ReadMaxAge] and [ReadWithin]. What is none of
// the proxy's settings is the server's, and allowed here.
//
// It does not know sessions: what a setting does to a question is for packages proxy and release.
package setting
