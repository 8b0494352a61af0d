// Package history keeps the released sums of a table, and says what they determine and what they link.
//
// It guarantees that what it calls known follows from the public sizes and the released sums alone: it has no priors, sees no count
// that was not released, and knows no probabilities. People in exactly the same sums make up a [Block]; blocks that linked sums tie
// together make up a [Part]; given the released sums, parts and single blocks are independent of one another.
//
// Start at [History.Shape], which divides a question into what is known of its answer and the pieces of blocks that are open, and at
// [History.Release], which adds an answer. Left out: what an answer would tell, and whether it may be released, which are matters of
// package auditor; and the conclusions of integer programming, beyond linear algebra and the bounds of single sums.
package history
