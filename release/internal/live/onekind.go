package live

import (
	"context"
	"fmt"

	"tacit/policy"
	"tacit/release/internal/epoch"
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

// CheckKinds finds tables without an auditor that have an auditor's history. A table with an auditor is looked at when it is sealed.
func CheckKinds(ctx context.Context, p *policy.Policy, log epoch.Log) error {
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
