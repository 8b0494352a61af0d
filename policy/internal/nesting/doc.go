// Package nesting tells how deep a parser of YAML may go down at a token, before the parser is given the text.
//
// Against whoever writes a policy file it guarantees that a depth is never less than the parser's, also where the file is no YAML. What
// anchors, tags and the like add is told apart. It leaves out how deep a file may be, which package policy says. Start at Nesting.
package nesting
