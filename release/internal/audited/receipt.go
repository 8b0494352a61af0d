package audited

import (
	"context"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/reply"
)

// Receipt adds a line for each audited table.
func (a *Statement) Receipt(ctx context.Context, r *reply.Receipt) error {
	for _, p := range a.Parts {
		line, err := a.receiptLine(ctx, p)
		if err != nil {
			return err
		}
		line.Audit.AuditTally, line.Audit.Spent = p.tally(), p.spent
		r.Lines = append(r.Lines, line)
		if !p.written {
			a.Ledger.Note(ledger.Event{Analyst: a.Request.Analyst, Table: p.Table.Policy.Name, Verdict: ledger.Replayed, SQL: a.Request.SQL, Request: a.Request.ID})
		}
	}
	return nil
}

// receiptLine has what is left.
func (a *Statement) receiptLine(ctx context.Context, p *tablePart) (reply.ReceiptLine, error) {
	t := p.Table.Policy
	line := reply.ReceiptLine{Table: t.Name, Mechanism: string(policy.Audit), Audit: &reply.AuditReceipt{Epsilon: t.Mechanism.Audit.Epsilon}}
	s, err := a.standing(ctx, p)
	if err != nil {
		return line, err
	}
	left := leftOfRisk(s)
	line.Audit.AsksAnew = a.Request.Fresh || a.Request.MaxAge > 0
	line.Audit.TableLeft, line.Audit.Alarm, line.Audit.Frozen = left.Table, p.Book.State.Alarm(), s.Frozen
	if a.cap != nil && a.cap.Risk != policy.NoRiskCap {
		line.Audit.AnalystLeft = &left.Analyst
	}
	return line, nil
}

// tally counts the counts of all cells by what became of them.
func (p *tablePart) tally() reply.AuditTally {
	var t reply.AuditTally
	for _, q := range p.Queries {
		for _, counts := range q.counts {
			for _, c := range counts {
				if c.question < 0 {
					t.Public++
				} else {
					t.Count(p.became(c))
				}
			}
		}
	}
	return t
}
