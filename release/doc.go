// Package release is the only way from protected rows to an analyst.
//
// [Gateway.Answer] takes the count queries of one statement and returns sanitized cells. It guarantees, against an analyst who
// chooses statements adaptively and may crash or disconnect at any moment:
//
//   - a question for which a release was made is answered from the ledger, word for word (replay);
//   - one that follows from releases of others is computed of these (derivation);
//   - both are free, but not made where a younger answer is wanted: by the table's replay, by tacit.max_age, or by tacit.fresh, which wants a new one;
//   - a derived count is the mean of all releases from which it follows, weighted by how exact they are;
//   - a derived answer is the same again until what is recorded gives one that is more exact by one part in twenty, or a source is too old;
//   - of a table with blocks, a count by their column may be answered in parts: some are replayed or derived, and the rest is charged to its own blocks;
//   - for everything else the loss is durably reserved before any protected row is read, and stays spent whatever happens next;
//   - the cells that come back were decided by declared domains or by a private threshold, and their counts are noisy;
//   - they are durably recorded before they are returned;
//   - nothing else computed from protected rows comes back: errors of the curator's connection become one fixed refusal.
//
// Where the policy wants it told how much a person's bounds leave out, that is a question of its own beside each new one, with a loss of its own.
//
// Counts of an audited table (policy.Audit) are not noisy but exact, or suppressed. Of these it guarantees, under the assumptions that
// package auditor states, of the prior and of what is public:
//
//   - what is shown is decided from public facts and from what was shown before, by code that has no count in reach;
//   - who has these can make each decision again (seal.Replay), so that a suppression says nothing;
//   - a decision is durably recorded with its risk, behind the history that it was made on, before a protected row is read;
//   - that risk stays spent;
//   - a count is opened only with the record of its own decision in hand, once;
//   - what was opened is durably recorded before it is returned, and is part of the history of all analysts from then on;
//   - all risks of a table together, its certified plan's included, are no more than its delta.
//
// Protected tables are open only while curator.CheckSeparation finds the analysts' roles and the curator's role apart on the live catalog.
//
// Begin with gateway.go: it gives the queries of a statement to release/internal/noisy and release/internal/audited. The steward's
// commands are release/publish, release/seal and release/assess. What a question is stands in package rewrite, what it costs in
// mechanisms and accountant. How long a count takes is not hidden (docs/privacy.md).
package release
