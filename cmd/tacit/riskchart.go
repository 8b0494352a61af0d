package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tacit/internal/chart"
	"tacit/risk"
)

// draw writes the pictures that were asked for, whole or not at all, and says which.
func (f *riskFlags) draw(report io.Writer, a *riskAssessment) error {
	for _, out := range []struct {
		path  string
		write func(io.Writer, chart.Size, chart.Drawing) error
	}{{f.svg, chart.SVG}, {f.png, chart.PNG}} {
		if out.path == "" || a.problem != nil {
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
func (a *riskAssessment) chart() (chart.Drawing, chart.Size, error) {
	size := chart.Size{Width: 640, Height: 420}
	var rows [][]chart.Drawing
	for i := range a.attributes {
		if r := &a.attributes[i]; r.curve != nil {
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

func (a *riskAssessment) errNoCurve() error {
	if a.table.Mechanism.Epsilon == 0 {
		return fmt.Errorf("no picture is written: mechanism %s has no epsilon, and so no curve", a.table.Mechanism.Kind)
	}
	return fmt.Errorf("no picture is written: there are no %s in any cell, and so no curve", a.persons())
}

// figure is the curve of one attribute: both versions, cells alike and by size.
func (a *riskAssessment) figure(r *attributeRisk) chart.Figure {
	lines := []chart.Line{
		{Name: "event: a cell is disclosed", Colour: 1, Wide: true},
		{Name: "event, by size", Colour: 1, Dashed: true, Wide: true},
		{Name: "records: a person's label is told", Colour: 2},
		{Name: "records, by size", Colour: 2, Dashed: true},
	}
	for _, p := range r.curve {
		for i, name := range figureNames {
			lines[i].X, lines[i].Y = append(lines[i].X, p.Epsilon), append(lines[i].Y, p.Risk.of(figureName(name)))
		}
	}
	if a.measure.marginal() {
		lines = []chart.Line{lines[0], lines[2]}
	}
	return chart.Figure{
		Title:    fmt.Sprintf("Risk that %s becomes known, against epsilon", r.Name),
		Subtitle: fmt.Sprintf("To someone who knows %s of a person in %v. %s", strings.Join(a.request.Quasi, ", "), a.table.Name, a.mechanismText()),
		X:        chart.Axis{Label: "epsilon of one answer", Log: true, Min: a.within.Low, Max: a.within.High},
		Y:        chart.Axis{Label: fmt.Sprintf("disclosure risk (%s measure)", a.measure.name), Percent: true},
		Lines:    lines,
		Marks:    a.marks(r),
		Levels:   a.levels(r),
		Notes: a.outsideText() + fmt.Sprintf("%d cells, %d of them homogeneous (%d unique); %d %s. Computed from true counts: for the steward, not for publication.",
			r.cells.All.Cells, r.cells.Homogeneous.Cells, r.cells.Unique.Cells, r.cells.All.Records, a.persons()) + a.undeclaredNote(r),
	}
}

func (a *riskAssessment) marks(r *attributeRisk) []chart.Mark {
	var marks []chart.Mark
	if today := epsilonValue(a.table.Mechanism.Epsilon); today >= a.within.Low && today <= a.within.High {
		marks = append(marks, chart.Mark{X: today, Text: "today: " + a.table.Mechanism.Epsilon.String()})
	}
	if r.inverse != nil && r.inverse.Answer == risk.Crossed && r.inverse.Epsilon >= a.within.Low && r.inverse.Epsilon <= a.within.High {
		marks = append(marks, chart.Mark{X: r.inverse.Epsilon, Text: "for the target: " + epsilonDown(r.inverse.Epsilon)})
	}
	return marks
}

// undeclaredNote says how many are in no cell.
func (a *riskAssessment) undeclaredNote(r *attributeRisk) string {
	if r.Undeclared == 0 {
		return ""
	}
	return fmt.Sprintf(" %d more are in no cell, since a value is not declared.", r.Undeclared)
}

// outsideText says where today's setting is if it is not in the picture.
func (a *riskAssessment) outsideText() string {
	if today := epsilonValue(a.table.Mechanism.Epsilon); today >= a.within.Low && today <= a.within.High {
		return ""
	}
	return fmt.Sprintf("Today's epsilon, %s, is not in the picture. ", a.table.Mechanism.Epsilon)
}

// levels are the target, and the limits of each curve by its name. Several that are the same have one line: without noise the versions are.
func (a *riskAssessment) levels(r *attributeRisk) []chart.Level {
	var levels []chart.Level
	if a.target != nil {
		levels = append(levels, chart.Level{Y: a.target.risk, Text: fmt.Sprintf("target %s of %s", a.target, a.target.of.plain())})
	}
	return slices.Concat(levels, a.limits("no noise", r.ceiling), a.limits("only noise", r.floor))
}

// alike are names of two curves.
var alike = map[string]string{
	"event and event by size": "event", "records and records by size": "records",
	"event and records": "cells alike", "event by size and records by size": "by size",
}

// limits are those of all curves, those of the same height together.
func (a *riskAssessment) limits(what string, f *riskFigures) []chart.Level {
	if f == nil {
		return nil
	}
	var heights []float64
	names := map[string][]string{}
	for _, name := range figureNames {
		y := f.of(figureName(name))
		if math.IsNaN(y) {
			continue
		}
		text := percent(y)
		if names[text] == nil {
			heights = append(heights, y)
		}
		names[text] = append(names[text], figureName(name).plain())
	}
	var levels []chart.Level
	for _, y := range heights {
		of := strings.Join(names[percent(y)], " and ")
		if short, ok := alike[of]; ok {
			of = short
		}
		text := fmt.Sprintf("%s, %s: %s", what, of, percent(y))
		if len(heights) == 1 {
			text = fmt.Sprintf("%s: %s", what, percent(y))
		}
		levels = append(levels, chart.Level{Y: y, Text: text})
	}
	return levels
}
