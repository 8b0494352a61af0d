// Package limits bounds the sessions of analysts, and keeps descriptors back by which a client can be told that there are none.
//
// Against an analyst, or a program, that connects without end it guarantees that others still get in: nobody has more than her share, nor one address
// more than its own, and places that are reserved are taken by those alone whom the policy names. Whoever is refused is told which of the bounds it
// was. Whatever is taken is given back once, by whoever took it.
//
// Start at [Sessions.Take]; [Spares] are the descriptors. Left out: connections that are not logged in, which package proxy bounds by itself, and
// what statements may take.
package limits
