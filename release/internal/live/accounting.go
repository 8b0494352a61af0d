package live

import (
	"maps"
	"slices"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/mechanisms"
	"tacit/policy"
)

// AccountingOf is what the policy says of how losses add up, of a table most of whose releases have one term.
func AccountingOf(t *policy.Table, main composition.Term) accountant.Accounting {
	a := accountant.Accounting{
		Table: t.Name, Adjacency: t.Adjacency, Budget: t.Budget, Composition: t.Composition, Thresholds: t.Thresholds, Window: t.Window, Main: main,
	}
	if t.Blocks != nil {
		a.Partition = t.Blocks.Partition()
	}
	return a
}

// MainTerm is the term of most releases of a table: that of its counts. Where they differ in it, because persons have several rows, it
// is that of randomized response, which dominates every term of the same epsilon; Gaussian terms are of one class whatever they are.
// Discrete Gaussian terms are of one class only if they have one variance and the moves are known: otherwise there is no main term, so that
// the delta for composition is not kept for a class that hardly anything is of.
func MainTerm(made map[Sensitivity]*mechanisms.Mechanism) composition.Term {
	var main composition.Term
	for _, s := range slices.SortedFunc(maps.Keys(made), Sensitivity.compare) { // so that all proxies say the same
		term := made[s].Term()
		term.Delta = 0
		switch {
		case term.Noise == composition.DiscreteGaussianNoise && (term.Moves == 0 || main.Moves > 0 && term.Variance != main.Variance):
			return composition.Term{}
		case main == (composition.Term{}):
			main = term
		case main != term && term.Epsilon > 0:
			main = composition.Approximate(max(main.Epsilon, term.Epsilon), 0)
		}
	}
	return main
}

// Accounting is how the losses of a table add up, for a policy whose proxy need not run.
func Accounting(t *policy.Table) accountant.Accounting {
	made, err := NewMechanisms(t, NoRandomness{})
	if err != nil {
		made = nil // no proxy can serve the table
	}
	return AccountingOf(t, MainTerm(made))
}
