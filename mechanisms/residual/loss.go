package residual

import (
	"math/bits"

	"tacit/policy"
)

// The loss of one row.
//
// Let d be the change of the full table by a person, a vector over its cells. The residual over A is measured through the integers
// Q_A d: Q_A is the product of (n_i I - J) over the columns of A and of sums over the others. Each has noise of the variance V_A = s_A N_A^2, where N_A is
// the product of the sizes of A. So the release is rho-zCDP with 2 rho = sum over A of |Q_A d|^2/V_A (see Mechanism.Term). As n_i I - J = n_i C_i,
//
//	2 rho = sum over A of |C_A d_A|^2/s_A,
//
// where d_A is the change of the marginal over A, and C_A the product of C_i = I - J/n_i, which is symmetric and C_i C_i = C_i.
//
// Add-remove, one row in cell r: |C_A e_r|^2 = e_r' C_A e_r = c_A, the product of (n_i - 1)/n_i over A. It is the same for every r.
//
// Replace-one, a row moves from r to r': |C_A (e_r - e_r')|^2 = 2 c_A - 2 e_r' C_A e_r'. The last product has the factor (n_i - 1)/n_i where r and
// r' agree, and -1/n_i where they differ. With D, the columns in which they differ,
//
//	|C_A (e_r - e_r')|^2 = 2 c_A (1 - product over i in A and D of -1/(n_i - 1)).
//
// That is 0 if A and D have no column in common, and never above 2 c_A (1 + 1/(n-1)) = 2 c_A n/(n-1), n being the smallest size in A: the
// product is below 0 only for an odd number of factors, each of which is at most 1 in magnitude. So replacing a row is not twice as much as adding one. Over a single
// column of 2 values it is 4 times as much, over large domains hardly more than twice, and nothing for the total. The loss is the largest
// sum over A for any D.
//
// A row with an undeclared value is in no cell. So a replacement may also be a removal, and the loss under replace-one is at least that under add-remove.
//
// Several rows. The square root of 2 rho is a norm of d. If a person has at most R rows, d is a sum of R changes by one row under add-remove. Under
// replace-one it is a sum of at most R changes, each by one replacement, removal or addition. By the triangle inequality the norm is at most R times that of the worst
// change of one row, and 2 rho is at most R^2 times as much. Nothing better holds without a bound on the rows in one cell: R rows of a person
// may all be in the same cell.

// roundingOfLoss is more than the relative error of a sum of up to 2^16 terms that are not negative, each of which is made of up to 200
// operations: 1e-11. The rest of it is for noise that is drawn in two parts (see noise).
const roundingOfLoss = 1e-9

// enumerated bounds the sets of columns that differ, times the residuals, that are all tried.
const enumerated = 1 << 22

// Loss is 2 rho of one release for a person with one row, rounded up. Under replace-one it is an upper bound if there are too many columns to try
// all sets of them.
func (s *Strategy) Loss(adjacency policy.Adjacency) float64 {
	loss := s.addRemove()
	if adjacency == policy.ReplaceOne {
		loss = max(loss, s.replaceOne())
	}
	return loss * (1 + roundingOfLoss)
}

func (s *Strategy) addRemove() float64 {
	sum := 0.0
	for i := range s.workload.residuals {
		sum += s.workload.shares[i] / s.variances[i]
	}
	return sum
}

// replaceOne is the most that a replacement costs, both rows being in cells.
func (s *Strategy) replaceOne() float64 {
	w := s.workload
	var all set // columns in which rows can differ
	for _, a := range w.residuals {
		all |= a
	}
	if bits.OnesCount64(uint64(all)) > 20 || len(w.residuals)<<bits.OnesCount64(uint64(all)) > enumerated {
		return s.replaceOneBound()
	}
	most := 0.0
	for d := all; d != 0; d = (d - 1) & all {
		sum := 0.0
		for i, a := range w.residuals {
			if a&d != 0 {
				sum += 2 * w.shares[i] * (1 - w.opposite(a&d)) / s.variances[i]
			}
		}
		most = max(most, sum)
	}
	return most
}

// opposite is the product of -1/(n_i - 1).
func (w *Workload) opposite(s set) float64 {
	product := 1.0
	for ; s != 0; s &= s - 1 {
		product /= float64(1 - w.sizes[bits.TrailingZeros64(uint64(s))])
	}
	return product
}

// replaceOneBound takes the worst replacement for each residual by itself.
func (s *Strategy) replaceOneBound() float64 {
	w := s.workload
	sum := 0.0
	for i, a := range w.residuals {
		worst := 0.0
		for _, c := range a.columns() {
			worst = max(worst, 1-w.opposite(1<<c))
		}
		sum += 2 * w.shares[i] * worst / s.variances[i]
	}
	return sum
}
