// Package postgres keeps a ledger in a database of PostgreSQL, or of another server that speaks its protocol and locks rows, for any number of
// proxies.
//
// It guarantees that writers exclude one another by the row of head, which each locks FOR UPDATE, that a commit is on the server's disk before Write
// returns, and that a server which was set back or exchanged is refused: every lock proves that the last entry known here is there, with
// its hash. A commit whose reply was lost is reported as uncertain, and the next lock tells what came of it.
//
// Start at [Open]; groupcommit.go has lock and write, pool.go the connections that read, server.go what is required of a server, guard.go the file
// that remembers the ledger. A superuser of the server can rewrite the ledger; only the guard, or a head that was noted, shows that.
package postgres
