package microdata

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"tacit/internal/battery"
)

// letters are n values.
func letters(n int) []string {
	values := make([]string, n)
	for i := range values {
		values[i] = "v" + strconv.Itoa(i)
	}
	return values
}

func category(name string, n int) Column { return Column{Name: name, Values: letters(n)} }

func number(name string, low, high int64) Column {
	return Column{Name: name, Numeric: true, Min: low, Max: high}
}

func quasiOf(c Column) Column    { c.Quasi = true; return c }
func nullableOf(c Column) Column { c.Nullable = true; return c }

// tableOf has the rows given.
func tableOf(t testing.TB, columns []Column, rows ...[]Cell) *Table {
	t.Helper()
	table, err := NewTable(columns)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := table.Append(row); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

// randomTable has n rows of uniform cells.
func randomTable(t testing.TB, columns []Column, n int, rng *rand.Rand) *Table {
	t.Helper()
	table := tableOf(t, columns)
	row := make([]Cell, len(columns))
	for range n {
		for i := range columns {
			row[i] = Cell(rng.Int64N(columns[i].domain()))
			if int64(row[i]) == columns[i].size() {
				row[i] = Null
			}
		}
		if err := table.Append(row); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

// chiSquared compares the numbers of draws of each outcome with their probabilities. Outcomes that are expected less than 20 times
// are taken together with the next ones.
func chiSquared(t *testing.T, observed []int, probabilities []float64) {
	t.Helper()
	draws := 0
	for _, o := range observed {
		draws += o
	}
	statistic, freedom, o, e := 0.0, -1, 0.0, 0.0
	for i, p := range probabilities {
		o, e = o+float64(observed[i]), e+p*float64(draws)
		if p == 0 && observed[i] > 0 {
			t.Fatalf("outcome %d came %d times; it is impossible", i, observed[i])
		}
		if e >= 20 {
			statistic, freedom = statistic+(o-e)*(o-e)/e, freedom+1
			o, e = 0, 0
		}
	}
	if e > 0 {
		statistic, freedom = statistic+(o-e)*(o-e)/e, freedom+1
	}
	if limit := battery.Limit(max(1, freedom)); statistic > limit {
		t.Errorf("chi-squared is %v with %d degrees of freedom, above %v\nobserved %v", statistic, freedom, limit, observed)
	}
}

// hockeyStick is the smallest delta with P(S) <= exp(epsilon) Q(S) + delta for every S.
func hockeyStick[O comparable](epsilon float64, p, q map[O]float64) float64 {
	delta := 0.0
	for o, x := range p {
		delta += max(0, x-math.Exp(epsilon)*q[o])
	}
	return delta
}
