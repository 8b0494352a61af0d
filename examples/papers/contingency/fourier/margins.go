package fourier

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// A Config is a table and the margins that are wanted of it.
type Config struct {
	// Categories of each attribute. Required: 1 or more each.
	Categories []int
	// Margins are sets of attributes, by number. Required. One with all attributes is the table itself.
	Margins [][]int
	// Adjacency: Required.
	Adjacency policy.Adjacency
	// Epsilon: Required.
	Epsilon policy.Epsilon
}

// A Mechanism releases margins.
type Mechanism struct {
	bits         int      // k
	codes        []uint32 // of each cell, in the order of counts
	coefficients []uint32 // B, ascending; 0, the number of people, is the first
	sensitivity  int64
	s, t         uint64 // the noise has P(z) proportional to exp(-|z| s/t)
}

// ErrConfig is returned when a Config makes no sense or is too large.
var ErrConfig = errors.New("fourier: config")

// maxTableau keeps the linear program within half a minute or so. All 256 coefficients of 16 by 16 cells are 131,584 and take 0.2 s; all 1,024 of
// 32 by 32 would be 2 million and take minutes.
const maxTableau = 1 << 20

// maxScale is where noise is larger than any table.
const maxScale = 1 << 20

// maxBits keeps 2^k small.
const maxBits = 16

// New validates a config.
func New(c Config) (*Mechanism, error) {
	m := &Mechanism{codes: []uint32{0}}
	var masks []uint32 // of each attribute's bits
	for _, categories := range c.Categories {
		if categories < 1 || categories > 1<<maxBits {
			return nil, fmt.Errorf("%w: an attribute with %d categories", ErrConfig, categories)
		}
		width := bits.Len(uint(categories - 1))
		if m.bits+width > maxBits {
			return nil, fmt.Errorf("%w: more than %d bits; leave attributes out, or merge categories", ErrConfig, maxBits)
		}
		masks = append(masks, (1<<width-1)<<m.bits)
		m.codes = cross(m.codes, categories, m.bits)
		m.bits += width
	}
	if err := m.choose(c.Margins, masks); err != nil {
		return nil, err
	}
	if 2*len(m.coefficients)*(len(m.codes)+1) > maxTableau {
		return nil, fmt.Errorf("%w: %d coefficients of %d cells are too many; want fewer or smaller margins", ErrConfig, len(m.coefficients), len(m.codes))
	}
	return m, m.calibrate(c.Adjacency, c.Epsilon)
}

// cross appends an attribute's code, from a bit on, to those of the cells so far. The last attribute varies fastest.
func cross(codes []uint32, categories, bit int) []uint32 {
	var crossed []uint32
	for _, code := range codes {
		for category := range categories {
			crossed = append(crossed, code|uint32(category)<<bit)
		}
	}
	return crossed
}

// choose finds B: the subsets of the bits of the wanted margins.
func (m *Mechanism) choose(margins [][]int, masks []uint32) error {
	if len(margins) == 0 {
		return fmt.Errorf("%w: no margin is wanted", ErrConfig)
	}
	wanted := make([]bool, 1<<m.bits)
	for _, margin := range margins {
		mask := uint32(0)
		for _, attribute := range margin {
			if attribute < 0 || attribute >= len(masks) {
				return fmt.Errorf("%w: there is no attribute %d", ErrConfig, attribute)
			}
			mask |= masks[attribute]
		}
		for b := mask; ; b = (b - 1) & mask {
			wanted[b] = true
			if b == 0 {
				break
			}
		}
	}
	for b, in := range wanted {
		if in {
			m.coefficients = append(m.coefficients, uint32(b))
		}
	}
	return nil
}

// calibrate finds the sensitivity and the noise.
//
// Every difference a xor a' of k bits is one of two categories' numbers: those of an attribute with c categories in w bits, c > 2^(w-1), include all of w-1
// bits against 0, and the others against 2^(w-1). So replace-one looks at all of them. With f_b = 1 on B and 0 elsewhere, the number of b in B
// with <d,b> odd is (|B| - F_d)/2, F being the coefficients of f.
func (m *Mechanism) calibrate(adjacency policy.Adjacency, epsilon policy.Epsilon) error {
	switch adjacency {
	case policy.AddRemove:
		m.sensitivity = int64(len(m.coefficients))
	case policy.ReplaceOne:
		f := make([]int64, 1<<m.bits)
		for _, b := range m.coefficients {
			f[b] = 1
		}
		walsh(f)
		for _, x := range f[1:] {
			m.sensitivity = max(m.sensitivity, int64(len(m.coefficients))-x)
		}
		m.sensitivity = max(m.sensitivity, 1) // of a table with one cell; replacing one changes nothing then
	default:
		return fmt.Errorf("%w: adjacency %q", ErrConfig, adjacency)
	}
	if epsilon <= 0 {
		return fmt.Errorf("%w: epsilon must be positive", ErrConfig)
	}
	const perEpsilon = 1e9
	rate := new(big.Rat).SetFrac(big.NewInt(int64(epsilon)), new(big.Int).Mul(big.NewInt(m.sensitivity), big.NewInt(perEpsilon)))
	if rate.Denom().BitLen() > 40 || !rate.Num().IsUint64() {
		return fmt.Errorf("%w: epsilon with so many places for sensitivity %d; round it down", ErrConfig, m.sensitivity)
	}
	if m.s, m.t = rate.Num().Uint64(), rate.Denom().Uint64(); m.Scale() > maxScale {
		return fmt.Errorf("%w: noise of scale %.3g on each coefficient would leave nothing to fit; raise epsilon, or want fewer margins", ErrConfig, m.Scale())
	}
	return nil
}

// Coefficients is how many there are, |B|.
func (m *Mechanism) Coefficients() int { return len(m.coefficients) }

// Sensitivity is how far one person moves all coefficients together.
func (m *Mechanism) Sensitivity() int64 { return m.sensitivity }

// Scale is that of the noise on each coefficient.
func (m *Mechanism) Scale() float64 { return float64(m.t) / float64(m.s) }

// walsh replaces x by its coefficients, in place.
func walsh(x []int64) {
	for step := 1; step < len(x); step *= 2 {
		for i := range x {
			if i&step == 0 {
				x[i], x[i|step] = x[i]+x[i|step], x[i]-x[i|step]
			}
		}
	}
}

// of are the coefficients of a table.
func (m *Mechanism) of(counts []int64) []int64 {
	x := make([]int64, 1<<m.bits)
	for i, code := range m.codes {
		x[code] = counts[i]
	}
	walsh(x)
	s := make([]int64, len(m.coefficients))
	for i, b := range m.coefficients {
		s[i] = x[b]
	}
	return s
}

// A Release is what the mechanism makes of a table.
type Release struct {
	Noisy  []int64 // coefficients
	Fitted Fit
	Counts []int64 // the fitted table, rounded
}

// ErrCounts is returned when there are more or fewer counts than cells, or negative ones, or too many people.
var ErrCounts = errors.New("fourier: counts")

// maxPeople keeps sums in the check of the fit within 63 bits.
const maxPeople = 1 << 30

// Release draws noise from source, which is required, and fits a table. Counts are in the order of the attributes' categories, the last
// varying fastest.
func (m *Mechanism) Release(source *sampling.Bits, counts []int64) (Release, error) {
	if source == nil {
		return Release{}, fmt.Errorf("%w: none is given", sampling.ErrRandomness)
	}
	people := int64(0)
	for _, v := range counts {
		if v < 0 || v > maxPeople-people {
			return Release{}, fmt.Errorf("%w: not from 0 to %d people in all", ErrCounts, int64(maxPeople))
		}
		people += v
	}
	if len(counts) != len(m.codes) {
		return Release{}, fmt.Errorf("%w: %d for %d cells", ErrCounts, len(counts), len(m.codes))
	}
	noisy := m.of(counts)
	for i := range noisy {
		noisy[i] += source.DiscreteLaplace(m.s, m.t)
	}
	if err := source.Err(); err != nil {
		return Release{}, err
	}
	fitted, err := m.fit(noisy)
	if err != nil {
		return Release{}, err
	}
	return Release{Noisy: noisy, Fitted: fitted, Counts: fitted.rounded()}, nil
}
