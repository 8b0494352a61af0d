package marginals

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/mechanisms/residual"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// Several counts of one statement that do not follow from one another can be measured jointly, as the marginals of a workload: by region, by sex, by age. What they have in
// common, their total at least, is measured once. So no count has more noise than it would have by itself, and all of them cost less.
//
// The strategy is that with the least greatest variance of a cell, at the loss at which that is the variance of a count by itself. Its loss is never more than
// that of all counts by themselves, but for what the search for it leaves: these are a linear strategy, too, with one variance for all cells (see residual.Workload.LeastGreatest).
//
// Unlike in a workload of the policy, a row with an undeclared value is in a cell of its own in each marginal. So counts by sex have all rows that they would have by
// themselves, though the region of some is not declared.

// A JointConfig says how a Joint workload is measured.
type JointConfig struct {
	Table *policy.Table
	// Mechanism identifies that of each count by itself. Variance is that of its noise: no count will have a larger one.
	Mechanism string
	Variance  float64
	// Delta is what all counts by themselves cost.
	Delta  policy.Delta
	Random io.Reader
}

// JointKind is the mechanism of a joint measurement, as it is told and recorded.
const JointKind = "jointly by " + string(policy.DiscreteGaussian)

// maxJointNumbers bounds what is recorded of one joint measurement, of which many may be held in memory.
const maxJointNumbers = 1 << 17

// maxJointColumns bounds the columns of the one table that is counted.
const maxJointColumns = 16

// NewJoint is a workload of marginals of the cells of q, which are sets of its keys. values are those of each key.
func NewJoint(q *query.BoundQuery, values [][]query.Value, sets [][]int, c JointConfig) (*Workload, error) {
	w := &Workload{Query: q, marginals: sets, joint: c.Mechanism}
	var ok bool
	if w.shape, ok = q.CountShape(q.Counts[0]); !ok || len(q.Keys) > maxJointColumns {
		return nil, errors.New("nothing follows from its counts")
	}
	sizes := make([]int, len(q.Keys))
	for i, k := range q.Keys {
		w.columns = append(w.columns, column{nameOf(k), values[i], true})
		sizes[i] = w.columns[i].size()
	}
	wanted, numbers := make([]residual.Marginal, len(sets)), 0.0
	for i, set := range sets {
		all := 1.0
		for _, place := range set {
			all *= float64(sizes[place] + 1)
		}
		if numbers += all; numbers > maxJointNumbers {
			return nil, fmt.Errorf("more than %d numbers would be recorded", maxJointNumbers)
		}
		wanted[i] = residual.Marginal{Columns: set, Weight: 1}
	}
	made, err := residual.NewWorkload(sizes, wanted)
	if err != nil {
		return nil, err
	}
	strategy, _, err := made.LeastGreatest()
	if err != nil {
		return nil, err
	}
	greatest := 0.0
	for i := range sets {
		greatest = max(greatest, strategy.Variance(i))
	}
	// Noise is drawn with variances that are rounded up by some parts in a billion.
	rho := new(big.Rat).SetFloat64(greatest * strategy.Loss(c.Table.Adjacency) / (2 * c.Variance) * (1 + 1e-6))
	if w.mechanism, err = strategy.Mechanism(residual.Config{Rho: rho, Adjacency: c.Table.Adjacency, Random: c.Random}); err != nil {
		return nil, err
	}
	w.Term = w.mechanism.Term()
	if w.Loss = (accountant.Loss{Epsilon: composition.EpsilonAt(w.Term.Rho(), c.Delta), Delta: c.Delta}); w.Loss.Epsilon == math.MaxInt64 {
		return nil, errors.New("nothing bounds what it costs")
	}
	return w, w.identifyJoint(c, rho)
}

// ValuesOf are the values of each key of a joint query that the cells of its counts have.
func ValuesOf(q *query.BoundQuery, counts []query.CountOf, cellsOf [][][]query.Value) [][]query.Value {
	values := make([][]query.Value, len(q.Keys))
	for i, k := range q.Keys {
		for j, c := range counts {
			at := slices.IndexFunc(c.Keys, func(other *query.Column) bool { return other.Text() == k.Text() })
			if at < 0 {
				continue
			}
			values[i] = slices.Clone(cellsOf[j][at])
			slices.SortFunc(values[i], func(a, b query.Value) int { return cells.CompareValues(k.TypeOID, a, b) })
			values[i] = slices.Compact(values[i])
			break
		}
	}
	return values
}

// identifyJoint names what is measured.
func (w *Workload) identifyJoint(c JointConfig, rho *big.Rat) error {
	shape, ok := w.shape.Text()
	if !ok {
		return errors.New("its conditions are too long")
	}
	h := sha256.New()
	fmt.Fprintf(h, "joint 1 of %q\nshape %q\nmechanism %q\nrho %v\nadjacency %q\n", c.Table.Name.String(), shape, c.Mechanism, rho, c.Table.Adjacency)
	var values strings.Builder
	for _, column := range w.columns {
		fmt.Fprintf(h, "column %q values %q\n", column.name, cells.CellKey(&values, column.values))
	}
	var texts []string
	for _, set := range w.marginals {
		names := make([]string, len(set))
		for i, place := range set {
			names[i] = w.Query.Keys[place].Text()
		}
		fmt.Fprintf(h, "marginal %v\n", set)
		texts = append(texts, "("+strings.Join(names, ", ")+")")
	}
	where, _, _ := strings.Cut(w.Query.Question(query.Count{}), " GROUP BY ")
	w.Question = accountant.Question{Table: c.Table.Name, Text: "jointly " + where + " GROUP BY " + strings.Join(texts, ", ")}
	h.Sum(w.Question.Key[:0])
	return nil
}

// Jointly reports whether the workload is of counts of one statement, and not of the policy.
func (w *Workload) Jointly() bool { return w.joint != "" }

// Kind is the mechanism of a measurement, as it is told and recorded.
func (w *Workload) Kind() string {
	if w.Jointly() {
		return JointKind
	}
	return Kind
}

// Shape is that of the counts of the full table.
func (w *Workload) Shape() *query.Shape { return w.shape }

// Joint is what is kept of counts that are measured jointly, so that they are found again: the shape, the marginals, and the mechanism of counts by themselves.
func (w *Workload) Joint() (shape string, marginals [][]int, mechanism string) {
	shape, _ = w.shape.Text() // which has one: see identifyJoint
	return shape, w.marginals, w.joint
}

// Joint reports whether the counts were measured jointly for a statement.
func (m *Measured) Joint() bool { return m.joint }
