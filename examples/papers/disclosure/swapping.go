package disclosure

import (
	"math"

	"tacit/mechanisms"
	"tacit/mechanisms/microdata"
	"tacit/policy"
)

// exchanged counts the rows once each has the race of its source.
func (t *table) exchanged(sources []int32) []int64 {
	at := t.position(race)
	shown := make([]int64, len(t.counts))
	for row, source := range sources {
		shown[t.withLevel(int(t.cells[row]), at, int(t.rows.Cell(int(source), at)))]++
	}
	return shown
}

// swapping exchanges the races of pairs of near rows, a share of all (Zhu et al. 2023, Algorithm 3, with Das et al. 2024's donors, who have
// another race). Its moments are not known.
func (t *table) swapping(label string, rate float64) (*sanitizer, error) {
	m, err := microdata.NewSwapping(microdata.SwappingConfig{Columns: t.rows.Columns(), Rate: share(rate), Random: stream(label)})
	if err != nil {
		return nil, err
	}
	return &sanitizer{release: func() ([]int64, error) { return t.swapped(m) }}, nil
}

// swapped is one release of a mechanism that exchanges races.
func (t *table) swapped(m interface {
	Swap(*microdata.Table) ([]int32, error)
}) ([]int64, error) {
	sources, err := m.Swap(t.rows)
	if err != nil {
		return nil, err
	}
	return t.exchanged(sources), nil
}

func share(rate float64) policy.Share {
	return policy.Share(math.Round(rate * float64(policy.OneShare)))
}

// donorSwapping gives a row, with probability rate, the race of a donor drawn by permute-and-flip (Das et al. 2024, equation 2).
func (t *table) donorSwapping(label string, epsilon, rate float64) (*sanitizer, error) {
	m, err := microdata.NewDonorSwapping(microdata.DonorSwappingConfig{
		Columns: t.rows.Columns(), Keep: share(1 - rate), Epsilon: epsilonOf(epsilon), Random: stream(label),
	})
	if err != nil {
		return nil, err
	}
	return &sanitizer{
		release: func() ([]int64, error) { return t.swapped(m) },
		expect:  t.expectDonors(epsilon, rate),
	}, nil
}

// rowSwapping gives each row a race by randomised response (Zhu et al. 2023, Algorithm 4). A cell of x rows in a block of B keeps Bin(x, gamma) of
// them and gets Bin(B-x, p) others: the bias is that of cells that move as one, (B - n x)/(exp(epsilon) + n - 1) with n cells in the block
// (Proposition 1), the variance is not.
func (t *table) rowSwapping(label string, epsilon float64) (*sanitizer, error) {
	m, err := microdata.NewDPSwapping(microdata.DPSwappingConfig{Columns: t.rows.Columns(), Epsilon: epsilonOf(epsilon), Random: stream(label)})
	if err != nil {
		return nil, err
	}
	s := &sanitizer{expect: make([]mechanisms.Expectation, len(t.counts))}
	for _, block := range t.blocks {
		size := t.total(block)
		others := float64(len(block) - 1)
		keep := 1 / (1 + others*math.Exp(-epsilon))
		move := (1 - keep) / others
		for _, cell := range block {
			x := float64(t.counts[cell])
			s.expect[cell] = mechanisms.Expectation{
				Bias:     (float64(size) - (others+1)*x) / (math.Exp(epsilon) + others),
				Variance: x*keep*(1-keep) + (float64(size)-x)*move*(1-move),
			}
		}
	}
	row := make([]microdata.Cell, len(t.rows.Columns()))
	s.release = func() ([]int64, error) {
		shown := make([]int64, len(t.counts))
		for r := range t.rows.Rows() {
			for c := range row {
				row[c] = t.rows.Cell(r, c)
			}
			if err := m.Row(row); err != nil {
				return nil, err
			}
			shown[t.cell(row)]++
		}
		return shown, nil
	}
	return s, nil
}

// total is the number of persons in some cells.
func (t *table) total(cells []int) int64 {
	var sum int64
	for _, cell := range cells {
		sum += t.counts[cell]
	}
	return sum
}
