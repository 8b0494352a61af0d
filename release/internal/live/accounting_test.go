package live

import (
	"testing"

	"tacit/accountant/composition"
	"tacit/policy"
)

// TestMainTerm wants the class that a table's counts are of. A discrete Gaussian main term of which other counts are not would keep nearly all of
// the delta from them: then there must be none.
func TestMainTerm(t *testing.T) {
	row, visits := (*policy.Person)(nil), &policy.Person{Column: "id", Rows: 4, Groups: 2}
	for _, c := range []struct {
		kind   policy.Kind
		person *policy.Person
		noise  composition.Noise // empty: no main term
		moves  int64
	}{
		{policy.Geometric, row, composition.GeometricNoise, 1},
		{policy.Geometric, visits, composition.ApproximateNoise, 0},
		{policy.Gaussian, row, composition.GaussianNoise, 0},
		{policy.Gaussian, visits, composition.GaussianNoise, 0},
		{policy.DiscreteGaussian, row, composition.DiscreteGaussianNoise, 1},
		{policy.DiscreteGaussian, &policy.Person{Column: "id", Rows: 1, Groups: 1}, composition.DiscreteGaussianNoise, 1},
		{policy.DiscreteGaussian, visits, "", 0},
		{policy.DiscreteGaussian, &policy.Person{Column: "id", Rows: 2, Groups: 1}, "", 0}, // who changes a cell by 2
	} {
		table := &policy.Table{
			Name: policy.TableName{Schema: "clinic", Name: "people"}, Adjacency: policy.AddRemove, Person: c.person, Composition: policy.PLDComposition,
			Mechanism: policy.Mechanism{Kind: c.kind, Epsilon: 5e8, Delta: 1e10}, Budget: policy.Budget{Epsilon: 5e9, Delta: 1e12}, Thresholds: 1e11,
		}
		a := Accounting(table)
		if a.Main.Noise != c.noise || a.Main.Moves != c.moves || a.Main.Delta != 0 {
			t.Errorf("%s, %+v: the main term is %q", c.kind, c.person, a.Main)
		}
	}
}
