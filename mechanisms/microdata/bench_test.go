package microdata

import (
	"math/rand/v2"
	"testing"
)

// million is a table like a census extract: eight columns, 1,000,000 rows by default; few rows have a twin.
func million(b *testing.B, rows int) *Table {
	columns := []Column{
		quasiOf(number("age", 0, 119)), quasiOf(category("sex", 2)), quasiOf(category("region", 400)), quasiOf(category("race", 9)),
		category("education", 12), number("income", 0, 499_999), nullableOf(number("hours", 0, 99)), category("tenure", 4),
	}
	rng := rand.New(rand.NewPCG(7, 7))
	t := tableOf(b, columns)
	row := make([]Cell, len(columns))
	skewed := func(n int) Cell { return Cell(float64(n) * rng.Float64() * rng.Float64()) }
	for range rows {
		row[0], row[1], row[2], row[3] = Cell(rng.IntN(100)), Cell(rng.IntN(2)), skewed(400), skewed(9)
		row[4], row[5], row[6], row[7] = skewed(12), skewed(500_000), Cell(rng.IntN(101)-1), skewed(4)
		if err := t.Append(row); err != nil {
			b.Fatal(err)
		}
	}
	return t
}

func BenchmarkSwapping(b *testing.B) {
	t := million(b, 1_000_000)
	s, err := NewSwapping(SwappingConfig{Columns: t.columns, Rate: One / 4, Random: seeded(1)})
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		if _, err := s.Swap(t); err != nil {
			b.Fatal(err)
		}
	}
}
