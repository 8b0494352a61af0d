package release

import (
	"context"
	"fmt"

	"tacit/accountant"
	"tacit/policy"
)

// A table is answered by noise or by an auditor, for good. Neither's guarantee holds over a history that has the other's answers: an
// auditor's decisions know nothing of what noisy counts said, and an exact count is no loss that a privacy budget has. So the ledger
// tells which of the two a table is.

// A KindError is returned when a table has answers of one kind in the ledger and would be answered by the other.
type KindError struct {
	Table policy.TableName
	// Audited says that its answers are an auditor's.
	Audited bool
}

func (e *KindError) Error() string {
	const remedy = "; what one of them let out is unknown to the other, and there is no way to add both up"
	if e.Audited {
		return fmt.Sprintf("an auditor let out exact counts of %v, and the policy gives it another mechanism%s: restore mechanism: {kind: audit, ...}", e.Table, remedy)
	}
	return fmt.Sprintf("the ledger has charges for noisy answers or publications of %v, and the policy gives it an auditor%s: keep its former mechanism", e.Table, remedy)
}

// CheckKinds says which table of the policy, if any, has another kind of mechanism than its answers in the ledger: a *KindError. It is for
// a policy whose proxy need not run. A ledger that cannot be read says nothing.
func CheckKinds(ctx context.Context, p *policy.Policy) error {
	reader, err := accountant.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil
	}
	defer reader.Close()
	return checkKinds(ctx, p, reader)
}

// checkKinds finds tables without an auditor that have an auditor's history. A table with an auditor is looked at when it is sealed.
func checkKinds(ctx context.Context, p *policy.Policy, log auditLog) error {
	for _, t := range p.Tables {
		if t.Mechanism.Kind == policy.Audit {
			continue
		}
		last, err := log.LastAudit(ctx, t.Name)
		switch {
		case err != nil:
			return err
		case last > 0:
			return &KindError{Table: t.Name, Audited: true}
		}
	}
	return nil
}

// checkUnanswered finds that nothing was charged for a table that is to have its first epoch but estimates of its prior.
func (w *sealing) checkUnanswered(ctx context.Context) error {
	entries, err := w.ledger.Log(ctx, accountant.LogFilter{Table: w.table.Name, Verdict: accountant.Charged})
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Analyst == Steward && len(e.Questions) == 1 && e.Questions[0] == w.estimateText() {
			continue
		}
		return &KindError{Table: w.table.Name}
	}
	return nil
}
