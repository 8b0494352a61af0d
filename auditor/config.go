package auditor

import (
	"errors"
	"fmt"
	"math"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// errInvalid is returned for an opening, a question, answers or an event that no table has.
var errInvalid = errors.New("auditor: malformed input")

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errInvalid}, args...)...)
}

// A Unit is a number of people with the same public attributes. All that is known of the people of a unit is the same, so that a
// question asks for whole units.
type Unit struct{ Type, People int }

// A Type is people of one prior.
type Type struct {
	Name string
	// Prior is the probability of each value of the private attribute.
	Prior []float64
	// Interval says that the probability of value 1 of a Boolean attribute is only known to lie within Prior[1]*(1 ± Interval): an
	// answer must be safe for both ends, and its risk bounds that of every probability between (package posterior has the proof). Questions that
	// link released sums are suppressed, unless these tell how many people of the type have the value.
	Interval float64
	// Spread is the relative standard deviation of the rates of units around the prior: the people of each unit have a rate of their own,
	// drawn independently of all others (see [posterior.Atom]). Questions never cut units. Where people left a unit after sums about
	// it were released, the others are not asked about any more, as both have one rate.
	Spread float64
}

// Config is what a table's auditor promises, and how it spends its risk.
type Config struct {
	// Values is how many values the private attribute has. Required: 2 for a Boolean one.
	Values int
	// Epsilon is the relative change of a probability that is safe. Required: above 0 and below 1.
	Epsilon float64
	// Delta bounds the probability that anybody is ever exposed. Required.
	Delta policy.Risk
	// PerDecision and PerStatement are the most that one decision and one statement may risk. Required under policy.LedgerRule.
	PerDecision, PerStatement policy.Risk
	// Rule defaults to policy.LedgerRule.
	Rule policy.AuditRule
	// Decisions is the most decisions that are ever made; 0: no bound, which only policy.LedgerRule allows.
	Decisions int
	// Insiders is how many people an attacker may know besides herself. Questions that link released sums are then suppressed.
	Insiders int
	// OneSided protects value 1 of a Boolean attribute alone: a posterior may fall as far as it likes.
	OneSided bool
	Types    []Type
}

const (
	maxTypes    = 1 << 16
	maxUnits    = 1 << 24
	maxPeople   = 1 << 40
	maxQueries  = 1 << 20
	maxInsiders = posterior.MaxInsiders
)

func (c *Config) validate() error {
	switch {
	case c.Values < 2 || c.Values > posterior.MaxValues:
		return invalid("%d values", c.Values)
	case !(c.Epsilon > 0 && c.Epsilon < 1):
		return invalid("epsilon %v", c.Epsilon)
	case c.Delta <= 0 || c.Delta > policy.OneRisk:
		return invalid("delta %v", c.Delta)
	case c.PerDecision < 0 || c.PerStatement < 0:
		return invalid("a negative cap")
	case c.Decisions < 0 || c.Decisions == 0 && c.Rule != policy.LedgerRule && c.Rule != "":
		return invalid("rule %s for %d decisions", c.Rule, c.Decisions)
	case c.Insiders < 0 || c.Insiders > maxInsiders:
		return invalid("%d insiders", c.Insiders)
	case c.OneSided && c.Values != 2:
		return invalid("one side of %d values", c.Values)
	case len(c.Types) == 0 || len(c.Types) > maxTypes:
		return invalid("%d types", len(c.Types))
	}
	switch c.Rule {
	case "", policy.LedgerRule, policy.ThresholdRule, policy.PaperRule:
	default:
		return invalid("rule %q", c.Rule)
	}
	for i := range c.Types {
		if err := c.Types[i].validate(c.Values); err != nil {
			return fmt.Errorf("type %d: %w", i, err)
		}
	}
	return nil
}

func (t *Type) validate(values int) error {
	if len(t.Prior) != values {
		return invalid("%d probabilities of %d values", len(t.Prior), values)
	}
	sum := 0.0
	for _, p := range t.Prior {
		if !(p >= 0 && p <= 1) {
			return invalid("a probability of %v", p)
		}
		sum += p
	}
	switch {
	case math.Abs(sum-1) > 1e-9:
		return invalid("probabilities that sum to %v", sum)
	case !(t.Interval >= 0 && t.Interval < 1) || t.Interval > 0 && values != 2:
		return invalid("an interval of %v", t.Interval)
	case !(t.Spread >= 0 && t.Spread < 1):
		return invalid("a spread of %v", t.Spread)
	}
	return nil
}

func (c *Config) validateUnit(u Unit) error {
	if u.Type < 0 || u.Type >= len(c.Types) || u.People < 0 || u.People > maxPeople {
		return invalid("a unit of %d people of type %d", u.People, u.Type)
	}
	return nil
}

// rule is the rule with its default.
func (c *Config) rule() policy.AuditRule {
	if c.Rule == "" {
		return policy.LedgerRule
	}
	return c.Rule
}

// rising reports whether units rise, and there are so many.
func rising(units []int32, count int) bool {
	for i, u := range units {
		if u < 0 || int(u) >= count || i > 0 && u <= units[i-1] {
			return false
		}
	}
	return true
}
