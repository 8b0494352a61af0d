package risk

import (
	"errors"
	"math/big"
)

// EstimateDirichlet estimates the Dirichlet distribution of the labels' proportions from the table's cells by moments, for
// [Table.Shrinkage]. A label that no cell has gets an alpha of 0.
//
// With n_ik the records of label k in cell i, p_k = n_.k/n, and r = 1/(1+alpha.), by which labels vary more between cells than by
// chance,
//
//	S   = sum over k and i of (n_ik - n_i p_k)^2
//	R   = S / sum over k of p_k (1-p_k)
//	c_i = 1 - 2 n_i/n + sum n^2/n^2,  sum n^2 over cells
//	r   = [R(1-1/n) - sum c_i n_i] / [sum c_i n_i(n_i-1) + R (sum n^2 - n)/n^2]
//
// and alpha_k = p_k (1/r - 1). It corrects the estimates of the 2023 paper's supplement S2, of which that for two labels divides by 0,
// and that for more takes the variance of n_ik for that of n_.k; the c_i make it right for few cells. It is computed exactly, in
// fractions.
func (t *Table) EstimateDirichlet() ([]float64, error) {
	if len(t.Moments) != t.Labels || t.Labels == 0 {
		return nil, errors.New("risk: the table has no moments of its labels, from which a Dirichlet distribution could be estimated: give alpha, or a table that has them")
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	m := t.sizeMoments()
	if m.records.Sign() == 0 {
		return nil, errors.New("risk: the table has no cells")
	}
	if !m.agrees(t.Moments) {
		return nil, errors.New("risk: the moments are not those of the table's cells")
	}
	spread, chance := m.spread(t.Moments), m.chance(t.Moments)
	if chance.Sign() == 0 {
		return nil, errors.New("risk: only one label occurs: no Dirichlet distribution can be told from that; use the local measure")
	}
	ratio := new(big.Rat).Quo(spread, chance)
	above := sub(mul(ratio, sub(one(), m.over(one()))), m.weighted)
	below := add(m.weightedPairs, mul(ratio, m.over(m.over(sub(m.squares, m.records)))))
	if below.Sign() <= 0 {
		return nil, errors.New("risk: the table has too few records to estimate a Dirichlet distribution from: give alpha")
	}
	r := new(big.Rat).Quo(above, below)
	switch {
	case r.Sign() <= 0:
		return nil, errors.New("risk: labels vary no more between cells than by chance: a Dirichlet distribution would have no finite alpha; use the expected measure with the table's proportions")
	case r.Cmp(one()) >= 0:
		return nil, errors.New("risk: nearly all cells are homogeneous: a Dirichlet distribution would have an alpha of 0 for every label; use the local measure")
	}
	sum := sub(new(big.Rat).Inv(r), one())
	alpha := make([]float64, t.Labels)
	for k, moment := range t.Moments {
		alpha[k], _ = mul(sum, m.over(whole(moment.Sum))).Float64()
	}
	return alpha, nil
}

// sizeMoments are sums over cells.
type sizeMoments struct {
	// records and squares are the sums of n_i and n_i^2.
	records, squares *big.Rat
	// weighted and weightedPairs are those of c_i n_i and c_i n_i (n_i - 1).
	weighted, weightedPairs *big.Rat
}

func (t *Table) sizeMoments() sizeMoments {
	var power [4]big.Int // sums of n_i^0 to n_i^3
	for _, p := range t.Patterns {
		n := big.NewInt(p.Records())
		term := big.NewInt(p.Cells)
		for i := range power {
			power[i].Add(&power[i], term)
			term.Mul(term, n)
		}
	}
	n, squares, cubes := rat(&power[1]), rat(&power[2]), rat(&power[3])
	m := sizeMoments{records: n, squares: squares}
	if n.Sign() == 0 {
		return m
	}
	// With c_i = 1 + q - 2 n_i/n, where q = sum n^2/n^2.
	constant := add(one(), m.over(m.over(squares)))
	twice := m.over(big.NewRat(2, 1))
	m.weighted = sub(mul(constant, n), mul(twice, squares))
	m.weightedPairs = sub(sub(mul(constant, squares), mul(twice, cubes)), m.weighted)
	return m
}

// agrees says whether the moments add up to the records and squares of the cells.
func (m sizeMoments) agrees(moments []Moment) bool {
	records, squares := new(big.Rat), new(big.Rat)
	for _, moment := range moments {
		records.Add(records, whole(moment.Sum))
		squares.Add(squares, whole(moment.Cross))
	}
	return records.Cmp(m.records) == 0 && squares.Cmp(m.squares) == 0
}

// over is x/n.
func (m sizeMoments) over(x *big.Rat) *big.Rat { return new(big.Rat).Quo(x, m.records) }

// spread is S, the sum over k of [sum n_ik^2 - 2 p_k sum n_i n_ik + p_k^2 sum n_i^2].
func (m sizeMoments) spread(moments []Moment) *big.Rat {
	sum := new(big.Rat)
	for _, moment := range moments {
		p := m.over(whole(moment.Sum))
		cross := mul(p, mul(big.NewRat(2, 1), whole(moment.Cross)))
		sum.Add(sum, add(sub(whole(moment.Squares), cross), mul(mul(p, p), m.squares)))
	}
	return sum
}

// chance is the sum over k of p_k (1-p_k).
func (m sizeMoments) chance(moments []Moment) *big.Rat {
	sum := new(big.Rat)
	for _, moment := range moments {
		p := m.over(whole(moment.Sum))
		sum.Add(sum, mul(p, sub(one(), p)))
	}
	return sum
}

func one() *big.Rat              { return big.NewRat(1, 1) }
func whole(n int64) *big.Rat     { return new(big.Rat).SetInt64(n) }
func rat(n *big.Int) *big.Rat    { return new(big.Rat).SetInt(n) }
func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
