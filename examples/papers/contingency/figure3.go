package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"tacit/auditor/paper"
)

// The paper's parameters in section 6.
const (
	epsilon = 0.5
	delta   = 0.2
)

// hair is the table of figure 3: rows are blue, black and brown eyes, columns blonde, black and brown hair, with the gene in 50, 40 and 30%.
// The footnote lists eight sizes for nine cells; missing is the one of brown-eyed people with black hair.
func hair(missing int) paper.Table {
	t := paper.Table{Rows: 3, Columns: 3}
	for i, n := range []int{200, 80, 100, 80, 200, 100, 100, missing, 200} {
		t.Cells = append(t.Cells, paper.Cell{{People: n, Prior: []float64{0.5, 0.4, 0.3}[i%3]}})
	}
	return t
}

// figure3 and figure4 are as published.
var (
	figure3 = []int{101, 23, 22, 32, 95, 24, 45, 38, 70}
	figure4 = []int{103, 20, 38, 33, 91, 1, 44, 42, 77}
)

// sampledRelease is the probability that the paper's sampled rule releases a question of a risk: T/delta ln(T/delta) data sets are drawn,
// and at most half of ln(T/delta) may be unsafe.
func sampledRelease(risk, perDecision float64) float64 {
	if risk == 1 {
		return 0
	}
	s := paper.Suppressor{Delta: 1, Decisions: int(math.Round(perDecision))}
	n, p, term := s.Samples(), 0.0, math.Pow(1-risk, float64(s.Samples()))
	for k := 0; float64(k) <= s.Threshold(); k++ {
		p += term
		term *= float64(n-k) / float64(k+1) * risk / (1 - risk)
	}
	return p
}

func figure3Section(w io.Writer) error {
	t := hair(100)
	const decisions = 16
	fmt.Fprintf(w, "Figure 3: the hair and eye table, epsilon %v, delta %v, T %d\n", epsilon, delta, decisions)
	fmt.Fprintf(w, "Published: no cell is suppressed. The footnote omits one of nine sizes; it is taken to be 100.\n\n")
	for _, order := range []struct {
		name      string
		questions []question
	}{{"margins first, as in the paper", marginsFirst(t)}, {"cells first", cellsFirst(t)}} {
		verdicts, err := audit(t, figure3, order.questions, atMost(delta/decisions))
		if err != nil {
			return err
		}
		if err := figure3Order(w, order.name, verdicts); err != nil {
			return err
		}
		o := count(t, verdicts)
		fmt.Fprintf(w, "regenerated: %d cells and %d margins suppressed; risk spent %.3g of %v\n\n", o.cells, o.margins, o.risk, delta)
	}
	fmt.Fprintln(w, "The exact rule releases the published table. The paper's own rule samples, and its threshold is at half of delta/T: in the")
	fmt.Fprintln(w, "paper's order it would often suppress cell 1,2. Cells first there is no such cell.")
	fmt.Fprintln(w)
	return missingSizes(w)
}

func figure3Order(w io.Writer, name string, verdicts []verdict) error {
	fmt.Fprintln(w, name)
	tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  question\trisk\treleased at delta/T\tsampled rule releases")
	for _, v := range verdicts {
		if v.free {
			fmt.Fprintf(tw, "  %s\tfollows\tyes\t\n", v.name)
			continue
		}
		fmt.Fprintf(tw, "  %s\t%.3g\t%s\t%.3f\n", v.name, v.risk, yes(v.released), sampledRelease(v.risk, 16/delta))
	}
	return tw.Flush()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// missingSizes tries other sizes for the one that the footnote omits.
func missingSizes(w io.Writer) error {
	fmt.Fprintln(w, "The size that the footnote omits, and the cells suppressed in the paper's order at delta/T:")
	tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  size\tsuppressed cells")
	for _, size := range []int{80, 90, 94, 95, 100, 120, 150, 170, 180, 200} {
		t := hair(size)
		verdicts, err := audit(t, figure3, marginsFirst(t), atMost(delta/16))
		if err != nil {
			return err
		}
		names := ""
		for _, v := range verdicts {
			if !v.released {
				names += " " + v.name
			}
		}
		if names == "" {
			names = " none"
		}
		fmt.Fprintf(tw, "  %d\t%s\n", size, names[1:])
	}
	return tw.Flush()
}
