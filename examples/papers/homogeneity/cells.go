package homogeneity

import (
	"fmt"
	"math"
	"strconv"

	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
)

const incomeAmongCells = "Income is itself one of the attributes that make these cells: the paper's 5,974 are the cells of the six quasi-identifiers and income. " +
	"Whatever classifies is constant within a cell."

// cells is about the data sets before anything is added to them.
func (s source) cells() report.Section {
	return report.Section{
		ID: "homogeneity-cells", Title: "Homogeneity attack: the cells", Source: paper2023 + ", table 1, section 5.1 and figure 2; " + paper2021 + ", section 4, figures 1 and 2",
		Intro: "A cell is a combination of quasi-identifiers that somebody has. It is homogeneous if all records in it have the same sensitive value: " +
			"who knows the quasi-identifiers of a person then knows the sensitive value, without finding the person.\n\n" +
			"The published cells of Adult are reproduced exactly, and with them the reason why all are homogeneous: income was cross-tabulated with the " +
			"quasi-identifiers before its homogeneity in each cell was looked at. The rest of these pages gives each result of Adult twice: as published, and for " +
			"the six quasi-identifiers alone.",
		Rule:    digitsRule,
		Rows:    append(append(table1Rows(), s.adultRows()...), s.bankruptcyRows()...),
		Figures: []report.Figure{s.sizesFigure()},
	}
}

// table1Rows are about the 12 records that the 2023 paper explains the attack with.
func table1Rows() []report.Row {
	t := newTally("heart disease", "cancer", "diabetes")
	for i, label := range []int{0, 0, 1, 1, 1, 2, 0, 0, 2, 2, 2, 2} {
		t.add(label, []string{"black, < 40", "Hispanic, 40-49", "white, ≥ 50"}[i/4])
	}
	c := t.crossTab("Table 1")
	homogeneous, records := c.homogeneous()
	return []report.Row{{
		What: "Table 1: cells, homogeneous cells, records in them", Published: "3, 1, 4 (records 9 to 12)",
		Regenerated: fmt.Sprintf("%d, %d, %d", len(c.counts), homogeneous, records), Verdict: report.Holds(len(c.counts) == 3 && homogeneous == 1 && records == 4),
	}}
}

func (s source) adultRows() []report.Row {
	n, cells := s.adult.records(), len(s.adult.counts)
	homogeneous, _ := s.adult.homogeneous()
	quasiCells := len(s.adultQuasi.counts)
	quasiHomogeneous, quasiRecords := s.adultQuasi.homogeneous()
	smallest, largest, above := s.adult.sizes()
	return []report.Row{
		{What: "Adult: individuals", Published: "27,504", Regenerated: count(n), Verdict: report.Holds(n == 27_504)},
		{What: "Adult: non-empty cells N, as the papers count them", Published: "5,974", Regenerated: count(cells), Verdict: report.Holds(cells == 5_974),
			Reason: incomeAmongCells},
		{What: "Adult: of these homogeneous in income", Published: "all", Regenerated: count(homogeneous), Verdict: report.Holds(homogeneous == cells),
			Reason: "By construction; see the next two rows."},
		{What: "Adult: non-empty cells of the six quasi-identifiers", Published: "5,974", Regenerated: count(quasiCells), Verdict: report.Holds(quasiCells == 5_974),
			Reason: "The papers describe a histogram of six dimensions. That has 5,009 cells; 5,974 is the number with income as the seventh."},
		{What: "Adult: of these homogeneous in income", Published: "all", Verdict: report.Holds(quasiHomogeneous == quasiCells),
			Regenerated: fmt.Sprintf("%s (%s), with %s records (%s)", count(quasiHomogeneous), percent(share(quasiHomogeneous, quasiCells), 1),
				count(quasiRecords), percent(share(quasiRecords, n), 1)),
			Reason: fmt.Sprintf("%d cells with %s records have both incomes. No homogeneity attack on them succeeds before sanitization.",
				quasiCells-quasiHomogeneous, count(n-quasiRecords))},
		{What: "Adult: smallest and largest cell", Published: "1, 240", Regenerated: fmt.Sprintf("%d, %d", smallest, largest), Verdict: report.Holds(smallest == 1 && largest == 240)},
		{What: "Adult: cells of more than 120", Published: "6", Regenerated: strconv.Itoa(above), Verdict: report.Holds(above == 6)},
		{What: "Adult: 1/n", Published: "3.6e-5", Regenerated: digits(1e5/float64(n), 1) + "e-5", Verdict: report.Holds(prints(1e5/float64(n), "3.6"))},
	}
}

func (s source) bankruptcyRows() []report.Row {
	n := s.bankruptcy.records()
	all, _ := s.bankruptcy.homogeneous()
	homogeneous, records := s.subset.homogeneous()
	cells := len(s.subset.counts)
	return []report.Row{
		{What: "Bankruptcy: observations", Published: "250", Regenerated: count(n), Verdict: report.Holds(n == 250)},
		{What: "Bankruptcy: 1/n", Published: "4e-3", Regenerated: decimal(1 / float64(n)), Verdict: report.Holds(n == 250)},
		{What: "Bankruptcy: non-empty cells N of six attributes", Published: "103", Regenerated: strconv.Itoa(len(s.bankruptcy.counts)), Verdict: report.Holds(len(s.bankruptcy.counts) == 103)},
		{What: "Bankruptcy: of these homogeneous in bankruptcy", Published: "all", Regenerated: strconv.Itoa(all), Verdict: report.Holds(all == 103),
			Reason: "Here the class is not among the attributes that make the cells."},
		{What: "Bankruptcy subset: non-empty cells of five attributes", Published: "78", Regenerated: strconv.Itoa(cells), Verdict: report.Holds(cells == 78)},
		{What: "Bankruptcy subset: homogeneous, heterogeneous in financial flexibility", Published: "54, 24",
			Regenerated: fmt.Sprintf("%d, %d", homogeneous, cells-homogeneous), Verdict: report.Holds(homogeneous == 54 && cells == 78)},
		{What: "Bankruptcy subset: records in homogeneous cells", Published: "142 of 250", Regenerated: fmt.Sprintf("%d of %d", records, s.subset.records()),
			Verdict: report.Holds(records == 142 && s.subset.records() == 250)},
	}
}

func share(part, whole int) float64 { return float64(part) / float64(whole) }

// sizes are those of the smallest and the largest cell, and how many have more than 120 records.
func (c crossTab) sizes() (smallest, largest int64, above int) {
	for i := range c.counts {
		n := c.size(i)
		if i == 0 || n < smallest {
			smallest = n
		}
		largest = max(largest, n)
		if n > 120 {
			above++
		}
	}
	return smallest, largest, above
}

func (s source) sizesFigure() report.Figure {
	return report.Figure{
		Name: "homogeneity-cell-sizes",
		Caption: "Figure 2 of the 2023 paper, figures 1 and 2 of the 2021 paper: how many cells have how many records. The scale of Adult is logarithmic. " +
			"The lower left panel is not in the papers: the cells of the six quasi-identifiers without income, by whether they are homogeneous.",
		Size: chart.Size{Width: 1040, Height: 640},
		Drawing: chart.Panels{Title: "How many cells have how many records", Rows: [][]chart.Drawing{
			{sizeBars("Adult, as published: 5,974 cells", adultBins, true, s.adult), sizeBars("Bankruptcy: 103 cells", smallBins(11), false, s.bankruptcy)},
			{sizeBars("Adult, six quasi-identifiers: 5,009 cells", adultBins, true, s.adultQuasi), sizeBars("Bankruptcy subset: 78 cells", smallBins(14), false, s.subset)},
		}},
	}
}

// A bin is an interval of sizes.
type bin struct{ low, high int64 }

func (b bin) String() string {
	switch {
	case b.low == b.high:
		return strconv.FormatInt(b.low, 10)
	case b.high == noLimit:
		return fmt.Sprintf("> %d", b.low-1)
	}
	return fmt.Sprintf("%d–%d", b.low, b.high)
}

// noLimit is the upper end of the last bin.
const noLimit = math.MaxInt64

var adultBins = []bin{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 10}, {11, 20}, {21, 40}, {41, 80}, {81, 120}, {121, noLimit}}

func smallBins(most int64) []bin {
	var bins []bin
	for n := int64(1); n <= most; n++ {
		bins = append(bins, bin{n, n})
	}
	return bins
}

// sizeBars is the histogram of cell sizes, with a bar for homogeneous cells and one for the others, if there are any.
func sizeBars(title string, bins []bin, log bool, c crossTab) chart.Bars {
	b := chart.Bars{Title: title, X: chart.Axis{Label: "records in a cell"}, Y: chart.Axis{Label: "cells", Log: log}}
	homogeneous, others := make([]float64, len(bins)), make([]float64, len(bins))
	for i := range c.counts {
		n := c.size(i)
		for j, bin := range bins {
			if n < bin.low || n > bin.high {
				continue
			}
			if isHomogeneous(c.counts[i]) {
				homogeneous[j]++
			} else {
				others[j]++
			}
		}
	}
	for _, bin := range bins {
		b.Names = append(b.Names, bin.String())
	}
	b.Series = []chart.Line{{Name: "homogeneous", Y: bars(homogeneous, log)}}
	if cells, _ := c.homogeneous(); cells < len(c.counts) {
		b.Series = append(b.Series, chart.Line{Name: "heterogeneous", Y: bars(others, log)})
	}
	if log {
		b.Y.Min, b.Y.Max = 0.5, 5_000
	}
	return b
}

// bars leaves empty bins without a bar where the axis has no 0.
func bars(heights []float64, log bool) []float64 {
	for i, h := range heights {
		if log && h == 0 {
			heights[i] = math.NaN()
		}
	}
	return heights
}
