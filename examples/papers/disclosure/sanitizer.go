package disclosure

import (
	"crypto/sha256"
	"io"
	"math/big"
	"math/rand/v2"

	"tacit/mechanisms"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// A sanitizer is one mechanism on one table.
type sanitizer struct {
	// release is one release of all cells. Each call draws anew.
	release func() ([]int64, error)
	// expect are the exact moments of the cells; nil if they are not known. Distribution is nil where only the moments are.
	expect []mechanisms.Expectation
}

// stream is a source of bytes of its own for everything that is drawn under a label: the same in every run, whatever else is drawn.
func stream(label string) io.Reader { return rand.NewChaCha8(sha256.Sum256([]byte(label))) }

// epsilonOf is an epsilon in the policy's unit.
func epsilonOf(epsilon float64) policy.Epsilon { return policy.Epsilon(epsilon * 1e9) }

// The papers' settings.
const (
	defaultK    = 6
	defaultRate = 0.25 // of rows that are swapped
	repetitions = 200
)

// epsilons of the papers' tables.
var epsilons = []float64{0.5, 1, 2, 4}

// mechanism is one of package mechanisms. The papers' neighbours are replace-one.
func (t *table) mechanism(label string, c mechanisms.Config) (*sanitizer, error) {
	_, largest := t.zeros()
	c.Adjacency, c.Sensitivity, c.PerCell, c.Bound, c.Random = policy.ReplaceOne, 1, 1, largest, stream(label)
	m, err := mechanisms.New(c)
	if err != nil {
		return nil, err
	}
	input := t.input()
	return &sanitizer{
		release: func() ([]int64, error) {
			cells, err := m.Sanitize(input)
			return cells.Counts, err
		},
		expect: m.Expect(input),
	}, nil
}

// laplace adds Lap(2/epsilon), rounded to integers, and shows negative sums as 0.
func (t *table) laplace(label string, epsilon float64) (*sanitizer, error) {
	return t.mechanism(label, mechanisms.Config{Kind: policy.Laplace, Epsilon: epsilonOf(epsilon)})
}

var fillHalf = policy.Fill{Kind: policy.FillHalf}

// suppression shows floor(k/2) for counts below k.
func (t *table) suppression(label string, k int64) (*sanitizer, error) {
	return t.mechanism(label, mechanisms.Config{Kind: policy.Suppression, K: k, Fill: fillHalf})
}

// dpSuppression is that of equation 2, with noise for each cell.
func (t *table) dpSuppression(label string, epsilon float64, k int64) (*sanitizer, error) {
	return t.mechanism(label, mechanisms.Config{Kind: policy.DPSuppressionEq2, Epsilon: epsilonOf(epsilon), K: k, Fill: fillHalf})
}

// noisyThreshold is DP suppression by Algorithm 2, with one draw for all cells.
func (t *table) noisyThreshold(label string, epsilon float64, k int64) (*sanitizer, error) {
	return t.mechanism(label, mechanisms.Config{Kind: policy.DPSuppressionAlg2, Epsilon: epsilonOf(epsilon), K: k, Fill: fillHalf})
}

// cellSwapping moves whole cells within their blocks (Zhu et al. 2023, section 5.2).
func (t *table) cellSwapping(label string, epsilon float64) (*sanitizer, error) {
	return t.mechanism(label, mechanisms.Config{Kind: policy.DPSwapping, Epsilon: epsilonOf(epsilon)})
}

// zerosUntouched has a mechanism leave the cells that are empty as they are, as Das et al. 2024 do for suppression. Whoever sees a count of 1 or
// more, or the fill value, then knows that the cell was not empty: delta is 1.
func (t *table) zerosUntouched(s *sanitizer) *sanitizer {
	untouched := &sanitizer{expect: make([]mechanisms.Expectation, len(t.counts))}
	for i, n := range t.counts {
		if n > 0 {
			untouched.expect[i] = s.expect[i]
		}
	}
	untouched.release = func() ([]int64, error) {
		shown, err := s.release()
		for i := range shown {
			if t.counts[i] == 0 {
				shown[i] = 0
			}
		}
		return shown, err
	}
	return untouched
}

// runVariance is the variance of the discrete Gaussian noise that the papers' numbers come from (see published.go), statedVariance that of
// their text.
func runVariance(epsilon float64) float64    { return 20 / epsilon }
func statedVariance(epsilon float64) float64 { return 4 / (epsilon * epsilon) }

// discreteGaussian adds discrete Gaussian noise of a variance, and shows negative sums as 0.
func (t *table) discreteGaussian(label string, variance float64) (*sanitizer, error) {
	law, err := gaussianLaw(variance)
	if err != nil {
		return nil, err
	}
	exact, err := sampling.NewVariance(new(big.Rat).SetFloat64(variance))
	if err != nil {
		return nil, err
	}
	bits := sampling.NewBits(stream(label))
	noise := bits.Gaussian(exact)
	s := &sanitizer{expect: make([]mechanisms.Expectation, len(t.counts))}
	for i, n := range t.counts {
		s.expect[i] = clamped(law, n)
	}
	s.release = func() ([]int64, error) {
		shown := make([]int64, len(t.counts))
		for i, n := range t.counts {
			bits.Start()
			shown[i] = max(0, n+noise.Discrete())
		}
		return shown, bits.Err()
	}
	return s, nil
}
