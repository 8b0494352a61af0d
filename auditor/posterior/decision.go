package posterior

import "errors"

// A Decision is what an engine says of a question before anybody has looked at its answer.
type Decision struct {
	// Risk bounds the probability, given the released sums, that the answer makes the posterior of some atom unsafe. Mass that an
	// engine does not follow counts as unsafe. An approximate engine states its estimate, already with its guards; a caller adds 5%.
	Risk float64
	// Determined says that the answer follows from the released sums, and is Value: it tells nothing, and needs no data.
	Determined bool
	Value      int
	Engine     Engine
	// Deviation is the standard deviation of the answer given the released sums, where the engine computes it.
	Deviation float64
}

// An Engine names the method that made a decision, for logs and explanations.
type Engine string

// The engines of linked sums.
const (
	EngineDetermined  Engine = "determined"
	EngineSaddlepoint Engine = "saddlepoint"
	EngineElimination Engine = "elimination"
)

var (
	// ErrNotCertified is returned when an approximation is outside of the range in which its error is known.
	ErrNotCertified = errors.New("posterior: the approximation is not certified for this question")
	// ErrNotSolved is returned when no tilt of the prior has the released sums as means: they lie on the border of what is possible,
	// or numbers are too extreme.
	ErrNotSolved = errors.New("posterior: no tilt of the prior matches the released sums")
)

// probability is the bound that a total of risks gives. What is no number bounds nothing, and is an error.
func probability(total float64) (float64, error) {
	if !(total >= 0) {
		return 1, errNotFinite
	}
	return min(1, total), nil
}
