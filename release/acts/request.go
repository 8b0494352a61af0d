package acts

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/books"
)

// A Kind is what is done.
type Kind string

const (
	Grant  Kind = "grant"  // more budget
	Freeze Kind = "freeze" // no more charges
	Thaw   Kind = "thaw"   // the end of that
	Epoch  Kind = "epoch"  // budgets begin anew, because the rows are about other people
	// Decline says no to a request.
	Decline Kind = "decline"
	// Resolve writes down what was decided, and changes no budget.
	Resolve Kind = "resolve"
	// Publish makes a sanitized copy of a table, and Seal opens an epoch of an audited one. Both read rows: they are noted by Act.Do, and done by Act.Perform.
	Publish Kind = "publish"
	Seal    Kind = "seal"
)

// A Request says what a steward wants, as it was written.
type Request struct {
	// Kind, Table and Reason are required.
	Kind  Kind
	Table string
	// Analyst is she whom it is about. Default: all of them together. An epoch is everybody's.
	Analyst string
	// Epsilon, Delta and Releases are what a grant adds. Default: nothing.
	Epsilon, Delta string
	Releases       int64
	Reason         string
	// What was decided, of a decision. Required there.
	What string
	// Asked is the entry of an analyst's request, which is answered: by a grant, or with no. Default: none is.
	Asked int64
	// Data is what a publication or a seal is about. Required there.
	Data
}

// A FieldError says which field of a request is wrong, if it is one alone.
type FieldError struct{ Field, Problem string }

func (e *FieldError) Error() string { return e.Field + ": " + e.Problem }

func wrong(field, problem string, args ...any) error {
	return &FieldError{field, fmt.Sprintf(problem, args...)}
}

// An Act is a request that the policy allows. Its fields are for programs.
type Act struct {
	Entry   int64          `json:"entry"`
	Kind    Kind           `json:"act"`
	Table   string         `json:"table"`
	Analyst string         `json:"analyst,omitempty"`
	Granted *books.Amounts `json:"granted,omitempty"`
	Budget  *books.Amounts `json:"budget,omitempty"` // of a grant that was made: what is raised, with all that was granted
	By      string         `json:"by"`
	Reason  string         `json:"reason"`
	What    string         `json:"what,omitempty"` // was decided

	table *policy.Table
	limit *policy.Budget // the analyst's cap, if it is about an analyst who has one
	asked int64          // the request that is answered
	// Of acts that read rows.
	data        Data
	publication *policy.Publication

	amount accountant.Loss
	raised accountant.Loss // what is raised, with all that was granted
}

// New checks a request. What is wrong with a single field is a *FieldError.
func New(p *policy.Policy, r Request) (*Act, error) {
	a := &Act{Kind: r.Kind, Analyst: r.Analyst, Reason: strings.TrimSpace(r.Reason), asked: r.Asked}
	if err := CheckReason(a.Reason); err != nil {
		return nil, err
	}
	if r.Kind != Publish { // which names no table
		if err := a.about(p, r); err != nil {
			return nil, err
		}
	}
	switch r.Kind {
	case Publish:
		return a, a.publishes(p, r.Data)
	case Seal:
		return a, a.seals(r)
	case Grant:
		if err := a.amounts(r); err != nil {
			return nil, err
		}
		if err := a.checkCap(); err != nil {
			return nil, err
		}
		return a, a.checkUse()
	case Decline:
		if a.asked == 0 {
			return nil, errors.New("there is no request to decline")
		}
		return a, nil
	case Freeze, Thaw:
		return a, nil
	case Resolve:
		a.What = strings.TrimSpace(r.What)
		var field *FieldError
		if err := CheckReason(a.What); errors.As(err, &field) {
			return nil, wrong("decision", "%s", field.Problem)
		}
		return a, nil
	case Epoch:
		if a.table.Mechanism.Kind == policy.Audit {
			return nil, fmt.Errorf("%s is audited: tacit seal opens its epochs", a.Table)
		}
		if a.Analyst != "" {
			return nil, wrong("analyst", "an epoch is everybody's")
		}
		return a, nil
	}
	return nil, wrong("act", "there is no %q", string(r.Kind))
}

// about finds the table and the analyst in the policy.
func (a *Act) about(p *policy.Policy, r Request) error {
	name, err := policy.ParseTableName(r.Table)
	if err != nil {
		return wrong("table", "%v", err)
	}
	t, ok := p.Table(name)
	if !ok {
		return wrong("table", "%v is no protected table of the policy", name)
	}
	a.table, a.Table = t, name.String()
	if a.Analyst == "" {
		return nil
	}
	analyst, ok := p.Analyst(a.Analyst)
	if !ok {
		return wrong("analyst", "%q is no analyst of the policy", a.Analyst)
	}
	a.limit = books.CapOn(t, analyst.Budget)
	return nil
}

// CheckReason says what is wrong with a reason. It is kept for ever, and analysts' clients show it as it is.
func CheckReason(reason string) error {
	const most = 500
	switch {
	case reason == "":
		return wrong("reason", "it is required: it is what others will know of this")
	case !utf8.ValidString(reason):
		return wrong("reason", "it is not UTF-8; write it in that encoding")
	case strings.ContainsFunc(reason, unicode.IsControl):
		return wrong("reason", "it has line ends or other control characters; write one line of text")
	case utf8.RuneCountInString(reason) > most:
		return wrong("reason", "it has more than %d characters; write where the rest can be found", most)
	}
	return nil
}

// CheckAsked checks an analyst's request for a grant. Whether it raises the table's budget or her cap is the steward's choice.
func CheckAsked(p *policy.Policy, r Request) (table policy.TableName, amount accountant.Loss, err error) {
	a := &Act{Kind: Grant}
	if err := CheckReason(strings.TrimSpace(r.Reason)); err != nil {
		return table, amount, err
	}
	if err := a.about(p, r); err != nil {
		return table, amount, err
	}
	if err := a.amounts(r); err != nil {
		return table, amount, err
	}
	return a.table.Name, a.amount, a.checkUse()
}

// amounts reads what is granted, of which at least one adds something.
func (a *Act) amounts(r Request) error {
	e, err := policy.ParseEpsilon(orNothing(r.Epsilon))
	if err != nil {
		return wrong("epsilon", "%v", err)
	}
	d, err := policy.ParseDelta(orNothing(r.Delta))
	if err != nil {
		return wrong("delta", "%v", err)
	}
	a.amount = accountant.Loss{Epsilon: e, Delta: d, Releases: r.Releases}
	switch {
	case e < 0 || d < 0 || r.Releases < 0:
		return errors.New("what was granted cannot be taken back; lower the budget in the policy, or freeze the table")
	case a.amount == accountant.Loss{}:
		return errors.New("nothing is granted: give epsilon, delta or releases")
	case a.table.Mechanism.Kind == policy.Audit:
		return fmt.Errorf("%s is audited: what its exact counts may risk is fixed with its first epoch", a.Table)
	}
	text := books.AmountsOf(a.amount)
	a.Granted = &text
	return nil
}

func orNothing(amount string) string {
	if amount == "" {
		return "0"
	}
	return amount
}

// checkCap refuses to raise a cap that there is not.
func (a *Act) checkCap() error {
	limit, granted := a.limit, a.amount
	switch {
	case a.Analyst == "":
		return nil
	case limit == nil:
		return fmt.Errorf("%s has no cap of her own", a.Analyst)
	case granted.Epsilon > 0 && limit.Epsilon == policy.NoEpsilonCap || granted.Delta > 0 && limit.Delta == policy.NoDeltaCap ||
		granted.Releases > 0 && limit.Releases == policy.NoReleasesCap:
		return fmt.Errorf("the cap of %s does not bound that amount", a.Analyst)
	}
	return nil
}

// checkUse refuses a grant of something that is never charged. A grant cannot be taken back, so such a grant is a mistake.
func (a *Act) checkUse() error {
	budget, t := a.table.Budget, a.table
	switch {
	case a.amount.Releases > 0 && budget.Releases == 0:
		return wrong("releases", "the policy gives %s no budget.releases, so that there is nothing to add to", a.Table)
	case a.amount.Epsilon > 0 && budget.Epsilon == 0:
		return wrong("epsilon", "the policy gives %s no budget.epsilon, so that there is nothing to add to", a.Table)
	case a.amount.Delta > 0 && (budget.Epsilon == 0 || t.Composition == policy.BasicComposition && t.Mechanism.Delta == 0):
		return wrong("delta", "nothing of %s is charged in delta; it would need mechanism.delta, or another budget.composition than basic", a.Table)
	}
	return nil
}
