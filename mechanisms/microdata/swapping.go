package microdata

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// SwappingConfig configures a [Swapping] mechanism.
type SwappingConfig struct {
	// Columns are those of the tables. Required.
	Columns []Column
	// Rate is the share of rows that are swapped, 1-gamma in the papers. Required: more than 0.
	Rate policy.Share
	// CompareOn are the numbers of the columns that the distance is a sum over. Default: all, as in the papers, which say
	// "features": quasi-identifiers and others.
	CompareOn []int
	// Donors defaults to OtherQuasi.
	Donors Donors
	// Random yields uniform, independent bytes: crypto/rand.Reader, except in tests. Required.
	Random io.Reader
}

// Swapping exchanges the quasi-identifiers of random rows for those of the records nearest to them (Dalenius and Reiss 1982; Zhu et
// al. 2023, Algorithm 3): floor(Rate N/2) times a random row that was not swapped yet and the nearest row not swapped yet exchange
// theirs. Which is the nearest is decided exactly, by the distance in the package comment; among several it is the first in an order
// of the rows drawn at random at the start.
//
// With the default donors a row and its partner differ in their quasi-identifiers, so swapping ends early if all rows left have the
// same. With AnyRecord, a row that has a twin is exchanged with the twin and nothing changes: in tables with few different records
// that is the fate of most.
//
// Adjacency: either. Guarantee: none; delta is 1, see [SwappingGuarantee].
//
// Failure: if Random fails, sampling.ErrRandomness is returned and nothing else.
//
// A Swapping is for one goroutine at a time.
type Swapping struct {
	config   SwappingConfig
	distance *distance
	random   *sampling.Bits
}

// NewSwapping returns the mechanism, or says what is wrong with the configuration.
func NewSwapping(c SwappingConfig) (*Swapping, error) {
	if c.Donors == "" {
		c.Donors = OtherQuasi
	}
	d, err := compare(comparing{columns: c.Columns, on: c.CompareOn, donors: c.Donors, share: c.Rate, random: c.Random})
	if err == nil && c.Rate == 0 {
		err = errors.New("the rate is required")
	}
	if err != nil {
		return nil, fmt.Errorf("microdata: swapping: %w", err)
	}
	c.Columns = slices.Clone(c.Columns)
	return &Swapping{config: c, distance: d, random: sampling.NewBits(c.Random)}, nil
}

// comparing is what the configurations of mechanisms that compare records have in common.
type comparing struct {
	columns []Column
	on      []int
	donors  Donors
	share   policy.Share // of rows that are swapped, or kept
	random  io.Reader
}

// compare checks it, and returns the distance.
func compare(c comparing) (*distance, error) {
	if c.random == nil {
		return nil, errNoRandom
	}
	if c.share < 0 || c.share > policy.OneShare {
		return nil, fmt.Errorf("the share of rows is %v, must be 0 to 1", c.share)
	}
	if err := checkColumns(c.columns); err != nil {
		return nil, err
	}
	if err := c.donors.check(); err != nil {
		return nil, err
	}
	return newDistance(c.columns, c.on)
}

var errNoRandom = errors.New("a source of randomness is required")

// Swap returns, for each row of the table, the row whose quasi-identifiers it takes: itself if it was not swapped.
func (s *Swapping) Swap(t *Table) ([]int32, error) {
	if err := sameColumns(t, s.config.Columns); err != nil {
		return nil, fmt.Errorf("microdata: swapping: %w", err)
	}
	sources := s.swap(t, shuffle(t.rows, s.random), shuffle(t.rows, s.random))
	if err := s.random.Err(); err != nil {
		return nil, fmt.Errorf("microdata: swapping: %w", err)
	}
	return sources, nil
}

// swap takes the rows to be swapped from the order targets, which makes each a random one of those not swapped yet: the order of
// those not looked at is independent of what was swapped so far, because partners are chosen by distance and by another order.
//
// A row that has no donor ends it: all rows left have its quasi-identifiers, so that none has a donor.
func (s *Swapping) swap(t *Table, order, targets []int32) []int32 {
	groups, _ := t.groups(t.Quasi())
	x := newNeighbours(t, s.distance, order, groups)
	sources := identity(t.rows)
	left := int64(s.config.Rate) * int64(t.rows) / (2 * int64(policy.OneShare)) // below 2^61
	for _, row := range targets {
		if left == 0 {
			break
		}
		if x.taken[row] {
			continue
		}
		x.take(row)
		not := int32(-1)
		if s.config.Donors == OtherQuasi {
			not = groups[row]
		}
		p, _, ok := x.nearest(x.pointOf[row], -1, not)
		if !ok {
			break
		}
		donor := x.rows[x.points[p].next]
		x.take(donor)
		sources[row], sources[donor] = donor, row
		left--
	}
	return sources
}

// identity has every row keep its own.
func identity(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// sameColumns checks that a table is one that the mechanism was made for.
func sameColumns(t *Table, columns []Column) error {
	if !slices.EqualFunc(t.columns, columns, func(a, b Column) bool {
		return a.Name == b.Name && a.Numeric == b.Numeric && a.Min == b.Min && a.Max == b.Max && a.Nullable == b.Nullable &&
			a.Quasi == b.Quasi && a.FromData == b.FromData && a.Hierarchy == b.Hierarchy && slices.Equal(a.Values, b.Values)
	}) {
		return errors.New("the table has other columns than those the mechanism was made for")
	}
	return nil
}
