package microdata

import (
	"fmt"
	"io"
	"slices"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// maxK bounds k, so that tails of binomial distributions are sums that can be computed.
const maxK = 1_000_000

// KAnonymityConfig configures a [KAnonymity] mechanism.
type KAnonymityConfig struct {
	// Columns are those of the tables. Required.
	Columns []Column
	// K is the least number of rows of a class. Required: 2 to 1,000,000.
	K int
}

// KAnonymity generalises quasi-identifiers until every combination that is published has at least K rows (Sweeney 2002, by the
// Mondrian algorithm of LeFevre, DeWitt and Ramakrishnan 2006; Zhu et al. 2023, Definition 4).
//
// Generalised values are narrow: they begin and end at values that a row of the class has. A table of fewer than K rows has no
// classes.
//
// Adjacency: either. Guarantee: none; delta is 1, see [KAnonymityGuarantee].
type KAnonymity struct{ config KAnonymityConfig }

// NewKAnonymity returns the mechanism, or says what is wrong with the configuration.
func NewKAnonymity(c KAnonymityConfig) (*KAnonymity, error) {
	if err := checkK(c.Columns, c.K); err != nil {
		return nil, fmt.Errorf("microdata: k-anonymity: %w", err)
	}
	c.Columns = slices.Clone(c.Columns)
	return &KAnonymity{c}, nil
}

func checkK(columns []Column, k int) error {
	if k < 2 || k > maxK {
		return fmt.Errorf("k is %d, must be 2 to %d", k, maxK)
	}
	return checkColumns(columns)
}

// Anonymise returns the classes of a table. They have all of its rows, if those are K or more.
func (m *KAnonymity) Anonymise(t *Table) ([]Class, error) {
	if err := sameColumns(t, m.config.Columns); err != nil {
		return nil, fmt.Errorf("microdata: k-anonymity: %w", err)
	}
	return mondrian(t, identity(t.rows), m.config.K), nil
}

// DPKAnonymityConfig configures a [DPKAnonymity] mechanism.
type DPKAnonymityConfig struct {
	// Columns are those of the tables. Required.
	Columns []Column
	// K is the least number of rows of a class. Required: 2 to 1,000,000.
	K int
	// Epsilon decides how many rows are sampled: each with probability 1 - exp(-Epsilon). Required.
	Epsilon policy.Epsilon
	// Random yields uniform, independent bytes: crypto/rand.Reader, except in tests. Required.
	Random io.Reader
}

// DPKAnonymity keeps each row with probability beta = 1 - exp(-Epsilon), exactly, and makes those kept k-anonymous with Mondrian
// (Zhu et al. 2023, Algorithm 6).
//
// Adjacency: either. Guarantee: (epsilon', beta) for every epsilon' >= 0, which is that of a sample of rows published as it is; see
// [DPKAnonymityGuarantee] for the published theorem. How rows are generalised depends on the rows, so that k adds nothing that has
// been proved: [SafeKAnonymity] has generalisations for which something has.
//
// Failure: if Random fails, sampling.ErrRandomness is returned and nothing else.
//
// A DPKAnonymity is for one goroutine at a time.
type DPKAnonymity struct {
	config DPKAnonymityConfig
	random *sampling.Bits
}

// NewDPKAnonymity returns the mechanism, or says what is wrong with the configuration.
func NewDPKAnonymity(c DPKAnonymityConfig) (*DPKAnonymity, error) {
	err := checkK(c.Columns, c.K)
	switch {
	case err != nil:
	case c.Epsilon <= 0:
		err = fmt.Errorf("epsilon is %v, must be more than 0", c.Epsilon)
	case c.Random == nil:
		err = errNoRandom
	}
	if err != nil {
		return nil, fmt.Errorf("microdata: dp-k-anonymity: %w", err)
	}
	c.Columns = slices.Clone(c.Columns)
	return &DPKAnonymity{config: c, random: sampling.NewBits(c.Random)}, nil
}

// Anonymise returns the classes of a sample of a table's rows.
func (m *DPKAnonymity) Anonymise(t *Table) ([]Class, error) {
	if err := sameColumns(t, m.config.Columns); err != nil {
		return nil, fmt.Errorf("microdata: dp-k-anonymity: %w", err)
	}
	rows := subsample(t.rows, func() bool {
		m.random.Start()
		return !m.random.BernoulliExp(uint64(m.config.Epsilon), perEpsilon)
	})
	if err := m.random.Err(); err != nil {
		return nil, fmt.Errorf("microdata: dp-k-anonymity: %w", err)
	}
	return mondrian(t, rows, m.config.K), nil
}

// subsample keeps each of n rows if keep says so. It is called once for each, in order.
func subsample(n int, keep func() bool) []int32 {
	var rows []int32
	for i := range n {
		if keep() {
			rows = append(rows, int32(i))
		}
	}
	return rows
}
