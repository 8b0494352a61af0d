package chosen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/mechanisms"
	"tacit/mechanisms/sampling"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// A Choice is how the value of a question is chosen.
type Choice struct {
	Mechanism *mechanisms.Exponential
	Column    *query.Column
	Fraction  query.Fraction
	Grid      []query.Value
	Places    map[query.Value]int // in the grid
}

func (c *Choice) ratio() sampling.Ratio { return sampling.Ratio(c.Fraction) }

// IsMode reports whether it is the most frequent value, and no percentile.
func (c *Choice) IsMode() bool { return c.Fraction == (query.Fraction{}) }

// draw chooses the value of one cell.
func (c *Choice) draw(s mechanisms.Sample) (v query.Value, err error) {
	var place int
	if c.IsMode() {
		place, err = c.Mechanism.Mode(s)
	} else {
		place, err = c.Mechanism.Quantile(s, c.ratio())
	}
	if err != nil {
		return v, err
	}
	return c.Grid[place], nil
}

// Within95 bounds by how many ranks, or rows, what is drawn is off.
func (c *Choice) Within95() int64 {
	if c.IsMode() {
		return c.Mechanism.ModeWithin95(len(c.Grid))
	}
	return c.Mechanism.QuantileWithin95(len(c.Grid), c.ratio())
}

// Find is the value that noisy counts of all values tell: NULL if they tell that there are no rows.
func (c *Choice) Find(counts []cells.Placed) query.Value {
	place, ok := cells.PlaceOf(counts, c.Fraction)
	if !ok {
		return query.Value{Null: true}
	}
	return c.Grid[place]
}

// FoundWithin95 bounds by how many ranks, or rows, a value is off that was found by noisy counts, each a sum of so many cells.
//
// Let e be the errors of the counts of g values, and the value found the first one up to which the noisy counts are at least the fraction f of their
// sum. Its rank is off by no more than the largest |(1-f) (e up to v) - f (e after v)| over all v, and so by no more than the larger one of the largest
// |e up to v| and the largest |e after v|. An error is between the noise Z of the cells and max(Z, 0). So a sum up to v is at most that of max(Z, 0) over all
// cells. It falls below -w with at most twice the probability that the sum of Z over all cells does (Levy's inequality, Z being symmetric and independent).
// SumsWithin95 of all cells bounds P(sum of Z > w) + P(sum of max(Z, 0) > w) by 0.05/4 for four sums. So the sums up to v exceed w with at most
// twice that, and so do those after v.
//
// Of a mode, all counts are within w at once, so that the one that is found has at most 2w rows fewer than any other.
func (c *Choice) FoundWithin95(m *mechanisms.Mechanism, added int) int64 {
	if c.IsMode() {
		w, _ := m.SumsWithin95(added, len(c.Grid))
		return 2 * w
	}
	w, _ := m.SumsWithin95(added*len(c.Grid), 4)
	return w
}

// Samples draw the values of cells, whose rows come cell by cell, so that those of one are held at a time.
type Samples struct {
	choice *Choice
	index  map[string]int
	values []query.Value
	drawn  []bool
	// cell is the one whose rows are coming, -1 for one that is not shown, and counts are its rows by place in the grid.
	cell   int
	group  string
	counts map[int]int64
}

// NewSamples are those of so many cells with these keys.
func (c *Choice) NewSamples(keys [][]query.Value, cellCount int) *Samples {
	return &Samples{choice: c, index: cells.Index(keys, cellCount), values: make([]query.Value, cellCount), drawn: make([]bool, cellCount), cell: -1}
}

func (s *Samples) begin(cell int) { s.cell, s.counts = cell, make(map[int]int64) }

// Add takes in how many rows of a group have a value.
func (s *Samples) Add(group []query.Value, value query.Value, n int64) error {
	if key := keyOf(group); key != s.group || s.cell < 0 {
		if err := s.end(); err != nil {
			return err
		}
		cell, ok := s.index[key]
		if !ok {
			cell = -1
		} else if s.drawn[cell] {
			return errors.New("release: internal error: a group whose rows do not come together")
		}
		s.group = key
		s.begin(cell)
	}
	if place, ok := s.choice.Places[value]; ok && s.cell >= 0 && n > 0 {
		s.counts[place] += n
	}
	return nil
}

// end draws the value of the cell whose rows have come.
func (s *Samples) end() (err error) {
	if s.cell < 0 {
		return nil
	}
	sample := mechanisms.Sample{Grid: len(s.choice.Grid)}
	for place := range s.counts {
		sample.At = append(sample.At, place)
	}
	slices.Sort(sample.At)
	for _, place := range sample.At {
		sample.Counts = append(sample.Counts, s.counts[place])
	}
	s.values[s.cell], err = s.choice.draw(sample)
	s.drawn[s.cell] = true
	return err
}

// Values are those of the cells, once all rows have come. A cell without rows has one, too.
func (s *Samples) Values() ([]query.Value, error) {
	if err := s.end(); err != nil {
		return nil, err
	}
	for i, drawn := range s.drawn {
		if !drawn {
			s.begin(i)
			if err := s.end(); err != nil {
				return nil, err
			}
		}
	}
	return s.values, nil
}

// Describe tells in a phrase what a value is, and how exact: found by noisy counts, or drawn.
func (c *Choice) Describe(within int64, found bool) string {
	how := fmt.Sprintf("drawn by the exponential mechanism among %d values", len(c.Grid))
	if found {
		how = "found by noisy counts"
	}
	text := fmt.Sprintf("percentile_disc(%v) of %s is %s, within ±%d ranks with probability 95%%", c.Fraction, c.Column.Text(), how, within)
	if c.IsMode() {
		text = fmt.Sprintf("mode of %s is %s, which at most %d rows fewer have than the most frequent one with probability 95%%", c.Column.Text(), how, within)
	}
	return text + "; rows with undeclared values of it have no part in it"
}

func keyOf(group []query.Value) string { return cells.CellKey(new(strings.Builder), group) }
