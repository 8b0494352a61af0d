package suppressor

import (
	"fmt"
	"testing"
	"time"

	"tacit/auditor/posterior"
)

// BenchmarkDecision times one decision about a cell of a table whose margins are known, and compares it with Algorithm 3 of the paper in the
// same run: how many times as long the paper's data sets alone take to be drawn, by the chain of 2x2 moves with twenty sweeps for each.
// Whether each of them is safe, which takes as many samples again, is left out.
func BenchmarkDecision(b *testing.B) {
	for _, side := range []int{3, 10} {
		b.Run(fmt.Sprintf("%dx%d", side, side), func(b *testing.B) {
			table := Table{Rows: side, Columns: side}
			for i := range side * side {
				table.Cells = append(table.Cells, Cell{{People: 80 + 120*(i%7)/6, Prior: 0.3 + 0.2*float64(i%5)/4}})
			}
			bits := seeded(7)
			values, err := table.Draw(bits)
			if err != nil {
				b.Fatal(err)
			}
			released := table.Margins(values)
			system, question := table.System(0.5, released), posterior.Set{Atoms: []int{1}, Values: posterior.True}
			decisions := 0
			for b.Loop() {
				if _, err := system.Decide(question); err != nil {
					b.Fatal(err)
				}
				decisions++
			}
			ours := b.Elapsed().Seconds() / float64(decisions)
			b.ReportMetric(sampled(b, table, released)/ours, "x-sampled")
		})
	}
}

// sampled is how many seconds the data sets of one of the paper's decisions take.
func sampled(b *testing.B, table Table, released Released) float64 {
	b.StopTimer()
	s := Suppressor{Table: table, Epsilon: 0.5, Delta: 0.2}
	chain := Chain{Table: table, Bits: seeded(8), Sweeps: 20}
	const draws = 20
	begin := time.Now()
	for range draws {
		if _, err := chain.Sample(released); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(begin).Seconds() / draws * float64(s.Samples())
}
