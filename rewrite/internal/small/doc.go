// Package small prints conditions, in the curator's SQL, by which documents, arrays and texts count as NULL that are longer than what functions take, and intervals that they cannot take apart. So no
// value makes a count fail, or take long.
//
// Documents and arrays are never written as texts for that: a document of 100 kB can have a text of more than the gigabyte that the server can hold. Begin
// with [Value].
package small
