package disclosure

import (
	"tacit/mechanisms/microdata"
)

// A generaliser makes rows k-anonymous and draws rows for the classes again, so that they can be counted: all columns but the income are
// quasi-identifiers, and a row keeps its income (Zhu et al. 2023, Algorithms 5 and 6).
type generaliser struct {
	table       *table
	rows        *microdata.Table
	anonymise   func(*microdata.Table) ([]microdata.Class, error)
	reconstruct *microdata.Reconstruction
}

// A reading is what the papers leave open of it. The zero reading is what gives the published errors.
type reading struct {
	// incomeToo makes the income a quasi-identifier.
	incomeToo bool
	// uniformAges are drawn from an interval as if each of its ages were as likely, not by Algorithm 5's Gaussian.
	uniformAges bool
}

// kAnonymity generalises all rows; what is drawn is the reconstruction.
func (t *table) kAnonymity(label string, k int) (*generaliser, error) {
	g, err := t.generaliser(label, reading{})
	if err != nil {
		return nil, err
	}
	m, err := microdata.NewKAnonymity(microdata.KAnonymityConfig{Columns: g.rows.Columns(), K: k})
	if err != nil {
		return nil, err
	}
	classes, err := m.Anonymise(g.rows)
	g.anonymise = func(*microdata.Table) ([]microdata.Class, error) { return classes, nil }
	return g, err
}

// dpKAnonymity generalises a sample of the rows, each with probability 1 - exp(-epsilon).
func (t *table) dpKAnonymity(label string, epsilon float64, k int) (*generaliser, error) {
	return t.dpKAnonymityRead(label, epsilon, k, reading{})
}

func (t *table) dpKAnonymityRead(label string, epsilon float64, k int, r reading) (*generaliser, error) {
	g, err := t.generaliser(label, r)
	if err != nil {
		return nil, err
	}
	m, err := microdata.NewDPKAnonymity(microdata.DPKAnonymityConfig{
		Columns: g.rows.Columns(), K: k, Epsilon: epsilonOf(epsilon), Random: stream(label + "/sample"),
	})
	if err != nil {
		return nil, err
	}
	g.anonymise = m.Anonymise
	return g, nil
}

func (t *table) generaliser(label string, r reading) (*generaliser, error) {
	rows, err := t.generalised(r.incomeToo)
	if err != nil {
		return nil, err
	}
	numbers := microdata.GaussianNumbers
	if r.uniformAges {
		numbers = microdata.UniformNumbers
	}
	reconstruct, err := microdata.NewReconstruction(microdata.ReconstructionConfig{
		Columns: rows.Columns(), Numbers: numbers, Random: stream(label + "/reconstruction"),
	})
	if err != nil {
		return nil, err
	}
	return &generaliser{table: t, rows: rows, reconstruct: reconstruct}, nil
}

// release counts the rows that are drawn for the classes, and the rows that are in them.
func (g *generaliser) release() (shown, sampled []int64, err error) {
	classes, err := g.anonymise(g.rows)
	if err != nil {
		return nil, nil, err
	}
	shown, sampled = make([]int64, len(g.table.counts)), make([]int64, len(g.table.counts))
	quasi := g.rows.Quasi()
	levels := make([]microdata.Cell, len(g.rows.Columns()))
	drawn := make([]microdata.Cell, 0, len(quasi))
	for _, class := range classes {
		for _, row := range class.Rows {
			if drawn, err = g.reconstruct.Row(drawn[:0], class.Quasi); err != nil {
				return nil, nil, err
			}
			for c := range levels {
				levels[c] = g.rows.Cell(int(row), c)
			}
			for i, c := range quasi {
				levels[c] = drawn[i]
			}
			shown[g.table.cell(levels)]++
			sampled[g.table.cells[row]]++
		}
	}
	return shown, sampled, nil
}

// whole compares what is shown with all rows.
func (g *generaliser) whole() *sanitizer {
	return &sanitizer{release: func() ([]int64, error) {
		shown, _, err := g.release()
		return shown, err
	}}
}

// ofSample compares what is shown with the rows that were sampled: the errors are shown minus sampled, so that rows that were not sampled are
// none.
func (g *generaliser) ofSample() *sanitizer {
	return &sanitizer{release: func() ([]int64, error) {
		shown, sampled, err := g.release()
		for i := range shown {
			shown[i] += g.table.counts[i] - sampled[i]
		}
		return shown, err
	}}
}
