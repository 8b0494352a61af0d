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
// Columns with a base (see base.go). Their factor in |..|^2 is K_i instead of C_i, whose diagonal is not the same everywhere:
//
//	add-remove, row r       product over A of K_i(r, r), at most c_A, the product of the largest ones
//	replace-one, r to r'    product of K_i(r, r) + product of K_i(r', r') - 2 product of K_i(r, r')
//
// All residuals have c_A at the same r, as the factors are chosen for each column by itself and none is below 0. So the loss under add-remove is the sum of c_A/s_A, and
// it is attained. Under replace-one all pairs of values of such a column are tried.
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

// enumerated bounds the ways in which columns can differ, times the residuals, that are all tried.
const enumerated = 1 << 22

// Loss is 2 rho of one release for a person with one row, rounded up. Under replace-one it is an upper bound if there are too many ways in which
// columns differ to try all.
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
	choices, work := make(map[int][]moved), float64(len(w.residuals))
	for _, c := range all.columns() {
		choices[c] = w.moves(c)
		work *= float64(len(choices[c]))
	}
	if work > enumerated {
		return s.replaceOneBound()
	}
	chosen := make([]moved, len(w.sizes))
	return s.mostMoved(all, choices, chosen)
}

// moved is what a replacement does in one column: K_i at the value before, at that after, and at both.
type moved struct{ before, after, both float64 }

// moves are all of a column. Where it has no base they are two: the values are the same, or they differ.
func (w *Workload) moves(column int) []moved {
	b := w.bases[column]
	if b == nil {
		c := w.centred(column)
		return []moved{{c, c, c}, {c, c, -1 / float64(w.sizes[column])}}
	}
	var all []moved
	for i := range b.n {
		for j := range b.n {
			all = append(all, moved{b.gram[i*b.n+i], b.gram[j*b.n+j], b.gram[i*b.n+j]})
		}
	}
	return all
}

// mostMoved tries all moves of the columns that are left.
func (s *Strategy) mostMoved(left set, choices map[int][]moved, chosen []moved) float64 {
	if left == 0 {
		return s.movedCost(chosen)
	}
	column, most := bits.TrailingZeros64(uint64(left)), 0.0
	for _, m := range choices[column] {
		chosen[column] = m
		most = max(most, s.mostMoved(left&(left-1), choices, chosen))
	}
	return most
}

func (s *Strategy) movedCost(chosen []moved) float64 {
	sum := 0.0
	for i, a := range s.workload.residuals {
		before, after, both := 1.0, 1.0, 1.0
		for rest := a; rest != 0; rest &= rest - 1 {
			m := chosen[bits.TrailingZeros64(uint64(rest))]
			before, after, both = before*m.before, after*m.after, both*m.both
		}
		sum += (before + after - 2*both) / s.variances[i]
	}
	return sum
}

// replaceOneBound takes the worst replacement for each residual by itself: twice the largest c_A, less twice the least product of elements of K_i. Such
// an element is between least and most.
func (s *Strategy) replaceOneBound() float64 {
	w := s.workload
	sum := 0.0
	for i, a := range w.residuals {
		if a == 0 {
			continue // rows in cells count alike in the total
		}
		low, high := 1.0, 1.0
		for _, c := range a.columns() {
			least, most := -1/float64(w.sizes[c]), w.centred(c)
			if b := w.bases[c]; b != nil {
				least, most = b.least, b.most
			}
			low, high = min(low*most, high*least, low*least), max(high*most, low*least)
		}
		sum += 2 * (w.shares[i] - min(0, low)) / s.variances[i]
	}
	return sum
}
