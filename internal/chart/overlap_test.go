package chart

import (
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// A textRecorder remembers where text was set, and forgets what is drawn.
type textRecorder struct {
	recorder.Canvas
	size  vg.Point
	at    transform
	stack []transform
	texts []placedText
}

// A transform turns and then moves.
type transform struct {
	x, y  vg.Length
	angle float64
}

type placedText struct {
	text string
	box  vg.Rectangle
}

func (r *textRecorder) Size() (x, y vg.Length)             { return r.size.X, r.size.Y }
func (r *textRecorder) Push()                              { r.stack = append(r.stack, r.at) }
func (r *textRecorder) Pop()                               { r.at, r.stack = r.stack[len(r.stack)-1], r.stack[:len(r.stack)-1] }
func (r *textRecorder) Rotate(angle float64)               { r.at.angle += angle }
func (r *textRecorder) Translate(p vg.Point)               { r.at.x, r.at.y = r.apply(p).X, r.apply(p).Y }
func (r *textRecorder) SetColor(color.Color)               {}
func (r *textRecorder) Stroke(vg.Path)                     {}
func (r *textRecorder) Fill(vg.Path)                       {}
func (r *textRecorder) SetLineWidth(vg.Length)             {}
func (r *textRecorder) SetLineDash([]vg.Length, vg.Length) {}

func (r *textRecorder) apply(p vg.Point) vg.Point {
	sin, cos := math.Sincos(r.at.angle)
	return vg.Point{X: r.at.x + p.X*vg.Length(cos) - p.Y*vg.Length(sin), Y: r.at.y + p.X*vg.Length(sin) + p.Y*vg.Length(cos)}
}

// FillString records the box around the letters, whose height is that of capitals. Of slanted text it takes the end, since boxes around
// neighbours would touch although the text does not.
func (r *textRecorder) FillString(f font.Face, at vg.Point, text string) {
	start, end := r.apply(at), r.apply(at.Add(vg.Point{X: f.Width(text), Y: f.Font.Size * 0.7}))
	if slanted := r.at.angle != 0 && math.Abs(math.Mod(r.at.angle, math.Pi/2)) > 1e-9; slanted {
		start = r.apply(at.Add(vg.Point{X: f.Width(text) * 0.9}))
	}
	r.texts = append(r.texts, placedText{text, vg.Rectangle{
		Min: vg.Point{X: min(start.X, end.X), Y: min(start.Y, end.Y)},
		Max: vg.Point{X: max(start.X, end.X), Y: max(start.Y, end.Y)},
	}})
}

// No text stands on other text, nor outside of the picture, in any drawing of the gallery.
func TestNoTextOverlaps(t *testing.T) {
	for name, d := range gallery() {
		width, height, err := size(name).lengths()
		if err != nil {
			t.Fatal(err)
		}
		r := &textRecorder{size: vg.Point{X: width, Y: height}}
		if err := paint(r, width, height, d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(r.texts) < 8 {
			t.Errorf("%s: only %d texts were seen", name, len(r.texts))
		}
		page := draw.NewCanvas(r, width, height)
		for i, one := range r.texts {
			if !page.Contains(one.box.Min) || !page.Contains(one.box.Max) {
				t.Errorf("%s: %q is outside of the picture: %v", name, one.text, one.box)
			}
			for _, other := range r.texts[i+1:] {
				if overlap(one.box, other.box) {
					t.Errorf("%s: %q and %q overlap: %v, %v", name, one.text, other.text, one.box, other.box)
				}
			}
		}
	}
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}
