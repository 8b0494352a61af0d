package contingency

import (
	"fmt"

	"tacit/examples/papers/contingency/suppressor"
	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
)

func theoremsSection() (report.Section, error) {
	return report.Section{
		ID: "contingency-theorems", Title: "How many people a cell needs", Source: source + ", theorems 2, 5 and 6",
		Intro: "Theorems 5 and 6 say that cells of many people, none of whom is nearly certain to have the gene or not to, are safe to release. The claims that the paper makes of them hold. " +
			"As a rule for binning their bound asks for an order of magnitude too many people and more, because the range that it calls safe, Delta ln(1+epsilon) around the mean, is narrower than the " +
			"range that is safe, and Chernoff's bound is loose besides.",
		Rule:    "A statement is the same if the theorem, evaluated, gives it: 99% for \"almost surely\".",
		Rows:    append(workedClaims(), theorem2()),
		Tables:  []report.Table{leastTable(), theorem2Table()},
		Figures: []report.Figure{leastFigure()},
		Notes: []string{"The proof of theorem 2 reads Chernoff's bound as delta/T; it is (delta/T)^0.153. The theorem stands, because a breach takes the unsafe value besides: " +
			"the probability of a breach is that of the unsafe value times that of its release."},
	}, nil
}

// workedClaims are the numbers that the paper puts into its theorems.
func workedClaims() []report.Row {
	five := suppressor.Claim{People: 10_000, Delta: 0.5, Epsilon: 0.2}
	rows := []report.Row{{What: "Theorem 5: 100 cells of 10,000 people, prior 1/2: probability that all are 0.2-semantically-private", Published: "at least 99%",
		Regenerated: fmt.Sprintf("at least %.7f by the theorem; unsafe with probability %.2g in fact", five.Theorem5(100), 100*five.Unsafe(0.5)), Verdict: report.Holds(five.Theorem5(100) >= 0.99),
		Reason: fmt.Sprintf("%d people in each cell are enough for 99%% by the exact law.", suppressor.LeastPeople(0.5, 0.2, 1e-4))}}
	for _, c := range []suppressor.Claim{{People: 100_000, Delta: 0.25, Epsilon: 0.2}, {People: 10_000, Delta: 0.4, Epsilon: 0.2}} {
		rows = append(rows, report.Row{
			What:        fmt.Sprintf("Theorem 6: one cell of %d people, priors in (%v, %v): probability that a (0.2, 0.1)-suppressor releases it", c.People, c.Delta, 1-c.Delta),
			Published:   "almost surely",
			Regenerated: fmt.Sprintf("at least %.11f by the theorem; unsafe with probability %.2g in fact", c.Theorem6(0.1), c.Unsafe(c.Delta)), Verdict: report.Holds(c.Theorem6(0.1) > 0.99),
			Reason: "In fact: of people who all have the prior at the end of the range.",
		})
	}
	return rows
}

// theorem2 is how often the sampled rule releases what is unsafe with probability delta/T, in the proof and in fact.
func theorem2() report.Row {
	share := delta / decisions3
	release := sampledRelease(share, decisions3/delta)
	return report.Row{What: "Theorem 2: probability that the sampled rule releases a question of risk delta/T, figure 3", Published: fmt.Sprintf("at most %v", share),
		Regenerated: fmt.Sprintf("%.3f", release), Verdict: report.Holds(release <= share),
		Reason: fmt.Sprintf("A step of the proof does not hold; the theorem does: the probability of a breach is %.2g, below delta/T.", share*release)}
}

func theorem2Table() report.Table {
	t := report.Table{Caption: "How often the sampled rule releases a question that is unsafe with probability delta/T.", Header: []string{"T", "delta", "in the proof, at most", "in fact", "breach by it"}}
	for _, decisions := range []float64{decisions3, decisions5} {
		share := delta / decisions
		release := sampledRelease(share, decisions/delta)
		t.Rows = append(t.Rows, []string{fmt.Sprint(decisions), fmt.Sprint(delta), fmt.Sprintf("%.4f", share), fmt.Sprintf("%.3f", release), fmt.Sprintf("%.4f", share*release)})
	}
	return t
}

// leastRisk is the risk for which cells are sized.
const leastRisk = 1e-3

func leastTable() report.Table {
	t := report.Table{Caption: fmt.Sprintf("People that a cell needs for a risk of %v.", leastRisk), Header: []string{"prior", "epsilon", "by the theorems' bound", "in fact", "ratio"}}
	for _, x := range [][2]float64{{0.5, 0.5}, {0.4, 0.5}, {0.3, 0.5}, {0.2, 0.5}, {0.1, 0.5}, {0.5, 0.2}, {0.3, 0.2}} {
		bound, fact := suppressor.LeastByTheorem(x[0], x[1], leastRisk), suppressor.LeastPeople(x[0], x[1], leastRisk)
		t.Rows = append(t.Rows, []string{fmt.Sprint(x[0]), fmt.Sprint(x[1]), fmt.Sprint(bound), fmt.Sprint(fact), fmt.Sprintf("%.0f", float64(bound)/float64(fact))})
	}
	return t
}

func leastFigure() report.Figure {
	var lines []chart.Line
	for k, e := range []float64{0.5, 0.2} {
		bound := chart.Line{Name: fmt.Sprintf("theorems' bound, epsilon %v", e), Dashed: true, Colour: k + 1}
		fact := chart.Line{Name: fmt.Sprintf("in fact, epsilon %v", e), Colour: k + 1}
		for percent := 10; percent <= 50; percent += 5 {
			p := float64(percent) / 100
			bound.X, bound.Y = append(bound.X, p), append(bound.Y, float64(suppressor.LeastByTheorem(p, e, leastRisk)))
			fact.X, fact.Y = append(fact.X, p), append(fact.Y, float64(suppressor.LeastPeople(p, e, leastRisk)))
		}
		lines = append(lines, bound, fact)
	}
	return report.Figure{Name: "contingency-theorems", Caption: "The theorems' bound asks for 14 to 230 times as many people as a cell needs.",
		Drawing: chart.Figure{Title: "People that a cell needs so that its count is safe", Subtitle: fmt.Sprintf("unsafe with probability %v at most; all people of a cell have the same prior", leastRisk),
			X: chart.Axis{Label: "prior probability of the private attribute", Min: 0.1, Max: 0.5}, Y: chart.Axis{Label: "people", Log: true}, Lines: lines}}
}
