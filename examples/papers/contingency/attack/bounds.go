package attack

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// An Interval is what can be said of a hidden cell: the least and the largest value that it has in any table with the published numbers.
type Interval struct {
	Cell      int
	Low, High Bound
	// Whole says that the bounds are those of tables of whole numbers.
	Whole bool
}

// Exact says whether there is only one value: the cell is not protected at all.
func (i Interval) Exact() bool {
	return i.Low.Value != nil && i.High.Value != nil && i.Low.Value.Cmp(i.High.Value) == 0
}

func (i Interval) String() string {
	switch {
	case i.Low.Value == nil:
		return "unknown" // an interval that Bounds has not found
	case i.High.Value == nil:
		return i.Low.Value.RatString() + " or more"
	case i.Exact():
		return i.Low.Value.RatString()
	}
	return i.Low.Value.RatString() + " to " + i.High.Value.RatString()
}

// Bounds is the attack: the interval of every hidden cell, in their order. It solves two linear programs for each, and checks every result
// with [Publication.Check]'s arithmetic before it returns it.
//
// The bounds are those of tables of real numbers. Where a bound's Table is whole, they are those of counts, too, and Whole is set if that is so for both.
// In a table of two ways it is always so: see the package's documentation. Elsewhere counts may be bounded tighter.
func (p Publication) Bounds() ([]Interval, error) {
	a, err := newAttack(&p)
	if err != nil {
		return nil, err
	}
	var intervals []Interval
	for _, cells := range a.components() {
		found, err := a.intervals(cells)
		if err != nil {
			return nil, err
		}
		intervals = append(intervals, found...)
	}
	for k, i := range intervals {
		if err := a.interval(i); err != nil {
			panic("attack: internal error: " + err.Error())
		}
		intervals[k].Whole = i.Low.Table.Whole() && i.High.Table.Whole()
	}
	slices.SortFunc(intervals, func(x, y Interval) int { return x.Cell - y.Cell })
	return intervals, nil
}

type attack struct{ *checker }

func newAttack(p *Publication) (attack, error) {
	c, err := newChecker(p)
	return attack{c}, err
}

// components are the hidden cells in groups that no sum links.
func (a attack) components() [][]int {
	var components [][]int
	done := map[*group]bool{}
	for cell, c := range a.p.Cells {
		if !c.Hidden || done[a.group(cell)] {
			continue
		}
		done[a.group(cell)] = true
		components = append(components, a.component(cell))
	}
	return components
}

// component are the hidden cells that sums link to one, in order.
func (a attack) component(cell int) []int { return slices.Sorted(maps.Keys(a.group(cell).cells)) }

// A search is the linear programs about the cells of one component.
type search struct {
	attack
	cells   []int // variables, in order; further ones are slack
	sums    []int // rows, in order; further ones are limits of cells
	turned  []bool
	least   []int64 // of each cell; a variable is what its cell has beyond
	program *program
}

// newSearch sets the linear programs up. A cell with a limit has a row of its own, with its slack.
func (a attack) newSearch(cells []int) *search {
	s := &search{attack: a, cells: cells}
	at := map[int]int{}
	var limited []int
	for k, cell := range cells {
		at[cell] = k
		least, most := limitsOf(a.p.Cells[cell])
		s.least = append(s.least, least)
		if most != unlimited {
			limited = append(limited, k)
		}
	}
	s.sums = slices.Sorted(slices.Values(a.group(cells[0]).sums))
	columns, b := make([][]entry, len(cells)), []int64(nil)
	for row, sum := range s.sums {
		rest := a.sums[sum].rest
		for _, t := range a.sums[sum].terms {
			columns[at[t.cell]] = append(columns[at[t.cell]], entry{row, t.sign})
			rest -= t.sign * s.least[at[t.cell]]
		}
		b = append(b, rest)
	}
	for _, k := range limited {
		columns[k] = append(columns[k], entry{len(b), 1})
		columns = append(columns, []entry{{len(b), 1}})
		b = append(b, a.p.Cells[cells[k]].Most-s.least[k])
	}
	s.program, s.turned = newProgram(columns, b)
	return s
}

// intervals finds those of linked cells.
func (a attack) intervals(cells []int) ([]Interval, error) {
	s := a.newSearch(cells)
	contradiction, err := s.program.start()
	if err != nil {
		return nil, err
	}
	if contradiction != nil {
		return nil, a.contradiction(s.multipliers(negative(contradiction)))
	}
	intervals := make([]Interval, len(cells))
	pool := newPool(s)
	for k, cell := range cells {
		intervals[k].Cell = cell
		if intervals[k].Low, err = pool.low(k); err != nil {
			return nil, err
		}
	}
	for k := range cells {
		if intervals[k].High, err = pool.high(k); err != nil {
			return nil, err
		}
	}
	return intervals, nil
}

// contradiction is ErrInconsistent with the sums that contradict one another.
func (a attack) contradiction(y Vector) error {
	if err := a.proof(claim{}, Proof{Multipliers: y, Impossible: true}); err != nil {
		panic("attack: internal error: " + err.Error())
	}
	var names []string
	for _, sum := range slices.Sorted(maps.Keys(y.Numerators)) {
		names = append(names, a.p.Cells[a.p.Sums[sum].Total].Name)
	}
	const enough = 6
	if len(names) > enough {
		names = append(names[:enough], fmt.Sprintf("%d more", len(names)-enough))
	}
	return fmt.Errorf("%w: no hidden values that are not negative, and within what is known of them, fit the totals %s", ErrInconsistent, strings.Join(names, ", "))
}

// multipliers are those of the sums, from those of the program's rows. Those of limits are not needed: what remains of a cell's coefficient
// is multiplied with its limit anyway.
func (s *search) multipliers(y []int64) Vector {
	v := Vector{Numerators: map[int]*big.Int{}, Denominator: big.NewInt(s.program.d)}
	if y == nil {
		return v
	}
	for row, sum := range s.sums {
		if y[row] == 0 {
			continue
		}
		if n := big.NewInt(y[row]); s.turned[row] {
			v.Numerators[sum] = n.Neg(n)
		} else {
			v.Numerators[sum] = n
		}
	}
	return v
}

// table is the one at the program's basis.
func (s *search) table() Vector {
	d := s.program.d
	v := Vector{Numerators: map[int]*big.Int{}, Denominator: big.NewInt(d)}
	for k, cell := range s.cells {
		n := s.least[k] * d
		if row := s.program.row[k]; row >= 0 {
			n += s.program.level[row]
		}
		if n != 0 {
			v.Numerators[cell] = big.NewInt(n)
		}
	}
	return v
}

// ray is how the table changes when a variable grows that nothing stops.
func (s *search) ray(enter int) Vector {
	p := s.program
	v := Vector{Numerators: map[int]*big.Int{}, Denominator: big.NewInt(p.d)}
	for k, cell := range s.cells {
		n := int64(0)
		if k == enter {
			n = p.d
		} else if row := p.row[k]; row >= 0 {
			n = -p.column[row]
		}
		if n != 0 {
			v.Numerators[cell] = big.NewInt(n)
		}
	}
	return v
}

// bound is what the program ended at, with the table there.
func (s *search) bound(k int, e end, t Vector) Bound {
	if e.beyond {
		return Bound{Table: t, Ray: s.ray(e.enter)}
	}
	return Bound{Value: t.At(s.cells[k]), Table: t, Proof: Proof{Multipliers: s.multipliers(e.y)}}
}
