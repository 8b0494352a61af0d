package contingency

import (
	"fmt"
	"math"
	"strings"

	"tacit/examples/papers/contingency/suppressor"
	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
)

// hair is the table of figure 3: rows are blue, black and brown eyes, columns blonde, black and brown hair, with the gene in 50, 40 and 30%.
// The footnote lists eight sizes for nine cells; missing is the one of brown-eyed people with black hair.
func hair(missing int) suppressor.Table {
	t := suppressor.Table{Rows: 3, Columns: 3}
	for i, n := range []int{200, 80, 100, 80, 200, 100, 100, missing, 200} {
		t.Cells = append(t.Cells, suppressor.Cell{{People: n, Prior: []float64{0.5, 0.4, 0.3}[i%3]}})
	}
	return t
}

// figure3 and figure4 are as published.
var (
	figure3 = []int{101, 23, 22, 32, 95, 24, 45, 38, 70}
	figure4 = []int{103, 20, 38, 33, 91, 1, 44, 42, 77}
)

// decisions3 is the paper's T for figure 3: cells and margins.
const decisions3 = 16

// sampledRelease is the probability that the paper's sampled rule releases a question of a risk: T/delta ln(T/delta) data sets are drawn,
// and at most half of ln(T/delta) may be unsafe.
func sampledRelease(risk, perDecision float64) float64 {
	if risk == 1 {
		return 0
	}
	s := suppressor.Suppressor{Delta: 1, Decisions: int(math.Round(perDecision))}
	n, p, term := s.Samples(), 0.0, math.Pow(1-risk, float64(s.Samples()))
	for k := 0; float64(k) <= s.Threshold(); k++ {
		p += term
		term *= float64(n-k) / float64(k+1) * risk / (1 - risk)
	}
	return p
}

func figure3Section() (report.Section, error) {
	s := report.Section{
		ID: "contingency-figure3", Title: "The hair and eye table, released whole by the suppressor", Source: source + ", figure 3",
		Intro: fmt.Sprintf("Three by three cells, epsilon %v, delta %v. The auditor computes the risk of a question exactly, where the paper samples; it releases what has a risk of delta/T at most, T = %d.",
			epsilon, delta, decisions3),
		Rule: "The number of suppressed cells, exactly, for the size that the footnote omits taken to be 100.",
		Notes: []string{
			"The paper's own rule samples, and its threshold is at half of delta/T: in the paper's order it would often suppress cell 1,2. Cells first there is no such cell.",
			"The footnote omits one of nine sizes; it is taken to be 100. The last table tries others.",
		},
	}
	t, lines := hair(100), []chart.Line(nil)
	for k, order := range []struct {
		name      string
		questions []question
	}{{"margins first, as in the paper", marginsFirst(t)}, {"cells first", cellsFirst(t)}} {
		verdicts, err := audit(t, figure3, order.questions, atMost(delta/decisions3))
		if err != nil {
			return s, err
		}
		o := count(t, verdicts)
		row := report.Row{What: "suppressed cells, " + order.name, Published: "0 of 9", Regenerated: fmt.Sprintf("%d of 9", o.cells), Verdict: report.Holds(o.cells == 0),
			Reason: fmt.Sprintf("%d margins are suppressed; the risk spent is %.3g of %v.", o.margins, o.risk, delta)}
		if k > 0 {
			row.Published, row.Verdict, row.Origin = "", report.Shown, "the paper has the other order only"
		}
		s.Rows = append(s.Rows, row)
		s.Tables = append(s.Tables, verdictTable(order.name, verdicts))
		lines = append(lines, risks(order.name, verdicts))
	}
	s.Figures = []report.Figure{riskFigure(lines)}
	sizes, err := missingSizes()
	s.Tables = append(s.Tables, sizes)
	return s, err
}

func verdictTable(order string, verdicts []verdict) report.Table {
	t := report.Table{Caption: "The questions in their order, " + order + ".", Header: []string{"question", "risk", "released at delta/T", "sampled rule releases with probability"}}
	for _, v := range verdicts {
		if v.free {
			t.Rows = append(t.Rows, []string{v.name, "follows", "yes", ""})
			continue
		}
		t.Rows = append(t.Rows, []string{v.name, fmt.Sprintf("%.3g", v.risk), yes(v.released), fmt.Sprintf("%.3f", sampledRelease(v.risk, decisions3/delta))})
	}
	return t
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// riskFigure shows the risks in both orders.
func riskFigure(lines []chart.Line) report.Figure {
	return report.Figure{
		Name:    "contingency-figure3",
		Caption: "Risks of the questions about figure 3, in two orders: all are below delta/T, so that nothing is suppressed. Margins first, one cell is above delta/2T, where the threshold of the paper's sampled rule is.",
		Drawing: chart.Figure{
			Title: "Risk of each question about the hair and eye table", Subtitle: "figure 3 of Nabar and Mishra 2009; epsilon 0.5, delta 0.2, T = 16",
			X: chart.Axis{Label: "place of the question in the order of its line (the tables name them)", Min: 0, Max: 16}, Y: chart.Axis{Label: "probability that an answer is unsafe", Log: true},
			Lines: lines, Levels: []chart.Level{{Y: delta / decisions3, Text: "delta/T"}, {Y: delta / decisions3 / 2, Text: "delta/2T"}},
			Notes: "No point: the answer follows from earlier ones, and tells nothing.",
		},
	}
}

// risks are those of questions whose answers do not follow from earlier ones.
func risks(order string, verdicts []verdict) chart.Line {
	line := chart.Line{Name: order, Points: true}
	for i, v := range verdicts {
		if !v.free {
			line.X, line.Y = append(line.X, float64(i+1)), append(line.Y, v.risk)
		}
	}
	return line
}

// missingSizes tries other sizes for the one that the footnote omits.
func missingSizes() (report.Table, error) {
	table := report.Table{Caption: "The size that the footnote omits, and the cells suppressed in the paper's order at delta/T.", Header: []string{"size", "suppressed cells"}}
	for _, size := range []int{80, 90, 94, 95, 100, 120, 150, 170, 180, 200} {
		t := hair(size)
		verdicts, err := audit(t, figure3, marginsFirst(t), atMost(delta/decisions3))
		if err != nil {
			return table, err
		}
		names := []string{}
		for _, v := range verdicts {
			if !v.released {
				names = append(names, v.name)
			}
		}
		if len(names) == 0 {
			names = append(names, "none")
		}
		table.Rows = append(table.Rows, []string{fmt.Sprint(size), strings.Join(names, ", ")})
	}
	return table, nil
}
