package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tacit/risk"
)

// The terminal's curve: so many columns and rows of characters.
const plotWidth, plotHeight = 64, 11

// terminalCurve draws the event risk of cells (*) and the risk of records by size (o) against epsilon, with | at today's and - at the
// target.
func (a *riskAssessment) terminalCurve(r *attributeRisk) string {
	top := 0.0
	for _, p := range r.curve {
		top = max(top, p.Risk.event.Unweighted, p.Risk.of(a.plotted()))
	}
	if a.target != nil && a.target.risk < 4*top { // a target far above would flatten the curve
		top = max(top, a.target.risk)
	}
	top = niceTop(top)
	grid := blank()
	if a.target != nil && a.target.risk <= top {
		for x := range plotWidth {
			grid[rowOf(a.target.risk, top)][x] = '-'
		}
	}
	if today := a.columnOf(epsilonValue(a.table.Mechanism.Epsilon)); today >= 0 {
		for y := range plotHeight {
			grid[y][today] = '|'
		}
	}
	trace(grid, r.curve, top, 'o', func(f riskFigures) float64 { return f.of(a.plotted()) })
	trace(grid, r.curve, top, '*', func(f riskFigures) float64 { return f.event.Unweighted })
	var b strings.Builder
	legend := "  *** event, cells alike   ooo records"
	if !a.measure.marginal() {
		legend += ", by size"
	}
	if a.columnOf(epsilonValue(a.table.Mechanism.Epsilon)) >= 0 {
		legend += "   | today"
	}
	if a.target != nil {
		legend += "   --- target"
	}
	fmt.Fprintln(&b, legend)
	for y, row := range grid {
		label := ""
		if y%((plotHeight-1)/2) == 0 {
			label = strconv.FormatFloat(100*top*float64(plotHeight-1-y)/(plotHeight-1), 'g', 3, 64) + "%"
		}
		fmt.Fprintf(&b, "%8s +%s\n", label, strings.TrimRight(string(row), " "))
	}
	return b.String() + a.epsilonAxis()
}

// plotted is the figure of records that is drawn.
func (a *riskAssessment) plotted() figureName {
	if a.measure.marginal() {
		return recordsFigure
	}
	return recordsBySize
}

func blank() [][]rune {
	grid := make([][]rune, plotHeight)
	for y := range grid {
		grid[y] = []rune(strings.Repeat(" ", plotWidth))
	}
	return grid
}

// trace draws a figure over the epsilons of a curve, which are evenly spaced as the columns are.
func trace(grid [][]rune, curve []risk.Point[riskFigures], top float64, mark rune, of func(riskFigures) float64) {
	for x := range plotWidth {
		p := curve[int(math.Round(float64(x)*float64(len(curve)-1)/(plotWidth-1)))]
		grid[rowOf(of(p.Risk), top)][x] = mark
	}
}

// rowOf is the row of a risk, from the top.
func rowOf(p, top float64) int {
	return plotHeight - 1 - int(math.Round(min(p/top, 1)*(plotHeight-1)))
}

// niceTop is the least of 1, 2 and 5 times a power of ten that is not below a risk, and at least 1e-9.
func niceTop(p float64) float64 {
	for power := -9; power < 0; power++ {
		for _, digit := range []float64{1, 2, 5} {
			if top := digit * math.Pow10(power); p <= top*(1+1e-9) {
				return top
			}
		}
	}
	return 1
}

// columnOf is the column of an epsilon, -1 if it is outside of the range.
func (a *riskAssessment) columnOf(epsilon float64) int {
	if epsilon < a.within.Low || epsilon > a.within.High {
		return -1
	}
	return int(math.Round(math.Log(epsilon/a.within.Low) / math.Log(a.within.High/a.within.Low) * (plotWidth - 1)))
}

// epsilonAxis marks the powers of ten, and the ends of the range if it has fewer than two.
func (a *riskAssessment) epsilonAxis() string {
	marks := map[int]string{}
	for power := math.Floor(math.Log10(a.within.Low)); power <= math.Log10(a.within.High)+1e-9; power++ {
		if x := a.columnOf(math.Pow(10, power)); x >= 0 {
			marks[x] = figure(math.Pow(10, power))
		}
	}
	if len(marks) < 2 {
		marks = map[int]string{0: figure(a.within.Low), plotWidth - 1: figure(a.within.High)}
	}
	line, labels := []rune(strings.Repeat("-", plotWidth)), []rune(strings.Repeat(" ", plotWidth+8))
	free := 0 // from where labels have room
	for _, x := range slices.Sorted(maps.Keys(marks)) {
		line[x] = '+'
		label := marks[x]
		if start := max(0, x-len(label)/2); start >= free {
			copy(labels[start:], []rune(label))
			free = start + len(label) + 1
		}
	}
	return fmt.Sprintf("%8s +%s\n%10s%s\n%10s%*s\n", "", string(line), "", strings.TrimRight(string(labels), " "), "", plotWidth/2+4, "epsilon")
}
