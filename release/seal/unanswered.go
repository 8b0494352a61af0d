package seal

import (
	"context"

	"tacit/accountant/ledger"
	"tacit/release/internal/live"
)

// checkUnanswered finds that nothing was charged for a table that is to have its first epoch but estimates of its prior.
func (w *Sealing) checkUnanswered(ctx context.Context) error {
	entries, err := w.ledger.Log(ctx, ledger.LogFilter{Table: w.Table.Name, Verdict: ledger.Charged})
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Analyst == live.Steward && len(e.Questions) == 1 && e.Questions[0] == w.estimateText() {
			continue
		}
		return &live.KindError{Table: w.Table.Name}
	}
	return nil
}
