// Package terminal prints what others wrote, so that a terminal shows it and does not obey it.
//
// It guarantees that nothing reaches the terminal through a Writer but characters that print, line feeds and tabs: no escape sequences, no marks that turn the
// direction of writing, no characters without width. It is for text that analysts control, such as statements and names, against
// whoever would deceive the steward who reads it. It says nothing about whether what is printed may be known.
//
// Begin with Writer, through which all commands print.
package terminal
