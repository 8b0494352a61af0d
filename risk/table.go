package risk

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// A Table is what the measures need of a table's cells: how many have which counts. Which cell has them does not matter, nor which
// label.
type Table struct {
	// Labels is the number K of labels that the sensitive attribute can have, those included that no record has. Required; up to 2^20.
	Labels int
	// Patterns are the cells, grouped by their counts. They need not differ. All cells together have up to 3e9 records.
	Patterns []Pattern
	// Moments, one for each label, are for estimates of a Dirichlet distribution. Default nil: not known.
	Moments []Moment
}

// A Pattern is a number of cells that have the same counts, in whatever order of labels.
type Pattern struct {
	// Counts of the labels that occur, largest first. Each is 1 or more.
	Counts []int64
	Cells  int64
}

// Records is the size of one cell.
func (p Pattern) Records() int64 {
	var n int64
	for _, count := range p.Counts {
		n += count
	}
	return n
}

// A Moment holds sums over all cells i for one label k, with n_i the size of a cell and n_ik its count of the label.
type Moment struct {
	Sum     int64 // of n_ik
	Squares int64 // of n_ik^2
	Cross   int64 // of n_i n_ik
}

// NewTable collapses cells: cells[i][k] is the count of label k in cell i. Combinations without a record are no cells, and are left
// out.
func NewTable(labels int, cells [][]int64) (*Table, error) {
	if err := checkLabels(labels); err != nil {
		return nil, err
	}
	t := &Table{Labels: labels, Moments: make([]Moment, labels)}
	patterns := make(map[string]int)
	for i, counts := range cells {
		if len(counts) != labels {
			return nil, fmt.Errorf("risk: cell %d has %d counts, not one for each of %d labels", i, len(counts), labels)
		}
		if err := t.addMoments(counts); err != nil {
			return nil, fmt.Errorf("risk: cell %d: %w", i, err)
		}
		occurring := slices.DeleteFunc(slices.Clone(counts), func(n int64) bool { return n == 0 })
		if len(occurring) == 0 {
			continue
		}
		slices.Sort(occurring)
		slices.Reverse(occurring)
		key := string(appendCounts(nil, occurring))
		at, known := patterns[key]
		if !known {
			at = len(t.Patterns)
			patterns[key] = at
			t.Patterns = append(t.Patterns, Pattern{Counts: occurring})
		}
		t.Patterns[at].Cells++
	}
	return t, nil
}

func appendCounts(key []byte, counts []int64) []byte {
	for _, n := range counts {
		key = binary.AppendVarint(key, n)
	}
	return key
}

// largestRecords keeps the sum of n_i^2, and all moments with it, within int64.
const largestRecords = 3_000_000_000

// addMoments adds a cell up. As the table's records are at most largestRecords, no sum overflows.
func (t *Table) addMoments(counts []int64) error {
	var n int64
	for _, count := range counts {
		if count < 0 || count > largestRecords {
			return fmt.Errorf("a count of %d, must be 0 to %d", count, largestRecords)
		}
		if n += count; n > largestRecords {
			return tooMany()
		}
	}
	var records int64
	for k, count := range counts {
		m := &t.Moments[k]
		m.Sum += count
		if records += m.Sum; records > largestRecords {
			return tooMany()
		}
		m.Squares += count * count
		m.Cross += n * count
	}
	return nil
}

// largestLabels keeps what has a number for each label within memory.
const largestLabels = 1 << 20

func checkLabels(labels int) error {
	if labels < 1 || labels > largestLabels {
		return fmt.Errorf("risk: %d labels, must be 1 to %d", labels, largestLabels)
	}
	return nil
}

func tooMany() error { return fmt.Errorf("the table has more than %d records", largestRecords) }

// Group is a number of cells, and of the records in them.
type Group struct {
	Cells   int64 `json:"cells"`
	Records int64 `json:"persons"` // or what else is counted
}

func (g *Group) add(cells, size int64) {
	g.Cells += cells
	g.Records += cells * size
}

// A Description says what of a table is open to the attack before anything is sanitized.
type Description struct {
	Labels int `json:"-"`
	// All cells.
	All Group `json:"all"`
	// Homogeneous cells have one label, Heterogeneous ones more.
	Homogeneous   Group `json:"homogeneous"`
	Heterogeneous Group `json:"heterogeneous"`
	// Unique cells have one record; they are homogeneous.
	Unique Group `json:"unique"`
	// Smallest and Largest are sizes of cells, and Mean is their mean; 0 if there are none.
	Smallest int64   `json:"smallest"`
	Mean     float64 `json:"mean"`
	Largest  int64   `json:"largest"`
}

// Describe counts.
func (t *Table) Describe() Description {
	d := Description{Labels: t.Labels, Smallest: math.MaxInt64}
	for _, p := range t.Patterns {
		n := p.Records()
		d.All.add(p.Cells, n)
		if len(p.Counts) == 1 {
			d.Homogeneous.add(p.Cells, n)
		} else {
			d.Heterogeneous.add(p.Cells, n)
		}
		if n == 1 {
			d.Unique.add(p.Cells, n)
		}
		d.Smallest, d.Largest = min(d.Smallest, n), max(d.Largest, n)
	}
	if d.All.Cells == 0 {
		d.Smallest = 0
		return d
	}
	d.Mean = float64(d.All.Records) / float64(d.All.Cells)
	return d
}

// Check says what is wrong with a table that was not made by [NewTable]. Methods that return no error rely on it.
func (t *Table) Check() error {
	if err := checkLabels(t.Labels); err != nil {
		return err
	}
	if t.Moments != nil && len(t.Moments) != t.Labels {
		return fmt.Errorf("risk: %d moments for %d labels", len(t.Moments), t.Labels)
	}
	left := int64(largestRecords)
	for i, p := range t.Patterns {
		switch {
		case len(p.Counts) == 0 || len(p.Counts) > t.Labels:
			return fmt.Errorf("risk: pattern %d has %d counts, must have 1 to %d", i, len(p.Counts), t.Labels)
		case p.Cells < 1:
			return fmt.Errorf("risk: pattern %d is of %d cells, must be 1 or more", i, p.Cells)
		case slices.Min(p.Counts) < 1:
			return fmt.Errorf("risk: pattern %d has a count of %d, must be 1 or more", i, slices.Min(p.Counts))
		}
		var ok bool
		if left, ok = p.from(left); !ok {
			return fmt.Errorf("risk: %w", tooMany())
		}
	}
	return nil
}

// from is what remains of a number of records when those of all cells of a pattern are taken from it. ok is false if they are more.
func (p Pattern) from(records int64) (left int64, ok bool) {
	var n int64
	for _, count := range p.Counts {
		if count > records-n {
			return 0, false
		}
		n += count
	}
	if p.Cells > records/n {
		return 0, false
	}
	return records - p.Cells*n, true
}

// An Average is a measure of all cells.
type Average struct {
	// Unweighted is that of an average cell: each cell counts alike.
	Unweighted float64 `json:"unweighted"`
	// Weighted is that of the cell of an average record: each cell counts by its size. It is NaN of a measure that draws sizes.
	Weighted float64 `json:"weighted"`
}

// MarshalJSON leaves out an average that there is not.
func (a Average) MarshalJSON() ([]byte, error) {
	type both Average
	if !math.IsNaN(a.Weighted) {
		return json.Marshal(both(a))
	}
	return json.Marshal(map[string]float64{"unweighted": a.Unweighted})
}

// noNumber is the average of a measure that is none.
var noNumber = Average{math.NaN(), math.NaN()}

// average is the average of what measure returns for each pattern; 0 if there are no cells.
func (t *Table) average(measure func(p Pattern, n int64) float64) Average {
	var sum Average
	var cells, records float64
	for _, p := range t.Patterns {
		n := p.Records()
		risk, number := measure(p, n), float64(p.Cells)
		sum.Unweighted += number * risk
		sum.Weighted += number * float64(n) * risk
		cells += number
		records += number * float64(n)
	}
	if cells == 0 {
		return Average{}
	}
	return Average{Unweighted: sum.Unweighted / cells, Weighted: sum.Weighted / records}
}

// largest is the largest size of a cell.
func (t *Table) largest() int64 {
	var largest int64
	for _, p := range t.Patterns {
		largest = max(largest, p.Records())
	}
	return largest
}
