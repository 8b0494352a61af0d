package chart

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// names are written along a horizontal axis at 0, 1, ...: level where they fit between their neighbours, in several lines if need
// be, and otherwise slanted. Numbers are not slanted; where they would crowd, every second, fifth, tenth, ... is written.
type names struct {
	lines   [][]string // of each name; empty where it is not written
	slanted bool
	slot    vg.Length
}

const (
	slant                  = math.Pi / 5
	mostLines              = 3
	slantAtMost  vg.Length = 130 // the length of a slanted name; a longer one is cut
	nameDistance vg.Length = 4
)

// across makes the horizontal axis one of names, for data about so wide.
func (a axes) across(list []string, width vg.Length) axes {
	Axis{}.set(&a.X, extent{-0.5, float64(len(list)) - 0.5}, 1)
	a.names = newNames(list, width/vg.Length(max(len(list), 1)))
	ticks := make([]plot.Tick, len(list))
	for i := range list {
		ticks[i].Value = float64(i)
	}
	a.X.Tick.Marker = plot.ConstantTicks(ticks)
	return a
}

func newNames(list []string, slot vg.Length) *names {
	n := &names{slot: slot}
	every := 1
	if allNumbers(list) {
		every = thinned(widest(list)+2*nameDistance, slot)
	}
	room := slot*vg.Length(every) - nameDistance
	for i, name := range list {
		lines := tickText.wrap(printable(name), room)
		if i%every != 0 {
			lines = nil
		}
		n.slanted = n.slanted || len(lines) > mostLines || widest(lines) > room
		n.lines = append(n.lines, lines)
	}
	if n.slanted {
		every = thinned(tickText.lineHeight()/vg.Length(math.Sin(slant)), slot)
		for i, name := range list {
			n.lines[i] = []string{tickText.cut(printable(name), slantAtMost)}
			if i%every != 0 {
				n.lines[i] = nil
			}
		}
	}
	return n
}

func allNumbers(list []string) bool {
	for _, s := range list {
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return false
		}
	}
	return true
}

func widest(lines []string) vg.Length {
	var width vg.Length
	for _, line := range lines {
		width = max(width, tickText.width(line))
	}
	return width
}

// thinned is how many names, a slot apart, share the room of one that is written: 1, 2, 5, 10, ...
func thinned(size, slot vg.Length) int {
	for every := 1; ; every *= 10 {
		for _, m := range []int{1, 2, 5} {
			if vg.Length(m*every)*slot >= size {
				return m * every
			}
		}
	}
}

// height is the room that the names take below the axis.
func (n *names) height() vg.Length {
	var height vg.Length
	for _, lines := range n.lines {
		if n.slanted {
			height = max(height, widest(lines)*vg.Length(math.Sin(slant))+tickText.lineHeight())
		} else {
			height = max(height, vg.Length(len(lines))*tickText.lineHeight())
		}
	}
	return height + 2
}

// overhang is the room that slanted names take to the left of the axis.
func (n *names) overhang() vg.Length {
	var overhang vg.Length
	for i, lines := range n.lines {
		if n.slanted {
			overhang = max(overhang, widest(lines)*vg.Length(math.Cos(slant))-n.slot*(vg.Length(i)+0.5)-20)
		}
	}
	return overhang
}

// write sets the names below the data.
func (n *names) write(data draw.Canvas, p *plot.Plot) {
	toX, _ := p.Transforms(&data)
	top := data.Min.Y - p.X.Tick.Length - 1 - tickText.ascent()
	for i, lines := range n.lines {
		x := toX(float64(i))
		if n.slanted {
			for _, line := range lines {
				tickText.slanted(data, vg.Point{X: x + 3, Y: top + 2}, line)
			}
			continue
		}
		for j, line := range lines {
			tickText.write(data, vg.Point{X: x, Y: top - vg.Length(j)*tickText.lineHeight()}, centre, line)
		}
	}
}

// slanted sets a line that rises to the point.
func (l lettering) slanted(c draw.Canvas, at vg.Point, s string) {
	c.Push()
	c.Translate(at)
	c.Rotate(slant)
	l.write(c, vg.Point{}, right, s)
	c.Pop()
}

// cut shortens a line to a width, with three dots.
func (l lettering) cut(s string, width vg.Length) string {
	if l.width(s) <= width {
		return s
	}
	letters := []rune(s)
	for len(letters) > 1 && l.width(string(letters)+"...") > width {
		letters = letters[:len(letters)-1]
	}
	return string(letters) + "..."
}

// nominalUp makes a vertical axis of names, the first at the bottom.
func (a axes) up(list []string, height vg.Length) axes {
	Axis{}.set(&a.Y, extent{-0.5, float64(len(list)) - 0.5}, 1)
	every := thinned(tickText.lineHeight(), height/vg.Length(max(len(list), 1)))
	var ticks []plot.Tick
	for i, name := range list {
		if i%every == 0 && name != "" {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: tickText.cut(printable(name), slantAtMost)})
		}
	}
	a.Y.Tick.Marker = plot.ConstantTicks(ticks)
	return a
}
