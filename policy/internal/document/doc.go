// Package document reads a policy file as a tree of values, each with its line and its key, and collects what is wrong with it.
//
// Against whoever writes a policy file it guarantees that what a reader sees is what there is: values as they stand in the file, no anchors, tags or
// merged keys, no key twice; and that no file takes it long or deep (nesting.go). It leaves out what the keys mean, which package policy says.
// Start at Decoder.Read and Decoder.Object.
package document
