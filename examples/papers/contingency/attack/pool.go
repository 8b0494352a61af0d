package attack

import "math/big"

// A pool keeps bounds that were met on the way to others: most cells of a large table need no search of their own.
type pool struct {
	*search
	zero  []*Vector // tables in which a variable is 0
	full  []*Vector // tables in which it is all that one of its sums can hold
	holds []hold
}

// A hold is the least of the sums of a cell that have no negative term: the cell can be no more.
type hold struct {
	row int // -1: there is no such sum
	b   int64
}

func newPool(s *search) *pool {
	p := &pool{search: s, zero: make([]*Vector, len(s.cells)), full: make([]*Vector, len(s.cells))}
	positive := make([]bool, len(s.sums))
	for row, sum := range s.sums {
		positive[row] = true
		for _, t := range s.attack.sums[sum].terms {
			positive[row] = positive[row] && t.sign > 0
		}
	}
	rest := make([]int64, len(s.sums))
	for row, sum := range s.sums {
		rest[row] = s.attack.sums[sum].rest
	}
	for k := range s.cells {
		h := hold{row: -1}
		for _, e := range s.program.columns[k] {
			if e.row < len(s.sums) && positive[e.row] && (h.row < 0 || rest[e.row] < h.b) {
				h = hold{e.row, rest[e.row]}
			}
		}
		p.holds = append(p.holds, h)
	}
	p.note()
	return p
}

// note looks at the table at the present basis.
func (p *pool) note() Vector {
	t := p.table()
	for k := range p.cells {
		level := int64(0)
		if row := p.program.row[k]; row >= 0 {
			level = p.program.level[row]
		}
		if level == 0 && p.zero[k] == nil {
			p.zero[k] = &t
		}
		if h := p.holds[k]; h.row >= 0 && p.full[k] == nil && level+p.least[k]*p.program.d == h.b*p.program.d {
			p.full[k] = &t
		}
	}
	return t
}

// low is the least value of a cell.
func (p *pool) low(k int) (Bound, error) {
	if t := p.zero[k]; t != nil {
		return Bound{Value: ratio(p.least[k]), Table: *t}, nil
	}
	e, err := p.program.least(k)
	if err != nil {
		return Bound{}, err
	}
	return p.bound(k, e, p.note()), nil
}

// high is the largest value of a cell.
func (p *pool) high(k int) (Bound, error) {
	if t := p.full[k]; t != nil {
		h := p.holds[k]
		y := Vector{Numerators: map[int]*big.Int{p.sums[h.row]: big.NewInt(1)}, Denominator: big.NewInt(1)}
		return Bound{Value: ratio(h.b), Table: *t, Proof: Proof{Multipliers: y}}, nil
	}
	e, err := p.program.most(k)
	if err != nil {
		return Bound{}, err
	}
	return p.bound(k, e, p.note()), nil
}
