// Package noisy answers count queries about tables whose counts a mechanism sanitizes.
//
// Against an analyst who chooses statements adaptively and may disconnect at any moment it guarantees:
//
//   - a question for which a release was recorded is answered from the ledger, word for word and free of charge;
//   - one that follows from releases of others is computed of these, free of charge;
//   - otherwise its loss is reserved durably before a row is read, and stays spent whatever happens next: the count takes the reservation;
//   - cells come from declared domains or pass a private threshold, their counts are noisy, and they are recorded before they are shown.
//
// Begin with [Answerer.Answer] in answer.go. The order is plan.go (which cells and questions), reserve.go, count.go, and retry.go for
// several proxies on one ledger; derive.go computes answers of earlier releases. What a question is stands in package rewrite, what it costs
// in mechanisms and accountant.
package noisy
