package assess

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
)

// WriteText writes the comparison for people.
func (r *WorkloadReport) WriteText(w io.Writer) error {
	cells := 0.0
	for _, g := range r.Groupings {
		cells += g.Cells
	}
	fmt.Fprintf(w, "%s: %s with %s; %s; epsilon %s, delta %s for all of them together, which is rho %s of zCDP",
		r.Table, plural(len(r.Groupings), "grouping", "groupings"), plural(int(cells), "cell", "cells"), r.Adjacency, digits(r.Epsilon), digits(r.Delta), digits(r.Rho))
	if r.Rows > 1 {
		fmt.Fprintf(w, "; the same %d rows of a person at most in every grouping", r.Rows)
	}
	what, legend := "a cell", workloadLegend
	if slices.ContainsFunc(r.Groupings, func(g GroupingErrors) bool { return len(g.Ranges) > 0 }) {
		what, legend = "a cell, or of a range", workloadLegend+rangesLegend
	}
	fmt.Fprintf(w, "\nStandard deviation of %s. No row was read.\n\n", what)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "GROUPING\tWEIGHT\tCELLS\tEQUAL SPLIT\tBEST SPLIT\tFINEST CELLS\tLEAST SQUARES\tLEAST TOTAL\tLEAST GREATEST\tBOUND\t")
	line := func(name, weight, cells, bound string, e WorkloadErrors) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", name, weight, cells, digits(e.EqualSplit), digits(e.BestSplit), digits(e.FinestCells),
			digits(e.LeastSquares), digits(e.LeastTotal), digits(e.LeastGreatest), bound)
	}
	for _, g := range r.Groupings {
		line(g.String(), digits(g.Weight), whole(g.Cells), "", g.Errors)
	}
	line("all", "", whole(cells), digits(r.AllBound), r.All)
	line("greatest", "", "", digits(r.GreatestBound), r.Greatest)
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprint(w, "\n"+legend)
	return err
}

// digits has four, and all of a large number.
func digits(x float64) string {
	if x >= 1000 {
		return whole(x)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

func whole(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }

const workloadLegend = `"all" is the root of the weighted mean of the variances of all cells, "greatest" that of the greatest weighted variance.
EQUAL SPLIT and BEST SPLIT measure each grouping by itself, with equal shares of rho and with those that make "all" the
least. FINEST CELLS counts the cells of all keys together, and adds them up. LEAST SQUARES is BEST SPLIT, fitted to all that
was measured. LEAST TOTAL and LEAST GREATEST measure once what groupings share; no linear strategy with Gaussian noise is
below BOUND. A count is within twice the standard deviation about 95 times in 100.
`

const rangesLegend = `Of a grouping with ranges it is the root of the mean variance of all ranges of successive values, and the mean counts as often as
it has cells. What is measured by itself, or as finest cells, is added up. LEAST TOTAL and LEAST GREATEST measure the column by
queries in which a range has little more error than a value: they are the least of strategies that do, and near BOUND.
`

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
