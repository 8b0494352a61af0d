package microdata

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// DonorSwappingConfig configures a [DonorSwapping] mechanism.
type DonorSwappingConfig struct {
	// Columns are those of the tables. Required.
	Columns []Column
	// Keep is gamma, the probability with which a row keeps its quasi-identifiers. Required: 0 is a possible value, and the
	// default.
	Keep policy.Share
	// Epsilon is that of the choice of a donor. Required: at most 1000.
	Epsilon policy.Epsilon
	// CompareOn are the numbers of the columns that the distance is a sum over. Default: all.
	CompareOn []int
	// Donors defaults to AnyRecord: "another record of the dataset".
	Donors Donors
	// Random yields uniform, independent bytes: crypto/rand.Reader, except in tests. Required.
	Random io.Reader
}

// DonorSwapping has each row keep its quasi-identifiers with probability gamma, or else take those of another row, a donor chosen
// by permute-and-flip with minus the distance of the two rows as its score (Das et al. 2024, equation 2; McKenna and Sheldon 2020).
// The donor's own do not change. A row without a possible donor keeps its own.
//
// Adjacency: either. Sensitivity: of a score, which is minus a distance, the number of columns compared (what a donor's distance
// may change by if its row is replaced).
//
// Guarantee: none; delta is 1, see [DonorSwappingGuarantee] for what is wrong with the published one.
//
// Failure: if Random fails, sampling.ErrRandomness is returned and nothing else.
//
// Cost: a search for the nearest donor of each different record that takes a donor, and up to exp(Epsilon/2) coins for each row (as
// many as there are rows if Epsilon is large and they are far apart).
//
// A DonorSwapping is for one goroutine at a time.
type DonorSwapping struct {
	config   DonorSwappingConfig
	distance *distance
	random   *sampling.Bits
}

// NewDonorSwapping returns the mechanism, or says what is wrong with the configuration.
func NewDonorSwapping(c DonorSwappingConfig) (*DonorSwapping, error) {
	if c.Donors == "" {
		c.Donors = AnyRecord
	}
	d, err := compare(comparing{columns: c.Columns, on: c.CompareOn, donors: c.Donors, share: c.Keep, random: c.Random})
	if err == nil && (c.Epsilon <= 0 || c.Epsilon > maxDonorEpsilon) {
		err = fmt.Errorf("epsilon is %v, must be more than 0 and at most %v", c.Epsilon, maxDonorEpsilon)
	}
	if err != nil {
		return nil, fmt.Errorf("microdata: dp-swapping-donor: %w", err)
	}
	c.Columns = slices.Clone(c.Columns)
	return &DonorSwapping{config: c, distance: d, random: sampling.NewBits(c.Random)}, nil
}

// Swap returns, for each row of the table, the row whose quasi-identifiers it takes.
func (m *DonorSwapping) Swap(t *Table) ([]int32, error) {
	if err := sameColumns(t, m.config.Columns); err != nil {
		return nil, fmt.Errorf("microdata: dp-swapping-donor: %w", err)
	}
	receivers := subsample(t.rows, func() bool { return !drawShare(m.config.Keep, m.random) })
	if m.random.Err() == nil {
		sources := m.donate(t, receivers)
		if m.random.Err() == nil {
			return sources, nil
		}
	}
	return nil, fmt.Errorf("microdata: dp-swapping-donor: %w", m.random.Err())
}

// donate chooses a donor for every receiver. The rows are put in the order of their quasi-identifiers, so that those that cannot be
// donors (the row itself, or all with the same quasi-identifiers) stand together and can be skipped.
func (m *DonorSwapping) donate(t *Table, receivers []int32) []int32 {
	groups, count := t.groups(t.Quasi())
	ordered, begins := sortedBy(groups, count)
	least := m.least(newNeighbours(t, m.distance, identity(t.rows), groups), groups, receivers)
	place := make([]int32, t.rows)
	for i, row := range ordered {
		place[row] = int32(i)
	}
	flip := newPermuteAndFlip(m.config.Epsilon, m.distance.most(), m.random)
	sources := identity(t.rows)
	for i, row := range receivers {
		begin, end := place[row], place[row]+1
		if m.config.Donors == OtherQuasi {
			begin, end = begins[groups[row]], begins[groups[row]+1]
		}
		donors := uint64(t.rows) - uint64(end-begin)
		if donors == 0 {
			continue
		}
		donor := func(candidate uint64) int {
			if candidate >= uint64(begin) {
				candidate += uint64(end - begin)
			}
			return int(ordered[candidate])
		}
		chosen := flip.choose(donors, least[i], func(candidate uint64) uint64 {
			return m.distance.between(t, int(row), donor(candidate))
		})
		if m.random.Err() != nil {
			break
		}
		sources[row] = int32(donor(chosen))
	}
	return sources
}

// sortedBy lists the rows by their group; those of group g are from begins[g] to begins[g+1].
func sortedBy(groups []int32, count int) (rows, begins []int32) {
	begins = make([]int32, count+1)
	for _, g := range groups {
		begins[g+1]++
	}
	for g := range count {
		begins[g+1] += begins[g]
	}
	next := slices.Clone(begins)
	rows = make([]int32, len(groups))
	for row, g := range groups {
		rows[next[g]] = int32(row)
		next[g]++
	}
	return rows, begins
}

// least is the distance of each receiver from the nearest of its possible donors; it has no meaning if there is none. It is found
// once for each different record. Two goroutines share the work: nothing is drawn.
func (m *DonorSwapping) least(x *neighbours, groups, receivers []int32) []uint64 {
	least := make([]uint64, len(receivers))
	known := make([]int32, len(x.points)) // the first receiver of each point, counted from 1
	var first []int32
	for i, row := range receivers {
		if p := x.pointOf[row]; known[p] == 0 {
			known[p] = int32(i) + 1
			first = append(first, int32(i))
		}
	}
	search := func(some []int32) {
		for _, i := range some {
			least[i] = m.nearest(x, receivers[i], groups)
		}
	}
	var done sync.WaitGroup
	done.Go(func() { search(first[:len(first)/2]) })
	search(first[len(first)/2:])
	done.Wait()
	for i, row := range receivers {
		least[i] = least[known[x.pointOf[row]]-1]
	}
	return least
}

// nearest is the distance of a row from the nearest of its possible donors: 0 if it has a twin that is one. No row is taken.
func (m *DonorSwapping) nearest(x *neighbours, row int32, groups []int32) (distance uint64) {
	p := x.pointOf[row]
	switch {
	case m.config.Donors == OtherQuasi:
		_, distance, _ = x.nearest(p, -1, groups[row])
	case x.points[p].end-x.points[p].next == 1:
		_, distance, _ = x.nearest(p, p, -1)
	}
	return distance
}
