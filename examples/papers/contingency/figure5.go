package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"tacit/auditor/paper"
	"tacit/mechanisms/sampling"
)

// tables is how many tables of figure 5 are drawn.
const tables = 20

// tenByTen draws who is in the table of figure 5: ten by ten cells of 80 to 200 people, about 10,000 in all, with priors from 0.3 to 0.5, of each
// cell, or of each column.
func tenByTen(bits *sampling.Bits, byColumn bool) paper.Table {
	t := paper.Table{Rows: 10, Columns: 10}
	prior := func() float64 {
		bits.Start()
		return float64(30+bits.Below(21)) / 100
	}
	columns := make([]float64, t.Columns)
	for j := range columns {
		columns[j] = prior()
	}
	for i := range t.Rows * t.Columns {
		bits.Start()
		g := paper.Group{People: 80 + int(min(120, bits.Geometric(1, 20))), Prior: columns[i%t.Columns]}
		if !byColumn {
			g.Prior = prior()
		}
		t.Cells = append(t.Cells, paper.Cell{g})
	}
	return t
}

// distorted is the share of cells that are off by more than a quarter.
func distorted(values []int, noisy []float64) float64 {
	n := 0
	for i, v := range values {
		if math.Abs(noisy[i]-float64(v)) > 0.25*float64(v) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

func figure5Section(w io.Writer) error {
	fmt.Fprintf(w, "Figure 5: 10 by 10 cells of 80 to 200 people, priors from 0.3 to 0.5, epsilon %v, delta %v; means of %d tables\n", epsilon, delta, tables)
	fmt.Fprintln(w, "Published: suppression suppresses 0 of 100 cells; perturbation distorts 10% of the cells by more than 25%.")
	fmt.Fprintln(w)
	if err := suppressionSection(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return perturbationSection(w)
}

func suppressionSection(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  order\trule\tpriors\ttables without suppression\tsuppressed cells\tmargins\trisk spent")
	const decisions = 121
	for _, order := range []struct {
		name      string
		questions func(paper.Table) []question
	}{{"cells first", cellsFirst}, {"margins first", marginsFirst}} {
		for _, rule := range []struct {
			name  string
			allow policy
		}{{"delta/T", atMost(delta / decisions)}, {"delta/2T", atMost(delta / decisions / 2)}, {"ledger", ledger(delta, delta/10)}} {
			for _, byColumn := range []bool{false, true} {
				whole, mean, err := average(tables, order.questions, rule.allow, byColumn)
				if err != nil {
					return err
				}
				fmt.Fprintf(tw, "  %s\t%s\t%s\t%d of %d\t%.2f\t%.2f\t%.4f\n", order.name, rule.name, of(byColumn), whole, tables,
					float64(mean.cells)/tables, float64(mean.margins)/tables, mean.risk/tables)
			}
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "The published zero is what the ledger gives, cells first. At delta/T cells with priors near 0.3 need 85 to 100 people, and those with")
	fmt.Fprintln(w, "fewer are suppressed. The paper's sampled rule is stricter still: its threshold is at delta/2T. Margins first, one answer")
	fmt.Fprintln(w, "settles several cells at once; the risk is the same in all, but it comes in larger pieces.")
	return nil
}

func of(byColumn bool) string {
	if byColumn {
		return "by column"
	}
	return "by cell"
}

// average audits the tables of one kind and adds the outcomes up.
func average(tables int, order func(paper.Table) []question, allow policy, byColumn bool) (whole int, total outcome, err error) {
	bits := seeded(5)
	for range tables {
		t := tenByTen(bits, byColumn)
		values, err := t.Draw(bits)
		if err != nil {
			return 0, total, err
		}
		verdicts, err := audit(t, values, order(t), allow)
		if err != nil {
			return 0, total, err
		}
		o := count(t, verdicts)
		if o.cells+o.margins == 0 {
			whole++
		}
		total.cells, total.margins, total.risk = total.cells+o.cells, total.margins+o.margins, total.risk+o.risk
	}
	return whole, total, nil
}

// perturbation is one way to add noise.
type perturbation struct {
	name string
	add  func(paper.Noise, paper.Table, []int) ([]float64, error)
}

func perturbations() []perturbation {
	return []perturbation{
		{"noise on cells", func(n paper.Noise, _ paper.Table, values []int) ([]float64, error) { return n.Cells(values) }},
		{"noise on cells, margins and total, least squares", func(n paper.Noise, t paper.Table, values []int) ([]float64, error) {
			return n.Perturb(t, values)
		}},
	}
}

func perturbationSection(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  perturbation at epsilon 0.5\tfigure 5: cells off by more than 25%\tfigure 4: mean error of a cell\tof a margin")
	cell, margin := errorsOf(hair(100), figure3, floats(figure4))
	fmt.Fprintf(tw, "  published\t10%%\t%.1f\t%.1f\n", cell, margin)
	for _, p := range perturbations() {
		share, err := shareDistorted(p)
		if err != nil {
			return err
		}
		var cell, margin float64
		noise := paper.Noise{Bits: seeded(4), Numerator: 1, Denominator: 2}
		const runs = 200
		for range runs {
			noisy, err := p.add(noise, hair(100), figure3)
			if err != nil {
				return err
			}
			c, m := errorsOf(hair(100), figure3, noisy)
			cell, margin = cell+c/runs, margin+m/runs
		}
		fmt.Fprintf(tw, "  %s\t%.0f%%\t%.1f\t%.1f\n", p.name, 100*share, cell, margin)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "The published perturbation is the algorithm of Barak et al. 2007: Fourier coefficients over binary attributes and a linear program. Neither row")
	fmt.Fprintln(w, "is that algorithm: they are what costs the least, and what spends the budget on margins as it does. The published 10% lie")
	fmt.Fprintln(w, "between them.")
	return nil
}

func floats(values []int) []float64 {
	x := make([]float64, len(values))
	for i, v := range values {
		x[i] = float64(v)
	}
	return x
}

// errorsOf are the mean absolute errors of the cells and of the sums of rows and columns.
func errorsOf(t paper.Table, values []int, noisy []float64) (cell, margin float64) {
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

func shareDistorted(p perturbation) (float64, error) {
	bits := seeded(6)
	noise := paper.Noise{Bits: bits, Numerator: 1, Denominator: 2}
	share := 0.0
	for range tables {
		t := tenByTen(bits, false)
		values, err := t.Draw(bits)
		if err != nil {
			return 0, err
		}
		noisy, err := p.add(noise, t, values)
		if err != nil {
			return 0, err
		}
		share += distorted(values, noisy) / tables
	}
	return share, nil
}
