package chart

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// annotations are labelled lines across the data. Their labels stand in margins: those of marks above the data, those of levels to
// the right of it.
type annotations struct {
	marks  []Mark
	levels []Level
}

const (
	labelGap    vg.Length = 4
	levelAtMost vg.Length = 84
)

var (
	markStyle  = draw.LineStyle{Color: dark, Width: 1, Dashes: []vg.Length{2, 2}}
	levelStyle = draw.LineStyle{Color: grey, Width: 0.9, Dashes: []vg.Length{6, 2, 1, 2}}
)

// Plot draws the lines, under the curves.
func (a annotations) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for _, l := range a.levels {
		c.StrokeLine2(levelStyle, c.Min.X, toY(l.Y), c.Max.X, toY(l.Y))
	}
	for _, m := range a.marks {
		c.StrokeLine2(markStyle, toX(m.X), c.Min.Y, toX(m.X), c.Max.Y)
	}
}

// reserve takes the room of the labels from the canvas.
func (a annotations) reserve(c draw.Canvas, build func(draw.Canvas) axes) draw.Canvas {
	var width vg.Length
	for _, l := range a.levels {
		for _, line := range smallText.wrap(l.Text, levelAtMost) {
			width = max(width, smallText.width(line)+2*labelGap)
		}
	}
	c.Max.X -= width
	around := build(c)
	rows := 0
	for _, place := range a.places(around.data(c), around.Plot) {
		rows = max(rows, place.row+1)
	}
	if rows > 0 {
		c.Max.Y -= vg.Length(rows)*smallText.lineHeight() + labelGap
	}
	return c
}

// A place is where the label of a mark stands.
type place struct {
	Mark
	x, start, end vg.Length
	row           int
}

// places sets the labels centred over their marks, each in the lowest row in which it touches no other.
func (a annotations) places(data draw.Canvas, p *plot.Plot) []place {
	toX, _ := p.Transforms(&data)
	marks := slices.SortedStableFunc(slices.Values(a.marks), func(m, n Mark) int { return cmp.Compare(m.X, n.X) })
	var rows []vg.Length
	places := make([]place, 0, len(marks))
	for _, m := range marks {
		width := smallText.width(m.Text)
		x := toX(m.X)
		start := max(data.Min.X, min(x-width/2, data.Max.X-width))
		row := 0
		for row < len(rows) && rows[row] > start-2*labelGap {
			row++
		}
		if row == len(rows) {
			rows = append(rows, 0)
		}
		rows[row] = start + width
		places = append(places, place{m, x, start, start + width, row})
	}
	return places
}

// label writes the labels beside the data.
func (a annotations) label(around axes, c draw.Canvas) {
	data := around.data(c)
	places := a.places(data, around.Plot)
	foot := func(row int) vg.Length { return data.Max.Y + labelGap + vg.Length(row)*smallText.lineHeight() }
	for _, m := range places {
		data.StrokeLine2(markStyle, m.x, data.Max.Y, m.x, foot(m.row))
	}
	for _, m := range places {
		at := vg.Point{X: m.start, Y: foot(m.row) + 2.5}
		clear(data, vg.Rectangle{Min: vg.Point{X: m.start - 1, Y: at.Y - 2}, Max: vg.Point{X: m.end + 1, Y: at.Y + smallText.ascent() - 1}})
		dressed(smallText).write(data, at, left, m.Text)
	}
	a.labelLevels(data, around.Plot)
}

// dressed is lettering in the colour of what must be seen first.
func dressed(l lettering) lettering {
	l.colour = dark
	return l
}

// A levelLabel is the text of a level, from its bottom up.
type levelLabel struct {
	Level
	lines          []string
	bottom, height vg.Length
}

// labelLevels writes each level's label at its height, or as near to it as there is room.
func (a annotations) labelLevels(data draw.Canvas, p *plot.Plot) {
	_, toY := p.Transforms(&data)
	x := data.Max.X + 2*labelGap
	for _, l := range a.levelLabels(data, toY) {
		data.StrokeLine2(draw.LineStyle{Color: grey, Width: 0.5}, data.Max.X, toY(l.Y), x-2, l.bottom+l.height/2)
		for i, line := range l.lines {
			smallText.write(data, vg.Point{X: x, Y: l.bottom + l.height - vg.Length(i+1)*smallText.lineHeight() + 3}, left, line)
		}
	}
}

// levelLabels places the labels from below, each above the one before it, and then pushes down those that are too high.
func (a annotations) levelLabels(data draw.Canvas, toY func(float64) vg.Length) []levelLabel {
	levels := slices.SortedStableFunc(slices.Values(a.levels), func(l, m Level) int { return cmp.Compare(l.Y, m.Y) })
	labels := make([]levelLabel, len(levels))
	floor := data.Min.Y - smallText.lineHeight()
	for i, l := range levels {
		lines := smallText.wrap(l.Text, levelAtMost)
		height := vg.Length(len(lines)) * smallText.lineHeight()
		labels[i] = levelLabel{l, lines, max(floor, toY(l.Y)-height/2), height}
		floor = labels[i].bottom + height
	}
	ceiling := data.Max.Y + smallText.lineHeight()/2
	for i := len(labels) - 1; i >= 0; i-- {
		labels[i].bottom = min(labels[i].bottom, ceiling-labels[i].height)
		ceiling = labels[i].bottom
	}
	return labels
}

func clear(c draw.Canvas, r vg.Rectangle) {
	c.SetColor(white)
	c.Fill(r.Path())
}
