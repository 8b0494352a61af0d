// Package scan looks at the text of a statement before the C parser does.
//
// Against an analyst who may send any text it guarantees that what passes [CheckText] neither overflows the parser's stack nor takes
// longer than a fraction of a second: it bounds bytes, tokens and nesting, and refuses text that is no UTF-8. scan.go estimates from
// above how deep the tree will be. The [Scanner] also finds words outside of strings and comments, for those who look
// for names without parsing; ascii.go folds case as the server does.
//
// It does not say whether a text is SQL: the parser does.
package scan
