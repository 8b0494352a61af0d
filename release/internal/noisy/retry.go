package noisy

import (
	"context"
	"errors"

	"tacit/accountant/ledger"
	"tacit/release/internal/reply"
)

// Several proxies may have one ledger, and the same question may come to all of them at once. The ledger gives it to one, and tells the
// others: that it is being answered (they wait), that it was answered meanwhile (they look it up), or that the charge under which they
// counted was taken over because their proxy seemed dead (what they drew is forgotten, and they ask again). So there is one release and
// one charge, and everybody is shown the same.

// maxAttempts is how often a statement begins anew because others were faster, besides waiting for them. Each time the ledger has got on, so that in
// practice it does once or twice.
const maxAttempts = 20

// asksAgain reports whether an error of the ledger says that somebody else answers a question, so that it is to be looked up again.
func asksAgain(err error) bool {
	var flying *ledger.InFlightError
	var recorded *ledger.RecordedError
	return errors.As(err, &flying) || errors.As(err, &recorded) || errors.Is(err, ledger.ErrLost)
}

// retry answers all questions of a statement, and returns the attempt that did. Each attempt plans anew: nothing that an earlier one drew
// or looked up is left in it.
func (a *Statement) retry(ctx context.Context) (*Statement, error) {
	for attempts := 1; ; attempts++ {
		err := a.attempt(ctx)
		if err == nil {
			return a, nil
		}
		if !asksAgain(err) {
			return nil, err
		}
		var flying *ledger.InFlightError
		if errors.As(err, &flying) {
			attempts--
			if err := a.ledger.Await(ctx, flying); err != nil {
				return nil, reply.Failure(ctx, reply.RefuseLedger.With(), err)
			}
		}
		if attempts == maxAttempts {
			return nil, errors.Join(reply.RefuseBusy.With(), err)
		}
		next, err := a.answerer.Plan(ctx, a.Request)
		if err != nil {
			return nil, err
		}
		next.paid, next.reserved, next.lost = a.paid, a.reserved, a.lost
		if errors.Is(err, ledger.ErrLost) {
			next.lost = a.reserved
		}
		a = next
	}
}

// attempt answers all questions from the ledger, or by new releases.
func (a *Statement) attempt(ctx context.Context) error {
	if err := a.recollect(ctx); err != nil {
		return err
	}
	if !a.missing() {
		a.noteReplay()
		a.recollected = true
		return nil
	}
	if err := a.PlanMeasurements(ctx); err != nil {
		return err
	}
	if err := a.release(ctx); err != nil {
		return err
	}
	if len(a.measuring) > 0 {
		if err := a.fromWorkload(ctx); err != nil {
			return err
		}
		if err := a.followJoint(ctx); err != nil {
			return err
		}
	}
	if err := a.followSiblings(ctx); err != nil {
		return err
	}
	if a.missing() {
		return errors.New("release: internal error: a question does not follow from what was charged for it")
	}
	a.noteAdopted()
	return nil
}

// recollect answers what the ledger answers, as a whole or in parts.
func (a *Statement) recollect(ctx context.Context) error {
	if err := a.fromRecords(ctx); err != nil {
		return err
	}
	if err := a.fromOtherLosses(ctx); err != nil {
		return err
	}
	if err := a.divide(ctx); err != nil {
		return err
	}
	a.dropUnasked()
	return nil
}
