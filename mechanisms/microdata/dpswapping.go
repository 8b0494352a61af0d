package microdata

import (
	"fmt"
	"io"
	"math/big"
	"math/bits"
	"slices"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// DPSwappingConfig configures a [DPSwapping] mechanism.
type DPSwappingConfig struct {
	// Columns are those of the rows. The quasi-identifiers among them have declared domains. Required.
	Columns []Column
	// Epsilon is required.
	Epsilon policy.Epsilon
	// Random yields uniform, independent bytes: crypto/rand.Reader, except in tests. Required.
	Random io.Reader
}

// DPSwapping gives each row other quasi-identifiers from the whole of their domain, not those of another row (Zhu et al. 2023,
// Algorithm 4): of the nQ combinations of declared values, NULL being one where it is allowed, a row keeps its own with probability
// gamma = exp(Epsilon)/(exp(Epsilon) + nQ - 1), and has each other one with probability (1-gamma)/(nQ-1). This is k-ary randomised
// response.
//
// Adjacency: replace-one, between tables whose rows differ in nothing but the quasi-identifiers of one; so if nothing else is
// published, replace-one.
//
// Guarantee: (Epsilon, 0). Else, and under add-remove, none: delta is 1, see [DPSwappingGuarantee].
//
// Theorem: the probability that a row gets some combination is gamma, or (1-gamma)/(nQ-1) = gamma exp(-Epsilon): whichever
// combination it had, these differ by a factor of exp(Epsilon) at most. Rows are independent. (The paper has delta from its Theorem
// 3, which is about another mechanism: see mechanisms.SwappingDelta.)
//
// Failure: if Random fails, sampling.ErrRandomness is returned and nothing else.
//
// A DPSwapping is for one goroutine at a time.
type DPSwapping struct {
	columns []Column
	quasi   []int
	epsilon policy.Epsilon
	domain  uint64 // nQ
	keep    sampling.Probability
	random  *sampling.Bits
}

// NewDPSwapping returns the mechanism, or says what is wrong with the configuration.
func NewDPSwapping(c DPSwappingConfig) (*DPSwapping, error) {
	m := &DPSwapping{columns: slices.Clone(c.Columns), quasi: quasi(c.Columns), epsilon: c.Epsilon}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("microdata: dp-swapping: %w", err)
	}
	domain, ok := domainOf(c.Columns)
	if !ok {
		return nil, fmt.Errorf("microdata: dp-swapping: the quasi-identifiers have more than 2^%d combinations", maxDomainBits)
	}
	m.domain, m.random = domain, sampling.NewBits(c.Random)
	m.keep = sampling.NewProbability(func(places uint) (low, high *big.Int) { return gammaBounds(c.Epsilon, domain, places) })
	return m, nil
}

func (c *DPSwappingConfig) check() error {
	if err := checkColumns(c.Columns); err != nil {
		return err
	}
	if err := declared(c.Columns); err != nil {
		return err
	}
	if c.Epsilon <= 0 {
		return fmt.Errorf("epsilon is %v, must be more than 0", c.Epsilon)
	}
	if c.Random == nil {
		return errNoRandom
	}
	return nil
}

// maxDomainBits bounds the number of combinations, so that sums of two of them fit into 64 bits.
const maxDomainBits = 62

// domainOf is the number of combinations of the quasi-identifiers.
func domainOf(columns []Column) (uint64, bool) {
	product := uint64(1)
	for _, c := range quasi(columns) {
		hi, lo := bits.Mul64(product, uint64(columns[c].domain()))
		if hi > 0 || lo > 1<<maxDomainBits {
			return 0, false
		}
		product = lo
	}
	return product, true
}

// gammaBounds returns low <= gamma 2^places <= high, gamma being 1/(1 + (domain-1) exp(-e)), which falls as exp(-e) rises. The
// exponential has more places, by as many as the domain takes and 2.
func gammaBounds(e policy.Epsilon, domain uint64, places uint) (low, high *big.Int) {
	work := places + maxDomainBits + 2
	least, most := expBounds(e, work)
	one := new(big.Int).Lsh(big.NewInt(1), work)
	numerator := new(big.Int).Lsh(one, places)
	others := new(big.Int).SetUint64(domain - 1)
	low = most.Mul(most, others)
	low = new(big.Int).Quo(numerator, low.Add(low, one))
	high = least.Mul(least, others)
	return low, divideUp(numerator, high.Add(high, one))
}

// Row replaces the quasi-identifiers among a row's cells by those that are published. It leaves the row as it was if there is an
// error.
//
// Combinations are numbers below nQ, with a digit for each quasi-identifier. Whether the row keeps its own is drawn with exactly
// gamma, without looking at the row. If not, an offset uniform in 1 to nQ-1 is added modulo nQ: every other combination is as
// likely. So no draw and no branch depends on the values but the reading and writing of digits.
//
// (Algorithm 4 could also be drawn by rejection, the offset being uniform from 0 and kept with probability exp(-Epsilon) unless it
// is 0: that takes up to exp(Epsilon) attempts for a row, where this takes one word.)
func (m *DPSwapping) Row(row []Cell) error {
	number, err := m.encode(row)
	if err != nil {
		return err
	}
	m.random.Start()
	keep := m.random.BernoulliReal(&m.keep) || m.domain == 1
	if !keep {
		number += 1 + m.random.Below(m.domain-1)
	}
	if err := m.random.Err(); err != nil {
		return fmt.Errorf("microdata: dp-swapping: %w", err)
	}
	if !keep {
		m.decode(row, number%m.domain)
	}
	return nil
}

func (m *DPSwapping) encode(row []Cell) (uint64, error) {
	if len(row) != len(m.columns) {
		return 0, fmt.Errorf("microdata: dp-swapping: a row of %d cells for %d columns", len(row), len(m.columns))
	}
	number := uint64(0)
	for _, i := range m.quasi {
		c := &m.columns[i]
		if !c.admits(row[i]) {
			return 0, errNotInDomain
		}
		digit := uint64(row[i])
		if row[i] == Null {
			digit = uint64(c.size())
		}
		number = number*uint64(c.domain()) + digit
	}
	return number, nil
}

func (m *DPSwapping) decode(row []Cell, number uint64) {
	for _, i := range slices.Backward(m.quasi) {
		c := &m.columns[i]
		base := uint64(c.domain())
		row[i] = Cell(number % base)
		if int64(row[i]) == c.size() {
			row[i] = Null
		}
		number /= base
	}
}
