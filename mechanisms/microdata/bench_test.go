package microdata

import (
	"cmp"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"tacit/internal/battery"
	"tacit/policy"
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

// measure reports the time for a table of 1,000,000 rows, the memory that the process has taken from the system so far (run one
// benchmark at a time), and how many times as long a naive peer takes on a table of fewer rows.
func measure(b *testing.B, run, naive func(*Table), rows int) {
	t := million(b, 1_000_000)
	b.ResetTimer()
	for b.Loop() {
		run(t)
	}
	b.StopTimer()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/1e6, "MB-peak")
	if naive != nil {
		small := million(b, rows)
		quick := seconds(func() { run(small) })
		b.ReportMetric(seconds(func() { naive(small) })/quick, "x-naive")
	}
}

func seconds(f func()) float64 {
	begin := time.Now()
	f()
	return time.Since(begin).Seconds()
}

// BenchmarkSwapping has brute force as its naive peer, at 20,000 rows.
func BenchmarkSwapping(b *testing.B) {
	for _, rate := range []policy.Share{policy.OneShare / 4, policy.OneShare} {
		b.Run(rate.String(), func(b *testing.B) {
			s, err := NewSwapping(SwappingConfig{Columns: million(b, 0).columns, Rate: rate, Random: battery.Seeded(1)})
			if err != nil {
				b.Fatal(err)
			}
			run := func(t *Table) {
				if _, err := s.Swap(t); err != nil {
					b.Fatal(err)
				}
			}
			measure(b, run, func(t *Table) { bruteForce(s, t, shuffle(t.rows, s.random), shuffle(t.rows, s.random)) }, 20_000)
		})
	}
}

// BenchmarkMondrian has a version as its naive peer that copies and sorts rows for every cut, at 100,000 rows.
func BenchmarkMondrian(b *testing.B) {
	m, err := NewKAnonymity(KAnonymityConfig{Columns: million(b, 0).columns, K: 10})
	if err != nil {
		b.Fatal(err)
	}
	run := func(t *Table) {
		if _, err := m.Anonymise(t); err != nil {
			b.Fatal(err)
		}
	}
	measure(b, run, func(t *Table) { naiveMondrian(t, identity(t.rows), 10) }, 100_000)
}

// BenchmarkMondrianOfEight is BenchmarkMondrian with all eight columns as quasi-identifiers.
func BenchmarkMondrianOfEight(b *testing.B) {
	columns := slices.Clone(million(b, 0).columns)
	for i := range columns {
		columns[i].Quasi = true
	}
	run := func(t *Table) {
		t.columns = columns
		mondrian(t, identity(t.rows), 10)
	}
	measure(b, run, func(t *Table) { naiveMondrian(t, identity(t.rows), 10) }, 100_000)
}

// naiveMondrian returns the number of classes.
func naiveMondrian(t *Table, rows []int32, k int) int {
	type candidate struct {
		width float64
		left  []int32
		right []int32
	}
	var candidates []candidate
	for _, c := range t.Quasi() {
		sorted := slices.Clone(rows)
		cells := t.cells[c]
		slices.SortFunc(sorted, func(a, b int32) int { return int(cells[a]) - int(cells[b]) })
		at := len(sorted) / 2
		for at < len(sorted) && cells[sorted[at]] == cells[sorted[at-1]] {
			at++
		}
		width := float64(cells[sorted[len(sorted)-1]]-cells[sorted[0]]) / float64(t.columns[c].size())
		if at >= k && len(sorted)-at >= k {
			candidates = append(candidates, candidate{width, sorted[:at], sorted[at:]})
		}
	}
	if len(candidates) == 0 {
		return 1
	}
	widest := slices.MaxFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.width, b.width) })
	return naiveMondrian(t, widest.left, k) + naiveMondrian(t, widest.right, k)
}

// BenchmarkSafeKAnonymity generalises by a scheme.
func BenchmarkSafeKAnonymity(b *testing.B) {
	m, err := NewSafeKAnonymity(SafeKAnonymityConfig{
		Columns: million(b, 0).columns, Scheme: []Generalisation{{Width: 5}, {Level: 1}, {Level: 1}, {Level: 1}}, K: 10, Beta: policy.OneShare / 2, Random: battery.Seeded(1),
	})
	if err != nil {
		b.Fatal(err)
	}
	measure(b, func(t *Table) {
		if _, err := m.Anonymise(t); err != nil {
			b.Fatal(err)
		}
	}, nil, 0)
}

// BenchmarkDonorSwapping keeps three rows of four.
func BenchmarkDonorSwapping(b *testing.B) {
	for _, e := range []policy.Epsilon{perEpsilon, 10 * perEpsilon} {
		b.Run(e.String(), func(b *testing.B) {
			m, err := NewDonorSwapping(DonorSwappingConfig{Columns: million(b, 0).columns, Keep: policy.OneShare * 3 / 4, Epsilon: e, Random: battery.Seeded(1)})
			if err != nil {
				b.Fatal(err)
			}
			measure(b, func(t *Table) {
				if _, err := m.Swap(t); err != nil {
					b.Fatal(err)
				}
			}, nil, 0)
		})
	}
}

// BenchmarkDPSwapping has rejection as its naive peer, at 100,000 rows: an offset is drawn until it is 0 or a coin of exp(-epsilon)
// says yes.
func BenchmarkDPSwapping(b *testing.B) {
	m, err := NewDPSwapping(DPSwappingConfig{Columns: million(b, 0).columns, Epsilon: 2 * perEpsilon, Random: battery.Seeded(1)})
	if err != nil {
		b.Fatal(err)
	}
	row := make([]Cell, 8)
	each := func(t *Table, do func()) {
		for r := range t.rows {
			for c := range row {
				row[c] = t.cells[c][r]
			}
			do()
		}
	}
	run := func(t *Table) {
		each(t, func() {
			if err := m.Row(row); err != nil {
				b.Fatal(err)
			}
		})
	}
	measure(b, run, func(t *Table) {
		each(t, func() {
			number, _ := m.encode(row)
			m.random.Start()
			offset := m.random.Below(m.domain)
			for offset != 0 && !m.random.BernoulliExp(uint64(m.epsilon), perEpsilon) {
				offset = m.random.Below(m.domain)
			}
			m.decode(row, (number+offset)%m.domain)
		})
	}, 100_000)
}
