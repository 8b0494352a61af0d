// Package repeats keeps a log readable while the same goes wrong again and again: while protected tables are closed, every statement about them
// is refused for one reason.
//
// Of equal lines the first is written at once, and the others are counted; the count is written a minute later, for as long as they come, and at the
// end. Nothing is left out without being counted. Memory is bounded: when too many different lines are remembered, new ones are written as they come.
// Start at [Log].
//
// Left out: what is written once anyway. Which lines are equal is the caller's to say.
package repeats
