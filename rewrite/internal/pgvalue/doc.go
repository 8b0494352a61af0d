// Package pgvalue reads values of PostgreSQL's built-in types as the server reads them.
//
// types.go lists the types whose equality and order are known exactly. [ReadDatum] brings a constant to a canonical form: two of one type
// are equal to the server if and only if their texts are. It reads less than the server where the meaning of a text depends on
// settings or on the server's version, and refuses with the server's own error where the server would. literal.go has constants as
// statements write them, decode.go the binary values of a Bind message, array.go arrays, interval.go intervals, and quote.go names
// and strings in SQL.
//
// Whoever sends a Bind message chooses its bytes, so decoders bound every count before they allocate. Collations are left
// out: they may equate different texts.
package pgvalue
