package fourier

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

// A Fit is a table without negative cells, and how far its coefficients are from the noisy ones.
type Fit struct {
	cells []int64 // in units of 1/unit
	// Distance is the largest difference of a coefficient of it from the noisy one.
	Distance *big.Rat
	// Gap: no table without negative cells is nearer by more than this.
	Gap *big.Rat
}

// unit is what cells are rounded to before they are checked.
const unit = 1 << 24

// maxTotal of cells keeps the sums of their units within 63 bits.
const maxTotal = 1 << 38

// Cells are the fitted table.
func (f Fit) Cells() []float64 {
	cells := make([]float64, len(f.cells))
	for i, v := range f.cells {
		cells[i] = float64(v) / unit
	}
	return cells
}

// rounded is the nearest table of integers; halves are rounded up.
func (f Fit) rounded() []int64 {
	counts := make([]int64, len(f.cells))
	for i, v := range f.cells {
		counts[i] = (v + unit/2) / unit
	}
	return counts
}

// ErrFit is returned when the linear program could not be solved well. The noise has been drawn by then: what was reserved is spent.
var ErrFit = errors.New("fourier: no good fit was found")

// fit solves: minimize t subject to |noisy_b - sum_a (-1)^<a,b> w_a| <= t for b in B, w >= 0.
func (m *Mechanism) fit(noisy []int64) (Fit, error) {
	p := newProgram(m, noisy)
	if !p.minimize() {
		return Fit{}, fmt.Errorf("%w: too many pivots", ErrFit)
	}
	f := Fit{cells: make([]int64, len(m.codes))}
	total := 0.0
	for i, w := range p.cells() {
		if total += max(0, w); !(total < maxTotal) { // not a number, either
			return Fit{}, fmt.Errorf("%w: cells sum up to %v", ErrFit, total)
		}
		f.cells[i] = int64(math.Round(max(0, w) * unit))
	}
	f.Distance = m.distance(f.cells, noisy)
	f.Gap = new(big.Rat).Sub(f.Distance, m.bound(p.weights(), noisy))
	if f.Gap.Cmp(big.NewRat(1, 100)) > 0 {
		return Fit{}, fmt.Errorf("%w: the distance may be too large by %s", ErrFit, f.Gap.FloatString(3))
	}
	return f, nil
}

// distance is exact.
func (m *Mechanism) distance(cells, noisy []int64) *big.Rat {
	most := new(big.Int)
	for i, s := range m.of(cells) {
		off := new(big.Int).Mul(big.NewInt(noisy[i]), big.NewInt(unit))
		if off.Sub(off, big.NewInt(s)).CmpAbs(most) > 0 {
			most.Abs(off)
		}
	}
	return new(big.Rat).SetFrac(most, big.NewInt(unit))
}

// bound proves that the distance of every table w without negative cells is at least some number (weak duality): for weights z with
// sum_b z_b (-1)^<a,b> <= 0 for all cells a,
//
//	sum z_b noisy_b <= sum z_b (noisy_b - sum_a (-1)^<a,b> w_a) <= sum |z_b| t.
//
// Weights from floating point are made integers, and lowered at b = 0, where all signs are 1, until they satisfy the condition exactly.
func (m *Mechanism) bound(weights []float64, noisy []int64) *big.Rat {
	const scale = 1 << 40
	z, x := make([]int64, len(weights)), make([]int64, 1<<m.bits)
	for i, weight := range weights {
		if math.Abs(weight) <= 1 {
			z[i] = int64(math.Round(weight * scale))
		}
		x[m.coefficients[i]] = z[i]
	}
	walsh(x)
	excess := int64(0)
	for _, code := range m.codes {
		excess = max(excess, x[code])
	}
	z[0] -= excess
	value, norm := new(big.Int), new(big.Int)
	for i, weight := range z {
		term := new(big.Int).Mul(big.NewInt(weight), big.NewInt(noisy[i]))
		value.Add(value, term)
		norm.Add(norm, term.Abs(big.NewInt(weight)))
	}
	if value.Sign() <= 0 || norm.Sign() == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(value, norm)
}

// odd says whether <a,b> is.
func odd(a, b uint32) bool { return bits.OnesCount32(a&b)&1 == 1 }
