package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An Axis says what is measured along a side.
type Axis struct {
	Label    string    // Required where the axis has numbers: what it is, with its unit.
	Log      bool      // whether distances are ratios; values must be above 0
	Min, Max float64   // both 0: from the data, marks and levels
	Percent  bool      // whether fractions are written as percentages
	Ticks    []float64 // the values to label; nil: round ones
}

// An extent is the interval from the least of some values to the greatest.
type extent struct{ low, high float64 }

func nothing() extent { return extent{math.Inf(1), math.Inf(-1)} }

func (e *extent) add(values ...float64) {
	for _, v := range values {
		if !math.IsNaN(v) {
			e.low, e.high = math.Min(e.low, v), math.Max(e.high, v)
		}
	}
}

// limits are the ends of an axis for values of an extent. A linear axis of its own choosing begins at 0 unless that would waste
// more than half of it: a difference looks as large as it is.
func (a Axis) limits(e extent) (extent, error) {
	switch {
	case e.low > e.high:
		return e, fmt.Errorf("axis %q has no values to show", a.Label)
	case math.IsInf(e.low, 0) || math.IsInf(e.high, 0):
		return e, fmt.Errorf("axis %q has an infinite value: leave it out, or show its limit as a level", a.Label)
	case a.Log && e.low <= 0:
		return e, fmt.Errorf("axis %q is logarithmic and has the value %g: use a linear axis, or leave it out", a.Label, e.low)
	}
	if a.Min != 0 || a.Max != 0 {
		return a.given()
	}
	switch {
	case a.Log && e.low == e.high:
		return extent{e.low / 2, e.high * 2}, nil
	case a.Log:
		// Room around the ends, so that points do not stand on the axes.
		room := math.Pow(e.high/e.low, 0.03)
		return extent{e.low / room, e.high * room}, nil
	case e.low == e.high:
		e.add(0)
		if e.low == e.high {
			e.high = 1
		}
	}
	if e.low > 0 && e.low < (e.high-e.low) {
		e.low = 0
	}
	if e.high < 0 && -e.high < (e.high-e.low) {
		e.high = 0
	}
	step := niceStep(e, 5)
	return extent{step * math.Floor(e.low/step+1e-9), step * math.Ceil(e.high/step-1e-9)}, nil
}

func (a Axis) given() (extent, error) {
	if !(a.Min < a.Max) || math.IsInf(a.Min, 0) || math.IsInf(a.Max, 0) || a.Log && a.Min <= 0 {
		return extent{}, fmt.Errorf("axis %q cannot run from %g to %g", a.Label, a.Min, a.Max)
	}
	return extent{a.Min, a.Max}, nil
}

// set prepares one of gonum's axes to run between the limits with about so many labels.
func (a Axis) set(axis *plot.Axis, limits extent, labels int) {
	axis.Min, axis.Max = limits.low, limits.high
	axis.Padding = 0
	axis.LineStyle = draw.LineStyle{Color: grey, Width: 0.7}
	align := axis.Tick.Label
	axis.Tick.Label = tickText.style()
	axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = align.XAlign, align.YAlign
	axis.Tick.LineStyle = axis.LineStyle
	axis.Tick.Length = 4
	axis.Scale = plot.LinearScale{}
	if a.Log {
		axis.Scale = plot.LogScale{}
	}
	axis.Tick.Marker = plot.ConstantTicks(a.ticks(limits, labels))
}

// ticks are the marks of an axis, those to be labelled with their text.
func (a Axis) ticks(limits extent, labels int) []plot.Tick {
	if a.Ticks != nil {
		return a.givenTicks(limits)
	}
	if !a.Log {
		return a.linearTicks(limits, labels)
	}
	ticks := a.decades(limits, labels)
	if labelled(ticks) < 2 {
		return a.linearTicks(limits, labels)
	}
	return ticks
}

func (a Axis) givenTicks(limits extent) []plot.Tick {
	var ticks []plot.Tick
	for _, v := range a.Ticks {
		if v >= limits.low && v <= limits.high {
			ticks = append(ticks, plot.Tick{Value: v, Label: a.plain(v)})
		}
	}
	return ticks
}

// plain writes a value with the digits that it has.
func (a Axis) plain(v float64) string {
	unit := ""
	if a.Percent {
		v, unit = 100*v, "%"
	}
	return strconv.FormatFloat(v, 'g', 6, 64) + unit
}

func labelled(ticks []plot.Tick) int {
	n := 0
	for _, t := range ticks {
		if !t.IsMinor() {
			n++
		}
	}
	return n
}

// niceStep is 1, 2 or 5 times a power of ten, so that the extent has at most so many steps.
func niceStep(e extent, most int) float64 {
	rough := (e.high - e.low) / float64(max(most, 1))
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= rough*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

func (a Axis) linearTicks(limits extent, labels int) []plot.Tick {
	step := niceStep(limits, labels)
	var ticks []plot.Tick
	for i := math.Ceil(limits.low/step - 1e-9); i*step <= limits.high+1e-9*step; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: a.number(i*step, step)})
	}
	return ticks
}

// densities are the digits that are labelled between powers of ten, the densest first.
var densities = [][]int{{1, 2, 3, 4, 5, 7}, {1, 2, 5}, {1}}

// decades are the marks of a logarithmic axis: powers of ten, and the digits between them. As many are labelled as there is room for.
func (a Axis) decades(limits extent, labels int) []plot.Tick {
	first, last := int(math.Floor(math.Log10(limits.low)+1e-9)), int(math.Ceil(math.Log10(limits.high)-1e-9))
	whole := int(math.Floor(math.Log10(limits.high)+1e-9)-math.Ceil(math.Log10(limits.low)-1e-9)) + 1
	every := max(1, (whole+labels-1)/max(labels, 1))
	var ticks []plot.Tick
	for _, digits := range densities {
		ticks = nil
		for power := first; power <= last; power++ {
			ticks = append(ticks, a.decade(limits, power, power%every == 0, digits)...)
		}
		if labelled(ticks) <= labels {
			break
		}
	}
	if every == 1 {
		return ticks
	}
	return slices.DeleteFunc(ticks, func(t plot.Tick) bool { return t.IsMinor() })
}

// decade are the marks from one power of ten to the next.
func (a Axis) decade(limits extent, power int, powerLabelled bool, digits []int) []plot.Tick {
	var ticks []plot.Tick
	for digit := 1; digit <= 9; digit++ {
		v := float64(digit) * math.Pow10(power)
		if v < limits.low*(1-1e-9) || v > limits.high*(1+1e-9) {
			continue
		}
		tick := plot.Tick{Value: v}
		if slices.Contains(digits, digit) && powerLabelled {
			tick.Label = a.number(v, math.Pow10(power))
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// number writes a value of an axis with as many digits as its step needs.
func (a Axis) number(v, step float64) string {
	unit := ""
	if a.Percent {
		v, step, unit = 100*v, 100*step, "%"
	}
	if v == 0 {
		return "0" + unit
	}
	if size := math.Max(math.Abs(v), step); size >= 1e7 || size < 1e-4 {
		return strconv.FormatFloat(v, 'g', 3, 64) + unit
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	return strings.Replace(thousands(strconv.FormatFloat(v, 'f', decimals, 64)), "-", "\u2212", 1) + unit
}

// thousands puts commas into a number of five digits and more before its point.
func thousands(s string) string {
	whole, rest, _ := strings.Cut(s, ".")
	if rest != "" {
		rest = "." + rest
	}
	sign := strings.HasPrefix(whole, "-")
	whole = strings.TrimPrefix(whole, "-")
	if len(whole) > 4 {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if sign {
		whole = "-" + whole
	}
	return whole + rest
}

// labelsAcross and labelsUp say how many numbers stand along a side without crowding.
func labelsAcross(c draw.Canvas) int { return max(3, int((c.Max.X-c.Min.X)/vg.Length(58))) }
func labelsUp(c draw.Canvas) int     { return max(3, int((c.Max.Y-c.Min.Y)/vg.Length(38))) }
