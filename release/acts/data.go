package acts

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/publish"
	"tacit/release/seal"
)

// This file has the two acts that read rows, and may take minutes. They have three steps. Prepare finds out what such an act costs, and that the data can be
// read. Do writes the decision into the ledger, if nothing came between. Perform does what was decided, by the code of tacit publish and tacit seal.

// Data is what a publication or a seal is about, and what the steward knows of.
type Data struct {
	// Publication is the name of one of the policy. Replace says that the table that was published before is dropped, and Price is what it was shown to cost.
	Publication string
	Replace     bool
	Price       accountant.Loss
	// Epochs is how many epochs an audited table was shown to have.
	Epochs int
	// Distinct, Misfit, Small and Alarm say to tacit seal what --distinct, --despite-misfit, --publish-small-totals and --acknowledge-alarm say.
	Distinct, Misfit, Small, Alarm bool
}

// ReadsRows says whether the act reads rows of a protected table, and is done by Perform.
func (a *Act) ReadsRows() bool { return a.Kind == Publish || a.Kind == Seal }

// publishes finds a publication in the policy.
func (a *Act) publishes(p *policy.Policy, d Data) error {
	name, err := policy.ParseTableName(d.Publication)
	if err != nil {
		return wrong("publication", "%v", err)
	}
	c, ok := p.Publication(name)
	if !ok {
		return wrong("publication", "%v is none of the policy", name)
	}
	t, ok := p.Table(c.Of)
	if !ok {
		return wrong("publication", "%v is no protected table of the policy", c.Of)
	}
	a.table, a.Table, a.data, a.publication = t, c.Of.String(), d, c
	return nil
}

// seals makes sure that a seal is one of an audited table.
func (a *Act) seals(r Request) error {
	switch {
	case a.table.Mechanism.Audit == nil:
		return wrong("table", "%s is not audited: open an epoch of it", a.Table)
	case a.Analyst != "":
		return wrong("analyst", "an epoch is everybody's")
	}
	a.data = r.Data
	return nil
}

// Prepare finds out what an act costs that reads rows, and whether it could be done now. It reads no row and charges nothing.
func (a *Act) Prepare(ctx context.Context, p *policy.Policy, l *ledger.Reader) (Data, error) {
	var err error
	switch {
	case a.Kind == Publish:
		a.data.Price, err = publish.Price(ctx, p, a.publishRequest())
	case a.Kind == Seal:
		if err = seal.Check(ctx, p); err == nil {
			a.data.Epochs, _, err = seal.Standing(ctx, l, a.table.Name)
		}
	}
	return a.data, err
}

func (a *Act) publishRequest() publish.Request {
	return publish.Request{Name: a.publication.Name, Replace: a.data.Replace, Random: rand.Reader}
}

// decision is what the ledger keeps before such an act is done.
func (a *Act) decision() string {
	switch {
	case a.Kind == Publish:
		text := fmt.Sprintf("publish %v, a copy of %s by %s, for %v", a.publication.Name, a.Table, a.publication.Kind, a.data.Price)
		if a.data.Replace {
			text += ", in place of the former one"
		}
		return text
	default:
		text := fmt.Sprintf("seal epoch %d of %s, for a risk of at most %v", a.data.Epochs+1, a.Table, a.table.Mechanism.Audit.Plan)
		for _, o := range []struct {
			chosen bool
			words  string
		}{{a.data.Distinct, "rows that came are about other people"}, {a.data.Misfit, "despite a misfit"}, {a.data.Small, "with small totals"}, {a.data.Alarm, "knowing of the alarm"}} {
			if o.chosen {
				text += ", " + o.words
			}
		}
		return text
	}
}

// note is what a publication or an epoch has of its decision.
func (a *Act) note() string { return fmt.Sprintf("entry %d, by %s: %s", a.Entry, a.By, a.Reason) }

// Perform does what Do has noted, and says what came of it in lines of a name and a text. told hears of the steps.
func (a *Act) Perform(ctx context.Context, p *policy.Policy, told func(step string)) ([][2]string, error) {
	switch {
	case a.Entry == 0:
		return nil, errors.New("acts: an act is performed that was not noted")
	case a.Kind == Publish:
		r := a.publishRequest()
		r.Progress, r.Price, r.Reason = func(step string, _ int64) { told(step) }, &a.data.Price, a.note()
		made, err := publish.Publish(ctx, p, r)
		if err != nil {
			return nil, err
		}
		made.RowsRead = 0 // which is a true count, and no page's
		return made.Lines(), nil
	case a.Kind == Seal:
		made, err := seal.OpenEpoch(ctx, p, seal.Request{
			Table: a.table.Name, Reason: a.note(), Distinct: a.data.Distinct, AcknowledgeAlarm: a.data.Alarm, CheckFit: !a.data.Misfit, PublishSmall: a.data.Small,
			Epochs: &a.data.Epochs, Progress: told, Random: rand.Reader,
		})
		if err != nil {
			return nil, err
		}
		made.Pending, made.Untyped = 0, 0 // true counts, too
		return made.Lines(), nil
	}
	return nil, fmt.Errorf("acts: %s reads no rows", a.Kind)
}

// FailureText is what a page may say of an error of Perform. What a seal finds has true counts in it, and an error of the server may have a value.
func (a *Act) FailureText(err error) string {
	var alarm *seal.AlarmError
	var exchange *seal.ExchangeError
	var misfit *seal.MisfitError
	var small *seal.SmallTotalsError
	var ofServer interface{ SQLState() string }
	switch {
	case errors.As(err, &alarm):
		return alarm.Error()
	case errors.As(err, &exchange):
		return "people went, and others came; if these are updates of the same people, what was released of them would no longer hold; seal with --distinct if they are different people"
	case errors.As(err, &misfit):
		return "the prior does not fit the rows; tacit plan looks for one that fits, and --despite-misfit seals all the same"
	case errors.As(err, &small):
		return "totals of the types would be published that are of few people; tacit seal names them in a terminal, and --publish-small-totals seals all the same"
	case a.Kind == Seal:
		return "nothing more is said here, since the reason can have true counts in it; tacit seal says it in a terminal"
	case errors.As(err, &ofServer):
		return "the server raised an error (SQLSTATE " + ofServer.SQLState() + "); tacit publish says it in a terminal"
	}
	return err.Error()
}

// outlook is what an act that reads rows would change.
func (a *Act) outlook(ctx context.Context, r *ledger.Reader, o *Outlook) (err error) {
	after := o.Before
	switch {
	case a.Kind == Publish:
		cost := a.data.Price
		o.Charged = cost.String()
		if o.Additive = a.table.Composition == policy.BasicComposition || cost.Epsilon == 0 && cost.Delta == 0; o.Additive {
			after.Exact.Spent, after.Exact.Left = after.Exact.Spent.Add(cost), cost.Remaining(policy.Budget(after.Exact.Left))
		}
		o.Published = fmt.Sprintf("%v, with %s", a.publication.Name, strings.Join(a.publication.Columns, ", "))
	case a.Kind == Seal:
		var alarm string
		if o.Epochs, alarm, err = seal.Standing(ctx, r, a.table.Name); err != nil {
			return err
		}
		audit := a.table.Mechanism.Audit
		o.Before.Epoch, after.Epoch = int64(o.Epochs), int64(o.Epochs)+1
		o.Charged = fmt.Sprintf("a risk of at most %v", audit.Plan)
		if first := o.Epochs == 0; first && audit.Prior.Kind == policy.EstimatedPrior {
			o.Charged += fmt.Sprintf(", and epsilon %v for the estimate of the prior", audit.Prior.Estimate)
			o.Published = "an estimate of how many people of each type have each value"
		} else if first && audit.Prior.Kind == policy.TotalsPrior {
			o.Published = "how many people of each type have each value, outside of the promise"
		}
		switch {
		case alarm != "" && !a.data.Alarm:
			o.Impossible = "the prior is refuted since " + alarm + ". To go on knowing it, say so in the form"
		case alarm == "" && a.data.Alarm:
			o.Impossible = "there is no alarm to be acknowledged"
		}
	}
	if reason := o.Before.Frozen; reason != "" {
		o.Impossible = "the table is frozen: " + reason
	}
	o.After = after
	return nil
}
