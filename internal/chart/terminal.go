package chart

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The size of a figure of characters, and the characters of its lines, in their order.
const (
	terminalWidth, terminalHeight = 64, 11
	lineRunes                     = "*o+x"
)

// Terminal draws a figure in characters, for a terminal of 80 columns. Of the figure it takes lines of risks or shares, up to four, the first
// over the others; their values are evenly spaced over X, which is logarithmic and has limits. Marks are columns of |, and levels rows of -.
func Terminal(f Figure) string {
	t := newTerminal(f)
	var b strings.Builder
	fmt.Fprintln(&b, " "+strings.Join(t.legend, "  "))
	for y, row := range t.grid {
		label := ""
		if y%((terminalHeight-1)/2) == 0 {
			label = strconv.FormatFloat(100*t.top*float64(terminalHeight-1-y)/(terminalHeight-1), 'g', 3, 64) + "%"
		}
		fmt.Fprintf(&b, "%8s +%s\n", label, strings.TrimRight(string(row), " "))
	}
	return b.String() + t.axis(f.X.Label)
}

// A terminal is a figure of characters.
type terminal struct {
	grid      [][]rune
	low, high float64 // of the axis
	top       float64
	legend    []string
}

func newTerminal(f Figure) *terminal {
	t := &terminal{low: f.X.Min, high: f.X.Max}
	for range terminalHeight {
		t.grid = append(t.grid, []rune(strings.Repeat(" ", terminalWidth)))
	}
	for _, line := range f.Lines {
		t.top = max(t.top, slices.Max(line.Y))
	}
	for _, l := range f.Levels {
		t.top = max(t.top, l.Y)
	}
	t.top = niceTop(t.top)
	for i, line := range f.Lines {
		t.legend = append(t.legend, fmt.Sprintf(" %s %s", strings.Repeat(lineRunes[i:i+1], 3), line.Name))
	}
	t.annotate(f)
	for i := range f.Lines {
		last := len(f.Lines) - 1 - i
		t.trace(f.Lines[last].Y, rune(lineRunes[last]))
	}
	return t
}

// annotate draws levels and marks, which lie below lines.
func (t *terminal) annotate(f Figure) {
	for _, l := range f.Levels {
		copy(t.grid[t.row(l.Y)], []rune(strings.Repeat("-", terminalWidth)))
	}
	for _, m := range f.Marks {
		for y := range t.grid {
			t.grid[y][t.column(m.X)] = '|'
		}
		t.legend = append(t.legend, " | "+m.Text)
	}
	for _, l := range f.Levels {
		t.legend = append(t.legend, " --- "+l.Text)
	}
}

func (t *terminal) trace(values []float64, mark rune) {
	for x := range terminalWidth {
		i := int(math.Round(float64(x) * float64(len(values)-1) / (terminalWidth - 1)))
		t.grid[t.row(values[i])][x] = mark
	}
}

// row is that of a value, counted from the top.
func (t *terminal) row(value float64) int {
	return terminalHeight - 1 - int(math.Round(min(value/t.top, 1)*(terminalHeight-1)))
}

// column is that of a value on the axis, -1 if it is outside.
func (t *terminal) column(x float64) int {
	if x < t.low || x > t.high {
		return -1
	}
	return int(math.Round(math.Log(x/t.low) / math.Log(t.high/t.low) * (terminalWidth - 1)))
}

// niceTop is the least of 1, 2 and 5 times a power of ten that is not below a risk, and at least 1e-9.
func niceTop(p float64) float64 {
	for power := -9; power < 0; power++ {
		for _, digit := range []float64{1, 2, 5} {
			if top := digit * math.Pow10(power); p <= top*(1+1e-9) {
				return top
			}
		}
	}
	return 1
}

// axis marks the powers of ten, and the ends of the range if it has fewer than two.
func (t *terminal) axis(label string) string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	marks := map[int]string{}
	for power := math.Floor(math.Log10(t.low)); power <= math.Log10(t.high)+1e-9; power++ {
		if x := t.column(math.Pow(10, power)); x >= 0 {
			marks[x] = number(math.Pow(10, power))
		}
	}
	if len(marks) < 2 {
		marks = map[int]string{0: number(t.low), terminalWidth - 1: number(t.high)}
	}
	line, labels := []rune(strings.Repeat("-", terminalWidth)), []rune(strings.Repeat(" ", terminalWidth+8))
	free := 0 // from where labels have room
	for _, x := range slices.Sorted(maps.Keys(marks)) {
		line[x] = '+'
		text := marks[x]
		if start := max(0, x-len(text)/2); start >= free {
			copy(labels[start:], []rune(text))
			free = start + len(text) + 1
		}
	}
	return fmt.Sprintf("%8s +%s\n%10s%s\n%10s%*s\n", "", string(line), "", strings.TrimRight(string(labels), " "), "", terminalWidth/2+4, label)
}
