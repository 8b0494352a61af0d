package homogeneity

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"tacit/examples/papers/internal/report"
	"tacit/risk"
)

// The cells that the estimates of a Dirichlet prior are tried on.
const momentCells = 3_000

var momentAlpha = []float64{0.8, 1.5, 2.2}

// momentsRow tries the empirical Bayes estimate of supplement S2 on cells that are drawn from a known prior.
func (x experiments) momentsRow(c *exact) report.Row {
	cells := drawCells(momentAlpha, momentCells)
	t, err := risk.NewTable(len(momentAlpha), cells)
	if !c.keep(err) {
		return report.Row{}
	}
	right, err := t.EstimateDirichlet()
	if !c.keep(err) {
		return report.Row{}
	}
	return report.Row{
		What:      fmt.Sprintf("(S2) estimate of α = %s from %s cells of 1 to 12 records", vector(momentAlpha), count(momentCells)),
		Published: vector(printedMoments(cells)) + " (as printed)", Regenerated: vector(right),
		Verdict: report.Differs, Reason: "It takes the variance of a label's count between cells for the variance of its sum over cells. For two labels the printed denominator is 0.",
	}
}

// drawCells draws proportions from a Dirichlet distribution and labels with them, for cells of 1 to 12 records.
func drawCells(alpha []float64, n int) [][]int64 {
	source := rand.New(rand.NewPCG(2023, 7))
	cells := make([][]int64, n)
	for i := range cells {
		weights := make([]float64, len(alpha))
		for k, a := range alpha {
			weights[k] = distuv.Gamma{Alpha: a, Beta: 1, Src: source}.Rand()
		}
		cells[i] = make([]int64, len(alpha))
		label := distuv.NewCategorical(weights, source)
		for range 1 + source.IntN(12) {
			cells[i][int(label.Rand())]++
		}
	}
	return cells
}

// printedMoments is the estimate of supplement S2 for K labels, which has a letter θ for p.
func printedMoments(cells [][]int64) []float64 {
	m := float64(len(cells))
	alpha := make([]float64, len(cells[0]))
	n, squares := 0.0, 0.0
	for _, cell := range cells {
		size := 0.0
		for _, count := range cell {
			size += float64(count)
		}
		n, squares = n+size, squares+size*size
	}
	for k := range alpha {
		sum, spread := 0.0, 0.0
		for _, cell := range cells {
			sum += float64(cell[k])
		}
		for _, cell := range cells {
			d := float64(cell[k]) - sum/m
			spread += d * d / (m - 1)
		}
		p := sum / n
		alpha[k] = (p*p*(1-p)*squares - p*spread) / (spread - p*(1-p)*n)
	}
	return alpha
}

func vector(x []float64) string {
	s := "("
	for i, v := range x {
		if i > 0 {
			s += ", "
		}
		s += digits(v, 2)
	}
	return s + ")"
}
