package attack

import (
	"errors"
	"fmt"
	"math/big"
)

// A Vector has the exact numbers Numerators/Denominator; those that are not there are 0.
type Vector struct {
	Numerators map[int]*big.Int
	// Denominator is above 0. Default: 1.
	Denominator *big.Int
}

// sound says whether the numbers have the signs of their numerators, on which every step of a proof relies: multiplied by a negative number an
// inequality turns around. Whoever takes a vector from outside asks.
func (v Vector) sound() bool {
	for _, n := range v.Numerators {
		if n == nil {
			return false
		}
	}
	return v.denominator().Sign() > 0
}

func (v Vector) denominator() *big.Int {
	if v.Denominator == nil {
		return big.NewInt(1)
	}
	return v.Denominator
}

// At is one number of a vector.
func (v Vector) At(i int) *big.Rat {
	if n, ok := v.Numerators[i]; ok {
		return new(big.Rat).SetFrac(n, v.denominator())
	}
	return new(big.Rat)
}

// Whole says whether all numbers are integers.
func (v Vector) Whole() bool {
	rest, d := new(big.Int), v.denominator()
	for _, n := range v.Numerators {
		if rest.Rem(n, d).Sign() != 0 {
			return false
		}
	}
	return true
}

// A Bound is the least or largest value of a hidden cell, with what proves it. [Publication.Check] checks it and knows nothing of how it was
// found.
type Bound struct {
	// Value is nil if there is no largest value.
	Value *big.Rat
	// Table, by cells, is a table with the published numbers in which the cell has the value: the hidden cells that sums link to it, directly
	// or by others. It proves that the bound is no wider than it has to be.
	Table Vector
	// Proof shows that no table is beyond the bound.
	Proof Proof
	// Ray, by cells, proves that there is no largest value: no sum changes when it is added to Table, any number of times.
	Ray Vector
}

// A Proof multiplies sums. Every sum says that its hidden parts, less its total if that is hidden, are some number; so does the sum of all of
// them times their multipliers, and since no cell is below its least or above its most, a bound follows (weak duality).
type Proof struct {
	Multipliers Vector // by sums
	// Impossible says that what follows is a contradiction: there is no such table.
	Impossible bool
}

// ErrProof is returned when a bound does not follow from its proof.
var ErrProof = errors.New("attack: not proved")

// A checker checks bounds by what a publication says.
type checker struct {
	p    *Publication
	sums []equation    // by Publication.Sums; those without hidden cells have no terms
	of   map[int][]use // the sums in which a hidden cell is
	// groups are those of the cells that were asked about.
	groups map[int]*group
}

// A use is one occurrence of a cell in a sum.
type use struct {
	sum  int
	sign int64
}

// A group are the hidden cells that sums link, directly or by others, and the sums.
type group struct {
	cells map[int]bool
	sums  []int
}

func newChecker(p *Publication) (*checker, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	equations, err := p.equations()
	if err != nil {
		return nil, err
	}
	c := &checker{p: p, sums: make([]equation, len(p.Sums)), of: map[int][]use{}, groups: map[int]*group{}}
	for _, e := range equations {
		c.sums[e.sum] = e
		for _, t := range e.terms {
			c.of[t.cell] = append(c.of[t.cell], use{e.sum, t.sign})
		}
	}
	return c, nil
}

// Check returns ErrProof unless an interval is proved by its tables and proofs, in exact arithmetic. If it is whole, it says what tables of
// whole numbers can have; otherwise, what tables of real numbers can have. A publication without sense is ErrMalformed.
func (p Publication) Check(i Interval) error {
	c, err := newChecker(&p)
	if err != nil {
		return err
	}
	return c.interval(i)
}

func (c *checker) interval(i Interval) error {
	if i.Cell < 0 || i.Cell >= len(c.p.Cells) || !c.p.Cells[i.Cell].Hidden {
		return fmt.Errorf("%w: cell %d is not hidden", ErrProof, i.Cell)
	}
	if i.Low.Value == nil {
		return fmt.Errorf("%w: no least value", ErrProof)
	}
	if err := c.bound(i, i.Low, -1); err != nil {
		return err
	}
	return c.bound(i, i.High, 1)
}

// bound checks one bound: side is 1 for the largest value and -1 for the least.
func (c *checker) bound(i Interval, b Bound, side int64) error {
	if err := c.table(i, b.Table); err != nil {
		return err
	}
	if b.Value == nil {
		return c.ray(i, b.Ray)
	}
	if b.Table.At(i.Cell).Cmp(b.Value) != 0 {
		return fmt.Errorf("%w: the table does not have the bound", ErrProof)
	}
	most := new(big.Rat).Mul(b.Value, big.NewRat(side, 1))
	return c.proof(claim{cell: i.Cell, side: side, most: most, whole: i.Whole}, b.Proof)
}

// table checks that a table has the published numbers, as far as sums link them to the cell.
func (c *checker) table(i Interval, t Vector) error {
	if !t.sound() || i.Whole && !t.Whole() {
		return fmt.Errorf("%w: no table of the kind", ErrProof)
	}
	g := c.group(i.Cell)
	for cell := range t.Numerators {
		if !g.cells[cell] {
			return fmt.Errorf("%w: a table of other cells", ErrProof)
		}
		if most := c.p.Cells[cell].Most; t.Numerators[cell].Sign() < 0 || most > 0 && t.At(cell).Cmp(ratio(most)) > 0 {
			return fmt.Errorf("%w: %s cannot be %s", ErrProof, c.p.Cells[cell].Name, t.At(cell).RatString())
		}
	}
	for cell := range g.cells {
		if least := c.p.Cells[cell].Least; least > 0 && t.At(cell).Cmp(ratio(least)) < 0 {
			return fmt.Errorf("%w: %s cannot be %s", ErrProof, c.p.Cells[cell].Name, t.At(cell).RatString())
		}
	}
	left, right, d := c.left(t), new(big.Int), t.denominator()
	for _, sum := range g.sums {
		if right.Mul(right.SetInt64(c.sums[sum].rest), d).Cmp(value(left[sum])) != 0 {
			return fmt.Errorf("%w: a sum does not hold", ErrProof)
		}
	}
	return nil
}

// value is 0 for what is not there.
func value(n *big.Int) *big.Int {
	if n == nil {
		return new(big.Int)
	}
	return n
}

func ratio(v int64) *big.Rat { return big.NewRat(v, 1) }

// left are the left sides of sums, times the denominator; those that are not there are 0.
func (c *checker) left(v Vector) map[int]*big.Int {
	left := map[int]*big.Int{}
	for cell, n := range v.Numerators {
		for _, u := range c.of[cell] {
			total := value(left[u.sum])
			if u.sign > 0 {
				total.Add(total, n)
			} else {
				total.Sub(total, n)
			}
			left[u.sum] = total
		}
	}
	return left
}

// group is the one of a cell.
func (c *checker) group(cell int) *group {
	if g, ok := c.groups[cell]; ok {
		return g
	}
	g, seen := &group{cells: map[int]bool{cell: true}}, map[int]bool{}
	for open := []int{cell}; len(open) > 0; open = open[1:] {
		for _, u := range c.of[open[0]] {
			if seen[u.sum] {
				continue
			}
			seen[u.sum] = true
			g.sums = append(g.sums, u.sum)
			for _, t := range c.sums[u.sum].terms {
				if !g.cells[t.cell] {
					g.cells[t.cell] = true
					open = append(open, t.cell)
				}
			}
		}
	}
	for member := range g.cells {
		c.groups[member] = g
	}
	return g
}

// ray checks that a cell grows along a ray, which no sum notices and no limit stops.
func (c *checker) ray(i Interval, ray Vector) error {
	if !ray.sound() || ray.At(i.Cell).Sign() <= 0 {
		return fmt.Errorf("%w: the cell does not grow", ErrProof)
	}
	g := c.group(i.Cell)
	for cell := range ray.Numerators {
		if !g.cells[cell] {
			return fmt.Errorf("%w: a ray of other cells", ErrProof)
		}
		if s := ray.At(cell).Sign(); s < 0 || s > 0 && c.p.Cells[cell].Most > 0 {
			return fmt.Errorf("%w: %s has a limit", ErrProof, c.p.Cells[cell].Name)
		}
	}
	for _, total := range c.left(ray) {
		if total.Sign() != 0 {
			return fmt.Errorf("%w: a sum changes", ErrProof)
		}
	}
	return nil
}

// A claim is that side times a cell is at most some value; in whole tables it is enough to prove that it is less than one more.
type claim struct {
	cell  int
	side  int64
	most  *big.Rat
	whole bool
}

// limitsOf are the least and the most value of a cell; most is unlimited if none is known.
func limitsOf(c Cell) (least, most int64) {
	if c.Most == 0 {
		return c.Least, unlimited
	}
	return c.Least, c.Most
}

const unlimited = -1

func (c *checker) proof(q claim, proof Proof) error {
	if proof.Impossible {
		if most := c.follows(claim{}, proof.Multipliers); most == nil || most.Sign() >= 0 {
			return fmt.Errorf("%w: no contradiction", ErrProof)
		}
		return nil
	}
	most := c.follows(q, proof.Multipliers)
	limit := q.most
	if q.whole {
		limit = new(big.Rat).Add(limit, ratio(1))
	}
	if most == nil || most.Cmp(limit) > 0 || q.whole && most.Cmp(limit) == 0 {
		return fmt.Errorf("%w: more is possible", ErrProof)
	}
	return nil
}

// follows is what side times the cell is at most, by multipliers: the right sides times them, and for each cell what its remaining coefficient
// can make of it; nil if that is unlimited, or the multipliers are none. Side 0 asks for 0 itself.
func (c *checker) follows(q claim, y Vector) *big.Rat {
	if !y.sound() {
		return nil
	}
	d := y.denominator()
	rest := map[int]*big.Int{}
	if q.side != 0 {
		rest[q.cell] = new(big.Int).Mul(big.NewInt(q.side), d)
	}
	total, product := new(big.Int), new(big.Int)
	for sum, n := range y.Numerators {
		if sum < 0 || sum >= len(c.sums) {
			return nil
		}
		total.Add(total, product.Mul(n, big.NewInt(c.sums[sum].rest)))
		for _, t := range c.sums[sum].terms {
			if rest[t.cell] == nil {
				rest[t.cell] = new(big.Int)
			}
			rest[t.cell].Sub(rest[t.cell], product.Mul(n, big.NewInt(t.sign)))
		}
	}
	for cell, r := range rest {
		least, most := limitsOf(c.p.Cells[cell])
		switch {
		case r.Sign() < 0:
			total.Add(total, product.Mul(r, big.NewInt(least)))
		case r.Sign() > 0 && most == unlimited:
			return nil
		case r.Sign() > 0:
			total.Add(total, product.Mul(r, big.NewInt(most)))
		}
	}
	return new(big.Rat).SetFrac(total, d)
}
