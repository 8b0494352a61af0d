package posterior

// A ValueSet is a set of values of the private attribute, bit j for value j. A Boolean attribute has the values 0 (false) and 1 (true),
// and its sets are always {1}: sums of value 0 are sizes less sums of value 1.
type ValueSet uint64

// MaxValues bounds the values of a private attribute.
const MaxValues = 64

// True is the set of the one value that sums of a Boolean attribute count.
const True ValueSet = 1 << 1

// Has reports whether the set has a value.
func (s ValueSet) Has(value int) bool { return s>>value&1 == 1 }

// An Atom is a number of people with one prior who stand in the same sums.
type Atom struct {
	People int
	// Prior is the probability of each value; its length is the number of values, at least 2.
	Prior []float64
	// Interval is where Prior[1] of a Boolean attribute lies, if it is not known to be what Prior says. Risks and certificates then hold for all
	// probabilities in it. Posteriors are those of Prior. nil: Prior is right.
	Interval *Interval
	// Spread makes the people of the atom share a rate that is itself drawn, independently of the rates of all other atoms: Beta
	// (Dirichlet, with more than two values) with mean Prior and standard deviation Spread*Prior[1] of the rate (of the concentration that
	// gives Prior[1] that deviation). 0: independent people. So an atom with a spread is all people who share the rate: whoever makes
	// atoms must not ask about a part of them, nor put people of two rates into one.
	Spread float64
	// Limits are the safe posteriors of each value; of a Boolean attribute only those of value 1 are looked at. nil: every posterior
	// is safe, because the atom's people are out already, or certain from the start.
	Limits []Limit
}

// A Limit is the closed interval of the posterior probability of a value that is safe. It contains the prior.
type Limit struct{ Low, High float64 }

// Exempt reports whether every posterior of the atom's people is safe.
func (a *Atom) Exempt() bool { return a.Limits == nil }

// Boolean reports whether the private attribute has two values.
func (a *Atom) Boolean() bool { return len(a.Prior) == 2 }

// A Set asks for the number of people in some atoms who have one of some values.
type Set struct {
	Atoms  []int // rising indexes into System.Atoms
	Values ValueSet
}

// A Sum is a released answer.
type Sum struct {
	Set
	Value int
}

// A System is what is known of some people: who they are, and the sums that were released.
type System struct {
	Atoms []Atom
	Sums  []Sum
}

// tie is the tolerance of a posterior that lies on its limit: with round priors and an epsilon of a few digits an answer often hits
// the limit exactly, and floating point must not decide on which side.
const tie = 1e-9

// excess is how far a posterior lies from the prior, where 1 is the limit and more is unsafe.
func (l Limit) excess(prior, posterior float64) float64 {
	switch {
	case posterior > prior:
		return (posterior - prior) / (l.High - prior)
	case posterior < prior:
		return (prior - posterior) / (prior - l.Low)
	}
	return 0
}
