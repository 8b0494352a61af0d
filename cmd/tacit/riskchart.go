package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tacit/internal/chart"
	"tacit/internal/terminal"
	"tacit/release/assess"
	"tacit/risk"
)

// draw writes the pictures that were asked for, whole or not at all, and says which.
func (f *riskFlags) draw(report io.Writer, a riskReport) error {
	for _, out := range []struct {
		path  string
		write func(io.Writer, chart.Size, chart.Drawing) error
	}{{f.svg, chart.SVG}, {f.png, chart.PNG}} {
		if out.path == "" || a.Problem != nil {
			continue
		}
		drawing, size, err := a.chart()
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := out.write(&b, size, drawing); err != nil {
			return err
		}
		if err := writePrivate(out.path, b.Bytes()); err != nil {
			return err
		}
		fmt.Fprintf(report, "wrote %s, which is for the steward alone\n", out.path)
	}
	return nil
}

// chart is one figure for each attribute.
func (a riskReport) chart() (chart.Drawing, chart.Size, error) {
	size := chart.Size{Width: 640, Height: 420}
	var rows [][]chart.Drawing
	for i := range a.Attributes {
		if r := &a.Attributes[i]; r.Curve != nil {
			rows = append(rows, []chart.Drawing{a.figure(r)})
		}
	}
	switch len(rows) {
	case 0:
		return nil, size, a.errNoCurve()
	case 1:
		return rows[0][0], size, nil
	}
	size.Height *= float64(len(rows))
	return chart.Grid(rows), size, nil
}

func (a riskReport) errNoCurve() error {
	if a.Table.Mechanism.Epsilon == 0 {
		return fmt.Errorf("no picture is written: mechanism %s has no epsilon, and so no curve", a.Table.Mechanism.Kind)
	}
	return fmt.Errorf("no picture is written: there are no %s in any cell, and so no curve", a.counted())
}

// figure is the curve of one attribute: both versions, cells alike and by size.
func (a riskReport) figure(r *assess.AttributeRisk) chart.Figure {
	lines := []chart.Line{
		{Name: "event: a cell is disclosed", Colour: 1, Wide: true},
		{Name: "event, by size", Colour: 1, Dashed: true, Wide: true},
		{Name: "records: a person's label is told", Colour: 2},
		{Name: "records, by size", Colour: 2, Dashed: true},
	}
	for _, p := range r.Curve {
		for i, name := range assess.RiskFigures {
			lines[i].X, lines[i].Y = append(lines[i].X, p.Epsilon), append(lines[i].Y, p.Risk.Of(name))
		}
	}
	if a.Measure.Marginal() {
		lines = []chart.Line{lines[0], lines[2]}
	}
	return chart.Figure{
		Title:    fmt.Sprintf("Risk that %s becomes known, against epsilon", r.Name),
		Subtitle: fmt.Sprintf("To someone who knows %s of a person in %v. %s", strings.Join(a.Quasi, ", "), a.Table.Name, a.mechanismText()),
		X:        chart.Axis{Label: "epsilon of one answer", Log: true, Min: a.Within.Low, Max: a.Within.High},
		Y:        chart.Axis{Label: fmt.Sprintf("disclosure risk (%s measure)", a.Measure.Name), Percent: true},
		Lines:    lines,
		Marks:    a.marks(r),
		Levels:   a.levels(r),
		Notes: a.inWords(r) + " " + a.outsideText() + fmt.Sprintf("%d cells, %d of them homogeneous (%d unique); %d %s. Computed from true counts: for the steward, not for publication.",
			r.Description.All.Cells, r.Description.Homogeneous.Cells, r.Description.Unique.Cells, r.Description.All.Records, a.counted()) + a.undeclaredNote(r),
	}
}

// terminalCurve is the event risk of cells and the risk of records, by size where there is such an average, as the terminal draws them.
func (a riskReport) terminalCurve(r *assess.AttributeRisk) string {
	f := chart.Figure{X: chart.Axis{Label: "epsilon", Min: a.Within.Low, Max: a.Within.High}}
	f.Lines = []chart.Line{{Name: "event, cells alike"}, {Name: "records, by size"}}
	plotted := assess.RecordsBySize
	if a.Measure.Marginal() {
		plotted, f.Lines[1].Name = assess.RecordsFigure, "records"
	}
	top := 0.0
	for _, p := range r.Curve {
		f.Lines[0].Y, f.Lines[1].Y = append(f.Lines[0].Y, p.Risk.Event.Unweighted), append(f.Lines[1].Y, p.Risk.Of(plotted))
		top = max(top, p.Risk.Event.Unweighted, p.Risk.Of(plotted))
	}
	if a.todayDrawn() {
		f.Marks = []chart.Mark{{X: a.Table.Mechanism.Epsilon.Float(), Text: "today"}}
	}
	if a.Target != nil && a.Target.Risk < 4*top { // a target far above would flatten the curve
		f.Levels = []chart.Level{{Y: a.Target.Risk, Text: "target"}}
	}
	return chart.Terminal(f)
}

// todayDrawn says whether today's setting is in the pictures.
func (a riskReport) todayDrawn() bool {
	today := a.Table.Mechanism.Epsilon.Float()
	return today >= a.Within.Low && today <= a.Within.High
}

func (a riskReport) marks(r *assess.AttributeRisk) []chart.Mark {
	var marks []chart.Mark
	if a.todayDrawn() {
		marks = append(marks, chart.Mark{X: a.Table.Mechanism.Epsilon.Float(), Text: "today: " + a.Table.Mechanism.Epsilon.String()})
	}
	if r.Inverse != nil && r.Inverse.Answer == risk.Crossed && r.Inverse.Epsilon >= a.Within.Low && r.Inverse.Epsilon <= a.Within.High {
		marks = append(marks, chart.Mark{X: r.Inverse.Epsilon, Text: "for the target: " + epsilonDown(r.Inverse.Epsilon)})
	}
	return marks
}

// undeclaredNote says how many are in no cell.
func (a riskReport) undeclaredNote(r *assess.AttributeRisk) string {
	if r.Undeclared == 0 {
		return ""
	}
	return fmt.Sprintf(" %d more are in no cell, since a value is not declared.", r.Undeclared)
}

// outsideText says where today's setting is if it is not in the picture.
func (a riskReport) outsideText() string {
	if a.todayDrawn() {
		return ""
	}
	return fmt.Sprintf("Today's epsilon, %s, is not in the picture. ", a.Table.Mechanism.Epsilon)
}

// levels are the target, and the limits of each curve by its name. Several that are the same have one line: without noise the versions are.
func (a riskReport) levels(r *assess.AttributeRisk) []chart.Level {
	var levels []chart.Level
	if a.Target != nil {
		levels = append(levels, chart.Level{Y: a.Target.Risk, Text: fmt.Sprintf("target %s of %s", a.Target, a.Target.Of.Plain())})
	}
	return slices.Concat(levels, a.limits("no noise", r.Ceiling), a.limits("only noise", r.Floor))
}

// alike are names of two curves.
var alike = map[string]string{
	"event and event by size": "event", "records and records by size": "records",
	"event and records": "cells alike", "event by size and records by size": "by size",
}

// limits are those of all curves, those of the same height together.
func (a riskReport) limits(what string, f *assess.Risk) []chart.Level {
	if f == nil {
		return nil
	}
	var heights []float64
	names := map[string][]string{}
	for _, name := range assess.RiskFigures {
		y := f.Of(name)
		if math.IsNaN(y) {
			continue
		}
		text := terminal.Percent(y)
		if names[text] == nil {
			heights = append(heights, y)
		}
		names[text] = append(names[text], name.Plain())
	}
	var levels []chart.Level
	for _, y := range heights {
		of := strings.Join(names[terminal.Percent(y)], " and ")
		if short, ok := alike[of]; ok {
			of = short
		}
		text := fmt.Sprintf("%s, %s: %s", what, of, terminal.Percent(y))
		if len(heights) == 1 {
			text = fmt.Sprintf("%s: %s", what, terminal.Percent(y))
		}
		levels = append(levels, chart.Level{Y: y, Text: text})
	}
	return levels
}
