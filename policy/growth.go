package policy

import "time"

// Grows names a column of dates whose declared range has not ended on a day, if there is one: rows of that day and later may still arrive. It
// is what a policy tells of a table's growth. How many rows there are is not looked at.
func (t *Table) Grows(now time.Time) (column string, ok bool) {
	today := daysOf(now.UTC().Truncate(24 * time.Hour))
	for _, c := range t.Columns {
		if r := c.Domain.Range; r != nil && r.Dates && (r.Today || r.Last >= today) {
			return c.Name, true
		}
	}
	return "", false
}

// RepeatsForEver reports whether answers about the table are repeated for ever because the policy does not say for how long.
func (t *Table) RepeatsForEver() bool {
	return t.Mechanism.Kind != Audit && t.Replay == 0 && !t.ReplayStated
}
