package residual

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"

	"tacit/accountant/composition"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// A Config says how private a release is.
type Config struct {
	// Rho of zCDP that one release may cost. Required: from 2^-40 to 2^30.
	Rho *big.Rat
	// Adjacency of Rho. Required.
	Adjacency policy.Adjacency
	// Rows is how many rows of one person are counted at most. Default 1.
	Rows int64
	// Random is the source of noise: crypto/rand.Reader, except in tests. Required without Bits.
	Random io.Reader
	// Bits are dealt out of such a source for other noise, too. Who shares them sees to it that one goroutine at a time takes some. Default: those of Random.
	Bits *sampling.Bits
}

// maxRows keeps the square of a person's rows exact.
const maxRows = 1 << 25

// maxCells bounds the cells of one marginal that is measured.
const maxCells = 1 << 31

func (c Config) check() error {
	switch {
	case c.Rho == nil || c.Rho.Cmp(leastRho) < 0 || c.Rho.Cmp(big.NewRat(1<<30, 1)) > 0:
		return errors.New("rho is not between 2^-40 and 2^30")
	case c.Adjacency != policy.AddRemove && c.Adjacency != policy.ReplaceOne:
		return fmt.Errorf("%q is no adjacency", c.Adjacency)
	case c.Rows < 0 || c.Rows > maxRows:
		return fmt.Errorf("%d rows of a person; at most %d", c.Rows, maxRows)
	case c.Random == nil && c.Bits == nil:
		return errors.New("no source of randomness")
	}
	return nil
}

// A Mechanism releases a strategy's residuals with noise.
//
// Adjacency: as configured. A person has at most Config.Rows rows, each in one cell of the full table or in none.
//
// Sensitivity: see loss.go.
//
// Guarantee and theorem: rho-zCDP with the rho of Config, or a little less. Each residual is a vector of integers, whose components have independent
// discrete Gaussian noise of one variance V. Two tables for which the vector differs by d have a Renyi divergence of order a of at most
// a |d|^2/(2V) (Canonne, Kamath and Steinke 2020, Proposition 5, summed up over components). The divergences of independent releases add up.
// Making marginals of them is post-processing.
//
// This is the discrete form of the strategy without a loss of accuracy: of the continuous one, the noise of the residual table is C_A z/N_A
// with independent z of the variance s_A N_A^2, which has the covariance s_A C_A. The projection by C_A of what is released has just that, as C_A C_A = C_A.
// A discrete Gaussian has at most the variance of its name (Canonne, Kamath and Steinke 2020, Corollary 9).
//
// Failure: when the source of randomness fails nothing is released. No count can make Measure fail: what does not fit into 64 bits is
// reduced modulo 2^64, which is post-processing of the sum of an integer and noise.
//
// It is for one goroutine at a time.
type Mechanism struct {
	strategy *Strategy // with the variances that are drawn
	rows     float64
	adjacent policy.Adjacency
	bits     *sampling.Bits
	noises   []noise // by residual
}

// Mechanism scales the strategy's noise so that one release costs what c says.
func (s *Strategy) Mechanism(c Config) (*Mechanism, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	w := s.workload
	for _, a := range w.sets {
		if w.product(a) > maxCells {
			return nil, fmt.Errorf("the marginal of columns %v has more than %d cells", a.columns(), maxCells)
		}
	}
	m := &Mechanism{
		strategy: &Strategy{w, make([]float64, len(w.residuals))}, rows: float64(max(1, c.Rows)), adjacent: c.Adjacency, bits: c.Bits,
	}
	if m.bits == nil {
		m.bits = sampling.NewBits(c.Random)
	}
	// The loss of s, over that which is wanted.
	factor := new(big.Rat).SetFloat64(s.Loss(c.Adjacency))
	factor.Mul(factor, new(big.Rat).SetFloat64(m.rows*m.rows))
	factor.Quo(factor, new(big.Rat).Mul(c.Rho, big.NewRat(2, 1)))
	for i, a := range w.residuals {
		squared := new(big.Rat).SetFloat64(w.scale(a)) // exact up to 2^53
		squared.Mul(squared, squared)
		wanted := new(big.Rat).SetFloat64(s.variances[i])
		wanted.Mul(wanted, factor).Mul(wanted, squared)
		n, err := newNoise(m.bits, wanted)
		if err != nil {
			return nil, fmt.Errorf("the noise of columns %v, which is drawn for integers that are %.0f times as large as counts: %w", a.columns(), w.scale(a), err)
		}
		m.noises = append(m.noises, n)
		m.strategy.variances[i] = n.float() / square(w.scale(a))
	}
	return m, nil
}

// Strategy has the variances of what is released, which are rounded up.
func (m *Mechanism) Strategy() *Strategy { return m.strategy }

// Term is that of one release. A discrete Gaussian vector of which only the squared distance is known counts by its zCDP alone, and so do several
// of them. So one term stands for all residuals: its squared distance, over its variance, is the sum of theirs, rounded up.
func (m *Mechanism) Term() composition.Term {
	const places = 32
	loss := max(m.rows*m.rows*m.strategy.Loss(m.adjacent), math.Ldexp(1, places-62))
	variance, ok := composition.RatioOf(new(big.Rat).SetFloat64(math.Ldexp(math.Floor(math.Ldexp(1/loss, places)), -places)))
	if !ok {
		panic("residual: internal error: a loss without a term")
	}
	return composition.Term{Noise: composition.DiscreteGaussianNoise, Variance: variance, Squared: 1}
}

// Measure releases the residuals of the workload's marginals, in its order, each in row-major order: the value of the last column changes
// first. All tables count the same rows: each row in one cell of each of them, or in none of any.
func (m *Mechanism) Measure(tables [][]int64) (*Measurement, error) {
	w := m.strategy.workload
	if len(tables) != len(w.sets) {
		return nil, fmt.Errorf("%d tables of %d marginals", len(tables), len(w.sets))
	}
	for k, table := range tables {
		if float64(len(table)) != w.Cells(k) {
			return nil, fmt.Errorf("a table of %d cells for the marginal of columns %v, which has %.0f", len(table), w.sets[k].columns(), w.Cells(k))
		}
	}
	noisy := make([][]int64, len(w.residuals))
	for i, a := range w.residuals {
		noisy[i] = w.residual(a, tables)
		m.addNoise(i, noisy[i])
	}
	if err := m.bits.Err(); err != nil {
		return nil, err
	}
	return m.strategy.measurement(noisy), nil
}

// addNoise is the only place where counts and noise meet.
func (m *Mechanism) addNoise(residual int, table []int64) {
	for j := range table {
		table[j] += m.noises[residual].draw(m.bits)
	}
}
