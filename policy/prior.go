package policy

import (
	"fmt"
	"slices"
	"strconv"

	"tacit/policy/internal/document"
)

// A Prior is what an attacker is taken to believe of the private column before anything is released: for each type of person, which
// public columns tell apart, the probability of each value.
type Prior struct {
	Kind PriorKind
	// By are the public columns that tell types apart; none: all persons are of one type.
	By []string
	// Types of DeclaredPrior, in file order. Without By it is one.
	Types []PriorType
	// Interval says, of DeclaredPrior of a Boolean column without NULL, that the true probability may lie within a factor of 1 - Interval
	// to 1 + Interval.
	Interval Share
	// Spread is, of DeclaredPrior, the standard deviation of the rate of a group of one type, as a share of its probability: groups are
	// not taken to be alike. 0: they are.
	Spread Share
	// Estimate is what EstimatedPrior costs.
	Estimate Epsilon
	// Least is, of TotalsPrior, the fewest people of a type whose totals may be published: the smaller a type, the more its totals tell of
	// each of its people, which the guarantee does not cover. Default 1000. It is looked at when the first epoch is sealed, and is no part
	// of the promise.
	Least int `json:"-"`
}

// leastType is the default of Prior.Least, and maxLeastType the most that can be asked for.
const (
	leastType    = 1000
	maxLeastType = 1_000_000_000
)

// A PriorKind says where a prior is from.
type PriorKind string

const (
	// TotalsPrior publishes the totals of each type, outside of the guarantee, and takes everything that agrees with them for equally
	// likely: nothing needs to be known of the probabilities.
	TotalsPrior PriorKind = "totals"
	// DeclaredPrior is written in the policy.
	DeclaredPrior PriorKind = "values"
	// EstimatedPrior is estimated from the table under differential privacy.
	EstimatedPrior PriorKind = "estimate"
)

// A PriorType is what is believed of persons of one type.
type PriorType struct {
	// Keys are the values of By. AnyValue stands for all that no other type beside it names, NULL among them.
	Keys []string
	// Probabilities of the auditor's Values; of a Boolean column, of false and of true.
	Probabilities []Share
	// Null is the probability of NULL. With Probabilities it adds up to OneShare.
	Null Share
}

// hasNull says whether the declared prior has a probability of NULL.
func (p Prior) hasNull() bool {
	return slices.ContainsFunc(p.Types, func(t PriorType) bool { return t.Null > 0 })
}

// Type returns what is believed of persons with the keys, of which nil is NULL.
func (p Prior) Type(keys []*string) (PriorType, bool) {
	left := p.Types
	for i, key := range keys {
		named := func(label string) []PriorType {
			return slices.DeleteFunc(slices.Clone(left), func(t PriorType) bool { return t.Keys[i] != label })
		}
		var next []PriorType
		if key != nil && *key != AnyValue {
			next = named(*key)
		}
		if len(next) == 0 {
			next = named(AnyValue)
		}
		left = next
	}
	if len(left) == 0 {
		return PriorType{}, false
	}
	return left[0], true
}

const priorRemedy = "write prior: {by: [hair], baseline: totals}, or {by: [hair], values: {blonde: 0.5, black: 0.4}}"

// prior decodes a prior. By default the total of the table is published.
func (d *decoder) prior(n *document.Node, a *Auditor, t *Table) Prior {
	prior := Prior{Kind: TotalsPrior, Least: leastType}
	if n == nil {
		return prior
	}
	o := d.Object(n, "by", "values", "value", "baseline", "estimate", "interval", "spread", "least")
	if o.Node == nil {
		return prior
	}
	prior.Kind = d.priorKind(o)
	prior.By = d.priorColumns(o.Optional("by"), a, t)
	if prior.Least = 0; prior.Kind == TotalsPrior {
		prior.Least = d.Integer(o.Optional("least"), 1, maxLeastType, leastType)
	} else if at := o.Optional("least"); at != nil {
		d.Report(at.AtKey(), "least is about totals that are published, and none are", "remove it, or write baseline: totals")
	}
	switch prior.Kind {
	case DeclaredPrior:
		d.declaredPrior(o, &prior, a, t)
		return prior
	case EstimatedPrior:
		estimate := d.Object(o.Optional("estimate"), "epsilon")
		prior.Estimate = d.epsilon(estimate.Required("epsilon", "write estimate: {epsilon: 0.1}"))
	default:
		d.Choice(o.Optional("baseline"), "totals")
	}
	for _, key := range []string{"interval", "spread"} {
		if at := o.Optional(key); at != nil {
			d.Report(at.AtKey(), key+" is about probabilities that are written down, and there are none", "remove it, or write values")
		}
	}
	return prior
}

// priorKind says where the prior is from, and reports a second answer to that.
func (d *decoder) priorKind(o document.Object) PriorKind {
	kind, first := TotalsPrior, ""
	for _, source := range []struct {
		key  string
		kind PriorKind
	}{{"values", DeclaredPrior}, {"value", DeclaredPrior}, {"baseline", TotalsPrior}, {"estimate", EstimatedPrior}} {
		n := o.Optional(source.key)
		switch {
		case n == nil:
		case first != "":
			d.Report(n.AtKey(), fmt.Sprintf("the prior is given by %s already", first), "keep one of values, baseline and estimate")
		default:
			kind, first = source.kind, source.key
		}
	}
	return kind
}

// priorColumns decodes the columns that tell types apart.
func (d *decoder) priorColumns(n *document.Node, a *Auditor, t *Table) []string {
	if n == nil || n.Kind == document.Sequence && len(n.Items) == 0 {
		return nil
	}
	names := d.listedColumns(n, t, priorRemedy)
	if slices.Contains(names, a.Private) {
		d.Report(n, fmt.Sprintf("%q is the private column", a.Private), "types are told apart by public columns: remove it")
	}
	return names
}

// declaredPrior decodes the probabilities of each type.
func (d *decoder) declaredPrior(o document.Object, prior *Prior, a *Auditor, t *Table) {
	before := len(d.Errors)
	values, value := o.Optional("values"), o.Optional("value")
	switch by := o.Optional("by"); {
	case values != nil && by == nil:
		o.Required("by", "write by: [hair], the columns whose values stand under values")
	case values != nil && len(prior.By) == 0 && len(d.Errors) == before:
		d.Report(values, "there is one type, since by is empty", "write value: 0.3, or name columns under by")
	case value != nil && len(prior.By) > 0:
		d.Report(value, "by tells types apart, and there is one probability for all", "write values: {blonde: 0.5, black: 0.4}, or by: []")
	}
	if n := o.Optional("interval"); n != nil {
		prior.Interval = d.share(n, OneShare-1, "0.05")
	}
	if n := o.Optional("spread"); n != nil {
		prior.Spread = d.share(n, OneShare-1, "0.1")
	}
	if len(d.Errors) > before {
		return
	}
	if value != nil {
		values = value
	}
	types := priorTypes{d: d, auditor: a, table: t, prior: prior}
	types.decode(values, nil)
	if len(d.Errors) == before {
		d.checkInterval(o.Optional("interval"), prior, a)
	}
}

// checkInterval reports an interval at whose ends no answer is safe: one answer must be within 1 +- epsilon of both ends, which needs
// (1-epsilon)(1+interval) <= (1+epsilon)(1-interval). A belief added up over a group is the answer, whatever types the group has, so
// that this holds of groups as of single types. It is no matter of the ends if only a rise counts.
func (d *decoder) checkInterval(n *document.Node, prior *Prior, a *Auditor) {
	if n == nil {
		return
	}
	if a.Values != nil || prior.hasNull() {
		d.Report(n, fmt.Sprintf("an interval is one of the probability of true, and column %q has other values", a.Private), "remove it, or write a spread")
		return
	}
	if int64(prior.Interval) > int64(a.Epsilon) && !a.OneSided && a.Epsilon > 0 {
		d.Report(n, fmt.Sprintf("no answer is within an epsilon of %v of both ends of an interval of %v", a.Epsilon, prior.Interval),
			"lower it well below half of epsilon, or publish totals: baseline: totals")
		return
	}
	for _, t := range prior.Types {
		p := t.Probabilities[1]
		// Neither product is above 2e18.
		if int64(p)*int64(OneShare+prior.Interval) >= int64(OneShare)*int64(OneShare) {
			d.Report(n, fmt.Sprintf("a probability of %v reaches 1 at the end of the interval", p), "lower it")
			return
		}
	}
}

// priorTypes decodes the tree of types and their probabilities.
type priorTypes struct {
	d       *decoder
	auditor *Auditor
	table   *Table
	prior   *Prior
}

// decode decodes what is believed of the persons with the first keys.
func (p priorTypes) decode(n *document.Node, keys []string) {
	if len(keys) == len(p.prior.By) {
		if t, ok := p.probabilities(n); ok {
			t.Keys = slices.Clone(keys)
			p.prior.Types = append(p.prior.Types, t)
		}
		return
	}
	name := p.prior.By[len(keys)]
	if n.Kind != document.Mapping {
		p.d.Report(n, fmt.Sprintf("here is no value of %q", name), fmt.Sprintf("write a mapping from the values of %q: {blonde: 0.5, black: 0.4}", name))
		return
	}
	column, _ := p.table.column(name)
	p.checkKeys(n, column)
	for _, e := range n.Entries {
		p.decode(e.Value, append(slices.Clip(keys), e.Key))
	}
}

// checkKeys compares the values of a column with those that it was declared to have.
func (p priorTypes) checkKeys(n *document.Node, column Column) {
	before := len(p.d.Errors)
	rest := false
	for _, e := range n.Entries {
		switch {
		case e.Key == AnyValue:
			rest = true
		case !column.Domain.mayHave(e.Key):
			p.d.Report(e.Value.AtKey(), fmt.Sprintf("%q is not among the declared values of column %q", e.Key, column.Name),
				"remove it, or declare it under columns")
		}
	}
	if missing := column.Domain.size() - len(n.Entries); missing > 0 && !rest && len(p.d.Errors) == before {
		p.d.Report(n, fmt.Sprintf("declared values of column %q without a probability: %d", column.Name, missing),
			fmt.Sprintf("add them, or %q for all others", AnyValue))
	}
}

// nullKey is the key of the probability of NULL.
const nullKey = "null"

// probabilities decodes those of one type: a number for a Boolean column, or one for each value.
func (p priorTypes) probabilities(n *document.Node) (PriorType, bool) {
	values := p.auditor.Values
	if values == nil {
		values = []string{"false", "true"}
		if n.Kind == document.Scalar {
			share, ok := p.probability(n)
			return PriorType{Probabilities: []Share{OneShare - share, share}}, ok
		}
	}
	remedy := "write {a: 0.2, b: 0.8}, a probability for each value"
	if n.Kind != document.Mapping {
		p.d.Report(n, fmt.Sprintf("here are no probabilities of the values of %q", p.auditor.Private), remedy)
		return PriorType{}, false
	}
	t := PriorType{Probabilities: make([]Share, len(values))}
	good := true
	sum := Share(0)
	for _, e := range n.Entries {
		share, ok := p.probability(e.Value)
		i := slices.Index(values, e.Key)
		switch {
		case !ok:
		case i >= 0:
			t.Probabilities[i] = share
		case e.Key == nullKey:
			t.Null = share
		default:
			p.d.Report(e.Value.AtKey(), fmt.Sprintf("%q is no value of the private column %q", e.Key, p.auditor.Private), remedy)
			ok = false
		}
		good = good && ok
		sum += share
	}
	if i := slices.Index(t.Probabilities, 0); good && i >= 0 {
		p.d.Report(n, fmt.Sprintf("the value %q of the private column has no probability", values[i]), "add it: probabilities add up to 1")
		return t, false
	}
	if good && sum != OneShare {
		p.d.Report(n, fmt.Sprintf("the probabilities add up to %v instead of 1", sum), "change one: they have up to 9 decimal places")
		return t, false
	}
	return t, good
}

// probability decodes one between 0 and 1, without either.
func (p priorTypes) probability(n *document.Node) (Share, bool) {
	const remedy = "use a decimal number between 0 and 1 with at most 9 decimal places, such as 0.3"
	share := fixed(p.d, n, sharePlaces, remedy, func(s Share) string {
		if s == 0 || s >= OneShare {
			return strconv.Quote(n.Text) + " is not between 0 and 1: what is certain needs no protection"
		}
		return ""
	})
	return share, share > 0
}
