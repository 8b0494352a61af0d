package contingency

import (
	"fmt"
	"slices"
	"strings"

	"tacit/examples/papers/contingency/attack"
	"tacit/examples/papers/contingency/suppressor"
	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
)

// genes is who is in figure 1: rows are blue eyes and others, columns blonde, brown and black hair. As the paper supposes, the gene is likelier in
// blue-eyed blondes, and a hundred brown-haired people are not blue-eyed. The other numbers are ours, such that the published margins are
// nothing unusual.
func genes() suppressor.Table {
	return suppressor.Table{Rows: 2, Columns: 3, Cells: []suppressor.Cell{
		{{People: 60, Prior: 0.85}}, {{People: 110, Prior: 0.05}}, {{People: 60, Prior: 0.85}},
		{{People: 60, Prior: 0.05}}, {{People: 100, Prior: 0.9}}, {{People: 60, Prior: 0.05}},
	}}
}

// prior has the laws of a table's cells.
func prior(t suppressor.Table) attack.Prior {
	var p attack.Prior
	for _, cell := range t.Cells {
		p = append(p, cell.Law())
	}
	return p
}

// beliefs are what an attacker believes of figure 1.
type beliefs struct {
	all, allowed  attack.Inference // tables with the margins, and those of which the rule may hide all cells; each as likely
	margins, rule attack.Inference // the same, by priors
	verdicts      []verdict
	audited       []float64 // given what the auditor releases of the likeliest table: of a person of each cell
}

func believe() (b beliefs, err error) {
	rule, shown := attack.Figure1()
	if b.all, b.allowed, err = rule.Infer(shown, nil); err != nil {
		return b, err
	}
	people := genes()
	if b.margins, b.rule, err = rule.Infer(shown, prior(people)); err != nil {
		return b, err
	}
	table := b.rule.Likeliest
	if b.verdicts, err = audit(people, table, marginsFirst(people), ledger(delta, delta/10)); err != nil {
		return b, err
	}
	var released suppressor.Released
	for _, v := range b.verdicts {
		if v.released && !v.free {
			released = released.And(v.region, people.Sum(table, v.region))
		}
	}
	posterior, _, err := people.System(epsilon, released).Posterior()
	if err != nil {
		return b, err
	}
	for _, q := range posterior {
		b.audited = append(b.audited, q[1])
	}
	return b, nil
}

func ruleSection() (report.Section, error) {
	b, err := believe()
	if err != nil {
		return report.Section{}, err
	}
	return report.Section{
		ID: "contingency-rule", Title: "What suppression that looks at the data gives away", Source: source + ", section 3 and figure 1",
		Intro: "The rule: cells of 5 or less are sensitive and hidden, and as few other cells as possible are hidden so that no sensitive cell follows from what is shown. " +
			"Published: a table of two rows and three columns with all six cells hidden, and the sums 110, 105 and 55, 105, 55. Who knows the rule learns more than the sums: " +
			"most tables with these sums would not have been hidden like that.\n\n" +
			"All tables are gone through, so that what is said of them is exact. The paper numbers cells row by row.",
		Rule:    "Ranges and sets: exactly. The likelier set and who has the gene are statements of the paper, tried on numbers of people and priors that are partly ours.",
		Rows:    b.rows(),
		Tables:  []report.Table{b.people(), b.questions()},
		Figures: []report.Figure{b.figure()},
		Notes: []string{"Of the people only what the paper supposes is published: the gene is likelier in blue-eyed blondes, and a hundred brown-haired people are not blue-eyed. " +
			"The other numbers of people and priors are ours."},
	}, nil
}

func (b beliefs) rows() []report.Row {
	var sets, ranges []string
	for _, f := range b.allowed.Findings {
		sets = append(sets, set(f.Sensitive))
	}
	slices.Sort(sets)
	for _, cell := range b.all.Cells {
		ranges = append(ranges, fmt.Sprintf("[%d,%d]", cell.Low, cell.High))
	}
	published := "[0,55] [0,105] [0,55] [0,55] [0,105] [0,55]"
	likeliest := b.rule.Findings[0]
	brown := b.rule.Cells[4]
	return []report.Row{
		{What: "ranges of the cells by the sums alone (figure 1b)", Published: published, Regenerated: strings.Join(ranges, " "), Verdict: report.Holds(strings.Join(ranges, " ") == published)},
		{What: "possible sets of sensitive cells, for who knows the rule", Published: "{1,3,5} or {2,4,6}", Regenerated: strings.Join(sets, " or "),
			Verdict: report.Holds(slices.Equal(sets, []string{"{1,3,5}", "{2,4,6}"})),
			Reason:  fmt.Sprintf("Of %d tables with the sums, the rule hides all cells of %d.", b.all.Tables, b.allowed.Tables)},
		{What: "the likelier set, if the gene is likelier in blue-eyed blondes", Published: "{2,4,6}",
			Regenerated: fmt.Sprintf("%s, with probability %.6f", set(likeliest.Sensitive), likeliest.Probability), Verdict: report.Holds(set(likeliest.Sensitive) == "{2,4,6}")},
		{What: "how many of the hundred brown-haired people without blue eyes have the gene then", Published: "all",
			Regenerated: fmt.Sprintf("%d of 100 in the likeliest table; each with probability %.6f", b.rule.Likeliest[4], brown.Mean()/100),
			Verdict:     report.Holds(b.rule.Likeliest[4] == 100 && brown.Mean() > 99.99),
			Reason:      "Given {2,4,6} it is certain. The rest is the probability that it was {1,3,5}."},
	}
}

// set writes cells as the paper does.
func set(h attack.Hiding) string {
	var cells []string
	for _, cell := range h.Cells() {
		cells = append(cells, fmt.Sprint(cell))
	}
	return "{" + strings.Join(cells, ",") + "}"
}

// people is what an attacker believes of a person of each cell.
func (b beliefs) people() report.Table {
	t := report.Table{Caption: "Probability that a person has the gene.",
		Header: []string{"cell", "people", "before", "given the sums", "and that the rule hid all cells", "given what the auditor released"}}
	for i, cell := range genes().Cells {
		n := float64(cell.People())
		t.Rows = append(t.Rows, []string{fmt.Sprint(i + 1), fmt.Sprint(n), fmt.Sprint(cell[0].Prior),
			fmt.Sprintf("%.4f", b.margins.Cells[i].Mean()/n), fmt.Sprintf("%.4f", b.rule.Cells[i].Mean()/n), fmt.Sprintf("%.4f", b.audited[i])})
	}
	return t
}

// questions is what the auditor decides of the likeliest table.
func (b beliefs) questions() report.Table {
	t := report.Table{Caption: fmt.Sprintf("The auditor on the likeliest such table, epsilon %v and delta %v. It decides before it looks, so that what it hides tells nothing.", epsilon, delta),
		Header: []string{"question", "risk", "released"}}
	for _, v := range b.verdicts {
		answer := "no"
		if v.released {
			answer = fmt.Sprint(genes().Sum(b.rule.Likeliest, v.region))
		}
		t.Rows = append(t.Rows, []string{v.name, fmt.Sprintf("%.3g", v.risk), answer})
	}
	return t
}

func (b beliefs) figure() report.Figure {
	var series [4]chart.Line
	for k, name := range []string{"before", "given the sums", "given the sums and the rule", "given what the auditor released"} {
		series[k].Name = name
	}
	for i, cell := range genes().Cells {
		n := float64(cell.People())
		for k, q := range []float64{cell[0].Prior, b.margins.Cells[i].Mean() / n, b.rule.Cells[i].Mean() / n, b.audited[i]} {
			series[k].Y = append(series[k].Y, q)
		}
	}
	return report.Figure{
		Name:    "contingency-rule",
		Caption: "The rule moves what is believed of a person further than the sums do; of the hundred people in cell 5 all have the gene. What the auditor releases moves no belief far.",
		Drawing: chart.Bars{
			Title: "What a table of hidden cells tells of a person", Subtitle: "Figure 1 of Nabar and Mishra 2009: all six cells hidden, sums of rows and columns shown",
			X: chart.Axis{Label: "cell"}, Y: chart.Axis{Label: "probability that a person has the gene", Min: 0, Max: 1, Percent: true},
			Names: []string{"1 blue, blonde", "2 blue, brown", "3 blue, black", "4 other, blonde", "5 other, brown", "6 other, black"}, Series: series[:],
		},
		Size: chart.Size{Width: 700, Height: 380},
	}
}
