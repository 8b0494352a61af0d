package chart

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A figure of characters: the first line lies over the second, lines over the mark, and the mark over the level.
func TestTerminal(t *testing.T) {
	rising, flat := make([]float64, 101), make([]float64, 101)
	for i := range rising {
		rising[i], flat[i] = 0.4*float64(i)/100, 0.2
	}
	got := Terminal(Figure{
		X:      Axis{Label: "epsilon", Min: 0.1, Max: 10},
		Lines:  []Line{{Name: "rising", Y: rising}, {Name: "flat", Y: flat}},
		Marks:  []Mark{{X: 1, Text: "today"}},
		Levels: []Level{{Y: 0.45, Text: "target"}},
	})
	want := `
  *** rising   ooo flat   | today   --- target
     50% +                                |
         +--------------------------------|-------------------------------
         +                                |                          *****
         +                                |                   *******
         +                                |           ********
     25% +                                |   ********
         +oooooooooooooooooooooooooooo********oooooooooooooooooooooooooooo
         +                    ********    |
         +            ********            |
         +     *******                    |
      0% +*****                           |
         ++-------------------------------+------------------------------+
          0.1                             1                             10
                                       epsilon
`
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The top of the axis is a round number at or above what is drawn.
func TestNiceTop(t *testing.T) {
	for p, want := range map[float64]float64{0: 1e-9, 0.03: 0.05, 0.05: 0.05, 0.051: 0.1, 0.3: 0.5, 0.7: 1, 1: 1} {
		if got := niceTop(p); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%v: %v, want %v", p, got, want)
		}
	}
}
