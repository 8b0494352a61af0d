package posterior

import (
	"fmt"
	"math"
	"sort"

	"tacit/auditor/posterior/internal/law"
)

// A Need is what a block has to keep: a risk, of one answer about it, or of everything about unions of blocks if it is certified.
type need struct {
	Kind      Atom       // whose prior and limits all people of the block have; its number of people does not matter
	Sets      []ValueSet // what is asked, as of [RootRisk]
	Risk      float64    // Required: above 0 and below 1.
	Certified bool
	Insiders  int // added to the people: what they leave is to be enough
}

// Sizes that fewestPeople looks at: all of them up to this many, and as many of more.
const maxSizes = 1 << 18

// mostPeople is more than fewestPeople returns.
const mostPeople = 1 << 30

// fewestPeople is the least number of people such that a block of them, and every larger one, keeps the need. Below that number some larger
// blocks do, since what is safe is a whole number of people. It begins where Chernoff's bound is enough for all larger blocks, which holds
// for certificates as well: exp(theta x) is convex, and the certificate is the least bound of all martingales with its ending. From there it
// goes down to the last size that fails, in steps if that is more than a quarter of a million sizes.
func fewestPeople(n need) (int, error) {
	parts, err := n.parts()
	if err != nil {
		return 0, err
	}
	if !(n.Risk > 0 && n.Risk < 1) || n.Insiders < 0 {
		return 0, fmt.Errorf("%w: a risk of %v against %d insiders", errInvalid, n.Risk, n.Insiders)
	}
	enough := sort.Search(mostPeople, func(people int) bool { return chernoff(parts, people) <= n.Risk })
	if enough == mostPeople {
		return 0, fmt.Errorf("%w: a block of more than %d people", ErrTooLarge, mostPeople)
	}
	step := 1 + enough/maxSizes
	for enough > step {
		risk := n.risk(parts, enough-step)
		if risk > n.Risk {
			break
		}
		enough -= step
	}
	return enough + n.Insiders, nil
}

// parts are one for each question.
func (n *need) parts() ([]part, error) {
	kind := n.Kind
	kind.People = 1
	if kind.Spread != 0 {
		return nil, fmt.Errorf("%w: a shared rate stays uncertain in blocks of any size", ErrTypes)
	}
	qs, err := asked(nil, Group{kind}, n.Sets)
	if err != nil {
		return nil, err
	}
	var all []part
	for i := range qs {
		parts, _, err := qs[i].parts(nil, Group{kind})
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			if !(p.low < p.rate && p.rate < p.high) {
				return nil, fmt.Errorf("%w: the prior is no inner point of the limits", errInvalid)
			}
		}
		all = append(all, parts...)
	}
	return all, nil
}

// risk is that of a block of the given size.
func (n *need) risk(parts []part, people int) float64 {
	risk := 0.0
	for _, p := range parts {
		p.people = people
		if !n.Certified {
			risk += p.outside()
			continue
		}
		r := law.Binomial(people, p.odds)
		w := r.Window(law.Floor)
		s := sumLaw{Window: w, parts: []part{p}}
		share := law.Certain()
		s.posteriors = [][]float64{s.posterior(&w, &share, people)}
		risk += s.certificate(w.Mass, w.Cut)
	}
	return risk
}

// chernoff bounds the risk of a block: n people with the rate p have a share of c or more with a probability of at most exp(-n D(c, p)).
func chernoff(parts []part, people int) float64 {
	bound := 0.0
	for i := range parts {
		p := &parts[i]
		for _, limit := range [2]float64{p.low, p.high} {
			if limit > 0 && limit < 1 {
				bound += math.Exp(-float64(people) * divergence(limit, p.rate))
			}
		}
	}
	return bound
}

// divergence is that of Kullback and Leibler between two rates.
func divergence(c, p float64) float64 {
	return c*math.Log(c/p) + (1-c)*math.Log((1-c)/(1-p))
}
