package noisy

import (
	"fmt"
	"math"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite/query"
)

// A summedRow has a number and is in one of two cells.
type summedRow struct {
	cell  int
	value int64
}

// TestJointSumsKeepTheirLoss enumerates the rows that one person can have, of a small range and at most so many. It compares what is released with her
// rows, without them, and with others in their place, of an average or a variance and a count beside it. As noise is independent, the largest ratio of
// probabilities of all that is released is the product of those of its numbers, each computed from the distribution of its noise. With noise that is
// half as wide, the epsilon is passed.
func TestJointSumsKeepTheirLoss(t *testing.T) {
	const epsilon = 1.0
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace} {
		for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
			for _, rows := range []int{1, 2} {
				for degree := 1; degree <= 2; degree++ {
					name := fmt.Sprintf("%s %s, %d rows, degree %d", kind, adjacency, rows, degree)
					half := worstRatio(t, kind, adjacency, rows, degree, 2*epsilon)
					whole := worstRatio(t, kind, adjacency, rows, degree, epsilon)
					if whole > epsilon+1e-6 || whole < 0.9*epsilon {
						t.Errorf("%s: the loss is %v, not %v", name, whole, epsilon)
					}
					if half <= 1.5*epsilon {
						t.Errorf("%s: with noise half as wide the loss is %v", name, half)
					}
				}
			}
		}
	}
}

// worstRatio is the largest loss of neighbours, where the noise is that of an epsilon.
func worstRatio(t *testing.T, kind policy.Kind, adjacency policy.Adjacency, most, degree int, epsilon float64) (worst float64) {
	t.Helper()
	counts, sensitivities := summedCounts(t, most, degree)
	var laws []mechanisms.Law
	for _, s := range sensitivities {
		m, err := mechanisms.New(mechanisms.Config{Kind: kind, Epsilon: policy.Epsilon(epsilon * 1e9 / float64(len(counts))), Adjacency: adjacency,
			Sensitivity: int64(s), PerCell: int64(s), KeepNegative: true, Random: battery.Seeded(1)})
		if err != nil {
			t.Fatal(err)
		}
		law, ok := m.Law()
		if !ok {
			t.Fatal("noise without a law")
		}
		laws = append(laws, law)
	}
	others := []summedRow{{0, -1}, {1, 2}}
	var neighbours [][]int64
	for _, hers := range rowsOfOne(most) {
		neighbours = append(neighbours, summedNumbers(t, counts, degree, append(hers, others...)))
	}
	from := neighbours[:1] // without her
	if adjacency == policy.ReplaceOne {
		from = neighbours
	}
	for _, a := range from {
		for _, b := range neighbours {
			loss := 0.0
			for i := range a {
				law := laws[0]
				if i%(len(a)/2) > 0 { // the first number of a cell is that of the count
					law = laws[1]
				}
				loss += lossOf(law, max(a[i]-b[i], b[i]-a[i]))
			}
			worst = max(worst, loss)
		}
	}
	return worst
}

// summedCounts are a count and a measure from -1 to 2, with the sensitivities that the query has.
func summedCounts(t *testing.T, most, degree int) (counts []query.Count, sensitivities []int) {
	t.Helper()
	table := &query.Table{
		Policy:  &policy.Table{Name: policy.TableName{Schema: "public", Name: "t"}, Mechanism: policy.Mechanism{Kind: policy.Geometric}},
		Columns: []query.Column{{Name: "v", TypeOID: 23, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer", Domain: []string{"-1", "0", "1", "2"}}},
	}
	if most > 1 {
		table.Person = &query.Person{Rows: most, Groups: 2}
	}
	m, ok := query.NewMeasure(table, &table.Columns[0], &table.Columns[0], degree)
	if !ok {
		t.Fatal("no measure")
	}
	q, refusal := (&query.CountQuery{Table: table, Counts: []query.Count{{}, {Measure: m}}}).Bind(nil)
	if refusal != nil {
		t.Fatal(refusal)
	}
	for _, c := range q.Counts {
		sensitivities = append(sensitivities, q.Sensitivity(c))
	}
	return q.Counts, sensitivities
}

// rowsOfOne lists the rows that a person can have: none first.
func rowsOfOne(most int) [][]summedRow {
	lists := [][]summedRow{nil}
	for first := 0; most > 0; most-- {
		last := len(lists)
		for _, list := range lists[first:last] {
			for cell := range 2 {
				for value := int64(-1); value <= 2; value++ {
					lists = append(lists, append(list[:len(list):len(list)], summedRow{cell, value}))
				}
			}
		}
		first = last
	}
	return lists
}

// summedNumbers are what is released before noise, cell by cell: the count, and the sums that the curator's power sums make.
func summedNumbers(t *testing.T, counts []query.Count, degree int, rows []summedRow) (numbers []int64) {
	t.Helper()
	for cell := range 2 {
		n, sums := 0, make([]int64, degree)
		for _, r := range rows {
			if r.cell != cell {
				continue
			}
			n++
			if degree == 1 { // whole numbers are added up as they are
				sums[0] += r.value
				continue
			}
			sums[0] += r.value + 1
			sums[1] += (r.value + 1) * (r.value + 1)
		}
		read := [][]byte{fmt.Append(nil, n), fmt.Append(nil, n)}
		for _, s := range sums {
			read = append(read, fmt.Append(nil, s))
		}
		of, err := query.ReadNumbers(counts, read)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, of...)
	}
	return numbers
}

// lossOf is the largest logarithm of the ratio of a law's probabilities at a distance.
func lossOf(law mechanisms.Law, distance int64) (worst float64) {
	for z := -2 * distance; z <= distance; z++ {
		worst = max(worst, math.Log(law.Probability(z+distance)/law.Probability(z)), math.Log(law.Probability(z)/law.Probability(z+distance)))
	}
	return worst
}
