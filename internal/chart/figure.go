package chart

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Figure shows lines and points over two axes of numbers.
type Figure struct {
	Title    string // Required.
	Subtitle string // what was measured on, in a smaller line
	X, Y     Axis
	Lines    []Line
	Marks    []Mark
	Levels   []Level
	Notes    string // what a reader must know, below the axes
	Legend   Position
}

// A Line is a series of values.
type Line struct {
	Name   string    // in the legend; a line without a name is not listed
	X, Y   []float64 // Required, of one length. A NaN in Y is a gap.
	Error  []float64 // nil, or a standard deviation of each value, drawn as a bar to both sides
	Dashed bool
	Points bool // points at the values instead of a line
	Joined bool // with Points: a line through them as well
	Wide   bool // whether the line is broad, so that one that is drawn over it does not hide it
	Colour int  // counted from 1; 0 takes the colour of the line's place
}

// A Mark is a labelled vertical line, such as today's setting.
type Mark struct {
	X    float64
	Text string
}

// A Level is a labelled horizontal line, such as a target or an asymptote.
type Level struct {
	Y    float64
	Text string
}

var errUntitled = errors.New("a picture needs a title: it must be understood without the text around it")

func (f Figure) heading() string { return f.Title }

func (f Figure) draw(c draw.Canvas) error {
	x, y, err := f.limits()
	if err != nil {
		return err
	}
	c = frame{f.Title, f.Subtitle, f.Notes, f.entries(), f.Legend}.around(c)
	build := func(c draw.Canvas) axes { return newAxes(c, f.X, f.Y, x, y) }
	notes := annotations{f.Marks, f.Levels}
	c = notes.reserve(c, build)
	a := build(c)
	a.Add(grid(), notes)
	for i, line := range f.Lines {
		a.Add(newCurve(line, i))
	}
	a.draw(c)
	notes.label(a, c)
	return nil
}

// limits checks the figure and gives the ends of its axes.
func (f Figure) limits() (x, y extent, err error) {
	if f.Title == "" || f.X.Label == "" || f.Y.Label == "" {
		return x, y, fmt.Errorf("figure %q: %w, and both axes a label with its unit", f.Title, errUntitled)
	}
	x, y = nothing(), nothing()
	for _, line := range f.Lines {
		if err := line.check(f.Y); err != nil {
			return x, y, fmt.Errorf("figure %q: %w", f.Title, err)
		}
		x.add(line.X...)
		y.add(line.reach(f.Y)...)
	}
	for _, m := range f.Marks {
		x.add(m.X)
	}
	for _, l := range f.Levels {
		y.add(l.Y)
	}
	if x, err = f.X.limits(x); err == nil {
		y, err = f.Y.limits(y)
	}
	if err != nil {
		return x, y, fmt.Errorf("figure %q: %w", f.Title, err)
	}
	return x, y, f.inside(x, y)
}

// inside refuses marks and levels that the axes would not show.
func (f Figure) inside(x, y extent) error {
	for _, m := range f.Marks {
		if !(m.X >= x.low && m.X <= x.high) {
			return fmt.Errorf("figure %q: the mark %q at %g is outside the axis %g to %g: widen the axis or leave the mark out", f.Title, m.Text, m.X, x.low, x.high)
		}
	}
	for _, l := range f.Levels {
		if !(l.Y >= y.low && l.Y <= y.high) {
			return fmt.Errorf("figure %q: the level %q at %g is outside the axis %g to %g: widen the axis or leave the level out", f.Title, l.Text, l.Y, y.low, y.high)
		}
	}
	return nil
}

func (l Line) check(y Axis) error {
	if len(l.X) != len(l.Y) || l.Error != nil && len(l.Error) != len(l.Y) {
		return fmt.Errorf("line %q has %d values of x, %d of y and %d errors", l.Name, len(l.X), len(l.Y), len(l.Error))
	}
	for i := range l.X {
		if math.IsNaN(l.X[i]) {
			return fmt.Errorf("line %q: value %d has no place on the horizontal axis", l.Name, i+1)
		}
		if l.Error != nil && !(l.Error[i] >= 0) && !math.IsNaN(l.Y[i]) {
			return fmt.Errorf("line %q: the error of value %d is %g", l.Name, i+1, l.Error[i])
		}
	}
	return nil
}

// reach are the values of a line with the ends of its error bars. A bar that would reach to 0 or below has no end on a logarithmic
// axis and runs to its edge.
func (l Line) reach(y Axis) []float64 {
	values := append([]float64(nil), l.Y...)
	for i, e := range l.Error {
		values = append(values, l.Y[i]+e)
		if low := l.Y[i] - e; !y.Log || low > 0 {
			values = append(values, low)
		}
	}
	return values
}

func (f Figure) entries() []entry {
	var entries []entry
	for i, line := range f.Lines {
		if line.Name != "" {
			entries = append(entries, entry{line.Name, newCurve(line, i).sample})
		}
	}
	return entries
}

// shapes tell points apart where colours do not. There are not as many as colours, so that both together repeat late.
var shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}}

// A curve draws a line of a figure.
type curve struct {
	Line
	colour color.Color
	shape  draw.GlyphDrawer
}

// newCurve is a line at its place among others. When the colours are used up, they come again with the other sort of line.
func newCurve(l Line, place int) curve {
	if l.Colour == 0 && place/len(palette)%2 == 1 {
		l.Dashed = !l.Dashed
	}
	return curve{l, series(l.Colour, place), shapes[place%len(shapes)]}
}

func (l curve) lineStyle() draw.LineStyle {
	style := draw.LineStyle{Color: l.colour, Width: 1.6}
	if l.Wide {
		style.Width = 3.6
	}
	if l.Dashed {
		style.Dashes = dashes
	}
	return style
}

func (l curve) glyphStyle() draw.GlyphStyle {
	return draw.GlyphStyle{Color: l.colour, Radius: 2.6, Shape: l.shape}
}

func (l curve) sample(c draw.Canvas) {
	middle := c.Center()
	if l.Error != nil {
		c.StrokeLine2(draw.LineStyle{Color: l.colour, Width: 0.8}, middle.X, c.Min.Y, middle.X, c.Max.Y)
	}
	if !l.Points || l.Joined {
		c.StrokeLine2(l.lineStyle(), c.Min.X, middle.Y, c.Max.X, middle.Y)
	}
	if l.Points {
		c.DrawGlyphNoClip(l.glyphStyle(), middle)
	}
}

// Plot draws the curve, as gonum/plot asks of what is added to axes.
func (l curve) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	if l.Error != nil {
		l.plotErrors(c, p)
	}
	if !l.Points || l.Joined {
		for _, run := range l.runs(toX, toY) {
			c.StrokeLines(l.lineStyle(), c.ClipLinesXY(run)...)
		}
	}
	if !l.Points {
		return
	}
	for i, y := range l.Y {
		if !math.IsNaN(y) {
			c.DrawGlyph(l.glyphStyle(), vg.Point{X: toX(l.X[i]), Y: toY(y)})
		}
	}
}

// runs are the stretches of the line between its gaps.
func (l curve) runs(toX, toY func(float64) vg.Length) [][]vg.Point {
	var runs [][]vg.Point
	var run []vg.Point
	for i, y := range l.Y {
		if math.IsNaN(y) {
			runs, run = append(runs, run), nil
			continue
		}
		run = append(run, vg.Point{X: toX(l.X[i]), Y: toY(y)})
	}
	return append(runs, run)
}

func (l curve) plotErrors(c draw.Canvas, p *plot.Plot) {
	const cap = 2
	style := draw.LineStyle{Color: l.colour, Width: 0.8}
	toX, toY := p.Transforms(&c)
	for i, e := range l.Error {
		if math.IsNaN(l.Y[i]) || e == 0 {
			continue
		}
		x := toX(l.X[i])
		low, high := toY(math.Max(l.Y[i]-e, p.Y.Min)), toY(math.Min(l.Y[i]+e, p.Y.Max))
		c.StrokeLines(style, c.ClipLinesXY(
			[]vg.Point{{X: x, Y: low}, {X: x, Y: high}},
			[]vg.Point{{X: x - cap, Y: low}, {X: x + cap, Y: low}},
			[]vg.Point{{X: x - cap, Y: high}, {X: x + cap, Y: high}})...)
	}
}
