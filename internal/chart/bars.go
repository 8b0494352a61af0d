package chart

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars compares series of numbers by name: one group of bars for each name, with a bar for each series.
type Bars struct {
	Title, Subtitle string // Title: required.
	X               Axis   // its label; the rest is not used
	Y               Axis
	Names           []string // Required.
	Series          []Line   // of each its Name, Y (one value for each of the names; NaN: no bar), Error and Colour
	Points          bool     // points instead of bars, as on a logarithmic axis, from whose end a length would mean nothing
	Levels          []Level
	Notes           string
}

func (b Bars) heading() string { return b.Title }

func (b Bars) draw(c draw.Canvas) error {
	y, err := b.limits()
	if err != nil {
		return err
	}
	var entries []entry
	for i, s := range b.Series {
		sample := patch(series(s.Colour, i))
		if b.Points {
			sample = b.point(i).sample
		}
		entries = append(entries, entry{s.Name, sample})
	}
	c = frame{b.Title, b.Subtitle, b.Notes, entries, Above}.around(c)
	build := func(c draw.Canvas) axes {
		return newAxes(c, b.X, b.Y, extent{0, 1}, y).across(b.Names, c.Max.X-c.Min.X-40)
	}
	notes := annotations{levels: b.Levels}
	c = notes.reserve(c, build)
	a := build(c)
	a.Add(levelGrid(), bars{b}, notes)
	a.draw(c)
	notes.label(a, c)
	return nil
}

func (b Bars) limits() (extent, error) {
	if b.Title == "" || b.Y.Label == "" {
		return extent{}, fmt.Errorf("bars %q: %w, and the vertical axis a label with its unit", b.Title, errUntitled)
	}
	y := nothing()
	if !b.Y.Log && !b.Points {
		y.add(0) // a bar's length is its value only from 0
	}
	for _, s := range b.Series {
		if len(s.Y) != len(b.Names) || s.Error != nil && len(s.Error) != len(s.Y) {
			return y, fmt.Errorf("bars %q: series %q has %d values and %d errors for %d names", b.Title, s.Name, len(s.Y), len(s.Error), len(b.Names))
		}
		y.add(s.reach(b.Y)...)
	}
	for _, l := range b.Levels {
		y.add(l.Y)
	}
	y, err := b.Y.limits(y)
	if err != nil {
		return y, fmt.Errorf("bars %q: %w", b.Title, err)
	}
	return y, Figure{Title: b.Title, Levels: b.Levels}.inside(extent{}, y)
}

// bars draws the bars of a picture.
type bars struct{ Bars }

// groupWidth is the part of a name's room that its bars or boxes take.
const groupWidth = 0.8

// point draws a series as points.
func (b Bars) point(i int) curve {
	return curve{Line{Points: true}, series(b.Series[i].Colour, i), shapes[i%len(shapes)]}
}

// Plot draws each series beside the one before it.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	wide := groupWidth / float64(len(b.Series))
	foot := toY(math.Max(0, p.Y.Min))
	for i, s := range b.Series {
		errors := curve{Line: Line{Y: s.Y, Error: s.Error}, colour: dark}
		for j, y := range s.Y {
			start := float64(j) - groupWidth/2 + float64(i)*wide
			errors.X = append(errors.X, start+wide/2)
			if math.IsNaN(y) {
				continue
			}
			top := toY(math.Max(p.Y.Min, math.Min(p.Y.Max, y)))
			if b.Points {
				c.DrawGlyph(b.point(i).glyphStyle(), vg.Point{X: toX(start + wide/2), Y: top})
				continue
			}
			bar := vg.Rectangle{Min: vg.Point{X: toX(start + 0.04*wide), Y: foot}, Max: vg.Point{X: toX(start + 0.96*wide), Y: top}}
			c.SetColor(series(s.Colour, i))
			c.Fill(bar.Path())
		}
		errors.plotErrors(c, p)
	}
}

// patch is the sample of something that is filled.
func patch(colour color.Color) func(draw.Canvas) {
	return func(c draw.Canvas) {
		c.SetColor(colour)
		c.Fill(vg.Rectangle{Min: vg.Point{X: c.Min.X + 4, Y: c.Min.Y + 1}, Max: vg.Point{X: c.Max.X - 4, Y: c.Max.Y - 1}}.Path())
	}
}
