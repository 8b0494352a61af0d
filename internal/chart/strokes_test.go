package chart

import (
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A strokeRecorder remembers what is drawn, in the picture's own coordinates.
type strokeRecorder struct {
	textRecorder
	colour         color.Color
	colours        []color.Color
	strokes, fills []drawn
}

// A drawn path has its points and its colour.
type drawn struct {
	colour color.Color
	points []vg.Point
}

func (d drawn) box() (r vg.Rectangle) {
	r = vg.Rectangle{Min: d.points[0], Max: d.points[0]}
	for _, p := range d.points {
		r.Min = vg.Point{X: min(r.Min.X, p.X), Y: min(r.Min.Y, p.Y)}
		r.Max = vg.Point{X: max(r.Max.X, p.X), Y: max(r.Max.Y, p.Y)}
	}
	return r
}

func (r *strokeRecorder) Push() { r.textRecorder.Push(); r.colours = append(r.colours, r.colour) }
func (r *strokeRecorder) Pop() {
	r.textRecorder.Pop()
	r.colour, r.colours = r.colours[len(r.colours)-1], r.colours[:len(r.colours)-1]
}
func (r *strokeRecorder) SetColor(c color.Color) { r.colour = c }
func (r *strokeRecorder) Stroke(p vg.Path)       { r.strokes = append(r.strokes, r.drawn(p)) }
func (r *strokeRecorder) Fill(p vg.Path)         { r.fills = append(r.fills, r.drawn(p)) }

func (r *strokeRecorder) drawn(p vg.Path) drawn {
	d := drawn{colour: r.colour}
	for _, c := range p {
		if c.Type == vg.MoveComp || c.Type == vg.LineComp {
			d.points = append(d.points, r.apply(c.Pos))
		}
	}
	return d
}

func recorded(t *testing.T, d Drawing) *strokeRecorder {
	t.Helper()
	r := &strokeRecorder{textRecorder: textRecorder{size: vg.Point{X: 400, Y: 300}}}
	if err := d.draw(draw.New(r)); err != nil {
		t.Fatal(err)
	}
	return r
}

// in are the paths of a colour with so many points.
func in(paths []drawn, c color.Color, points int) []drawn {
	var found []drawn
	for _, d := range paths {
		if d.colour == c && len(d.points) == points {
			found = append(found, d)
		}
	}
	return found
}

func same(a, b vg.Length) bool { return math.Abs(float64(a-b)) < 1e-6 }

// Bars stand on one foot, are as high as their values, and have the colour of their legend.
func TestBarsAreAsHighAsTheirValues(t *testing.T) {
	b := Bars{Title: "t", X: Axis{Label: "x"}, Y: Axis{Label: "y", Min: 0, Max: 4}, Names: []string{"a", "b"},
		Series: []Line{{Name: "one", Y: []float64{1, 3}}, {Name: "two", Y: []float64{2, 4}}}}
	r := recorded(t, b)
	var bars []vg.Rectangle
	for _, c := range palette[:2] {
		var those []vg.Rectangle
		for _, d := range r.fills {
			if d.colour == c {
				those = append(those, d.box())
			}
		}
		if len(those) != 3 { // two bars and the legend
			t.Fatalf("%d areas of colour %v, want 3", len(those), c)
		}
		for _, box := range those {
			if box.Max.Y-box.Min.Y > 15 { // the legend's samples are lower
				bars = append(bars, box)
			}
		}
	}
	if len(bars) != 4 {
		t.Fatalf("%d bars, want 4", len(bars))
	}
	unit := bars[0].Max.Y - bars[0].Min.Y
	for i, value := range []float64{1, 3, 2, 4} {
		if height := bars[i].Max.Y - bars[i].Min.Y; !same(bars[i].Min.Y, bars[0].Min.Y) || !same(height, unit*vg.Length(value)) {
			t.Errorf("bar %d from %v, %v high; want from %v, %v high", i, bars[i].Min.Y, height, bars[0].Min.Y, unit*vg.Length(value))
		}
	}
}

// The bar of 1 ± 1 ends where that of 3 ± 1 begins, and both are as long.
func TestErrorBarsReachBothWays(t *testing.T) {
	f := Figure{Title: "t", X: Axis{Label: "x", Min: 0, Max: 3}, Y: Axis{Label: "y", Min: -1, Max: 5},
		Lines: []Line{{Name: "l", X: []float64{1, 2}, Y: []float64{1, 3}, Error: []float64{1, 1}, Points: true}}}
	var bars []vg.Rectangle
	for _, d := range in(recorded(t, f).strokes, palette[0], 2) {
		if box := d.box(); same(box.Min.X, box.Max.X) && box.Max.Y-box.Min.Y > 20 {
			bars = append(bars, box)
		}
	}
	if len(bars) != 2 || !same(bars[0].Max.Y, bars[1].Min.Y) || !same(bars[0].Max.Y-bars[0].Min.Y, bars[1].Max.Y-bars[1].Min.Y) {
		t.Errorf("error bars %v", bars)
	}
}

// A value that is missing parts a line, and both parts are drawn.
func TestGapsKeepWhatIsBefore(t *testing.T) {
	f := Figure{Title: "t", X: Axis{Label: "x"}, Y: Axis{Label: "y"},
		Lines: []Line{{Name: "l", X: []float64{1, 2, 3, 4, 5, 6}, Y: []float64{1, 2, 1, math.NaN(), 3, 2}}}}
	r := recorded(t, f)
	if before := in(r.strokes, palette[0], 3); len(before) != 1 {
		t.Errorf("%d stretches of three values before the gap", len(before))
	}
	if after := in(r.strokes, palette[0], 2); len(after) != 2 { // and the legend's
		t.Errorf("%d stretches of two values, want that after the gap and the legend", len(after))
	}
}

// When the colours are used up they come again, dashed.
func TestColoursComeAgainDashed(t *testing.T) {
	for place := range 2 * len(palette) {
		if c := newCurve(Line{}, place); c.Dashed != (place >= len(palette)) || c.colour != palette[place%len(palette)] {
			t.Errorf("line %d: dashed %t, colour %v", place, c.Dashed, c.colour)
		}
	}
}

// The least value of a heat map has the first colour, the largest the last.
func TestHeatColours(t *testing.T) {
	r := recorded(t, Heat{Title: "t", X: Axis{Label: "x"}, Y: Axis{Label: "y"}, Unit: "u", Columns: []string{"a", "b"}, Rows: []string{"c"}, Values: [][]float64{{0, 1}}})
	var left, right vg.Length
	for _, d := range r.fills {
		if len(d.points) < 4 || d.box().Max.X-d.box().Min.X < 60 {
			continue // not a cell
		}
		switch d.colour {
		case sequential[0]:
			left = d.box().Min.X
		case sequential[len(sequential)-1]:
			right = d.box().Min.X
		}
	}
	if left == 0 || right <= left {
		t.Errorf("the cell of 0 is at %v, that of 1 at %v", left, right)
	}
}
