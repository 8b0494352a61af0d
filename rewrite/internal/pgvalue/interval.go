package pgvalue

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"

	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
)

// intervalPart is a number with a unit, or a time of day, of an interval in PostgreSQL's own style.
var intervalPart = regexp.MustCompile(`^([+-]?)(?:(\d{1,9})(?:\.(\d{1,6}))? ?(microseconds?|milliseconds?|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|mons?|years?)|(\d{1,9}):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?)(?: +|$)`)

// intervalSeconds is a number by itself.
var intervalSeconds = regexp.MustCompile(`^[+-]?\d{1,9}(\.\d{1,6})?$`)

// intervalUnits are the microseconds of a unit: at most, where it moves a time, and where intervals are compared, which counts months as 30
// days (interval_cmp_value in timestamp.c).
var intervalUnits = map[string]struct{ most, compared int64 }{
	"microsecond": {1, 1}, "millisecond": {1000, 1000}, "second": {1e6, 1e6}, "sec": {1e6, 1e6}, "minute": {60e6, 60e6}, "min": {60e6, 60e6},
	"hour": {3600e6, 3600e6}, "day": {dayMicros, dayMicros}, "week": {7 * dayMicros, 7 * dayMicros},
	"month": {31 * dayMicros, 30 * dayMicros}, "mon": {31 * dayMicros, 30 * dayMicros}, "year": {366 * dayMicros, 360 * dayMicros},
}

const dayMicros = 86400e6

// maxIntervalDays keeps times within the guards away from the ends of their types.
const maxIntervalDays = 1_000_000

// An intervalTerm is one part of an interval.
type intervalTerm struct {
	unit   string
	number *big.Rat
}

// readIntervalTerms reads numbers with units, such as 1 year 2 months or 3 days 04:05:06. A number by itself counts seconds.
func readIntervalTerms(text string) (terms []intervalTerm, ok bool) {
	if intervalSeconds.MatchString(text) {
		text += " seconds"
	}
	number := func(sign, whole, fraction string) *big.Rat {
		n, _ := new(big.Rat).SetString(sign + whole + "." + fraction + "0")
		return n
	}
	for rest := text; rest != ""; {
		part := intervalPart.FindStringSubmatch(rest)
		if part == nil {
			return nil, false
		}
		rest = rest[len(part[0]):]
		if part[2] != "" {
			terms = append(terms, intervalTerm{strings.TrimSuffix(part[4], "s"), number(part[1], part[2], part[3])})
			continue
		}
		terms = append(terms, intervalTerm{"hour", number(part[1], part[5], "")}, intervalTerm{"minute", number(part[1], part[6], "")},
			intervalTerm{"second", number(part[1], "0"+part[7], part[8])})
	}
	return terms, len(terms) > 0
}

// readInterval reads an interval. The number of the datum is a bound on the days by which it moves a time, either way.
func readInterval(text string) (Datum, *pgerror.Refusal) {
	trimmed := strings.TrimSpace(scan.LowerASCII(text))
	terms, ok := readIntervalTerms(trimmed)
	total := new(big.Rat)
	for _, t := range terms {
		days := big.NewRat(intervalUnits[t.unit].most, dayMicros)
		total.Add(total, days.Mul(days, new(big.Rat).Abs(t.number)))
	}
	if !ok || total.Cmp(big.NewRat(maxIntervalDays, 1)) > 0 {
		return Datum{}, intervalUnread.With(text, ShownType(Interval))
	}
	return Datum{OID: Interval, Text: strings.Join(strings.Fields(trimmed), " "), Number: total}, nil
}

// Span is the interval in the form in which those that PostgreSQL compares as equal are one: days of 24 hours, and a time. Its number are the
// microseconds. Fractions that PostgreSQL rounds, in some versions differently, are refused: those of years and months, and of microseconds.
func (d Datum) Span() (Datum, *pgerror.Refusal) {
	terms, _ := readIntervalTerms(d.Text)
	total := new(big.Rat)
	for _, t := range terms {
		n := new(big.Rat).Mul(t.number, new(big.Rat).SetInt64(intervalUnits[t.unit].compared))
		if !n.IsInt() || !t.number.IsInt() && (t.unit == "year" || strings.HasPrefix(t.unit, "mon")) {
			return Datum{}, intervalUnread.With(d.Text, ShownType(Interval))
		}
		total.Add(total, n)
	}
	sign, micros := "", total.Num().Int64() // within maxIntervalDays
	if micros < 0 {
		sign, micros = "-", -micros
	}
	days, seconds := micros/dayMicros, micros%dayMicros/1e6
	text := strings.TrimSuffix(fmt.Sprintf("%s%02d:%02d:%02d.%06d", sign, seconds/3600, seconds/60%60, seconds%60, micros%1e6), ".000000")
	if days > 0 {
		text = strings.TrimSuffix(fmt.Sprintf("%s%d days %s", sign, days, text), " "+sign+"00:00:00")
	}
	return Datum{OID: Interval, Text: text, Number: total}, nil
}

// InDays makes the number of a Span, which counts microseconds as intervals are compared, one of days.
func (d Datum) InDays() Datum {
	if d.OID == Interval {
		d.Number = new(big.Rat).Quo(d.Number, big.NewRat(dayMicros, 1))
	}
	return d
}

// HasDays reports whether an interval counts days or more, whose length depends on the time zone, and not hours alone.
func HasDays(text string) bool {
	terms, _ := readIntervalTerms(text)
	for _, t := range terms {
		if intervalUnits[t.unit].most >= dayMicros {
			return true
		}
	}
	return false
}

// HasMonths reports whether an interval counts months or years, whose length differs.
func HasMonths(text string) bool {
	terms, ok := readIntervalTerms(strings.TrimSpace(scan.LowerASCII(text)))
	return ok && slices.ContainsFunc(terms, func(t intervalTerm) bool { return intervalUnits[t.unit].most > intervalUnits[t.unit].compared })
}

// ReadDuration reads an interval as the time that it is compared by: a month has 30 days there, and a year 360.
func ReadDuration(text string) (time.Duration, bool) {
	d, refusal := readInterval(text)
	if refusal == nil {
		d, refusal = d.Span()
	}
	if refusal != nil || new(big.Rat).Abs(d.Number).Cmp(big.NewRat(maxDurationDays*dayMicros, 1)) > 0 {
		return 0, false
	}
	return time.Duration(d.Number.Num().Int64()) * time.Microsecond, true
}

// maxDurationDays are nearly those that a time.Duration can hold.
const maxDurationDays = 100_000
