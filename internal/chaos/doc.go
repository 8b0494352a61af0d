// Package chaos breaks everything that a shared ledger stands on, while analysts ask, and counts afterwards.
//
// Several real proxies, processes of `tacit serve`, share one ledger in PostgreSQL. Analysts ask all of them, old questions and new ones,
// often the same new one at the same moment. Meanwhile, at random moments, proxies are killed (SIGKILL) or stopped for longer than the
// others wait for them, the ledger's server is killed with all its children, connections to it are cut after any number of bytes or fall
// silent, and its disk fills up; and a steward grants, freezes, thaws and opens epochs. When all of that is over:
//
//   - a question that was answered has one answer, the same from every proxy at every time, and it is in the ledger, byte for byte;
//   - analysts were answered meanwhile, too, but for what was broken just then;
//   - a question about two tables was charged to both, and its answer recorded of both;
//   - every act of the steward that was acknowledged is in the ledger, once;
//   - every question was charged once: the charges are as many as the questions that were answered, and those that stay open, each of
//     which is explained by a statement that was cut off;
//   - no budget is exceeded, although one of them is fought for until nothing is left;
//   - `tacit verify` finds nothing.
//
// `make test` breaks each kind of thing once, with -short, but for the slowest: a proxy that is stopped for longer than the others wait.
// Without -short this happens at 20 moments, all kinds among them, and with `make chaos` at 200 and more. The seed is printed, and -seed
// repeats the same faults in the same order; when the processes get around to what they do is the machine's choice.
//
// No audited table is among them: its rounds are one after the other, and are broken in the tests of package accountant.
//
// TestCuratorWireBreaks and TestCuratorWireFallsSilent disturb the connections by which protected tables are counted, byte by byte and phase by phase, and count afterwards, too.
//
// TestSoak breaks nothing. It has one proxy answer, replay, relay, refuse, cancel, reload, and lose clients, for five seconds or, with `make soak`, for an hour,
// and looks that nothing is left behind.
//
// It is all in tests: start at TestChaos.
package chaos
