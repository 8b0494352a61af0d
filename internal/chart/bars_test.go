package chart

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// Points stand where bars would end, and no bar is drawn; an axis of points need not reach to 0.
func TestBarsAsPoints(t *testing.T) {
	b := Bars{
		Title: "t", Y: Axis{Label: "y", Log: true}, Names: []string{"a", "b"}, Points: true,
		Series: []Line{{Name: "s", Y: []float64{1, 100}}, {Name: "r", Y: []float64{10, math.NaN()}}},
	}
	svg := func(b Bars) string {
		var out bytes.Buffer
		if err := SVG(&out, Size{}, b); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	bars := b
	bars.Points = false
	filled := func(svg string, series int) int {
		c := palette[series]
		return strings.Count(svg, "fill:#"+hex(c.R)+hex(c.G)+hex(c.B))
	}
	// One sample in the legend, and one for each value.
	for series, want := range []int{3, 2} {
		if got := filled(svg(bars), series); got != want {
			t.Errorf("series %d has %d bars, want %d", series, got, want)
		}
		if got := filled(svg(b), series); got != want {
			t.Errorf("series %d has %d points, want %d", series, got, want)
		}
	}
	if svg(b) == svg(bars) {
		t.Error("points are drawn as bars")
	}
	far := Bars{Title: "t", Y: Axis{Label: "y"}, Names: []string{"a"}, Points: true, Series: []Line{{Y: []float64{1000}}, {Y: []float64{1010}}}}
	if e, err := far.limits(); err != nil || e.low == 0 {
		t.Errorf("an axis of points from 1000 to 1010 runs from %v, %v", e.low, err)
	}
}

func hex(v uint8) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{digits[v>>4], digits[v&15]})
}
