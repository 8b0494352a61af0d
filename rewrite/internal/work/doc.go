// Package work tells how much work a function can be for one row, from the greatest lengths of the texts, and the most digits of the decimals, that it is applied to. Package expr adds it up over a
// statement, and refuses what is too much. So no row makes a count last so long that the time, or the end of its time, tells of it.
//
// It is counted in atoms, of which a comparison is one. An atom of work is about a microsecond on the worst text, as measured with PostgreSQL 15 on two cores
// of 2024; a statement has some 50,000. What a function takes beside reading its texts is not counted here.
//
// Begin with [OfCall]. Regular expressions are counted by package pattern.
package work
