package policy

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"tacit/policy/internal/document"
)

// A Mechanism says how counts of a table are sanitized. What does not belong to its kind is zero.
type Mechanism struct {
	Kind Kind
	// Epsilon is the loss of one count under the table's adjacency. Of a kind without a guarantee it is a parameter, and no loss.
	Epsilon Epsilon
	// Least and Most are between which analysts choose the loss of a count, by how exact they ask it to be; both 0: it is Epsilon.
	Least, Most Epsilon
	// Delta is what one threshold on unknown keys costs besides. 0: unknown keys are refused. With Gaussian noise it is also what
	// every count costs besides Epsilon.
	Delta Delta
	// KeepNegative shows counts below zero as they are drawn; otherwise they are shown as 0.
	KeepNegative bool
	// FitTotals measures the totals of grouping sets besides the cells, and fits the cells to all of them by least squares; otherwise
	// totals are sums of the cells. Only with KeepNegative: cells that are shown as 0 no longer add up to what was measured.
	FitTotals bool
	// OptimalTotals, with FitTotals, measures cells and totals together by the residual strategy, in place of each by itself. Only with Gaussian noise.
	OptimalTotals bool
	// Calibration says how Gaussian noise follows from Epsilon and Delta.
	Calibration Calibration
	// K is the least count that suppression shows.
	K int64
	// Fill is what stands for a suppressed cell.
	Fill Fill
	// Quasi are the quasi-identifiers, whose values swapping exchanges.
	Quasi []string
	// Bound is the largest count that a cell can have, on which the delta of published suppression depends; 0 if there is none.
	Bound int64
	// AcceptNoGuarantee says that the steward knows that the mechanism protects nobody in a way that can be stated.
	AcceptNoGuarantee bool
	// Audit is what the auditor of exact counts goes by; nil of every other kind.
	Audit *Auditor
}

// A Kind names a mechanism.
type Kind string

const (
	Geometric        Kind = "geometric"
	Laplace          Kind = "laplace"
	Gaussian         Kind = "gaussian"
	DiscreteGaussian Kind = "discrete-gaussian"
	DPSuppression    Kind = "dp-suppression"

	Suppression       Kind = "suppression"
	DPSuppressionEq2  Kind = "dp-suppression-eq2"
	DPSuppressionAlg2 Kind = "dp-suppression-alg2"
	DPSwapping        Kind = "dp-swapping"

	// Audit releases exact counts where they are safe. Its guarantee is of another sort, see [Auditor]: no amount of epsilon and delta
	// describes it, and none of the other kinds' keys belongs to it.
	Audit Kind = "audit"
)

// Kinds are all mechanisms that sanitize counts, those with a guarantee first. Audit is none of them: it shows counts as they are.
var Kinds = []Kind{
	Geometric, Laplace, DiscreteGaussian, Gaussian, DPSuppression,
	Suppression, DPSuppressionEq2, DPSuppressionAlg2, DPSwapping,
}

// noises are the kinds that add noise to every count and do no more, with what is to be known of the noise.
var noises = map[Kind]struct{ needsDelta bool }{
	Geometric: {}, Laplace: {}, DiscreteGaussian: {needsDelta: true}, Gaussian: {needsDelta: true},
}

// AddsNoise says whether the kind adds noise to every count and does no more.
func (k Kind) AddsNoise() bool { _, ok := noises[k]; return ok }

// NeedsDelta says whether the kind's noise costs delta besides epsilon, as Gaussian noise does.
func (k Kind) NeedsDelta() bool { return noises[k].needsDelta }

// Guaranteed says whether releases of the kind have a loss of epsilon and delta. The others need accept: no-guarantee, all but Audit,
// whose guarantee is paid for in risk.
func (k Kind) Guaranteed() bool { return k.AddsNoise() || k == DPSuppression }

// Suppresses says whether the kind withholds cells.
func (k Kind) Suppresses() bool {
	switch k {
	case DPSuppression, Suppression, DPSuppressionEq2, DPSuppressionAlg2:
		return true
	default:
		return false
	}
}

// Combines says whether counts of a join of two tables can be sanitized as those of each: both by noise of one kind, with the smaller
// epsilon and delta of the two, and with totals made in one way.
func (m Mechanism) Combines(other Mechanism) bool {
	return m.Kind == other.Kind && m.Calibration == other.Calibration && m.FitTotals == other.FitTotals && m.OptimalTotals == other.OptimalTotals && !m.Kind.Suppresses() && m.Kind != DPSwapping && m.Kind != Audit
}

// A Calibration is a way to find the scale of Gaussian noise.
type Calibration string

const (
	// AnalyticCalibration takes the least noise that the exact delta allows (Balle and Wang 2018).
	AnalyticCalibration Calibration = "analytic"
	// ClassicCalibration is sigma = D sqrt(2 ln(1.25/delta))/epsilon, for epsilon below 1 (Dwork and Roth 2014, Theorem A.1).
	ClassicCalibration Calibration = "classic"
	// PDPCalibration is that of probabilistic differential privacy (Liu 2019, as cited by Liu and Zhao 2023).
	PDPCalibration Calibration = "pdp"
)

// A Fill is what stands for a suppressed cell. The zero Fill is NULL: the count is withheld.
type Fill struct {
	Kind  FillKind
	Value int64 // of FillValue
}

// A FillKind is a way to fill a suppressed cell.
type FillKind int

const (
	FillNull  FillKind = iota
	FillHalf           // floor(k/2), with k the threshold that was applied (Das et al. 2024, Definition 3)
	FillValue          // a published count
)

// String is how the policy writes it.
func (f Fill) String() string {
	switch f.Kind {
	case FillNull:
		return "null"
	case FillHalf:
		return "half"
	default:
		return strconv.FormatInt(f.Value, 10)
	}
}

// mechanismKeys are the keys that belong to a kind, besides kind itself. The first ones are required, up to "".
var mechanismKeys = map[Kind][]string{
	Geometric:         {"epsilon", "", "delta", "negative", "totals"},
	Laplace:           {"epsilon", "", "delta", "negative", "totals"},
	DiscreteGaussian:  {"epsilon", "", "delta", "negative", "totals"},
	Gaussian:          {"epsilon", "", "delta", "negative", "totals", "calibration"},
	DPSuppression:     {"epsilon", "k", "", "delta", "fill"},
	Suppression:       {"k", "accept", "", "fill"},
	DPSuppressionEq2:  {"epsilon", "k", "accept", "", "fill", "bound"},
	DPSuppressionAlg2: {"epsilon", "k", "accept", "", "fill", "bound"},
	DPSwapping:        {"epsilon", "quasi", "accept", ""},
	Audit: {"private", "epsilon", "", "delta", "plan", "decision", "statement", "rule", "decisions", "insiders", "protect", "prior",
		"hierarchies", "certified", "workload"},
}

// mechanismRemedies say what to write for a key that is missing.
var mechanismRemedies = map[string]string{
	"epsilon": "write epsilon: 0.5",
	"k":       "write k: 6, the least count that is shown",
	"quasi":   "write quasi: [sex, region], the columns whose values are exchanged",
	"private": "write private: has_gene, the column whose counts are audited",
	"accept":  "this mechanism protects nobody in a way that can be stated; write accept: no-guarantee if you know that, or use kind: geometric",
}

// maxK is the largest threshold of suppression, and the largest fill value.
const maxK = 1_000_000_000

// mechanism decodes how counts of a table are sanitized, of which the budget, the columns and the person are known.
func (d *decoder) mechanism(n *document.Node, t *Table) Mechanism {
	o := d.Object(n, knownMechanismKeys()...)
	kindNode := o.Required("kind", "write kind: geometric")
	text, ok := d.Text(kindNode)
	if !ok {
		return Mechanism{Kind: Geometric}
	}
	m := Mechanism{Kind: Kind(text)}
	keys, ok := mechanismKeys[m.Kind]
	if !ok {
		d.Report(kindNode, fmt.Sprintf("mechanism %q is not known", text), "use kind: geometric, or another of "+listed(append(slices.Clip(Kinds), Audit)))
		return m
	}
	d.checkKeys(o, text, keys, mechanismRemedies)
	if m.Kind == Audit {
		m.Audit = d.auditor(o, t)
		return m
	}
	m.KeepNegative = d.Choice(o.Optional("negative"), "clamp", "keep") == "keep"
	m.FitTotals, m.OptimalTotals = d.fitTotals(o.Optional("totals"), m)
	d.losses(o.Optional("epsilon"), &m, t)
	m.Calibration = d.calibration(o.Optional("calibration"), m)
	m.K = d.positive(o.Optional("k"), 6)
	m.Fill = d.fill(o.Optional("fill"), m.Kind)
	m.Quasi = d.listedColumns(o.Optional("quasi"), t, mechanismRemedies["quasi"])
	m.Bound = d.positive(o.Optional("bound"), 1000)
	if accept := o.Optional("accept"); accept != nil && !m.Kind.Guaranteed() {
		m.AcceptNoGuarantee = d.Choice(accept, "no-guarantee") == "no-guarantee"
	}
	d.mechanismDelta(o, &m, t)
	return m
}

// losses decodes what one count costs, and between which losses analysts choose.
func (d *decoder) losses(n *document.Node, m *Mechanism, t *Table) {
	if n == nil || n.Kind != document.Mapping {
		m.Epsilon = d.epsilon(n)
		return
	}
	o := d.Object(n, "least", "most", "usual")
	m.Least, m.Most = d.epsilon(o.Required("least", "write {least: 0.05, most: 1}")), d.epsilon(o.Required("most", "write {least: 0.05, most: 1}"))
	m.Epsilon = cmp.Or(d.epsilon(o.Optional("usual")), m.Least)
	switch {
	case !m.Kind.AddsNoise():
		d.Report(n, fmt.Sprintf("analysts choose the loss of noise alone, and kind %s does more", m.Kind), "write one epsilon, or kind: geometric")
	case m.Least > m.Epsilon || m.Epsilon > m.Most:
		d.Report(n, "least, usual and most do not rise", "write {least: 0.05, usual: 0.5, most: 1}")
	case m.Most > t.Budget.Epsilon && t.Budget.Epsilon > 0:
		d.Report(n, fmt.Sprintf("one count may cost %v, more than the budget's %v", m.Most, t.Budget.Epsilon), "lower most, or raise budget.epsilon")
	case t.Composition == PLDComposition && m.Kind != Gaussian: // whose class has every variance, see accountant/composition
		d.Report(n, fmt.Sprintf("composition pld counts %s noise as copies of one loss, and analysts would choose others", m.Kind), "write composition: zcdp under budget, or kind: gaussian")
	}
}

// knownMechanismKeys are the keys of all kinds.
func knownMechanismKeys() []string {
	known := []string{"kind"}
	for _, kind := range append(slices.Clip(Kinds), Audit) {
		for _, key := range mechanismKeys[kind] {
			if key != "" && !slices.Contains(known, key) {
				known = append(known, key)
			}
		}
	}
	return known
}

func listed[K ~string](kinds []K) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

// checkKeys reports keys that a kind needs, and those that belong to others.
func (d *decoder) checkKeys(o document.Object, kind string, keys []string, remedies map[string]string) {
	for _, key := range keys[:slices.Index(keys, "")] {
		o.Required(key, remedies[key])
	}
	for _, e := range o.Node.Entries {
		if e.Key != "kind" && o.Knows(e.Key) && !slices.Contains(keys, e.Key) {
			d.Report(e.Value.AtKey(), fmt.Sprintf("kind %s has no %s", kind, e.Key), "remove it, or change the kind")
		}
	}
}

// fitTotals decodes how the totals of grouping sets are made.
func (d *decoder) fitTotals(n *document.Node, m Mechanism) (fit, optimal bool) {
	way := d.Choice(n, "sum", "least-squares", "optimal")
	fit, optimal = way != "" && way != "sum", way == "optimal"
	if fit && !m.KeepNegative && slices.Contains(mechanismKeys[m.Kind], "totals") {
		d.Report(n, "cells below 0 are shown as 0, and would not add up to totals that are measured besides", "write negative: keep, or totals: sum")
	}
	if optimal && !m.Kind.NeedsDelta() && slices.Contains(mechanismKeys[m.Kind], "totals") {
		d.Report(n, "totals are measured together with cells by Gaussian noise alone", "write kind: discrete-gaussian, or totals: least-squares")
	}
	return fit, optimal
}

// positive returns a whole number from 1 to maxK; 0 if the key is absent.
func (d *decoder) positive(n *document.Node, example int) int64 {
	if n == nil {
		return 0
	}
	return int64(d.Integer(n, 1, maxK, example))
}

func (d *decoder) calibration(n *document.Node, m Mechanism) Calibration {
	if m.Kind != Gaussian {
		return ""
	}
	c := Calibration(d.Choice(n, string(AnalyticCalibration), string(ClassicCalibration), string(PDPCalibration)))
	if most := max(m.Epsilon, m.Most); c == ClassicCalibration && most >= 1e9 {
		d.Report(n, fmt.Sprintf("the classic calibration is proved for an epsilon below 1, not for %v", most), "use calibration: analytic")
	}
	return c
}

// fill decodes what stands for a suppressed cell: NULL by default.
func (d *decoder) fill(n *document.Node, kind Kind) Fill {
	switch {
	case !kind.Suppresses(), n == nil, n.Kind == document.Null, n.Kind == document.Scalar && n.Text == "null":
		return Fill{}
	case n.Kind == document.Scalar && n.Text == "half":
		return Fill{Kind: FillHalf}
	case n.Kind == document.Scalar && strings.Trim(n.Text, "0123456789") != "":
		d.Report(n, fmt.Sprintf("%q is no fill value", n.Text), "write null, half, or a whole number such as 3")
		return Fill{}
	}
	return Fill{Kind: FillValue, Value: int64(d.Integer(n, 0, maxK, 0))}
}

// listedColumns decodes a list of columns of the table that statements may use; nil if it is absent.
func (d *decoder) listedColumns(n *document.Node, t *Table, remedy string) []string {
	if n == nil || !d.Expect(n, document.Sequence) {
		return nil
	}
	if len(n.Items) == 0 {
		d.Report(n, "the list is empty", remedy)
	}
	var names []string
	for _, item := range n.Items {
		name, ok := d.Text(item)
		switch {
		case !ok:
		case slices.Contains(names, name):
			d.Report(item, fmt.Sprintf("%q is listed twice", name), "remove one")
		case !slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Name == name }):
			d.Report(item, fmt.Sprintf("%q is not among the columns of the table", name), "list it under columns, or remove it")
		default:
			names = append(names, name)
		}
	}
	return names
}

// mechanismDelta decodes delta, and compares one count with the budget.
func (d *decoder) mechanismDelta(o document.Object, m *Mechanism, t *Table) {
	budget := t.Budget
	deltaNode := o.Optional("delta")
	m.Delta = d.delta(deltaNode)
	switch {
	case !m.Kind.Guaranteed():
		if budget.Releases == 0 && m.AcceptNoGuarantee {
			d.Report(o.Node, fmt.Sprintf("no epsilon describes releases of kind %s, and the budget allows none without a guarantee", m.Kind),
				"write budget: {releases: 100}, the most such releases")
		}
		return
	case budget.Epsilon == 0 && budget.Releases > 0:
		d.Report(o.Node, fmt.Sprintf("kind %s costs epsilon, and the budget has none", m.Kind), "write budget: {epsilon: 10}")
	}
	if budget.Epsilon > 0 && m.Epsilon > budget.Epsilon {
		d.Report(o.Optional("epsilon"), fmt.Sprintf("one count costs %v, more than the budget's %v", m.Epsilon, budget.Epsilon), "lower it, or raise budget.epsilon")
	}
	if m.Delta > budget.Delta {
		d.Report(deltaNode, fmt.Sprintf("delta costs %v, more than the budget's %v", m.Delta, budget.Delta), "lower it, or raise budget.delta")
	}
	if deltaNode == nil && budget.Epsilon > 0 {
		shared := budget
		if !m.Kind.NeedsDelta() {
			shared.Delta = t.Thresholds
		}
		m.Delta = proportionalDelta(m.Epsilon, shared)
	}
	if m.Delta == 0 && m.Kind.NeedsDelta() {
		d.Report(o.Node, "Gaussian noise costs delta, and there is none", "write delta: 1e-6 here and more than that under budget, or use kind: geometric")
	}
}

// proportionalDelta returns budget.Delta * epsilon / budget.Epsilon, so that a table on which every count passes a threshold runs
// out of both at the same time. It is rounded down, which makes the threshold higher.
func proportionalDelta(epsilon Epsilon, budget Budget) Delta {
	product := new(big.Int).Mul(big.NewInt(int64(budget.Delta)), big.NewInt(int64(epsilon)))
	product.Quo(product, big.NewInt(int64(budget.Epsilon)))
	return min(Delta(product.Int64()), budget.Delta)
}
