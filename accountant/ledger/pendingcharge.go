package ledger

import (
	"fmt"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/policy"
)

// A pendingCharge is a charge that is to be made.
type pendingCharge struct {
	*accountant.Charge
	demand journal.Demand // for what is not adopted
	rows   []journal.Charge
	// adopts has the charge that each item adopts; 0: none.
	adopts []int64
	// made is the reservation, if the operation was done before.
	made *Reservation
}

func newPendingCharges(charges []accountant.Charge) ([]pendingCharge, error) {
	pending := make([]pendingCharge, len(charges))
	tables := make(map[policy.TableName]bool, len(charges))
	for i := range charges {
		c := &charges[i]
		if err := c.Check(); err != nil {
			return nil, err
		}
		if tables[c.Table] {
			return nil, fmt.Errorf("accountant: two charges on %v at once", c.Table)
		}
		tables[c.Table] = true
		pending[i] = pendingCharge{Charge: c, rows: make([]journal.Charge, len(c.Items))}
		for j := range c.Items {
			pending[i].rows[j] = journal.ChargeOf(&c.Items[j])
		}
	}
	return pending, nil
}
