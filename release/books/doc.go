// Package books shows the ledger's books: how tables and analysts stand ([Read], [Line]), and entries of the log ([LogLine]), as text and for programs.
//
// It guarantees that the commands and the console say the same: what was spent is rounded up and what is left down, to the same number of digits, and an
// amount that a budget does not name is not shown. It reads the ledger alone, so that no protected row and no true count can be in what it makes. Texts of
// analysts are shortened and escaped here as a terminal needs it; a page escapes them once more.
//
// It leaves out how much is read: see ledger.LogFilter. Start at Read.
package books
