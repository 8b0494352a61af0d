package release

import (
	"context"
	"fmt"

	"tacit/accountant"
	"tacit/auditor"
	"tacit/policy"
)

// An AuditProof is what came of making all decisions of an audited table again, from its log alone, and of comparing the log with
// what the ledger charged.
type AuditProof struct {
	Table policy.TableName
	// Epochs and Rounds are in the log. Unanswered rounds were charged, and released nothing.
	Epochs, Rounds, Unanswered int
	// What the log says became of the questions. Each time that one was decided about counts.
	Released, Certified, Free, Suppressed int
	// Risk is what was charged.
	Risk policy.Risk
	// Alarm says why nothing new is released; "" while there is no alarm.
	Alarm       string
	Differences []AuditDifference
}

// An AuditDifference is a decision that comes out otherwise.
type AuditDifference struct {
	Event int64 // its number in the log
	Text  string
}

// ReplayAudit makes the decisions again. It reads the ledger, which may be in use, and nothing else.
func ReplayAudit(ctx context.Context, location policy.LedgerLocation, name policy.TableName) (*AuditProof, error) {
	reader, err := accountant.OpenReadOnly(ctx, location)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	events, err := reader.AuditEvents(ctx, name, 0)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, fmt.Errorf("no epoch of %v was sealed", name)
	}
	steps, _, err := auditorEvents(events)
	if err != nil {
		return nil, err
	}
	proof := &AuditProof{Table: name}
	for i, e := range events {
		if err := proof.take(e, steps[i]); err != nil {
			return nil, fmt.Errorf("event %d of %v: %w", e.Sequence, name, err)
		}
	}
	differences, err := auditor.Replay(steps)
	if err != nil {
		return nil, err
	}
	for _, d := range differences {
		proof.Differences = append(proof.Differences, AuditDifference{events[d.Event].Sequence, d.Text})
	}
	return proof, proof.tie(events, steps)
}

// tie compares what the auditor's log says with what the ledger did: that each event was charged what was decided, and that the people of
// whose rows counts are taken are those about whom the auditor decides.
func (p *AuditProof) tie(events []accountant.AuditEvent, steps []auditor.Event) error {
	state, err := auditor.Restore(steps[:1])
	if err != nil {
		return err
	}
	charged := policy.Risk(0)
	for i, e := range events {
		if i > 0 {
			if err := state.Apply(steps[i]); err != nil {
				return fmt.Errorf("event %d: %w", e.Sequence, err)
			}
		}
		if decided := state.Charged() - charged; decided != e.Risk {
			text := fmt.Sprintf("%v was to be charged, and the ledger charged %v", decided, e.Risk)
			p.Differences = append(p.Differences, AuditDifference{e.Sequence, text})
		}
		charged = state.Charged()
		if sealsEpoch(e.Kind) {
			if err := p.tieEpoch(e, state); err != nil {
				return fmt.Errorf("event %d: %w", e.Sequence, err)
			}
		}
	}
	p.Alarm = state.Alarm()
	return nil
}

// tieEpoch compares the people of an epoch's facts with the auditor's units.
func (p *AuditProof) tieEpoch(e accountant.AuditEvent, state *auditor.State) error {
	_, stored, err := unwrapEpoch(e.Payload)
	if err != nil {
		return err
	}
	f, err := decodeFacts(stored)
	if err != nil {
		return err
	}
	if len(f.units) != state.Units() {
		text := fmt.Sprintf("the epoch has %d groups of people, and the auditor %d", len(f.units), state.Units())
		p.Differences = append(p.Differences, AuditDifference{e.Sequence, text})
		return nil
	}
	for i, u := range f.units {
		if unit, gone := state.Unit(i); int64(unit.People) != u.people || gone != u.gone {
			text := fmt.Sprintf("group %d of the epoch has %d people (gone: %v), and that of the auditor %d (gone: %v)",
				i, u.people, u.gone, unit.People, gone)
			p.Differences = append(p.Differences, AuditDifference{e.Sequence, text})
		}
	}
	return nil
}

// take counts an event.
func (p *AuditProof) take(e accountant.AuditEvent, step auditor.Event) error {
	p.Risk += e.Risk
	if sealsEpoch(e.Kind) {
		p.Epochs++
	}
	if e.Kind != auditor.EventRound {
		return nil
	}
	p.Rounds++
	decisions, opens, err := step.Decisions()
	if err != nil {
		return err
	}
	if opens > 0 && e.Answer == nil {
		p.Unanswered++
		return nil
	}
	var t AuditTally
	for _, d := range decisions {
		t.count(d.Outcome)
	}
	p.Released, p.Certified, p.Free, p.Suppressed = p.Released+t.Released, p.Certified+t.Certified, p.Free+t.Free, p.Suppressed+t.Suppressed
	return nil
}
