package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Position says where a legend stands. It never stands on the data.
type Position string

const (
	Above  Position = ""       // rows between the title and the data; the default
	Beside Position = "beside" // a column to the right of the data, for many or long names
)

// An entry of a legend is a name and a sample of how it is drawn.
type entry struct {
	name   string
	sample func(c draw.Canvas)
}

// A frame is what stands around the data.
type frame struct {
	title, subtitle, notes string
	legend                 []entry
	position               Position
}

const (
	sampleWidth  vg.Length = 20
	sampleGap    vg.Length = 4
	entryGap     vg.Length = 14
	besideAtMost vg.Length = 150
)

// around paints the frame and returns the room that is left for axes and data.
func (f frame) around(c draw.Canvas) draw.Canvas {
	c.Max.Y -= titleText.paragraph(c, f.title)
	if f.subtitle != "" {
		c.Max.Y -= smallText.paragraph(c, f.subtitle)
	}
	c.Max.Y -= 4
	if f.notes != "" {
		height := vg.Length(len(noteText.wrap(f.notes, c.Max.X-c.Min.X))) * noteText.lineHeight()
		foot := c
		foot.Max.Y = c.Min.Y + height
		noteText.paragraph(foot, f.notes)
		c.Min.Y += height + 4
	}
	if f.position == Beside {
		return f.legendBeside(c)
	}
	return f.legendAbove(c)
}

// legendAbove sets the entries in rows, as text.
func (f frame) legendAbove(c draw.Canvas) draw.Canvas {
	if len(f.legend) == 0 {
		return c
	}
	at := vg.Point{X: c.Min.X, Y: c.Max.Y - legendText.lineHeight()}
	for _, e := range f.legend {
		width := sampleWidth + sampleGap + legendText.width(e.name)
		if at.X > c.Min.X && at.X+width > c.Max.X {
			at = vg.Point{X: c.Min.X, Y: at.Y - legendText.lineHeight() - 1}
		}
		e.write(c, at)
		at.X += width + entryGap
	}
	c.Max.Y = at.Y - 4
	return c
}

// legendBeside sets the entries in a column, long names in several lines.
func (f frame) legendBeside(c draw.Canvas) draw.Canvas {
	var width vg.Length
	for _, e := range f.legend {
		for _, line := range legendText.wrap(e.name, besideAtMost) {
			width = max(width, legendText.width(line))
		}
	}
	if width == 0 {
		return c
	}
	at := vg.Point{X: c.Max.X - width - sampleWidth - sampleGap, Y: c.Max.Y}
	for _, e := range f.legend {
		at.Y -= legendText.lineHeight()
		lines := legendText.wrap(e.name, besideAtMost)
		entry{lines[0], e.sample}.write(c, at)
		for _, line := range lines[1:] {
			at.Y -= legendText.lineHeight()
			entry{line, nil}.write(c, at)
		}
		at.Y -= 3
	}
	c.Max.X = at.X - entryGap
	return c
}

// write sets one entry, with the lower left corner of its line at the point.
func (e entry) write(c draw.Canvas, at vg.Point) {
	if e.sample != nil {
		e.sample(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: at.X, Y: at.Y},
			Max: vg.Point{X: at.X + sampleWidth, Y: at.Y + legendText.lineHeight() - 2},
		}})
	}
	legendText.write(c, vg.Point{X: at.X + sampleWidth + sampleGap, Y: at.Y + 2.5}, left, e.name)
}
