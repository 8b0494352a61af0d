package policy

import "time"

// Grows names the columns of dates whose declared range has not ended on a day: rows of that day and later may still arrive. Those in moving
// are among them, whose range ends at the present day, so that a question by them is another one on each day. It is what a policy tells of a
// table's growth. How many rows there are is not looked at.
func (t *Table) Grows(now time.Time) (columns, moving []string) {
	today := daysOf(now.UTC().Truncate(24 * time.Hour))
	for _, c := range t.Columns {
		r := c.Domain.Range
		if r == nil || !r.Dates || !r.Today && r.Last < today {
			continue
		}
		columns = append(columns, c.Name)
		if r.Today {
			moving = append(moving, c.Name)
		}
	}
	return columns, moving
}

// RepeatsForEver reports whether answers about the table are repeated for ever because the policy does not say for how long.
func (t *Table) RepeatsForEver() bool {
	return t.Mechanism.Kind != Audit && t.Replay == 0 && !t.ReplayStated
}
