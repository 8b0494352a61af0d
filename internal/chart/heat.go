package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Heat shows a table of numbers as colours, with a labelled bar of colours to its right.
type Heat struct {
	Title, Subtitle string // Title: required.
	X, Y            Axis   // their labels; the rest is not used
	Columns, Rows   []string
	Values          [][]float64 // Values[row][column], the first row at the bottom; NaN is shown as empty, in grey
	Diverging       bool        // whether values are differences: white is 0, and both sides of the scale are equally long
	Turned          bool        // whether the colours of a diverging scale change sides: blue is above 0 then, red below
	Limit           float64     // where the colours end; 0: at the largest value. A value beyond has the last colour.
	Percent         bool        // whether fractions are written as percentages
	Unit            string      // Required: what the colours measure
	Lines           []Line      // over the cells; X counts columns and Y counts rows from 0
}

const (
	barWidth  vg.Length = 12
	barBeside vg.Length = 66 // the room of the bar with its numbers and unit
)

func (h Heat) heading() string { return h.Title }

func (h Heat) draw(c draw.Canvas) error {
	scale, err := h.scale()
	if err != nil {
		return err
	}
	lines := h.lines()
	c = frame{title: h.Title, subtitle: h.Subtitle, legend: Figure{Lines: lines}.entries()}.around(c)
	side := c
	c.Max.X -= barBeside
	a := newAxes(c, h.X, h.Y, extent{0, 1}, extent{0, 1}).across(h.Columns, c.Max.X-c.Min.X-60).up(h.Rows, c.Max.Y-c.Min.Y-40)
	a.Add(cells{h, scale})
	for i, line := range lines {
		a.Add(haloed{newCurve(line, i)})
	}
	a.draw(c)
	data := a.data(c)
	side.Min, side.Max.Y = vg.Point{X: data.Max.X + 12, Y: data.Min.Y}, data.Max.Y
	h.drawBar(side, scale)
	return nil
}

// lines are the lines over the cells, in colours that neither scale has.
func (h Heat) lines() []Line {
	lines := slices.Clone(h.Lines)
	for i := range lines {
		if lines[i].Colour == 0 {
			lines[i].Colour = []int{7, 3, 5}[i%3] // black, green, orange
		}
	}
	return lines
}

// A haloed curve has a white edge, to be seen on any colour.
type haloed struct{ curve }

// Plot draws the curve over its edge.
func (h haloed) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	if !h.Points || h.Joined {
		for _, run := range h.runs(toX, toY) {
			c.StrokeLines(draw.LineStyle{Color: white, Width: 3.6}, c.ClipLinesXY(run)...)
		}
	}
	h.curve.Plot(c, p)
}

// A heatScale gives the colours of values between its ends.
type heatScale struct {
	extent
	colours []color.RGBA
	gaps    bool // whether there are cells without a value
}

func (s heatScale) colour(v float64) color.RGBA {
	if math.IsNaN(v) {
		return color.RGBA{R: 0xbd, G: 0xbd, B: 0xbd, A: 0xff}
	}
	return shade(s.colours, (v-s.low)/(s.high-s.low))
}

// scale checks the table and gives its colours.
func (h Heat) scale() (heatScale, error) {
	if h.Title == "" || h.X.Label == "" || h.Y.Label == "" || h.Unit == "" {
		return heatScale{}, fmt.Errorf("heat map %q: %w, both axes a label, and the colours a unit", h.Title, errUntitled)
	}
	if len(h.Values) != len(h.Rows) || len(h.Rows) == 0 {
		return heatScale{}, fmt.Errorf("heat map %q has %d rows of values for %d names", h.Title, len(h.Values), len(h.Rows))
	}
	s := heatScale{extent: nothing(), colours: sequential}
	for i, row := range h.Values {
		if len(row) != len(h.Columns) || len(row) == 0 {
			return s, fmt.Errorf("heat map %q: row %q has %d values for %d columns", h.Title, h.Rows[i], len(row), len(h.Columns))
		}
		s.add(row...)
		for _, v := range row {
			s.gaps = s.gaps || math.IsNaN(v)
		}
	}
	if s.low > s.high || math.IsInf(s.low, 0) || math.IsInf(s.high, 0) {
		return s, fmt.Errorf("heat map %q has no finite values to show", h.Title)
	}
	for i, line := range h.Lines {
		if err := line.check(Axis{}); err != nil {
			return s, fmt.Errorf("heat map %q, line %d: %w", h.Title, i+1, err)
		}
	}
	return h.ends(s), nil
}

// ends sets where the colours begin and end.
func (h Heat) ends(s heatScale) heatScale {
	largest := math.Max(math.Abs(s.low), math.Abs(s.high))
	if h.Limit > 0 {
		largest = h.Limit
	}
	if largest == 0 {
		largest = 1
	}
	if h.Limit == 0 {
		step := niceStep(extent{0, largest}, 5)
		largest = step * math.Ceil(largest/step-1e-9)
	}
	s.high = largest
	if h.Diverging {
		s.low, s.colours = -largest, diverging
		if h.Turned {
			s.colours = slices.Clone(diverging)
			slices.Reverse(s.colours)
		}
	} else if s.low >= 0 {
		s.low = 0
	}
	return s
}

// cells draws the table of a heat map.
type cells struct {
	Heat
	scale heatScale
}

// Plot fills the cells, and writes their values where they have room.
func (h cells) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	room := toX(1) - toX(0) - 4
	written := toY(1)-toY(0) >= tickText.lineHeight() && len(h.Lines) == 0
	texts := make([][]string, len(h.Values))
	for i, row := range h.Values {
		for _, v := range row {
			text := h.value(v)
			written = written && tickText.width(text) <= room
			texts[i] = append(texts[i], text)
		}
	}
	for i, row := range h.Values {
		for j, v := range row {
			x, y := float64(j), float64(i)
			// The next cells are drawn over this one's edges, so that no seam shows between them.
			r := vg.Rectangle{Min: vg.Point{X: toX(x - 0.5), Y: toY(y - 0.5)}, Max: vg.Point{X: min(c.Max.X, toX(x+0.5)+1), Y: min(c.Max.Y, toY(y+0.5)+1)}}
			fill := h.scale.colour(v)
			c.SetColor(fill)
			c.Fill(r.Path())
			if written {
				ink := tickText
				ink.colour = over(fill)
				ink.write(c, vg.Point{X: toX(x), Y: toY(y) - 3}, centre, texts[i][j])
			}
		}
	}
}

// value writes the value of a cell in three digits.
func (h Heat) value(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	shown := math.Abs(v)
	if h.Percent {
		shown *= 100
	}
	step := 1.0
	if shown > 0 {
		step = math.Pow(10, math.Min(0, math.Floor(math.Log10(shown))-2))
	}
	if h.Percent {
		step = math.Max(step, 0.1) / 100
	}
	return Axis{Percent: h.Percent}.number(v, step)
}

// drawBar draws the scale of colours in a canvas as high as the cells.
func (h Heat) drawBar(c draw.Canvas, scale heatScale) {
	if scale.gaps {
		c.SetColor(scale.colour(math.NaN()))
		c.Fill(vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Min.X + barWidth, Y: c.Min.Y + 10}}.Path())
		tickText.write(c, vg.Point{X: c.Min.X + barWidth + 6, Y: c.Min.Y + 2}, left, "none")
		c.Min.Y += 18
	}
	const steps = 128
	for i := range steps {
		c.SetColor(shade(scale.colours, (float64(i)+0.5)/steps))
		// Each step reaches to the top, and the next is drawn over it: no seams.
		c.Fill(vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: c.Y(float64(i) / steps)}, Max: vg.Point{X: c.Min.X + barWidth, Y: c.Max.Y}}.Path())
	}
	axis := Axis{Percent: h.Percent}
	for _, t := range axis.linearTicks(scale.extent, labelsUp(c)) {
		y := c.Y((t.Value - scale.low) / (scale.high - scale.low))
		c.StrokeLine2(draw.LineStyle{Color: grey, Width: 0.7}, c.Min.X+barWidth, y, c.Min.X+barWidth+3, y)
		tickText.write(c, vg.Point{X: c.Min.X + barWidth + 6, Y: y - 3}, left, t.Label)
	}
	axisText.upwards(c, vg.Point{X: c.Max.X - 3, Y: c.Center().Y}, h.Unit)
}
