// Package encryption is the proxy's side of TLS: its certificate, whose certificates it takes, and whom these name.
//
// Against somebody on the network between an analyst and the proxy it guarantees what TLS does, from version 1.2 on: nobody reads or changes what
// is sent. What was sent in clear before a handshake is never taken for a part of what follows it ([Pending]). Sessions are not resumed, so that
// each connection shows its certificate to the authorities that are in force now.
//
// A [Server] never changes. Who renews certificates loads another one: see [Server.Changed]. Start at [Load].
//
// Left out: the messages of PostgreSQL's protocol that lead to a handshake, which are package proxy's, and lists of revoked certificates: an
// analyst whose certificate is lost is taken out of the policy.
package encryption
