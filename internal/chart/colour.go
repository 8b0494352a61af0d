package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// palette is Okabe and Ito's, without their yellow, which is too light on white.
var palette = []color.RGBA{
	{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, // blue
	{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, // vermilion
	{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, // green
	{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, // purple
	{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}, // orange
	{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}, // sky
	{R: 0x00, G: 0x00, B: 0x00, A: 0xff}, // black
}

// series is the colour of a line: the colour that it asks for, counted from 1, or that of its place.
func series(asked, place int) color.RGBA {
	if asked > 0 {
		place = asked - 1
	}
	return palette[place%len(palette)]
}

// tint mixes a colour with white, for the inside of boxes.
func tint(c color.RGBA) color.RGBA {
	mix := func(v uint8) uint8 { return uint8((int(v)*2 + 255*3) / 5) }
	return color.RGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: 0xff}
}

// dashes are long enough to be told from a line that is only thin.
var dashes = []vg.Length{5, 3}

// Both scales are ColorBrewer's (RdBu, reversed, and Blues), whose steps are even in lightness.
var (
	diverging = []color.RGBA{
		{0x05, 0x30, 0x61, 0xff}, {0x21, 0x66, 0xac, 0xff}, {0x43, 0x93, 0xc3, 0xff}, {0x92, 0xc5, 0xde, 0xff}, {0xd1, 0xe5, 0xf0, 0xff},
		{0xf7, 0xf7, 0xf7, 0xff},
		{0xfd, 0xdb, 0xc7, 0xff}, {0xf4, 0xa5, 0x82, 0xff}, {0xd6, 0x60, 0x4d, 0xff}, {0xb2, 0x18, 0x2b, 0xff}, {0x67, 0x00, 0x1f, 0xff},
	}
	sequential = []color.RGBA{
		{0xf7, 0xfb, 0xff, 0xff}, {0xde, 0xeb, 0xf7, 0xff}, {0xc6, 0xdb, 0xef, 0xff}, {0x9e, 0xca, 0xe1, 0xff}, {0x6b, 0xae, 0xd6, 0xff},
		{0x42, 0x92, 0xc6, 0xff}, {0x21, 0x71, 0xb5, 0xff}, {0x08, 0x51, 0x9c, 0xff}, {0x08, 0x30, 0x6b, 0xff},
	}
)

// shade is the colour at a place between 0 and 1 of a scale.
func shade(scale []color.RGBA, place float64) color.RGBA {
	at := math.Max(0, math.Min(1, place)) * float64(len(scale)-1)
	i := min(int(at), len(scale)-2)
	part := at - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + part*(float64(b)-float64(a)))) }
	a, b := scale[i], scale[i+1]
	return color.RGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 0xff}
}

// over is the colour of text that stands on another colour.
func over(c color.RGBA) color.Color {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) < 140*1000 {
		return color.White
	}
	return dark
}
