package noisy

import (
	"math/big"

	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// How exact sums are. Let the true sums of polynomials of a cell be P_i, and their errors e_i; with probability 0.95 all |e_i| are at most w at
// once (the union bound over the columns that a result is made of). With c_i = Least, (Least+Greatest)/2 and Greatest for degree 2, and the two
// ends for degree 1, the sum of the number is that of c_i P_i/D^d, so that its error is at most w times the sum of |c_i|, over D^d.
//
// Let m be the true average, and N the noisy number of rows, the sum of P_i + e_i over D^d. The sum of (c_i - m) P_i is 0, so that the noisy
// average is off by the sum of (c_i - m) e_i/D^d over N, and so by at most w/(N D^d) times the largest that the sum of |c_i - m| can be:
// the width of the range for degree 1, and one and a half times that for degree 2.

// SumError tells how exact a question's sums are; nil of counts.
func (q *Question) SumError() *reply.SumError {
	m := q.Count.Measure
	if m == nil {
		return nil
	}
	greatest := m.Greatest()
	width := new(big.Rat).Sub(greatest, m.Least)
	if m.Degree == 2 {
		width.Mul(width, big.NewRat(3, 2))
	}
	sum, columns := new(big.Rat), 0
	for _, c := range m.Weights() {
		sum.Add(sum, new(big.Rat).Abs(c))
		columns += c.Sign() * c.Sign()
	}
	e := &reply.SumError{
		Value: q.Count.MeasureText(), Least: query.Decimal(m.Least), Greatest: query.Decimal(greatest), Grid: query.Decimal(m.Grid),
		Rounded: m.Rounds, Dropped: m.DropOutside, Cells: 1,
	}
	if q.derived != nil {
		e.Cells = q.derived.added
	}
	total := new(big.Rat).SetInt64(m.Total())
	of := func(factor *big.Rat, columns int) *big.Rat {
		within, _ := q.Mechanism.SumsWithin95(e.Cells, columns)
		w := big.NewInt(within)
		if q.derived != nil && q.derived.found != nil {
			w, _ = q.foundWithin(big.NewRat(1, 20))
		}
		error := new(big.Rat).Mul(factor, new(big.Rat).SetInt(w))
		return error.Quo(error, total)
	}
	e.Sum, e.Average = of(sum, columns), of(width, m.Degree+1)
	return e
}
