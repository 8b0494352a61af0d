package risk

import (
	"errors"
	"fmt"
	"math"

	"tacit/accountant/composition"
)

// A Sequence publishes the counts of quasi-identifiers alone, then with a first sensitive attribute, then with a second besides, and so
// on.
type Sequence struct {
	// Releases are the losses of each: one more than there are attributes. Required. The loss of an approximate term will do.
	Releases []composition.Term
	// Filter composes them: its rule and, but for basic composition, the delta at which epsilon is told. The budget's epsilon does not
	// matter.
	Filter composition.Filter
	// At is the survival of one release that would cost what all of them so far do together. Required.
	At func(composition.Spent) (Survival, error)
	// Version is required.
	Version Version
	// Anew measures all attributes that are published so far again after each release, at the loss by then. Default: each attribute
	// keeps the risk that it had when it was published first.
	Anew bool
}

// A Step is what is disclosed after a release. The first, of quasi-identifiers, discloses no attribute.
type Step struct {
	// Spent is the loss of all releases so far.
	Spent composition.Spent
	// Overall has all attributes that are published so far, the last of which the release has added.
	Overall Overall
}

// Sequential is the local risk after each of a sequence of releases (Liu and Zhao 2023, section 4.3).
//
// It is a model: an attribute that is published with those before it is measured as if it were published alone with the
// quasi-identifiers, once, at the composed loss. That is more than the attribute's own counts had, which lie between the loss of
// quasi-identifiers and its own and the composed one (their footnote 3), and so less noise: a bound for homogeneous cells, not for
// heterogeneous ones, of which the risk may fall as noise does.
//
// The unbounded overall risk never falls from step to step, nor does the bounded one, unless Anew is set.
func (t *JointTable) Sequential(q Sequence) ([]Step, error) {
	if err := q.check(len(t.Labels)); err != nil {
		return nil, err
	}
	var composer composition.Composer
	tally := make(composition.Tally)
	var survivals []Survival
	var steps []Step
	for i, release := range q.Releases {
		tally[release]++
		spent := composer.Spent(q.Filter, tally)
		if spent.Epsilon == math.MaxInt64 {
			return nil, fmt.Errorf("risk: release %d has no bounded loss under %s composition: give its noise, and a delta for composition", i, q.Filter.Rule)
		}
		if i > 0 {
			s, err := q.At(spent)
			if err != nil {
				return nil, fmt.Errorf("risk: release %d: %w", i, err)
			}
			survivals = append(survivals, s)
		}
		overall, err := t.overall(func(j int, counts []int64, n int64, m []*memo) float64 {
			return localIn(m[j], q.Version, t.Labels[j], counts, n)
		}, q.measured(survivals))
		if err != nil {
			return nil, err
		}
		steps = append(steps, Step{Spent: spent, Overall: overall})
	}
	return steps, nil
}

func (q Sequence) check(attributes int) error {
	switch {
	case len(q.Releases) != attributes+1:
		return fmt.Errorf("risk: %d losses for %d attributes: give one for the quasi-identifiers, and one for each attribute", len(q.Releases), attributes)
	case q.At == nil:
		return errors.New("risk: a sequence needs the survival at a loss")
	}
	return q.Version.check()
}

// measured are the survivals at which the attributes are measured, given those at which they were published.
func (q Sequence) measured(survivals []Survival) []Survival {
	if !q.Anew || len(survivals) == 0 {
		return survivals
	}
	out := make([]Survival, len(survivals))
	for j := range out {
		out[j] = survivals[len(survivals)-1]
	}
	return out
}
