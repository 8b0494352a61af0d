package contingency

import (
	"fmt"
	"math"

	"tacit/examples/papers/contingency/fourier"
	"tacit/examples/papers/contingency/suppressor"
	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// A perturbation adds noise to a table at some epsilon.
type perturbation struct {
	name string
	add  func(bits *sampling.Bits, t suppressor.Table, values []int, epsilon policy.Epsilon) ([]float64, error)
}

const perEpsilon = 1_000_000_000 // policy.Epsilon's unit

// perturbations are Barak et al. 2007 with two readings of what margins are wanted, and the least noise that there is.
func perturbations() []perturbation {
	return []perturbation{
		{"Barak et al., cells wanted", margins2007([][]int{{0, 1}})},
		{"Barak et al., rows and columns wanted", margins2007([][]int{{0}, {1}})},
		{"noise on each cell, nothing else", func(bits *sampling.Bits, _ suppressor.Table, values []int, epsilon policy.Epsilon) ([]float64, error) {
			return suppressor.Noise{Bits: bits, Numerator: uint64(epsilon), Denominator: perEpsilon}.Cells(values)
		}},
	}
}

// margins2007 is the algorithm of Barak et al.: a person has the gene or not, which is one person more or less in the table.
func margins2007(margins [][]int) func(*sampling.Bits, suppressor.Table, []int, policy.Epsilon) ([]float64, error) {
	return func(bits *sampling.Bits, t suppressor.Table, values []int, epsilon policy.Epsilon) ([]float64, error) {
		m, err := fourier.New(fourier.Config{Categories: []int{t.Rows, t.Columns}, Margins: margins, Adjacency: policy.AddRemove, Epsilon: epsilon})
		if err != nil {
			return nil, err
		}
		counts := make([]int64, len(values))
		for i, v := range values {
			counts[i] = int64(v)
		}
		r, err := m.Release(bits, counts)
		if err != nil {
			return nil, err
		}
		noisy := make([]float64, len(values))
		for i, v := range r.Counts {
			noisy[i] = float64(v)
		}
		return noisy, nil
	}
}

// errorsOf are the mean absolute errors of the cells and of the sums of rows and columns.
func errorsOf(t suppressor.Table, values []int, noisy []float64) (cell, margin float64) {
	for i, v := range values {
		cell += math.Abs(noisy[i]-float64(v)) / float64(len(values))
	}
	for _, q := range margins(t) {
		sum := 0.0
		for row := q.region.Top; row < q.region.Bottom; row++ {
			for column := q.region.Left; column < q.region.Right; column++ {
				sum += noisy[row*t.Columns+column]
			}
		}
		margin += math.Abs(sum-float64(t.Sum(values, q.region))) / float64(t.Rows+t.Columns)
	}
	return cell, margin
}

func floats(values []int) []float64 {
	x := make([]float64, len(values))
	for i, v := range values {
		x[i] = float64(v)
	}
	return x
}

// runs4 is how often figure 4 is drawn.
const runs4 = 1000

// drawn4 are the errors of the runs of one perturbation of figure 3.
type drawn4 struct{ cells, margins []float64 }

func draw4(p perturbation) (d drawn4, err error) {
	bits, t := seeded(4), hair(100)
	for range runs4 {
		noisy, err := p.add(bits, t, figure3, epsilon*perEpsilon)
		if err != nil {
			return d, err
		}
		cell, margin := errorsOf(t, figure3, noisy)
		d.cells, d.margins = append(d.cells, cell), append(d.margins, margin)
	}
	return d, nil
}

// middle is the range of all but 5% of the values, and how many are at most x.
func middle(values []float64, x float64) (low, high, atMost float64) {
	sorted := sorted(values)
	n := len(sorted)
	for _, v := range sorted {
		if v <= x {
			atMost += 1 / float64(n)
		}
	}
	return sorted[n*25/1000], sorted[n-1-n*25/1000], atMost
}

func perturbationSection() (report.Section, error) {
	cell, margin := errorsOf(hair(100), figure3, floats(figure4))
	s := report.Section{
		ID: "contingency-figure4", Title: "The hair and eye table, perturbed", Source: source + ", figure 4, after Barak et al. 2007",
		Intro: "The paper runs the algorithm of Barak et al. 2007 on the table of figure 3, at epsilon 0.5, and prints one table. The algorithm adds noise to the Fourier coefficients of the " +
			"table over binary attributes (here two bits each, with structural zeros where no category has the number), finds the nearest table without negative cells by a linear program, and rounds it. " +
			fmt.Sprintf("It is run %d times here. What the paper wanted of the table it does not say: all cells, whose coefficients are all 16 (of scale 32 each), or rows and columns only, whose coefficients are 7 (of scale 14). ", runs4) +
			"Epsilon is for one person more or less with the gene.",
		Tolerance: "the middle 95% of our runs, of one published draw",
		Rule:      "One published table is one draw. Within tolerance is: its error is in the middle 95% of the errors of our runs.",
	}
	var groups []chart.BoxGroup
	s.Rows = append(s.Rows, sumsRow())
	for k, p := range perturbations() {
		d, err := draw4(p)
		if err != nil {
			return s, err
		}
		groups = append(groups, chart.BoxGroup{Name: p.name, Series: []chart.BoxSeries{{Name: "cells", Values: d.cells}, {Name: "sums of rows and columns", Values: d.margins}}})
		if k == 0 {
			s.Rows = append(s.Rows, row4("cell", cell, d.cells), row4("row or column", margin, d.margins))
		}
	}
	s.Figures = []report.Figure{{
		Name:    "contingency-figure4",
		Caption: "The published table's errors are among those of the algorithm of Barak et al. with all cells wanted. With rows and columns wanted, nothing binds the cells, and they come out anyhow.",
		Drawing: chart.Boxes{
			Title: "Error of the perturbed hair and eye table", Subtitle: fmt.Sprintf("figure 3 of Nabar and Mishra 2009, epsilon 0.5, %d runs each", runs4),
			Y: chart.Axis{Label: "mean absolute error (people)"}, Groups: groups,
			Levels: []chart.Level{{Y: cell, Text: "published, cells"}, {Y: margin, Text: "published, sums"}},
		},
		Size: chart.Size{Width: 640, Height: 380},
	}}
	return s, nil
}

// sumsRow says how far the published table is off, relative to the counts.
func sumsRow() report.Row {
	t, cells, sums := hair(100), 0.0, 0.0
	for i, v := range figure3 {
		cells += math.Abs(float64(figure4[i]-v)) / float64(v) / float64(len(figure3))
	}
	for _, q := range margins(t) {
		v := t.Sum(figure3, q.region)
		sums += math.Abs(float64(t.Sum(figure4, q.region)-v)) / float64(v) / float64(t.Rows+t.Columns)
	}
	return report.Row{What: "the published table: what is accurate", Published: "sums for the most part; some cells are not",
		Regenerated: fmt.Sprintf("sums are off by %.0f%% on average, cells by %.0f%%", 100*sums, 100*cells), Origin: "the number beside this statement is computed from figures 3 and 4 as they are printed, and checks nothing of ours"}
}

// row4 sets a published error beside those of the runs.
func row4(what string, published float64, values []float64) report.Row {
	low, high, atMost := middle(values, published)
	verdict := report.Differs
	if published >= low && published <= high {
		verdict = report.Within
	}
	return report.Row{What: "mean absolute error of a " + what + ", all cells wanted", Published: fmt.Sprintf("%.1f", published),
		Regenerated: fmt.Sprintf("%.1f on average, %.1f to %.1f in 95%% of runs", mean(values), low, high), Verdict: verdict,
		Reason: fmt.Sprintf("The published table is one draw; %.0f%% of runs have no larger an error.", 100*atMost)}
}
