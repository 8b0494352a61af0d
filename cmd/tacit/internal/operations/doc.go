// Package operations shows operators how a running proxy is: metrics in the form of Prometheus, and two addresses by which a supervisor sees whether it
// lives and whether it can answer.
//
// It listens on an address of its own, apart from analysts'. Whatever goes wrong here touches no session. Against those who read it, it guarantees that
// no metric tells more of protected rows than the answers that analysts were given: there are no counts, no name of a question or of an
// analyst, and times that depend on rows are rounded up to one of a few bounds, in histograms and their sums alike (package stopwatch). What is
// left, that somebody asked something at some time, is for operators and not for analysts. So the address is this machine's own, or one where
// a certificate is asked for.
//
// Start at [New]. Left out: rates and alerts, which are made of these numbers by Prometheus: examples/operations has rules and a dashboard.
package operations
