package posterior

import "errors"

var (
	// ErrInvalid is returned for people, values or sums that no table has: a prior that is no distribution, sets of values that overlap,
	// sums that do not add up.
	errInvalid = errors.New("posterior: malformed people, values or sums")
	// ErrImpossible is returned when no data set has the released sums.
	errImpossible = errors.New("posterior: no data set has the released sums")
	// ErrTooLarge is returned when a result would take more operations than an engine may spend on one.
	ErrTooLarge = errors.New("posterior: too large for this engine")
	// ErrNotFinite is returned when a result is no number: a prior or a sum is beyond what floating point follows.
	errNotFinite = errors.New("posterior: the numbers are too extreme for floating point")
	// ErrTypes is returned when a law is not one-dimensional: people of different priors in a question about more than two classes of
	// values, or a shared rate where only independent people will do.
	ErrTypes = errors.New("posterior: people of different types need another engine")
)
