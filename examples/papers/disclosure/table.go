package disclosure

import (
	"slices"

	"tacit/examples/papers/internal/utility"
	"tacit/mechanisms"
	"tacit/mechanisms/microdata"
)

// A table is an excerpt's persons by some features, as a histogram and row by row.
type table struct {
	histogram *utility.Histogram
	counts    []int64 // of the histogram
	blocks    [][]int // cells that differ in race alone
	rows      *microdata.Table
	cells     []int32 // of the rows
}

// newTable counts the persons who have a level of every feature. Swapping exchanges the race, so that it is the one quasi-identifier: the published
// deltas of swapping are those of a quasi-identifier of nine values (see published.go). Generalisation has the quasi-identifiers of
// generalised instead.
func newTable(people []person, features ...feature) (*table, error) {
	domain := make(utility.Domain, len(features))
	for i, f := range features {
		domain[i] = f.variable
	}
	h, err := utility.NewHistogram(domain)
	if err != nil {
		return nil, err
	}
	t := &table{histogram: h, counts: make([]int64, len(h.Counts))}
	if t.blocks, err = domain.Blocks(race); err != nil {
		return nil, err
	}
	if t.rows, err = microdata.NewTable(columnsOf(domain, race)); err != nil {
		return nil, err
	}
	levels := make([]microdata.Cell, len(features))
	for i := range people {
		if !levelsOf(levels, &people[i], features) {
			continue
		}
		if err := t.rows.Append(levels); err != nil {
			return nil, err
		}
		cell := t.cell(levels)
		t.cells = append(t.cells, int32(cell))
		t.counts[cell]++
		t.histogram.Counts[cell]++
	}
	return t, nil
}

// levelsOf says whether a person has a level of every feature.
func levelsOf(levels []microdata.Cell, p *person, features []feature) bool {
	for i, f := range features {
		level := f.level(p)
		if level == none {
			return false
		}
		levels[i] = microdata.Cell(level)
	}
	return true
}

// columnsOf are the columns of rows, of which some are quasi-identifiers.
func columnsOf(d utility.Domain, quasi ...string) []microdata.Column {
	columns := make([]microdata.Column, len(d))
	for i, v := range d {
		columns[i] = microdata.Column{Name: v.Name, Values: v.Levels, Quasi: slices.Contains(quasi, v.Name)}
		if v.Name == age {
			columns[i].Values, columns[i].Numeric, columns[i].Max = nil, true, int64(len(v.Levels)-1)
		}
	}
	return columns
}

// cell is the number of the cell with these levels.
func (t *table) cell(levels []microdata.Cell) int {
	cell := 0
	for i, v := range t.histogram.Domain {
		cell = cell*len(v.Levels) + int(levels[i])
	}
	return cell
}

// levels are those of a cell: the reverse of cell.
func (t *table) levels(cell int) []int {
	domain := t.histogram.Domain
	levels := make([]int, len(domain))
	for i := len(domain) - 1; i >= 0; i-- {
		levels[i] = cell % len(domain[i].Levels)
		cell /= len(domain[i].Levels)
	}
	return levels
}

// position is where a feature stands. Every table has the features that are asked for.
func (t *table) position(name string) int {
	at, err := t.histogram.Domain.Position(name)
	if err != nil {
		panic("disclosure: internal error: " + err.Error())
	}
	return at
}

// withLevel is the cell that differs from another in the level of one feature.
func (t *table) withLevel(cell, position, level int) int {
	stride := t.histogram.Domain[position+1:].Cells()
	size := len(t.histogram.Domain[position].Levels)
	return cell + (level-cell/stride%size)*stride
}

// input is the histogram as mechanisms take it.
func (t *table) input() mechanisms.Histogram {
	return mechanisms.Histogram{Counts: t.counts, Blocks: t.blocks}
}

// generalised are the rows with every column as a quasi-identifier, but for the income unless that is one, too.
func (t *table) generalised(incomeToo bool) (*microdata.Table, error) {
	var quasi []string
	for _, v := range t.histogram.Domain {
		if v.Name != earner || incomeToo {
			quasi = append(quasi, v.Name)
		}
	}
	g, err := microdata.NewTable(columnsOf(t.histogram.Domain, quasi...))
	if err != nil {
		return nil, err
	}
	row := make([]microdata.Cell, len(t.histogram.Domain))
	for r := range t.rows.Rows() {
		for c := range row {
			row[c] = t.rows.Cell(r, c)
		}
		if err := g.Append(row); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// zeros is the number of empty cells, and largest the largest count.
func (t *table) zeros() (zeros int, largest int64) {
	for _, n := range t.counts {
		if n == 0 {
			zeros++
		}
		largest = max(largest, n)
	}
	return zeros, largest
}
