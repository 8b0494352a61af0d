package policy

import (
	"fmt"
	"time"

	"tacit/policy/internal/document"
)

// A Composition is a rule by which the losses of a table's releases add up to what was spent of its budget. All of them are valid for
// releases that are chosen in view of earlier answers; package accountant/composition has the theorems.
type Composition string

const (
	// PLDComposition takes the least bound that is proved: privacy loss distributions where releases are of one class, zero-concentrated
	// privacy, and plain sums.
	PLDComposition Composition = "pld"
	// ZCDPComposition adds up zero-concentrated privacy losses.
	ZCDPComposition Composition = "zcdp"
	// AdvancedComposition is that of Whitehouse, Ramdas, Rogers and Wu (2023).
	AdvancedComposition Composition = "advanced"
	// BasicComposition adds up epsilons and deltas.
	BasicComposition Composition = "basic"
)

// The bounds of a window, which is a number of whole days.
const (
	day       = 24 * time.Hour
	maxWindow = 3650 * day
)

// budgetRules decodes by which rule a table's losses add up, and over what time.
func (d *decoder) budgetRules(n *document.Node, t *Table) {
	o := d.Unchecked(n)
	ruleNode := o.Optional("composition")
	t.Composition = Composition(d.Choice(ruleNode, string(PLDComposition), string(ZCDPComposition), string(AdvancedComposition), string(BasicComposition)))
	if ruleNode != nil && t.Budget.Delta == 0 && (t.Composition == ZCDPComposition || t.Composition == AdvancedComposition) {
		d.Report(ruleNode, fmt.Sprintf("composition %s bounds epsilon at a delta above 0, and the budget has none", t.Composition),
			"write delta: 1e-6 beside it, or composition: basic")
	}
	t.Window = d.window(o.Optional("window"))
	t.Thresholds = d.keptForThresholds(o.Optional("thresholds"), t)
}

// window returns the days in which a loss counts against the budget; 0 if the key is absent: for ever.
func (d *decoder) window(n *document.Node) time.Duration {
	if n == nil {
		return 0
	}
	window := d.duration(n, day, maxWindow, 30*day)
	if window%day != 0 {
		d.Report(n, fmt.Sprintf("%s is not a number of whole days", n.Text), "write whole days, such as 30d")
	}
	return window
}

// keptForThresholds decodes the part of the budget's delta that is kept for thresholds on unknown keys: the rest is for composition,
// and the two must be told apart before the first question. Without the key it is half of the delta.
func (d *decoder) keptForThresholds(n *document.Node, t *Table) Delta {
	switch {
	case t.Composition == BasicComposition && n != nil:
		d.Report(n, "composition basic adds up all deltas, whatever they are for", "remove the key, or the composition")
		return t.Budget.Delta
	case t.Composition == BasicComposition:
		return t.Budget.Delta
	case n == nil:
		return t.Budget.Delta / 2
	}
	delta := d.delta(n)
	if delta > t.Budget.Delta {
		d.Report(n, fmt.Sprintf("thresholds may cost %v, more than the budget's %v", delta, t.Budget.Delta), "lower it, or raise delta")
		return t.Budget.Delta
	}
	return delta
}

// thresholds fits the part of delta for thresholds to a mechanism that is known. Where noise is Gaussian it is a tenth by default, for
// epsilon depends on the rest; where no threshold is ever paid for, nothing; but always enough for one.
func (d *decoder) thresholds(n *document.Node, t *Table) {
	explicit := d.Unchecked(n).Optional("thresholds")
	switch m := t.Mechanism; {
	case t.Composition == BasicComposition:
	case explicit != nil:
		if 0 < t.Thresholds && t.Thresholds < m.Delta {
			d.Report(explicit, fmt.Sprintf("one threshold costs %v, more than %v for all of them", m.Delta, t.Thresholds), "raise it, lower mechanism.delta, or write 0 if all keys are declared")
		}
	case m.Delta == 0:
		t.Thresholds = 0
	case m.Kind.NeedsDelta() && t.Composition != AdvancedComposition:
		t.Thresholds = max(t.Budget.Delta/10, min(m.Delta, t.Budget.Delta/2))
	default:
		t.Thresholds = min(max(t.Thresholds, m.Delta), t.Budget.Delta)
	}
}
