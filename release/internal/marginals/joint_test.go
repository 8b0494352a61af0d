package marginals

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tacit/accountant/composition"
	"tacit/mechanisms/residual"
	"tacit/policy"
	"tacit/rewrite/query"
)

// TestRowsOfJointCounts: each row is in one cell of each marginal, and in those of the same values: what the loss of a joint measurement is computed for. It fails if a row with
// an undeclared value is in no cell of one marginal and in a cell of another, or in cells of different values.
func TestRowsOfJointCounts(t *testing.T) {
	text := func(s string) query.Value { return query.Value{Text: s} }
	w := &Workload{
		columns: []column{
			{name: "region", values: []query.Value{text("east"), text("west")}, others: true},
			{name: "sex", values: []query.Value{text("F"), {Null: true}}, others: true},
			{name: "age", values: []query.Value{text("1"), text("2"), text("3")}, others: true},
		},
		marginals: [][]int{{}, {0}, {0, 1}, {1, 2}, {2}},
	}
	for _, region := range []string{"east", "west", "atlantis"} {
		for _, sex := range []query.Value{text("F"), {Null: true}, text("M")} {
			for _, age := range []string{"1", "2", "3", "99"} {
				tables, add := w.tables()
				if err := add([]query.Value{text(region), sex, text(age)}, []int64{1}); err != nil {
					t.Fatal(err)
				}
				at := map[string]int{"east": 0, "west": 1, "atlantis": 2, "F": 0, "": 1, "M": 1 + 1, "1": 0, "2": 1, "3": 2, "99": 3}
				r, s, a := at[region], at[sex.Text], at[age]
				for k, want := range []int{0, r, r*3 + s, s*4 + a, a} {
					for cell, n := range tables[k] {
						if n != map[bool]int64{true: 1}[cell == want] {
							t.Errorf("%s %v %s: cell %d of marginal %v has %d rows", region, sex, age, cell, w.marginals[k], n)
						}
					}
				}
			}
		}
	}
}

// TestCellsOfDeclaredValues: of a table with cells for other values those are left out, and the others keep their places.
func TestCellsOfDeclaredValues(t *testing.T) {
	columns := []column{
		{name: "a", values: []query.Value{{Text: "0"}, {Text: "1"}}, others: true}, {name: "b", values: []query.Value{{Text: "0"}, {Text: "1"}, {Text: "2"}}},
		{name: "c", values: []query.Value{{Text: "0"}}, others: true},
	}
	finer, whole := finerCells(columns, []int{0, 1, 2})
	if len(finer.Counts) != 6 || len(whole) != 6 {
		t.Fatalf("%d cells at %d places", len(finer.Counts), len(whole))
	}
	for i, place := range whole {
		var a, b, c int
		if _, err := fmt.Sscan(finer.Keys[0][i].Text+" "+finer.Keys[1][i].Text+" "+finer.Keys[2][i].Text, &a, &b, &c); err != nil {
			t.Fatal(err)
		}
		if want := (a*3+b)*2 + c; place != want {
			t.Errorf("cell %d %d %d is at %d and not at %d", a, b, c, place, want)
		}
	}
	if _, whole := finerCells(columns[1:2], []int{0}); whole != nil {
		t.Errorf("without other values the places are %v", whole)
	}
}

// TestDocumentedJointCounts computes the table of docs/mechanisms.md.
func TestDocumentedJointCounts(t *testing.T) {
	text, err := os.ReadFile("../../../docs/mechanisms.md")
	if err != nil {
		t.Fatal(err)
	}
	single := func(n int) (sets [][]int) {
		for i := range n {
			sets = append(sets, []int{i})
		}
		return sets
	}
	pairs := func(n int) (sets [][]int) {
		for i := range n {
			for j := range i {
				sets = append(sets, []int{j, i})
			}
		}
		return sets
	}
	adult := []int{9, 16, 7, 15, 6, 5, 2, 42, 2, 10}
	for _, row := range []struct {
		name  string
		sizes []int
		sets  [][]int
	}{
		{"by 2, by 5, by 10 values", []int{2, 5, 10}, single(3)}, {"all pairs of columns of 4, 3, 5, 2 values", []int{4, 3, 5, 2}, pairs(4)},
		{"by each of the ten columns of Adult", adult, single(10)}, {"all 45 pairs of these", adult, pairs(10)},
	} {
		sizes, marginals := make([]int, len(row.sizes)), make([]residual.Marginal, len(row.sets))
		for i, n := range row.sizes {
			sizes[i] = n + 1
		}
		for i, set := range row.sets {
			marginals[i] = residual.Marginal{Columns: set, Weight: 1}
		}
		w, err := residual.NewWorkload(sizes, marginals)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := w.LeastGreatest()
		if err != nil {
			t.Fatal(err)
		}
		greatest, n := 0.0, float64(len(row.sets))
		for i := range row.sets {
			greatest = max(greatest, s.Variance(i))
		}
		var shares, epsilons []string
		for adjacency, alone := range map[policy.Adjacency]float64{policy.AddRemove: n, policy.ReplaceOne: 2 * n} {
			share := greatest * s.Loss(adjacency) / alone
			epsilon := composition.EpsilonAt(share*n*composition.RhoWithin(5e8, 1e9), policy.Delta(n*1e9))
			shares, epsilons = append(shares, fmt.Sprintf("%.2f", share)), append(epsilons, fmt.Sprintf("%.2f", float64(epsilon)/1e9))
		}
		slices.Sort(shares)
		slices.Sort(epsilons)
		want := fmt.Sprintf("| %s | %s | %s instead of %v |", row.name, strings.Join(shares, ", "), strings.Join(epsilons, ", "), n/2)
		if !strings.Contains(string(text), want) {
			t.Errorf("docs/mechanisms.md has no %s", want)
		}
	}
}
