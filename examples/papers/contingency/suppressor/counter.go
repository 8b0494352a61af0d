package suppressor

import (
	"errors"
	"math/big"
	"strconv"
	"strings"

	"tacit/mechanisms/sampling"
)

// ErrInconsistent is returned when no data set has the released sums.
var ErrInconsistent = errors.New("suppressor: no data set has the released sums")

// A Counter counts data sets by the dynamic program of section 5.2.1, and draws among them: column by column, it keeps the weight of the
// columns so far for each vector of partial row sums. All arithmetic is exact, and so is a draw.
//
// The paper says that there is no simple way to extend the program to people with different priors. There is: the weight of a cell
// with a sum is then the coefficient of z^sum in the product of (1-p_k + p_k z) over its people, which takes b^2 steps.
type Counter struct {
	table   Table
	bits    *sampling.Bits
	weights [][]*big.Int   // of each sum of each cell
	without [][][]*big.Int // the same with a person of a group less
	odds    [][]*big.Rat
}

// NewCounter weighs data sets by their probability, so that all of them weigh 1 if each prior is 1/2. Bits are for Sample.
func NewCounter(t Table, bits *sampling.Bits) (*Counter, error) {
	c := &Counter{table: t, bits: bits}
	for _, cell := range t.Cells {
		var odds []*big.Rat
		for _, g := range cell {
			p, err := g.odds()
			if err != nil {
				return nil, err
			}
			odds = append(odds, p)
		}
		c.odds = append(c.odds, odds)
		c.weigh(cell)
	}
	return c, nil
}

func (c *Counter) weigh(cell Cell) {
	odds := c.odds[len(c.odds)-1]
	full := make([]int, len(cell))
	for k, g := range cell {
		full[k] = g.People
	}
	c.weights = append(c.weights, product(full, odds))
	var without [][]*big.Int
	for k := range cell {
		if full[k] == 0 {
			without = append(without, nil)
			continue
		}
		full[k]--
		without = append(without, product(full, odds))
		full[k]++
	}
	c.without = append(c.without, without)
}

// product expands the product of (denominator-numerator + numerator z)^people.
func product(people []int, odds []*big.Rat) []*big.Int {
	w := []*big.Int{big.NewInt(1)}
	for k, n := range people {
		yes := odds[k].Num()
		no := new(big.Int).Sub(odds[k].Denom(), yes)
		for range n {
			next := make([]*big.Int, len(w)+1)
			for v := range next {
				next[v] = new(big.Int)
				if v < len(w) {
					next[v].Mul(w[v], no)
				}
				if v > 0 {
					next[v].Add(next[v], new(big.Int).Mul(w[v-1], yes))
				}
			}
			w = next
		}
	}
	return w
}

// count is the weight of all data sets with the released sums.
func (c *Counter) count(released Released) (*big.Int, error) {
	p, err := c.fill(released)
	if err != nil {
		return nil, err
	}
	return p.total(), nil
}

// A program holds the paper's F: after each column, the weight of each vector of partial row sums. Rows whose sum is not known are left
// out of the vector.
type program struct {
	*Counter
	shape
	after []map[string]*entry
}

type entry struct {
	sums   []int
	weight *big.Int
}

func name(sums []int) string {
	var b strings.Builder
	for _, s := range sums {
		b.WriteString(strconv.Itoa(s))
		b.WriteByte(',')
	}
	return b.String()
}

func (c *Counter) fill(released Released) (*program, error) {
	s, err := c.table.shape(released)
	if err != nil {
		return nil, err
	}
	p := &program{Counter: c, shape: s}
	start := make([]int, c.table.Rows)
	p.after = []map[string]*entry{{name(start): {start, big.NewInt(1)}}}
	for column := range c.table.Columns {
		next := map[string]*entry{}
		for _, from := range p.after[column] {
			p.assign(column, from.sums, func(column []int, to []int, weight *big.Int) {
				key := name(to)
				if next[key] == nil {
					next[key] = &entry{append([]int(nil), to...), new(big.Int)}
				}
				next[key].weight.Add(next[key].weight, new(big.Int).Mul(from.weight, weight))
			})
		}
		p.after = append(p.after, next)
	}
	return p, nil
}

// assign visits the assignments of a column, the paper's M_j, that no row sum forbids, with the row sums that they lead to.
func (p *program) assign(column int, from []int, visit func(cells, to []int, weight *big.Int)) {
	cells, to := make([]int, len(from)), append([]int(nil), from...)
	var extend func(row, sum int, weight *big.Int)
	extend = func(row, sum int, weight *big.Int) {
		if row == len(from) {
			if p.columns[column] == unknown || sum == p.columns[column] {
				visit(cells, to, weight)
			}
			return
		}
		i := row*p.table.Columns + column
		for v := p.low[i]; v <= p.high[i]; v++ {
			if p.rows[row] != unknown {
				if to[row] = from[row] + v; to[row] > p.rows[row] {
					break
				}
			}
			if p.columns[column] != unknown && sum+v > p.columns[column] {
				break
			}
			cells[row] = v
			extend(row+1, sum+v, new(big.Int).Mul(weight, p.weights[i][v]))
		}
		to[row] = from[row]
	}
	extend(0, 0, big.NewInt(1))
}

// end is the vector of the complete row sums.
func (p *program) end() []int {
	end := append([]int(nil), p.rows...)
	for row := range end {
		end[row] = max(end[row], 0)
	}
	return end
}

func (p *program) total() *big.Int {
	if e := p.after[p.table.Columns][name(p.end())]; e != nil {
		return e.weight
	}
	return new(big.Int)
}

// Sample implements [Sampler]: it goes back from the last column and draws each assignment with its share of the weight.
func (c *Counter) Sample(released Released) ([]int, error) {
	p, err := c.fill(released)
	if err != nil {
		return nil, err
	}
	return p.sample()
}

func (p *program) sample() ([]int, error) {
	if p.total().Sign() == 0 {
		return nil, ErrInconsistent
	}
	values := make([]int, len(p.table.Cells))
	at := p.after[p.table.Columns][name(p.end())]
	for column := p.table.Columns - 1; column >= 0; column-- {
		left := below(p.bits, at.weight)
		target, found := name(at.sums), false
		for _, key := range sortedKeys(p.after[column]) {
			from := p.after[column][key]
			p.assign(column, from.sums, func(cells, to []int, weight *big.Int) {
				if found || name(to) != target {
					return
				}
				if left.Sub(left, new(big.Int).Mul(from.weight, weight)); left.Sign() >= 0 {
					return
				}
				found, at = true, from
				for row, v := range cells {
					values[row*p.table.Columns+column] = v
				}
			})
			if found {
				break
			}
		}
	}
	return values, p.bits.Err()
}

// Posterior implements [Beliefs]: a cell's law is the ratios of the counts with the cell known, and given the cell's sum a person has the
// attribute with the share that the data sets with her have in the cell's weight.
func (c *Counter) Posterior(released Released) ([][]float64, error) {
	all, err := c.count(released)
	if err != nil {
		return nil, err
	}
	if all.Sign() == 0 {
		return nil, ErrInconsistent
	}
	beliefs := make([][]float64, len(c.table.Cells))
	for i, cell := range c.table.Cells {
		means := make([]*big.Rat, len(cell))
		for k := range means {
			means[k] = new(big.Rat)
		}
		for v, weight := range c.weights[i] {
			count, err := c.count(released.And(At(i/c.table.Columns, i%c.table.Columns), v))
			if err != nil {
				return nil, err
			}
			if v == 0 || count.Sign() == 0 {
				continue
			}
			for k := range cell {
				if c.without[i][k] == nil {
					continue
				}
				with := new(big.Int).Mul(c.without[i][k][v-1], c.odds[i][k].Num())
				means[k].Add(means[k], new(big.Rat).SetFrac(with.Mul(with, count), new(big.Int).Mul(weight, all)))
			}
		}
		for k, g := range cell {
			q, _ := means[k].Float64()
			if g.People == 0 {
				q = g.Prior
			}
			beliefs[i] = append(beliefs[i], q)
		}
	}
	return beliefs, nil
}
