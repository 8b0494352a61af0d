// Package fingerprints remembers the fingerprints of statements' texts for the lines of the log: a fingerprint has nothing of a text's constants, and takes a
// parse to make.
//
// Memory is bounded: of each text a hash is kept, and the texts that were asked about least lately are forgotten. Start at [Cache].
//
// Left out: what a fingerprint is. That is [tacit/rewrite.Fingerprint]'s to say.
package fingerprints
