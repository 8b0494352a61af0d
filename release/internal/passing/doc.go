// Package passing tells how many declared values of a column, and which, pass the conditions of a question, without asking the server.
//
// It guarantees an upper bound: a condition that is not understood here lets all values pass. So a steward is told that answers which add up
// cells are noisier than they would be, and never less. It is for advice; what follows from what is decided elsewhere. Start at Conditions and Places.
package passing
