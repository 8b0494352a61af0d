package proxy

import (
	"errors"
	"log/slog"
	"time"

	"tacit/accountant"
	"tacit/internal/stopwatch"
	"tacit/proxy/internal/relay"
	"tacit/release"
	"tacit/rewrite/pgerror"
)

// This file tells operators what becomes of protected statements: one line of the log for each, and what an Observer counts. The invariant: neither holds
// anything of a statement but its fingerprint, nor a number of an answer, and times that could tell of rows are rounded up to one of a few
// bounds. Start at interceptor.conclude.

// An Observer counts. Its methods are called by all sessions at once.
type Observer interface {
	// Statement is called for each protected statement that was answered, explained or refused, and for the reports.
	Statement(Statement)
	// Judged is called when it was found out what a text is, in so long. A remembered verdict was found out before.
	Judged(took time.Duration, remembered bool)
}

// A Statement is what operators are told of a protected statement.
type Statement struct {
	Outcome Outcome
	Code    string // SQLSTATE; empty if it was answered
	// Ledger is what its commits took. Curator and Whole are rounded up by stopwatch.Coarse; Curator is 0 if nothing was counted.
	Ledger, Curator, Whole time.Duration
}

// An Outcome is what became of a statement.
type Outcome string

const (
	Charged   Outcome = "charged"
	Decided   Outcome = "decided"  // by an auditor, at no cost
	Derived   Outcome = "derived"  // of what is in the ledger
	Replayed  Outcome = "replayed" // from the ledger
	Listed    Outcome = "listed"   // values of keys, or reports: nothing was counted
	Explained Outcome = "explained"
	Refused   Outcome = "refused"
	Cancelled Outcome = "cancelled" // by the analyst, or her statement_timeout
	Failed    Outcome = "failed"
)

// Outcomes are all of them.
var Outcomes = []Outcome{Charged, Decided, Derived, Replayed, Listed, Explained, Refused, Cancelled, Failed}

// unobserved counts nothing.
type unobserved struct{}

func (unobserved) Statement(Statement)        {}
func (unobserved) Judged(time.Duration, bool) {}

// conclude is called with what became of a statement, before its client is told: it has that wait as the policy says, and tells operators.
func (in *interceptor) conclude(text string, outcome Outcome, receipt *release.Receipt, err error) {
	if errors.Is(err, relay.ErrEnded) {
		return // nobody sees it, and whoever asks the same again is counted
	}
	id := in.requestID()
	in.request = accountant.Request{}
	s := Statement{Outcome: outcome, Ledger: in.watch.Spent(stopwatch.Ledger),
		Curator: stopwatch.Coarse(in.watch.Spent(stopwatch.Curator)), Whole: stopwatch.Coarse(in.watch.Whole())}
	var r *pgerror.Refusal
	switch {
	case err == nil:
	case !errors.As(err, &r):
		s.Outcome = Failed
	default:
		s.Outcome, s.Code = outcomeOf(r), r.Code
	}
	in.observer.Statement(s)
	in.spoken++
	_ = in.pace(in.ctx) // or the session ends
	if !in.log.Enabled(in.ctx, slog.LevelInfo) {
		return
	}
	attributes := []any{"request", id.String(), "fingerprint", in.fingerprints.Of(text, in.limits()), "verdict", string(s.Outcome)}
	if s.Code != "" {
		attributes = append(attributes, "sqlstate", s.Code)
	}
	attributes = append(attributes, costOf(receipt)...)
	attributes = append(attributes, "ledger", s.Ledger.Round(time.Microsecond), "curator_at_most", s.Curator, "whole_at_most", s.Whole)
	in.log.Info("statement", attributes...)
}

func outcomeOf(r *pgerror.Refusal) Outcome {
	switch {
	case r == errInternal:
		return Failed
	case r.Code == errCancelled.Code:
		return Cancelled
	}
	return Refused
}

// outcomeIn is the outcome of a statement with a receipt.
func outcomeIn(r *release.Receipt) Outcome {
	if r == nil || len(r.Lines) == 0 {
		return Listed
	}
	outcome := Replayed
	for i := range r.Lines {
		switch l := &r.Lines[i]; {
		case l.Charged != accountant.Loss{} || l.New > 0 || l.Audit != nil && l.Audit.Spent > 0:
			return Charged
		case l.Audit != nil:
			outcome = Decided
		case l.Derived != nil && outcome == Replayed:
			outcome = Derived
		}
	}
	return outcome
}

// costOf are the losses of a receipt, a table each.
func costOf(r *release.Receipt) (attributes []any) {
	if r == nil {
		return nil
	}
	for i := range r.Lines {
		l := &r.Lines[i]
		cost := l.Charged
		if l.Audit != nil {
			cost.Risk = l.Audit.Spent
		}
		attributes = append(attributes, l.Table.String(), cost.String())
	}
	return []any{slog.Group("cost", attributes...)}
}
