package mechanisms

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"sync"

	"tacit/accountant"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// oneDelta is a delta of 1.
const oneDelta = policy.Delta(1e18)

// maxSensitivity is that of sums. Up to it the noise of each kind can be drawn, and bounds of it found: see [newDiscreteLaplace] and
// [Config.squaredDistance].
const maxSensitivity = 1 << 30

// maxGaussianSensitivity keeps squared distances, and the variances that go with them, within what sampling.Variance and terms hold.
const maxGaussianSensitivity = 1 << 14

// A Config configures a [Mechanism]. What does not belong to its kind is ignored.
type Config struct {
	// Kind is required.
	Kind policy.Kind
	// Epsilon is the loss of one count (of all its cells together) under Adjacency; of a kind without a guarantee, the parameter of its
	// noise. Required but for policy.Suppression.
	Epsilon policy.Epsilon
	// Delta is the loss, besides Epsilon, of the threshold that Select applies, and with Gaussian noise also that of every count. It
	// must be less than 1, and more than 0 with Gaussian noise. Default 0: Select refuses.
	Delta policy.Delta
	// Adjacency is required.
	Adjacency policy.Adjacency
	// Sensitivity is the l1 sensitivity of a count under add-remove: the most by which one person more changes all its cells
	// together. It is 1 if a person is a row; otherwise the caller bounds what each person contributes, before anything is counted.
	// Required: 1 to maxSensitivity.
	Sensitivity int64
	// PerCell is the most by which one person more changes any one cell: the l2 sensitivity is at most sqrt(Sensitivity PerCell). For
	// counts that go to Select it must be 1, so that Sensitivity bounds the cells of a person, too. Required: 1 to Sensitivity.
	PerCell int64
	// Parts is how many releases with Gaussian noise, each calibrated with the same Epsilon, Delta and Parts, have Epsilon and Delta
	// together, whatever their sensitivities are. Other noise shares Epsilon by division. Default: 1.
	Parts int64
	// KeepNegative returns noisy counts below zero as they are. Default: they are returned as 0, which is post-processing.
	KeepNegative bool
	// Calibration of Gaussian noise. Default policy.AnalyticCalibration.
	Calibration policy.Calibration
	// K is the least count that suppression shows. Required for kinds that suppress.
	K int64
	// Fill is what stands for a suppressed cell.
	Fill policy.Fill
	// Bound is the largest true count there can be, on which the delta of published suppression depends. Default 0: none is known.
	Bound int64
	// Margins are measured besides, with noise for all of them, and the cells fitted to them: Sensitivity and PerCell are those of the
	// cells alone, and Select refuses. Only for noise with KeepNegative; Sensitivity times the number of margins must not exceed
	// policy.MaxRows. Default nil: the cells are measured by themselves.
	Margins *Margins
	// Random yields uniform, independent bytes: crypto/rand.Reader, except in tests. Required.
	Random io.Reader
}

// A Histogram holds the true counts of all cells of one question.
type Histogram struct {
	// Counts are those of all cells that the question could have shown, absent cells as 0, or the set of cells would tell what the
	// counts do not.
	Counts []int64
	// Blocks are the cells, by index, that agree in every key but those made of quasi-identifiers. Each cell is in one block. Only swapping
	// needs them.
	Blocks [][]int
}

// partitioned says whether each cell is in one block.
func (h Histogram) partitioned() bool {
	seen := make([]bool, len(h.Counts))
	cells := 0
	for _, block := range h.Blocks {
		for _, i := range block {
			if i < 0 || i >= len(seen) || seen[i] {
				return false
			}
			seen[i] = true
			cells++
		}
	}
	return cells == len(seen)
}

// Cells are sanitized counts, in the order of the histogram's cells.
type Cells struct {
	Counts []int64
	// Suppressed marks the counts that are withheld; nil if none is.
	Suppressed []bool
}

// A Mechanism sanitizes counts. What each kind does and promises is said where it is defined: [additive],
// [fitted], [together], [publishedSuppression], [cellSwapping].
//
// Failure: the guarantee is as good as the bytes of Random. If Random fails, or repeats itself so that a draw does not end,
// sampling.ErrRandomness is returned from then on and no count is.
//
// The noise is drawn exactly, in integers: from the true count to the returned one there is no floating point, and no branch of a
// mechanism with a guarantee depends on the true count but through the noisy one.
//
// A Mechanism may be used by many goroutines.
type Mechanism struct {
	config Config
	method method
	// selection decides which keys are shown; it returns nil if the mechanism cannot.
	selection func() selection
	// sums are the errors of sums of cells.
	sums sumCache

	mu   sync.Mutex // protects bits, and the noise's sampler
	bits *sampling.Bits
}

// A method is what makes a kind.
type method interface {
	// sanitize draws from bits, whose error the caller checks.
	sanitize(bits *sampling.Bits, h Histogram) Cells
	guarantee(a policy.Adjacency) Guarantee
	// expect tells the distribution of the cells that sanitize returns for h.
	expect(h Histogram) []Expectation
}

// New returns the mechanism, or says what is wrong with the configuration.
func New(c Config) (*Mechanism, error) {
	if c.Margins != nil && !c.Margins.AreTogether() && c.Sensitivity <= policy.MaxRows { // see fitted; more is refused below
		c.Sensitivity, c.PerCell = c.Sensitivity*int64(c.Margins.Len()), c.Sensitivity
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("mechanisms: %s: %w", c.Kind, err)
	}
	m := &Mechanism{config: c, bits: sampling.NewBits(c.Random), selection: func() selection { return nil }}
	var err error
	switch {
	case c.Margins != nil && c.Margins.AreTogether():
		err = m.makeTogether()
	case c.Kind.AddsNoise(), c.Kind == policy.DPSuppression:
		err = m.makeAdditive()
	case c.Kind.Suppresses():
		s := publishedSuppression{kind: c.Kind, k: c.K, fill: c.Fill, bound: c.Bound}
		if c.Kind != policy.Suppression {
			s.noise = newDiscreteLaplace(c.Epsilon, 2)
		}
		m.method = s
		if c.Kind != policy.DPSuppressionAlg2 {
			m.selection = func() selection { return s }
		}
	case c.Kind == policy.DPSwapping:
		m.method = cellSwapping{epsilon: c.Epsilon}
	default:
		err = fmt.Errorf("mechanisms: unknown kind %q", c.Kind)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (c Config) check() error {
	noisy := c.Kind != policy.Suppression
	switch {
	case c.Random == nil:
		return errors.New("a source of randomness is required")
	case noisy && c.Epsilon <= 0:
		return fmt.Errorf("epsilon is %v, must be more than 0", c.Epsilon)
	case c.Delta < 0 || c.Delta >= oneDelta:
		return fmt.Errorf("delta is %v, must be at least 0 and less than 1", c.Delta)
	case c.Delta == 0 && c.Kind.NeedsDelta():
		return errors.New("a delta is required for Gaussian noise")
	case c.Adjacency != policy.AddRemove && c.Adjacency != policy.ReplaceOne:
		return fmt.Errorf("unknown adjacency %q", c.Adjacency)
	case c.Sensitivity < 1 || c.Sensitivity > c.mostSensitive():
		return fmt.Errorf("sensitivity is %d, must be 1 to %d", c.Sensitivity, c.mostSensitive())
	case c.Parts < 0 || c.Parts > 1 && (!c.Kind.NeedsDelta() || c.Margins != nil):
		return fmt.Errorf("%d releases cannot share the loss", c.Parts)
	case noisy && !drawable(c.Epsilon, c.distance()):
		return errors.New("noise of a scale of 2^40 or more: raise epsilon, or narrow the range of what is added up")
	case c.PerCell < 1 || c.PerCell > c.Sensitivity:
		return fmt.Errorf("sensitivity per cell is %d, must be 1 to %d", c.PerCell, c.Sensitivity)
	case c.Kind.Suppresses() && c.K < 1:
		return fmt.Errorf("k is %d, must be at least 1", c.K)
	case c.Bound < 0:
		return fmt.Errorf("bound is %d, must be at least 0", c.Bound)
	case c.Margins != nil:
		return c.Margins.check(c)
	}
	return nil
}

// mostSensitive is the largest sensitivity that noise is made for.
func (c Config) mostSensitive() int64 {
	switch {
	case c.Margins != nil:
		return policy.MaxRows
	case c.Kind.NeedsDelta():
		return maxGaussianSensitivity
	}
	return maxSensitivity
}

// distance is how far apart in the l1 norm the counts of neighbours are.
func (c Config) distance() int64 { return c.distanceUnder(c.Adjacency) }

func (c Config) distanceUnder(a policy.Adjacency) int64 {
	if a == policy.AddRemove {
		return c.Sensitivity
	}
	return 2 * c.Sensitivity
}

// squaredDistance is the square of how far apart in the l2 norm the counts of neighbours are. A person who leaves and one who comes
// change counts by u and v, neither of which has a negative part: |u-v|^2 <= |u|^2 + |v|^2. It is at most 2^29.
func (c Config) squaredDistance() int64 { return c.distance() * c.PerCell }

// jointDistance is the square of the l2 distance at which noise of a variance has the loss of all Parts together. Part i has the variance
// V_i = V(D_i^2 Parts), which makes D_i^2/V_i a share of 1/Parts of that of a release by itself, for which V is calibrated: for continuous noise
// as the loss depends on the sum of D_i^2/V_i alone (Dong, Roth and Su 2022, Corollary 3.3), and for discrete noise as its zCDP does.
func (c Config) jointDistance() float64 {
	return float64(c.squaredDistance()) * float64(max(1, c.Parts))
}

// deltaOfKey is the share of delta of each key that one person may bring, exactly.
func (c Config) deltaOfKey() *big.Rat {
	delta := big.NewRat(int64(c.Delta), int64(oneDelta))
	return delta.Quo(delta, new(big.Rat).SetInt64(c.Sensitivity))
}

// Kind is how the policy names the mechanism.
func (m *Mechanism) Kind() policy.Kind { return m.config.Kind }

// Loss is what one call of Sanitize costs. Without a guarantee it is one release that no epsilon describes.
func (m *Mechanism) Loss() accountant.Loss {
	c := m.config
	switch {
	case !c.Kind.Guaranteed():
		return accountant.Loss{Releases: 1}
	case c.Kind.NeedsDelta():
		return accountant.Loss{Epsilon: c.Epsilon, Delta: c.Delta}
	}
	return accountant.Loss{Epsilon: c.Epsilon}
}

// ThresholdLoss is what calling Select once for each key of a table costs, all calls together.
func (m *Mechanism) ThresholdLoss() accountant.Loss {
	if !m.config.Kind.Guaranteed() {
		return m.Loss()
	}
	return m.Loss().Add(accountant.Loss{Delta: m.config.Delta})
}

// Guarantee is what Sanitize promises under an adjacency, its own or the other one.
func (m *Mechanism) Guarantee(a policy.Adjacency) Guarantee { return m.method.guarantee(a) }

// Sanitize returns the cells of a histogram as the mechanism shows them.
func (m *Mechanism) Sanitize(h Histogram) (Cells, error) {
	if m.config.Kind == policy.DPSwapping && !h.partitioned() {
		return Cells{}, fmt.Errorf("mechanisms: internal error: %s: not every cell is in one block", m.config.Kind)
	}
	if margins := m.config.Margins; margins != nil && len(h.Counts) != margins.cells {
		return Cells{}, fmt.Errorf("mechanisms: internal error: %d counts for margins of %d cells", len(h.Counts), margins.cells)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	cells := m.method.sanitize(m.bits, h)
	if err := m.bits.Err(); err != nil {
		return Cells{}, fmt.Errorf("mechanisms: %s: %w", m.config.Kind, err)
	}
	return cells, nil
}
