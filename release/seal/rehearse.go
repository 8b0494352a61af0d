package seal

import (
	"context"
	"errors"
	"fmt"

	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/policy"
	"tacit/release/internal/audited"
	"tacit/release/internal/live"
)

// Rehearse makes the auditor of a table in memory: of the epoch that there is, or of the one that would be opened now. It writes nothing.
func Rehearse(ctx context.Context, p *policy.Policy, name policy.TableName) (*audited.Rehearsal, error) {
	t, ok := p.Table(name)
	if !ok || t.Mechanism.Audit == nil {
		return nil, fmt.Errorf("release: %v is no audited table of the policy", name)
	}
	if reader, err := ledger.OpenReadOnly(ctx, p.Ledger); err == nil {
		defer reader.Close()
		if live.HasEpoch(ctx, reader, name) {
			book, err := audited.OpenBook(ctx, reader, name)
			if err != nil {
				return nil, err
			}
			return &audited.Rehearsal{State: book.State, Facts: book.Facts}, nil
		}
	}
	if t.Mechanism.Audit.Prior.Kind == policy.EstimatedPrior {
		return nil, errors.New("nothing can be told of a prior whose noise is yet to be drawn: publish totals, or declare probabilities")
	}
	w, err := lookAt(ctx, p, t)
	if err != nil {
		return nil, err
	}
	defer w.curator.Close()
	return w.firstEpoch(ctx)
}

// firstEpoch makes the auditor of the first epoch.
func (w *Sealing) firstEpoch(ctx context.Context) (*audited.Rehearsal, error) {
	f, counts, err := w.read(ctx)
	if err != nil {
		return nil, err
	}
	opening, types, err := w.opening(f)
	if err != nil {
		return nil, err
	}
	if err := w.certify(&opening, f); err != nil {
		return nil, err
	}
	if err := w.priors(&opening, types, f, counts); err != nil {
		return nil, err
	}
	event, _, err := opening.Event()
	if err != nil {
		return nil, err
	}
	f.Types = types.by
	state, err := auditor.Restore([]auditor.Event{event})
	return &audited.Rehearsal{State: state, Facts: f, Counts: counts}, err
}
