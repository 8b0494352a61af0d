package seal

import (
	"context"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/audited"
)

// An Alarm says why an audited table releases nothing new.
type Alarm struct {
	Table policy.TableName
	Text  string
}

// Alarms are those of the audited tables of a policy, whose proxy may run. A ledger that cannot be read tells of none.
func Alarms(ctx context.Context, p *policy.Policy) []Alarm {
	reader, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil
	}
	defer reader.Close()
	var alarms []Alarm
	for _, t := range p.Tables {
		if t.Mechanism.Kind != policy.Audit {
			continue
		}
		if book, err := audited.OpenBook(ctx, reader, t.Name); err == nil && book != nil && book.State.Alarm() != "" {
			alarms = append(alarms, Alarm{t.Name, book.State.Alarm()})
		}
	}
	return alarms
}
