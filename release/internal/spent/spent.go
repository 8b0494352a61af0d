package spent

import (
	"maps"
	"slices"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/ledger"
	"tacit/policy"
)

// On is what charges add up to under a table's rule, since the epoch began, without a window. Of a table in blocks, it is that of the
// block of which the stated losses are the largest sum.
func On(a accountant.Accounting, charged []ledger.ChargedQuestion) accountant.Loss {
	if a.Partition != "" {
		charged = inFullestBlock(charged)
	}
	var total accountant.Loss
	tally := make(composition.Tally)
	for _, c := range charged {
		total = total.Add(accountant.Loss{Epsilon: c.Loss.Epsilon, Delta: c.Loss.Delta})
		switch {
		case c.Loss.Epsilon == 0 && c.Loss.Delta == 0: // without a guarantee
		case a.Composition == policy.AdvancedComposition || c.Term == composition.Term{}:
			tally[composition.Approximate(c.Loss.Epsilon, c.Loss.Delta)]++
		default:
			tally[c.Term]++
		}
	}
	if a.Composition == policy.BasicComposition {
		return total
	}
	var composer composition.Composer
	spent := composer.Spent(a.Filter(), tally)
	return accountant.Loss{Epsilon: spent.Epsilon, Delta: spent.Delta}
}

// inFullestBlock are the charges that count in one block: those that name it, or none.
func inFullestBlock(charged []ledger.ChargedQuestion) []ledger.ChargedQuestion {
	sums := make(map[string]accountant.Loss)
	for _, c := range charged {
		for _, b := range c.Blocks {
			sums[b] = sums[b].Add(c.Loss)
		}
	}
	fullest := ""
	for _, b := range slices.Sorted(maps.Keys(sums)) {
		if fullest == "" || sums[b].Epsilon > sums[fullest].Epsilon {
			fullest = b
		}
	}
	return slices.DeleteFunc(slices.Clone(charged), func(c ledger.ChargedQuestion) bool {
		return len(c.Blocks) > 0 && !slices.Contains(c.Blocks, fullest)
	})
}
