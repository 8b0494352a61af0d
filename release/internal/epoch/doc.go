// Package epoch has the public facts of a sealed table: which combinations of public columns its people have, how many people each has, and
// by which transactions their rows are told from later ones.
//
// It guarantees that counts of an epoch are of exactly the rows that were there when it was sealed: rows that came later are left out, and if
// rows are gone, or the table is another or elsewhere, reading fails with [ErrOver], [ErrElsewhere] or [ErrOld].
//
// Begin with [PublicFacts], then read.go and place.go. What is decided about the counts stands in package auditor, who opens an epoch in
// package seal.
package epoch
