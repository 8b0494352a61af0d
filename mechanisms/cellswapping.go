package mechanisms

import (
	"math"
	mathbits "math/bits"
	"sync"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// A cellSwapping is dp-swapping on the cells of a histogram (Zhu et al. 2023, section 5.2, equation 4): within a block of cells that
// agree in all keys but those made of quasi-identifiers, each cell keeps its place with probability gamma = exp(epsilon)/(exp(epsilon) + q - 1), q
// being the number of cells of the block, or else moves to one of the other places, each with the same probability; counts that come to the
// same place are added up.
//
// Adjacency: both; epsilon is a parameter.
//
// Guarantee: none that is of use. Under add-remove the number of persons in each block is shown exactly, and so it is under
// replace-one, unless a person's other keys are the same in both databases: delta is 1 at every epsilon'. For neighbours who differ in
// quasi-identifiers alone, delta is [SwappingDelta].
type cellSwapping struct {
	epsilon policy.Epsilon
}

// SwappingDelta is the exact delta of dp-swapping on cells for neighbours in which one person's quasi-identifiers differ and nothing
// else does: 1 - (1-gamma^2)/(q-1) + ((1-gamma)/(q-1))^2, the probability that two cells go to different places. It is the same for every
// epsilon' (Zhu et al. 2023, Theorem 3, which has a minus before the square: an error of sign, as the proof's n_N is the number of places).
func SwappingDelta(epsilon float64, places int) float64 {
	if places < 2 {
		return 1
	}
	others := float64(places - 1)
	moved := others / (math.Exp(epsilon) + others) // 1 - gamma; 0 if the exponential is infinite
	return 1 - moved*(2-moved)/others + moved*moved/(others*others)
}

// sanitize draws where each cell goes. Offsets are drawn without regard to the count that moves.
func (s cellSwapping) sanitize(bits *sampling.Bits, h Histogram) Cells {
	cells := Cells{Counts: make([]int64, len(h.Counts))}
	for _, block := range h.Blocks {
		for i, from := range block {
			offset := s.offset(bits, len(block))
			to := block[(i+offset)%len(block)]
			cells.Counts[to] = addSaturating(cells.Counts[to], h.Counts[from])
		}
	}
	return cells
}

// offset is 0, to stay, or one of the other q-1, to move. A fair coin proposes one of the two, which is taken with probability
// 2^n/(q-1) if it is to stay and 2^n exp(-epsilon) if it is to move, and otherwise another coin is thrown. So staying and moving are as
// exp(epsilon) to q-1, whatever n is. With n the whole part of log2(q-1), or of epsilon if that is less, the larger one of the two
// probabilities is 0.01 or more for q up to 10^6: without 2^n, two small ones would take for ever.
func (s cellSwapping) offset(bits *sampling.Bits, places int) int {
	if places < 2 {
		return 0
	}
	others := uint64(places - 1)
	n := min(uint64(mathbits.Len64(others)-1), uint64(s.epsilon)/1e9)
	bits.Start()
	for bits.Err() == nil {
		switch stays := bits.Take(1) == 0; {
		case stays && bits.Below(others) < 1<<n:
			return 0
		case !stays && bits.BernoulliDoubledExp(n, uint64(s.epsilon), 1e9):
			return 1 + int(bits.Below(others))
		}
	}
	return 0
}

// probabilities are gamma, that a cell of a block stays, and p = (1-gamma)/(q-1), that it moves to a given other place.
func (s cellSwapping) probabilities(places int) (gamma, p float64) {
	moves := math.Exp(-float64(s.epsilon) / 1e9)
	gamma = 1 / (1 + float64(places-1)*moves)
	return gamma, moves * gamma
}

func (s cellSwapping) guarantee(a policy.Adjacency) Guarantee { return nothing(a, 1) }

// expect: cell i is the sum over the cells j of its block of x_j with probability gamma if j = i, and p = (1-gamma)/(q-1) otherwise,
// independently. Its bias is (sum of x_j - q x_i)/(exp(epsilon) + q - 1) (Zhu et al. 2023, Proposition 1).
func (s cellSwapping) expect(h Histogram) []Expectation {
	cells := make([]Expectation, len(h.Counts))
	for _, block := range h.Blocks {
		gamma, p := s.probabilities(len(block))
		var sum, squares float64
		for _, j := range block {
			sum += float64(h.Counts[j])
			squares += float64(h.Counts[j]) * float64(h.Counts[j])
		}
		for _, i := range block {
			x := float64(h.Counts[i])
			cells[i] = Expectation{
				Bias:         (sum - float64(len(block))*x) * p,
				Variance:     x*x*gamma*(1-gamma) + (squares-x*x)*p*(1-p),
				Distribution: s.distribution(h, block, i, gamma, p),
			}
		}
	}
	return cells
}

// gridPoints is the most values that distribution tells apart.
const gridPoints = 1 << 16

// distribution sums up the probabilities of all sets of cells that may come to place i, count by count, when it is first asked. Sums
// are exact up to gridPoints; of larger ones each count is rounded to a multiple of 1/gridPoints of the block's total.
func (s cellSwapping) distribution(h Histogram, block []int, i int, gamma, p float64) func(v float64) float64 {
	cumulative := sync.OnceValues(func() (width float64, atMost []float64) {
		var total float64
		for _, j := range block {
			total += float64(h.Counts[j])
		}
		width = max(1, total/gridPoints)
		// Every rounding adds up to half a width.
		mass := make([]float64, int(total/width)+len(block)+1)
		mass[0] = 1
		reach := 0
		for _, j := range block {
			chance, step := p, int(math.Round(float64(h.Counts[j])/width))
			if j == i {
				chance = gamma
			}
			for at := reach; at >= 0; at-- {
				moved := mass[at] * chance
				mass[at] -= moved
				mass[at+step] += moved
			}
			reach += step
		}
		for at := 1; at < len(mass); at++ {
			mass[at] += mass[at-1]
		}
		return width, mass
	})
	return func(v float64) float64 {
		width, atMost := cumulative()
		switch at := math.Floor(v / width); {
		case v < 0:
			return 0
		case at >= float64(len(atMost)):
			return 1
		default:
			return atMost[int(at)]
		}
	}
}
