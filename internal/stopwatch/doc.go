// Package stopwatch measures what the phases of one statement take: the ledger's commits, and the curator's counts.
//
// A [Watch] travels in a context, so that the packages that do the work need not know who wants to know. Without one nothing is measured. What a
// count takes tells of the rows that it reads. So [Coarse] rounds such times up, and everything that leaves the process goes through it: neither
// metrics nor the log tell an operator more of a count than which of a few bounds it kept. Against the analyst herself this does nothing: she
// sees how long her own answer takes.
//
// Start at [Start]. [WaitUntil] is for what is told at set times, so that it does not tell how long it took. Left out: histograms and logging, which are the proxy's and the program's.
package stopwatch
