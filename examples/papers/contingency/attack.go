package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"tacit/auditor/paper"
)

// genes is who is in figure 1: rows are blue eyes and others, columns blonde, brown and black hair. As the paper supposes, the gene is likelier in
// blue-eyed blondes, and a hundred brown-haired people are not blue-eyed. The other numbers are ours, such that the published margins are
// nothing unusual.
func genes() paper.Table {
	return paper.Table{Rows: 2, Columns: 3, Cells: []paper.Cell{
		{{People: 60, Prior: 0.85}}, {{People: 110, Prior: 0.05}}, {{People: 60, Prior: 0.85}},
		{{People: 60, Prior: 0.05}}, {{People: 100, Prior: 0.9}}, {{People: 60, Prior: 0.05}},
	}}
}

func attackSection(w io.Writer) error {
	a, people := paper.Figure1(), genes()
	fmt.Fprintln(w, "Section 3: suppression that looks at the data. Cells of 5 or less are sensitive; as few cells as possible are hidden.")
	fmt.Fprintln(w, "Published: a 2 by 3 table with all cells hidden and margins 110, 105 and 55, 105, 55.")
	fmt.Fprintln(w)
	fmt.Fprintf(w, "tables with these margins: %d; of these the rule may hide altogether: %d\n", len(a.Tables()), len(a.Consistent()))
	tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  sensitive cells\ttables\tprobability")
	for _, f := range a.Findings(people) {
		fmt.Fprintf(tw, "  %v\t%d\t%.3g\n", f.Primary, f.Tables, f.Probability)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "Published: the sensitive cells are {1,3,5} or {2,4,6}, and the latter if the gene is likelier in blue-eyed blondes; then all of the")
	fmt.Fprintln(w, "hundred brown-haired people without blue eyes have the gene. Regenerated, with the auditor on the likeliest such table:")
	fmt.Fprintln(w)
	verdicts, err := auditorSection(w, a, people)
	if err != nil {
		return err
	}
	return beliefs(w, a, people, verdicts)
}

// likeliest is the most probable table that the rule hides altogether.
func likeliest(a paper.Attack, people paper.Table) []int {
	var best []int
	most := -1.0
	for _, table := range a.Consistent() {
		if p := people.Probability(table); p > most {
			best, most = table, p
		}
	}
	return best
}

// auditorSection says what the auditor publishes of the attacked table.
func auditorSection(w io.Writer, a paper.Attack, people paper.Table) ([]verdict, error) {
	table := likeliest(a, people)
	verdicts, err := audit(people, table, marginsFirst(people), ledger(delta, delta/10))
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "The auditor, epsilon %v and delta %v, table %v:\n", epsilon, delta, table)
	tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  question\trisk\treleased")
	for _, v := range verdicts {
		answer := "no"
		if v.released {
			answer = fmt.Sprint(people.Sum(table, v.region))
		}
		fmt.Fprintf(tw, "  %s\t%.3g\t%s\n", v.name, v.risk, answer)
	}
	if err := tw.Flush(); err != nil {
		return nil, err
	}
	fmt.Fprintln(w)
	return verdicts, nil
}

// beliefs compares what the attacker believes of a person of each cell before, given the margins, given that the rule hid all cells, and
// given what the auditor released.
func beliefs(w io.Writer, a paper.Attack, people paper.Table, verdicts []verdict) error {
	var released paper.Released
	for _, v := range verdicts {
		if v.released && !v.free {
			released = released.And(v.region, people.Sum(likeliest(a, people), v.region))
		}
	}
	audited, _, err := people.System(epsilon, released).Posterior()
	if err != nil {
		return err
	}
	margins, hidden := marginsBelief(a, people), a.Posterior(people)
	fmt.Fprintln(w, "Probability that a person has the gene:")
	tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  cell\tpeople\tprior\tgiven the margins\tand that the rule hid all cells\tgiven what the auditor released")
	for i, cell := range people.Cells {
		fmt.Fprintf(tw, "  %d\t%d\t%v\t%.4f\t%.4f\t%.4f\n", i+1, cell.People(), cell[0].Prior, margins[i], hidden[i], audited[i][1])
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "What the rule hid says that nobody of the hundred is without the gene. The auditor decides before it looks, so that what it hides")
	fmt.Fprintln(w, "tells nothing: the last column is all there is to learn.")
	return nil
}

// marginsBelief is what the margins tell, by enumeration of the tables.
func marginsBelief(a paper.Attack, people paper.Table) []float64 {
	q, total := make([]float64, len(people.Cells)), 0.0
	for _, table := range a.Tables() {
		p := people.Probability(table)
		total += p
		for i, v := range table {
			q[i] += p * float64(v) / float64(people.Cells[i].People())
		}
	}
	for i := range q {
		q[i] /= total
	}
	return q
}
