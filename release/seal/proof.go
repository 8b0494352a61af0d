package seal

import (
	"context"
	"fmt"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/policy"
	"tacit/release/internal/epoch"
	"tacit/release/internal/reply"
)

// A Proof is what came of making all decisions of an audited table again, from its log alone, and of comparing the log with
// what the ledger charged.
type Proof struct {
	Table policy.TableName
	// Epochs and Rounds are in the log. Unanswered rounds were charged, and released nothing.
	Epochs, Rounds, Unanswered int
	// What the log says became of the questions. Each time that one was decided about counts.
	Released, Certified, Free, Suppressed int
	// Risk is what was charged.
	Risk policy.Risk
	// Earlier is how many events an earlier version charged, which charged too little where a question concerned people of several types whose
	// priors lie in intervals. They are made again by its rule.
	Earlier int
	// Alarm says why nothing new is released; "" while there is no alarm.
	Alarm       string
	Differences []Difference
}

// A Difference is a decision that comes out otherwise.
type Difference struct {
	Event int64 // its number in the log
	Text  string
}

// Replay makes the decisions again. It reads the ledger, which may be in use, and nothing else.
func Replay(ctx context.Context, location policy.LedgerLocation, name policy.TableName) (*Proof, error) {
	reader, err := ledger.OpenReadOnly(ctx, location)
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
	steps, _, err := epoch.Events(events)
	if err != nil {
		return nil, err
	}
	proof := &Proof{Table: name}
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
		proof.Differences = append(proof.Differences, Difference{events[d.Event].Sequence, d.Text})
	}
	return proof, proof.Tie(events, steps)
}

// Tie compares what the auditor's log says with what the ledger did: that each event was charged what was decided, and that the people of
// whose rows counts are taken are those about whom the auditor decides.
func (p *Proof) Tie(events []accountant.AuditEvent, steps []auditor.Event) error {
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
			p.Differences = append(p.Differences, Difference{e.Sequence, text})
		}
		charged = state.Charged()
		if epoch.OpensEpoch(e.Kind) {
			if err := p.tieEpoch(e, state); err != nil {
				return fmt.Errorf("event %d: %w", e.Sequence, err)
			}
		}
	}
	p.Alarm, p.Earlier = state.Alarm(), state.EarlierCharges()
	return nil
}

// tieEpoch compares the people of an epoch's facts with the auditor's units.
func (p *Proof) tieEpoch(e accountant.AuditEvent, state *auditor.State) error {
	_, stored, err := epoch.Unwrap(e.Payload)
	if err != nil {
		return err
	}
	f, err := epoch.DecodeFacts(stored)
	if err != nil {
		return err
	}
	if len(f.Units) != state.Units() {
		text := fmt.Sprintf("the epoch has %d groups of people, and the auditor %d", len(f.Units), state.Units())
		p.Differences = append(p.Differences, Difference{e.Sequence, text})
		return nil
	}
	for i, u := range f.Units {
		if unit, gone := state.Unit(i); int64(unit.People) != u.People || gone != u.Gone {
			text := fmt.Sprintf("group %d of the epoch has %d people (gone: %v), and that of the auditor %d (gone: %v)",
				i, u.People, u.Gone, unit.People, gone)
			p.Differences = append(p.Differences, Difference{e.Sequence, text})
		}
	}
	return nil
}

// take counts an event.
func (p *Proof) take(e accountant.AuditEvent, step auditor.Event) error {
	p.Risk += e.Risk
	if epoch.OpensEpoch(e.Kind) {
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
	var t reply.AuditTally
	for _, d := range decisions {
		t.Count(d.Outcome)
	}
	p.Released, p.Certified, p.Free, p.Suppressed = p.Released+t.Released, p.Certified+t.Certified, p.Free+t.Free, p.Suppressed+t.Suppressed
	return nil
}
