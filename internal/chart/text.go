package chart

import (
	"image/color"
	"strings"
	"unicode"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	dark  = color.RGBA{R: 0x22, G: 0x22, B: 0x22, A: 0xff}
	grey  = color.RGBA{R: 0x5f, G: 0x5f, B: 0x5f, A: 0xff}
	pale  = color.RGBA{R: 0xe4, G: 0xe4, B: 0xe4, A: 0xff}
	white = color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
)

// lettering is one way in which text is set.
type lettering struct {
	size   vg.Length
	bold   bool
	colour color.Color
}

var (
	titleText  = lettering{size: 12, bold: true, colour: dark}
	panelText  = lettering{size: 14, bold: true, colour: dark}
	smallText  = lettering{size: 9.5, colour: grey}
	legendText = lettering{size: 9.5, colour: dark}
	axisText   = lettering{size: 10, colour: dark}
	tickText   = lettering{size: 9, colour: dark}
	noteText   = lettering{size: 8.5, colour: grey}
)

func (l lettering) font() font.Font {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: l.size}
	if l.bold {
		f.Weight = xfont.WeightBold
	}
	return f
}

func (l lettering) face() font.Face { return font.DefaultCache.Lookup(l.font(), l.size) }

func (l lettering) width(s string) vg.Length {
	face := l.face()
	return face.Width(printable(s))
}

func (l lettering) ascent() vg.Length {
	face := l.face()
	return face.Extents().Ascent
}

// lineHeight is the distance from one line to the next.
func (l lettering) lineHeight() vg.Length { return l.size * 1.25 }

// style is the lettering as gonum/plot's axes take it.
func (l lettering) style() text.Style {
	return text.Style{Color: l.colour, Font: l.font(), Handler: text.Plain{Fonts: font.DefaultCache}}
}

// An anchor is the part of a text that stands at the point given: 0 its beginning, 1/2 its middle, 1 its end.
type anchor float64

const (
	left   anchor = 0
	centre anchor = 0.5
	right  anchor = 1
)

// write sets one line with its baseline at the point.
func (l lettering) write(c draw.Canvas, at vg.Point, a anchor, s string) {
	at.X -= vg.Length(a) * l.width(s)
	c.SetColor(l.colour)
	c.FillString(l.face(), at, s)
}

// paragraph sets text from the top left corner of the canvas downwards and returns its height.
func (l lettering) paragraph(c draw.Canvas, s string) vg.Length {
	lines := l.wrap(s, c.Max.X-c.Min.X)
	for i, line := range lines {
		l.write(c, vg.Point{X: c.Min.X, Y: c.Max.Y - l.ascent() - vg.Length(i)*l.lineHeight()}, left, line)
	}
	return vg.Length(len(lines)) * l.lineHeight()
}

// wrap breaks text at blanks into lines no wider than the width, except where one word is wider.
func (l lettering) wrap(s string, width vg.Length) []string {
	var lines []string
	for _, part := range strings.Split(s, "\n") {
		line := ""
		for _, word := range strings.Fields(part) {
			longer := strings.TrimSpace(line + " " + word)
			if line != "" && l.width(longer) > width {
				lines = append(lines, line)
				longer = word
			}
			line = longer
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// printable replaces what neither a reader nor XML can take: control characters and broken UTF-8.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\uFFFE' || r == '\uFFFF' || unicode.IsControl(r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
