package assess

import (
	"context"
	"time"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/spent"
)

// This file tells how quickly budgets are spent. A forecast supposes that it goes on so; nothing about privacy depends on it.

// A Rate is how quickly a table's epsilon is spent.
type Rate struct {
	// PerDay is that of the last days, of which there are Days.
	PerDay policy.Epsilon `json:"per_day"`
	Days   int            `json:"over_days"`
	// DaysLeft is how many days the rest lasts at this rate.
	DaysLeft int64 `json:"days_left"`
}

// rateDays are the days that a rate is over, or fewer if the epoch is younger. Of less than one day nothing is said.
const rateDays = 30

// Rates are those of the policy's tables that have a budget of epsilon without a window, of whom something was spent in the last days. What was
// spent is composed by the table's rule.
func Rates(ctx context.Context, p *policy.Policy) (map[policy.TableName]Rate, error) {
	l, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	rates := make(map[policy.TableName]Rate)
	for _, t := range p.Tables {
		if t.Mechanism.Kind == policy.Audit || t.Budget.Epsilon == 0 || t.Window > 0 || t.Blocks != nil {
			continue
		}
		charged, err := l.Charges(ctx, t.Name)
		if err != nil {
			return nil, err
		}
		balance, err := l.Balance(ctx, live.Accounting(t), live.Steward, nil)
		if err != nil {
			return nil, err
		}
		earlier := func(at time.Time) policy.Epsilon {
			n := 0
			for n < len(charged) && charged[n].At.Before(at) {
				n++
			}
			return spent.On(live.Accounting(t), charged[:n]).Epsilon
		}
		if len(charged) == 0 {
			continue
		}
		if r, ok := rateOf(charged[0].At, l.Now(), balance.Left.Epsilon, earlier); ok {
			rates[t.Name] = r
		}
	}
	return rates, nil
}

// rateOf is the rate of a table that was first charged at a time, and of which spent is what was spent until another.
func rateOf(first, now time.Time, left policy.Epsilon, spent func(until time.Time) policy.Epsilon) (Rate, bool) {
	const day = 24 * time.Hour
	days := min(rateDays, int64(now.Sub(first)/day))
	if days < 1 {
		return Rate{}, false
	}
	lately := spent(now.Add(time.Second)) - spent(now.Add(-time.Duration(days)*day))
	perDay := lately / policy.Epsilon(days)
	if perDay <= 0 {
		return Rate{}, false
	}
	return Rate{PerDay: perDay, Days: int(days), DaysLeft: int64(max(0, left) / perDay)}, true
}
