package chart

import (
	"bytes"
	"fmt"
	"html"
	"io"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Size is in points of 1/72 inch. The zero Size is the standard one.
type Size struct{ Width, Height float64 }

// standard suits one figure on a page; a grid of panels wants about as much for each two of them.
var standard = Size{Width: 540, Height: 360}

// The smallest side that leaves room for axes and a title.
const smallestSide = 120

// pngDPI gives a figure of the standard size 1125 x 750 pixels: letters stay crisp on a dense screen.
const pngDPI = 150

// A Drawing is one of this package's kinds: Figure, Boxes, Bars, Heat or Panels.
type Drawing interface {
	// draw paints the drawing on a canvas that is white already.
	draw(c draw.Canvas) error
	// heading names the drawing for readers who cannot see it.
	heading() string
}

// SVG writes the drawing as one svg element, without an XML declaration, so that it may be a file or a part of a page.
func SVG(w io.Writer, size Size, d Drawing) error {
	width, height, err := size.lengths()
	if err != nil {
		return err
	}
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, height))
	if err := paint(canvas, width, height, d); err != nil {
		return err
	}
	var raw bytes.Buffer
	if _, err := canvas.WriteTo(&raw); err != nil {
		return err
	}
	_, err = w.Write(selfContained(raw.Bytes(), d.heading()))
	return err
}

// PNG writes the drawing as an opaque picture of 150 dots to the inch.
func PNG(w io.Writer, size Size, d Drawing) error {
	width, height, err := size.lengths()
	if err != nil {
		return err
	}
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(pngDPI))}
	if err := paint(canvas, width, height, d); err != nil {
		return err
	}
	_, err = canvas.WriteTo(w)
	return err
}

func (s Size) lengths() (width, height vg.Length, err error) {
	if s == (Size{}) {
		s = standard
	}
	if !(s.Width >= smallestSide && s.Height >= smallestSide) {
		return 0, 0, fmt.Errorf("a picture of %g x %g points has no room for its axes: give both sides %d or more", s.Width, s.Height, smallestSide)
	}
	return vg.Length(s.Width), vg.Length(s.Height), nil
}

// paint draws within a margin, on white.
func paint(canvas vg.Canvas, width, height vg.Length, d Drawing) error {
	const margin = 8
	c := draw.NewCanvas(legible{canvas}, width, height)
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())
	return d.draw(draw.Crop(c, margin, -margin, margin, -margin))
}

// selfContained gives the svg element a name for screen readers and its text families that every machine has: Liberation Sans has
// the widths of Arial and Helvetica, so that text takes the room that was measured for it.
func selfContained(svg []byte, title string) []byte {
	svg = svg[bytes.Index(svg, []byte("<svg ")):]
	svg = bytes.ReplaceAll(svg, []byte(`style="font-family:Liberation Sans;`), []byte(`style="font-family:'Liberation Sans',Arial,Helvetica,sans-serif;`))
	end := bytes.IndexByte(svg, '>')
	var out bytes.Buffer
	out.Write(svg[:end])
	fmt.Fprintf(&out, ` role="img"><title>%s</title>`, html.EscapeString(printable(title)))
	out.Write(svg[end+1:])
	return out.Bytes()
}

// legible is a canvas whose text holds only what XML may hold, wherever the text came from: labels can be values of a table.
type legible struct{ vg.Canvas }

func (l legible) FillString(f font.Face, at vg.Point, text string) {
	l.Canvas.FillString(f, at, printable(text))
}
