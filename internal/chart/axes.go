package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// axes are a pair of gonum/plot's axes whose labels are centred on the data, and whose horizontal axis may be one of names.
type axes struct {
	*plot.Plot
	x, y  string
	names *names
}

// newAxes are two axes of numbers with as many labels as fit the canvas.
func newAxes(c draw.Canvas, xAxis, yAxis Axis, x, y extent) axes {
	p := plot.New()
	p.BackgroundColor = nil
	xAxis.set(&p.X, x, labelsAcross(c))
	yAxis.set(&p.Y, y, labelsUp(c))
	return axes{Plot: p, x: xAxis.Label, y: yAxis.Label}
}

// inner is the canvas without the labels and names, which is gonum/plot's.
func (a axes) inner(c draw.Canvas) draw.Canvas {
	if a.x != "" {
		c.Min.Y += axisText.lineHeight() + 2
	}
	if a.y != "" {
		c.Min.X += axisText.lineHeight() + 3
	}
	if a.names != nil {
		c.Min.Y += a.names.height()
		c.Min.X += a.names.overhang()
	}
	return c
}

// data is the part of the canvas in which values are shown.
func (a axes) data(c draw.Canvas) draw.Canvas { return a.DataCanvas(a.inner(c)) }

// draw paints the axes and all that was added to them.
func (a axes) draw(c draw.Canvas) {
	a.Plot.Draw(a.inner(c))
	data := a.data(c)
	axisText.write(c, vg.Point{X: data.Center().X, Y: c.Min.Y + 3}, centre, a.x)
	axisText.upwards(c, vg.Point{X: c.Min.X + axisText.ascent(), Y: data.Center().Y}, a.y)
	if a.names != nil {
		a.names.write(data, a.Plot)
	}
}

// upwards sets a line that reads from below, centred on the point.
func (l lettering) upwards(c draw.Canvas, at vg.Point, s string) {
	c.Push()
	c.Translate(at)
	c.Rotate(math.Pi / 2)
	l.write(c, vg.Point{}, centre, s)
	c.Pop()
}

// grid is the lines at the labels of both axes, and a stronger one at 0.
func grid() plot.Plotter {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = pale, pale
	g.Vertical.Width, g.Horizontal.Width = 0.5, 0.5
	return zeroed{g}
}

// levelGrid has only horizontal lines, for an axis of names.
func levelGrid() plot.Plotter {
	g := grid().(zeroed)
	g.Vertical.Width = 0
	return g
}

type zeroed struct{ *plotter.Grid }

// Plot draws the grid.
func (g zeroed) Plot(c draw.Canvas, p *plot.Plot) {
	g.Grid.Plot(c, p)
	if _, log := p.Y.Scale.(plot.LogScale); !log && p.Y.Min < 0 && p.Y.Max > 0 {
		_, toY := p.Transforms(&c)
		c.StrokeLine2(draw.LineStyle{Color: grey, Width: 0.5}, c.Min.X, toY(0), c.Max.X, toY(0))
	}
}
