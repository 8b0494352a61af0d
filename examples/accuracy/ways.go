package main

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"tacit/accountant/composition"
	"tacit/policy"
	"tacit/release"
)

// epsilon and delta are what all statements together may cost.
const (
	epsilon = 1
	delta   = "1e-6"
)

// A way to spend the budget is a part of the table's policy.
type way struct {
	name string
	// rule says how losses add up. The noise follows from it: geometric for basic, discrete Gaussian for the others.
	rule policy.Composition
	// derives has answers that follow from others for free.
	derives bool
	// declared has the marginals measured as a workload.
	declared bool
	// negative says how counts below 0 are shown: as they are, if it is "", by "clamp" as 0, or by "fit" all fitted together.
	negative string
}

var ways = []way{
	{name: "each by itself, basic composition", rule: policy.BasicComposition},
	{name: "each by itself, zCDP", rule: policy.ZCDPComposition},
	{name: "each by itself, PLD", rule: policy.PLDComposition},
	{name: "derived from what was asked", rule: policy.PLDComposition, derives: true},
	{name: "declared workload", rule: policy.ZCDPComposition, derives: true, declared: true},
	{name: "declared workload, counts below 0 shown as 0", rule: policy.ZCDPComposition, derives: true, declared: true, negative: "clamp"},
	{name: "declared workload, fitted", rule: policy.ZCDPComposition, derives: true, declared: true, negative: "fit"},
}

// table is the part of the policy that differs. Each answer that is charged has this epsilon, in billionths.
func (w way) table(each policy.Epsilon, marginals []shown) string {
	mechanism, budget := "kind: geometric", fmt.Sprintf("{epsilon: %d, composition: basic}", epsilon)
	if w.rule != policy.BasicComposition {
		// Of Gaussian noise the delta is a part of how it is described, and no loss besides: all that counts is its variance.
		mechanism, budget = "kind: discrete-gaussian, delta: 1e-10", fmt.Sprintf("{epsilon: %d, delta: %s, thresholds: 1e-10, composition: %s}", epsilon, delta, w.rule)
	}
	if w.declared {
		// Nothing is charged but the workload, which has all of the budget: of its delta no part is kept for thresholds on unknown keys.
		mechanism, budget = "kind: geometric, delta: 0", fmt.Sprintf("{epsilon: %d, delta: %s, composition: %s}", epsilon, delta, w.rule)
	}
	negative, fit := "keep", "mechanism"
	switch w.negative {
	case "clamp":
		negative = "clamp"
	case "fit":
		fit = "fit"
	}
	text := fmt.Sprintf("    mechanism: {%s, epsilon: %.9f, negative: %s}\n    budget: %s\n    derive: %t\n", mechanism, float64(each)/1e9, negative, budget, w.derives)
	if w.declared {
		text += fmt.Sprintf("    workload:\n      epsilon: %d\n      delta: %s\n      negative: %s\n      marginals:\n", epsilon, delta, fit)
		for _, m := range marginals {
			text += fmt.Sprintf("        - {columns: [%s], weight: %d}\n", strings.Join(m.columns, ", "), m.times)
		}
	}
	return text
}

// share is the largest epsilon of each of so many answers of which the accountant allows all. It is what a steward finds who tries policies: nothing
// but policies is looked at.
func (r *rig) share(w way, answers int) (policy.Epsilon, error) {
	if w.rule == policy.BasicComposition {
		return policy.Epsilon(epsilon*1_000_000_000) / policy.Epsilon(answers), nil
	}
	var composer composition.Composer
	var problem error
	const most = 1_000_000_000
	beyond := sort.Search(most, func(each int) bool {
		if each == 0 || problem != nil {
			return false
		}
		p, err := r.parse(w, policy.Epsilon(each), nil)
		if err != nil {
			problem = err
			return false
		}
		filter := release.Accounting(p.Tables[0]).Filter()
		return !composer.Covers(filter, composition.Tally{filter.Main: int64(answers)})
	})
	return policy.Epsilon(beyond - 1), problem
}

// charged is how many of some statements are charged if each is asked once, in this order. It depends on no row and on no epsilon.
func (r *rig) charged(ctx context.Context, w way, asked []statement) (int, error) {
	if !w.derives {
		return len(asked), nil
	}
	each, err := r.share(w, len(asked))
	if err != nil {
		return 0, err
	}
	answers, err := r.ask(ctx, w, each, asked)
	n := 0
	for _, a := range answers {
		if a.charged {
			n++
		}
	}
	return n, err
}
