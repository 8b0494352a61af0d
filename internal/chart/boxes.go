package chart

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Boxes shows distributions as box plots (median, quartiles, whiskers to the last value within 1.5 of their distance, the values
// beyond as points), in groups along the horizontal axis.
type Boxes struct {
	Title, Subtitle string // Title: required.
	X               Axis   // its label; the rest is not used
	Y               Axis
	Groups          []BoxGroup // Required.
	Levels          []Level
}

// A BoxGroup is the boxes over one name. Series of the same name have the same colour in every group.
type BoxGroup struct {
	Name   string
	Series []BoxSeries
}

// A BoxSeries is the values of one box.
type BoxSeries struct {
	Name   string
	Values []float64 // Required; no NaN.
}

func (b Boxes) heading() string { return b.Title }

func (b Boxes) draw(c draw.Canvas) error {
	y, err := b.limits()
	if err != nil {
		return err
	}
	places := b.series()
	c = frame{title: b.Title, subtitle: b.Subtitle, legend: b.entries(places)}.around(c)
	build := func(c draw.Canvas) axes {
		return newAxes(c, b.X, b.Y, extent{0, 1}, y).across(b.groupNames(), c.Max.X-c.Min.X-40)
	}
	notes := annotations{levels: b.Levels}
	c = notes.reserve(c, build)
	a := build(c)
	a.Add(levelGrid(), notes)
	data := a.data(c)
	slot := (data.Max.X - data.Min.X) / vg.Length(len(b.Groups))
	for i, group := range b.Groups {
		for _, s := range group.Series {
			box, err := s.box(slot*groupWidth/vg.Length(len(places)), float64(i))
			if err != nil {
				return fmt.Errorf("boxes %q, group %q: %w", b.Title, group.Name, err)
			}
			box.Offset = slot * groupWidth * vg.Length((float64(places[s.Name])+0.5)/float64(len(places))-0.5)
			dress(box, palette[places[s.Name]%len(palette)])
			a.Add(clippedBox{box})
		}
	}
	a.draw(c)
	notes.label(a, c)
	return nil
}

// series numbers the names of the series in the order in which they first occur.
func (b Boxes) series() map[string]int {
	places := map[string]int{}
	for _, group := range b.Groups {
		for _, s := range group.Series {
			if _, seen := places[s.Name]; !seen {
				places[s.Name] = len(places)
			}
		}
	}
	return places
}

func (b Boxes) entries(places map[string]int) []entry {
	if len(places) < 2 {
		return nil
	}
	entries := make([]entry, len(places))
	for name, i := range places {
		entries[i] = entry{name, func(c draw.Canvas) {
			patch(palette[i%len(palette)])(c)
			c.Min.X, c.Max.X, c.Min.Y, c.Max.Y = c.Min.X+1, c.Max.X-1, c.Min.Y+1, c.Max.Y-1
			patch(tint(palette[i%len(palette)]))(c)
		}}
	}
	return entries
}

func (b Boxes) groupNames() []string {
	names := make([]string, len(b.Groups))
	for i, group := range b.Groups {
		names[i] = group.Name
	}
	return names
}

func (b Boxes) limits() (extent, error) {
	if b.Title == "" || b.Y.Label == "" {
		return extent{}, fmt.Errorf("boxes %q: %w, and the vertical axis a label with its unit", b.Title, errUntitled)
	}
	y := nothing()
	for _, group := range b.Groups {
		for _, s := range group.Series {
			y.add(s.Values...)
		}
	}
	for _, l := range b.Levels {
		y.add(l.Y)
	}
	y, err := b.Y.limits(y)
	if err != nil {
		return y, fmt.Errorf("boxes %q: %w", b.Title, err)
	}
	return y, Figure{Title: b.Title, Levels: b.Levels}.inside(extent{}, y)
}

func (s BoxSeries) box(width vg.Length, at float64) (*plotter.BoxPlot, error) {
	if len(s.Values) == 0 {
		return nil, fmt.Errorf("series %q has no values", s.Name)
	}
	for i, v := range s.Values {
		if math.IsNaN(v) {
			return nil, fmt.Errorf("series %q: value %d is not a number", s.Name, i+1)
		}
	}
	return plotter.NewBoxPlot(width*0.82, at, plotter.Values(s.Values))
}

func dress(box *plotter.BoxPlot, colour color.RGBA) {
	box.FillColor = tint(colour)
	box.BoxStyle = draw.LineStyle{Color: colour, Width: 1}
	box.MedianStyle = draw.LineStyle{Color: colour, Width: 2}
	box.WhiskerStyle = draw.LineStyle{Color: colour, Width: 1}
	box.CapWidth = box.Width / 2
	box.GlyphStyle = draw.GlyphStyle{Color: colour, Radius: 1.4, Shape: draw.CircleGlyph{}}
}

// clippedBox is a box that claims no room of its own: the axis leaves enough around each name.
type clippedBox struct{ box *plotter.BoxPlot }

// Plot draws the box.
func (b clippedBox) Plot(c draw.Canvas, p *plot.Plot) { b.box.Plot(c, p) }
