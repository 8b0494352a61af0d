package policy

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"time"

	"tacit/policy/internal/document"
)

// Bounds are a declared range whose values are not listed: there are too many of them, or between any two there are others. They bound
// arithmetic, and the units of time in which a value can lie. Both ends are included.
type Bounds struct {
	// Least and Greatest are decimals, or with Times are written YYYY-MM-DD HH:MM:SS, or with Durations as intervals of days and seconds.
	Least, Greatest string
	// Times are those of a clock in UTC, if the column has a time zone.
	Times bool
	// Durations are those of a column of intervals.
	Durations bool
	// Step is what neighbouring values are apart, as a decimal; "" if that is not declared.
	Step string
}

// mostListed is how many values of a range are listed whatever limits.cells is.
const mostListed = 100_000

// Listed reports whether the values of a range are listed. One that ends at the present day is, so that its days can be told one by one.
func (r *Range) Listed(l Limits) bool {
	return r.Today || uint64(r.Last)-uint64(r.First) < uint64(max(l.Cells, mostListed)) // the difference of two int64 fits into uint64
}

// Values are the values of bounds with a step, if they are listed; nil if not.
func (b *Bounds) Values(l Limits) []string {
	step, ok := new(big.Rat).SetString(b.Step)
	if !ok {
		return nil
	}
	least, greatest := rational(b.Least), rational(b.Greatest)
	steps := new(big.Rat).Sub(greatest, least)
	if steps.Quo(steps, step).Cmp(new(big.Rat).SetInt64(int64(max(l.Cells, mostListed)))) >= 0 {
		return nil
	}
	var values []string
	for at := least; at.Cmp(greatest) <= 0; at = new(big.Rat).Add(at, step) {
		values = append(values, decimalText(at))
	}
	return values
}

func rational(text string) *big.Rat {
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("policy: internal error: " + text + " is no decimal")
	}
	return n
}

// decimalText prints a decimal without zeros that say nothing.
func decimalText(n *big.Rat) string {
	digits, _ := n.FloatPrec()
	return n.FloatString(digits)
}

// decimalEnd is a decimal of a number of digits that people write, in one spelling.
var decimalEnd = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?$`)

// timeLayouts are those of the ends of a range of times.
var timeLayouts = []string{"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02 15:04:05.999999"}

func readTimeEnd(text string) (at time.Time, ok bool) {
	for _, layout := range timeLayouts {
		if at, err := time.Parse(layout, text); err == nil && at.Year() > 0 && at.Nanosecond()%1000 == 0 {
			return at, true
		}
	}
	return time.Time{}, false
}

const boundsRemedy = "write the least and the greatest value: [0, 99.5], or times in quotes, ['2020-01-01 08:00', '2026-12-31 20:00'], or durations, [0s, 30d]"

// bounds decodes a range of decimals or of times of the day; handled is false of other ranges.
func (d *decoder) bounds(n, step *document.Node) (b *Bounds, handled bool) {
	for _, end := range n.Items {
		if end.Kind == document.Mapping && len(n.Items) == 2 { // 08:00 in brackets is read as a key and its value
			d.Report(end, "a time within brackets needs quotes", boundsRemedy)
			return nil, true
		}
	}
	if len(n.Items) != 2 || n.Items[0].Kind != document.Scalar || n.Items[1].Kind != document.Scalar {
		return nil, false
	}
	first, last := n.Items[0].Text, n.Items[1].Text
	_, firstIsTime := readTimeEnd(first)
	_, lastIsTime := readTimeEnd(last)
	switch {
	case firstIsTime || lastIsTime:
		return d.timeBounds(n, step), true
	case durationEnd.MatchString(first) || durationEnd.MatchString(last):
		return d.durationBounds(n, step), true
	case !decimalEnd.MatchString(first) || !decimalEnd.MatchString(last) || step == nil && !strings.Contains(first+last, "."):
		return nil, false
	}
	least, greatest := rational(first), rational(last)
	if least.Cmp(greatest) > 0 {
		d.Report(n, "the first value is above the last", "exchange them")
		return nil, true
	}
	b = &Bounds{Least: decimalText(least), Greatest: decimalText(greatest)}
	b.Step = d.step(step, new(big.Rat).Sub(greatest, least))
	return b, true
}

// step decodes what values are apart, which divides the width of their range.
func (d *decoder) step(n *document.Node, width *big.Rat) string {
	text, ok := d.Text(n)
	if !ok {
		return ""
	}
	if !decimalEnd.MatchString(text) || rational(text).Sign() <= 0 {
		d.Report(n, fmt.Sprintf("%q is no positive decimal number", text), "write what neighbouring values are apart: step: 0.01")
		return ""
	}
	step := rational(text)
	if steps := width.Quo(width, step); !steps.IsInt() {
		d.Report(n, fmt.Sprintf("from the first value of the range, steps of %s do not lead to the last", text), "choose ends that are whole steps apart")
		return ""
	}
	return decimalText(step)
}

// durationEnd is a duration that may be negative.
var durationEnd = regexp.MustCompile(`^-?([0-9]+[dhms])+$`)

// isNoTime is a duration of 0, which needs no unit.
var isNoTime = regexp.MustCompile(`^(0|(0+[dhms])+)$`)

// durationBounds decodes a range of durations. 0 needs no unit.
func (d *decoder) durationBounds(n, step *document.Node) *Bounds {
	read := func(item *document.Node) (length time.Duration, ok bool) {
		text := strings.TrimPrefix(item.Text, "-")
		switch length, err := ParseDuration(text); {
		case isNoTime.MatchString(text):
			return 0, true
		case err != nil:
			d.Report(item, err.Error(), boundsRemedy)
			return 0, false
		case text != item.Text:
			return -length, true
		default:
			return length, true
		}
	}
	least, leastOK := read(n.Items[0])
	greatest, greatestOK := read(n.Items[1])
	switch {
	case !leastOK || !greatestOK:
	case step != nil:
		d.Report(step, "a range of durations has no step", "remove it")
	case least > greatest:
		d.Report(n, "the first value is above the last", "exchange them")
	default:
		return &Bounds{Least: intervalText(least), Greatest: intervalText(greatest), Durations: true}
	}
	return nil
}

// intervalText is a duration of whole seconds as an interval.
func intervalText(length time.Duration) string {
	const day = 24 * time.Hour
	return fmt.Sprintf("%d days %d seconds", length/day, length%day/time.Second)
}

// timeBounds decodes a range of times, of which one end may be a date: its beginning, or its end.
func (d *decoder) timeBounds(n, step *document.Node) *Bounds {
	read := func(item *document.Node, offset time.Duration) (at time.Time, ok bool) {
		if at, ok = readTimeEnd(item.Text); ok {
			return at, true
		}
		if at, err := time.Parse(time.DateOnly, item.Text); err == nil && at.Year() > 0 {
			return at.Add(offset), true
		}
		d.Report(item, fmt.Sprintf("%q is no time", item.Text), boundsRemedy)
		return at, false
	}
	first, firstOK := read(n.Items[0], 0)
	last, lastOK := read(n.Items[1], 24*time.Hour-time.Microsecond)
	switch {
	case !firstOK || !lastOK:
	case step != nil:
		d.Report(step, "a range of times has no step", "remove it")
	case first.After(last):
		d.Report(n, "the first value is above the last", "exchange them")
	default:
		return &Bounds{Least: first.Format(timeLayouts[2]), Greatest: last.Format(timeLayouts[2]), Times: true}
	}
	return nil
}
