package pgvalue

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
)

// A datum is a value of a built-in type in canonical form: two of one type are equal to the server if and only if their texts are
// equal, except that a collation may equate different texts.
type Datum struct {
	OID  OID
	Text string
	// number is the exact value of a finite number.
	Number *big.Rat
	// micros are the microseconds since 1970 of a finite date or timestamp.
	Micros int64
}

func (d Datum) IsNaN() bool { return d.Text == "NaN" && FamilyOf(d.OID) == Numbers }

func (d Datum) IsInfinite() bool { return d.Infinite("Infinity") || d.Infinite("-Infinity") }

func (d Datum) Infinite(text string) bool {
	switch FamilyOf(d.OID) {
	case Numbers:
		return d.Text == text
	case Dates, Instants:
		return d.Text == strings.ToLower(text)
	}
	return false
}

// ReadDatum reads a constant's text as the input function of the type does, or refuses it with the server's own error. It
// reads less than the server where the meaning of the text depends on settings or on the server's version.
func ReadDatum(oid OID, text string) (Datum, *pgerror.Refusal) {
	if strings.IndexByte(text, 0) >= 0 {
		return Datum{}, &pgerror.Refusal{Code: pgerror.CodeInvalidEncoding, Message: `invalid byte sequence for encoding "UTF8": 0x00`}
	}
	switch oid {
	case Bool:
		return ReadBool(text)
	case Int2, Int4, Int8:
		return readInteger(oid, text)
	case Numeric:
		return readNumeric(text)
	case Float4, Float8:
		return readFloat(oid, text)
	case Text, Varchar:
		return Datum{OID: oid, Text: text}, nil
	case Bpchar:
		return Datum{OID: oid, Text: strings.TrimRight(text, " ")}, nil
	case Date, Timestamp, Timestamptz:
		return ReadTime(oid, text)
	case UUID:
		return readUUID(text)
	case Interval:
		return readInterval(text)
	}
	return Datum{}, typeUnread.With(ShownType(oid))
}

func invalidSyntax(oid OID, text string) *pgerror.Refusal {
	code := pgerror.CodeInvalidText
	if f := FamilyOf(oid); f == Dates || f == Instants {
		code = pgerror.CodeInvalidDatetime
	}
	name := ShownType(oid)
	if oid == Timestamp {
		name = "timestamp"
	}
	return &pgerror.Refusal{Code: code, Message: fmt.Sprintf("invalid input syntax for type %s: %q", name, text)}
}

// ReadBool takes the words that boolin takes, which may be cut short as long as they are unique.
func ReadBool(text string) (Datum, *pgerror.Refusal) {
	word := scan.LowerASCII(strings.Trim(text, pgtree.WhiteSpace))
	for _, w := range []struct {
		word  string
		least int
		value string
	}{{"true", 1, "t"}, {"false", 1, "f"}, {"yes", 1, "t"}, {"no", 1, "f"}, {"on", 2, "t"}, {"off", 2, "f"}, {"1", 1, "t"}, {"0", 1, "f"}} {
		if len(word) >= w.least && strings.HasPrefix(w.word, word) {
			return Datum{OID: Bool, Text: w.value}, nil
		}
	}
	return Datum{}, invalidSyntax(Bool, text)
}

// readInteger does not take the notations 0x1F and 1_000, which only servers from 16 on do.
func readInteger(oid OID, text string) (Datum, *pgerror.Refusal) {
	trimmed := strings.Trim(text, pgtree.WhiteSpace)
	digits := strings.TrimPrefix(strings.TrimPrefix(trimmed, "+"), "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || len(trimmed)-len(digits) > 1 {
		return Datum{}, invalidSyntax(oid, text)
	}
	n, err := strconv.ParseInt(trimmed, 10, 64)
	least, greatest := IntegerBounds(oid)
	if err != nil || n < least || n > greatest {
		return Datum{}, &pgerror.Refusal{Code: pgerror.CodeOutOfRange, Message: fmt.Sprintf("value %q is out of range for type %s", text, ShownType(oid))}
	}
	return IntegerDatum(oid, n), nil
}

func IntegerDatum(oid OID, n int64) Datum {
	return Datum{OID: oid, Text: strconv.FormatInt(n, 10), Number: new(big.Rat).SetInt64(n)}
}

// maxDigits bounds a numeric constant: digits written and digits that its exponent adds. The server takes 131,072 and more.
const maxDigits = 1000

// A decimal is a number in decimal notation: digits, without leading or trailing zeros, times 10 to the exponent.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// parseDecimal reads [+-]digits[.digits][e[+-]digits].
func parseDecimal(s string) (d decimal, ok bool) {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		d.negative = s[0] == '-'
		s = s[1:]
	}
	if at := strings.IndexAny(s, "eE"); at >= 0 {
		exponent := s[at+1:]
		n, err := strconv.Atoi(exponent)
		if err != nil || len(exponent) > 8 {
			return decimal{}, false
		}
		d.exponent, s = n, s[:at]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	d.digits = whole + fraction
	d.exponent -= len(fraction)
	if d.digits == "" || strings.Trim(d.digits, "0123456789") != "" {
		return decimal{}, false
	}
	d.digits = strings.TrimLeft(d.digits, "0")
	significant := strings.TrimRight(d.digits, "0")
	d.exponent += len(d.digits) - len(significant)
	if d.digits = significant; significant == "" {
		return decimal{}, true
	}
	return d, true
}

// String returns plain notation: -0.001, 1200.
func (d decimal) String() string {
	if d.digits == "" {
		return "0"
	}
	sign, digits := "", d.digits
	if d.negative {
		sign = "-"
	}
	if d.exponent >= 0 {
		return sign + digits + strings.Repeat("0", d.exponent)
	}
	point := len(digits) + d.exponent
	if point <= 0 {
		return sign + "0." + strings.Repeat("0", -point) + digits
	}
	return sign + digits[:point] + "." + digits[point:]
}

func readNumeric(text string) (Datum, *pgerror.Refusal) {
	trimmed := strings.Trim(text, pgtree.WhiteSpace)
	switch scan.LowerASCII(trimmed) {
	case "nan":
		return Datum{OID: Numeric, Text: "NaN"}, nil
	case "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity":
		return Datum{}, infiniteNumber.With()
	}
	d, ok := parseDecimal(trimmed)
	if !ok {
		return Datum{}, invalidSyntax(Numeric, text)
	}
	if len(trimmed)+max(d.exponent, -d.exponent) > maxDigits {
		return Datum{}, tooManyDigits.With(maxDigits)
	}
	canonical := d.String()
	number, ok := new(big.Rat).SetString(canonical)
	if !ok {
		panic("rewrite: internal error: " + canonical + " is no number")
	}
	return Datum{OID: Numeric, Text: canonical, Number: number}, nil
}

// readFloat does not take hexadecimal notation.
func readFloat(oid OID, text string) (Datum, *pgerror.Refusal) {
	trimmed := strings.Trim(text, pgtree.WhiteSpace)
	switch scan.LowerASCII(trimmed) {
	case "nan":
		return Datum{OID: oid, Text: "NaN"}, nil
	case "inf", "+inf", "infinity", "+infinity":
		return Datum{OID: oid, Text: "Infinity"}, nil
	case "-inf", "-infinity":
		return Datum{OID: oid, Text: "-Infinity"}, nil
	}
	d, ok := parseDecimal(trimmed)
	if !ok || len(trimmed) > maxDigits {
		return Datum{}, invalidSyntax(oid, text)
	}
	bits := 64
	if oid == Float4 {
		bits = 32
	}
	f, err := strconv.ParseFloat(trimmed, bits)
	if err != nil || f == 0 && d.digits != "" {
		return Datum{}, &pgerror.Refusal{Code: pgerror.CodeOutOfRange, Message: fmt.Sprintf("%q is out of range for type %s", text, ShownType(oid))}
	}
	return floatDatum(oid, f, bits), nil
}

func floatDatum(oid OID, f float64, bits int) Datum {
	switch {
	case math.IsNaN(f):
		return Datum{OID: oid, Text: "NaN"}
	case math.IsInf(f, 0):
		return Datum{OID: oid, Text: map[bool]string{true: "Infinity", false: "-Infinity"}[f > 0]}
	case f == 0:
		f = 0 // no negative zero
	}
	return Datum{OID: oid, Text: strconv.FormatFloat(f, 'g', -1, bits), Number: new(big.Rat).SetFloat64(f)}
}

// readUUID takes 32 hexadecimal digits, with hyphens after any group of four, perhaps in braces.
func readUUID(text string) (Datum, *pgerror.Refusal) {
	s := text
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
		s = s[1 : len(s)-1]
	}
	var hex []byte
	for i := 0; i < len(s); i++ {
		switch c := scan.Lower[s[i]]; {
		case scan.IsDigit(c) || 'a' <= c && c <= 'f':
			hex = append(hex, c)
		case c == '-' && len(hex)%4 == 0 && len(hex) > 0 && len(hex) < 32 && s[i-1] != '-':
		default:
			return Datum{}, invalidSyntax(UUID, text)
		}
	}
	if len(hex) != 32 {
		return Datum{}, invalidSyntax(UUID, text)
	}
	h := string(hex)
	return Datum{OID: UUID, Text: h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]}, nil
}

const timeHint = "Write dates as YYYY-MM-DD and times as YYYY-MM-DD HH:MM:SS, with an offset such as +02:00 if the column has a time zone."

// ReadTime takes ISO dates and timestamps of the years 1 to 9999, whose meaning does not depend on DateStyle or TimeZone. As the
// server does, it reads and ignores an offset beside a time without time zone, and a time and an offset beside a date: pgjdbc
// sends both, as 2020-01-31 10:11:12+02 and 2020-01-31 +02.
func ReadTime(oid OID, text string) (Datum, *pgerror.Refusal) {
	trimmed := strings.Trim(text, pgtree.WhiteSpace)
	switch word := scan.LowerASCII(trimmed); word {
	case "infinity", "-infinity":
		return Datum{OID: oid, Text: word}, nil
	}
	invalid := refuseTime(oid, text, trimmed)
	date, clock, hasClock := cutClock(trimmed)
	ymd, ok := splitNumbers(date, "-", []int{4, 2, 2})
	if !ok || !hasClock && oid == Timestamptz {
		return Datum{}, invalid
	}
	clock, offset, hasOffset := cutOffset(clock)
	if hasOffset && clock == "" && oid == Date {
		hasClock = false // 2020-01-31 +02
	}
	hms, micros, ok := readClock(clock, hasClock)
	if !ok || !hasOffset && oid == Timestamptz {
		return Datum{}, invalid
	}
	t := time.Date(ymd[0], time.Month(ymd[1]), ymd[2], hms[0], hms[1], hms[2], micros*1000, time.UTC)
	if ymd[0] < 1 || int(t.Month()) != ymd[1] || t.Day() != ymd[2] || hms[0] > 23 || hms[1] > 59 || hms[2] > 59 {
		return Datum{}, &pgerror.Refusal{Code: pgerror.CodeDatetimeRange, Message: fmt.Sprintf("date/time field value out of range: %q", text)}
	}
	switch oid {
	case Date:
		t = t.Truncate(Day)
	case Timestamptz:
		t = t.Add(-offset)
	}
	if t.Year() < 1 || t.Year() > 9999 {
		return Datum{}, invalid
	}
	return TimeDatum(oid, t), nil
}

// TimeWords are those whose meaning the server takes from its clock, or from history.
var TimeWords = []string{"epoch", "now", "today", "tomorrow", "yesterday", "allballs"}

// refuseTime is the server's own error for a text that no server reads as a time, and says so of others.
func refuseTime(oid OID, text, trimmed string) *pgerror.Refusal {
	if !strings.ContainsAny(text, "0123456789") && !slices.Contains(TimeWords, scan.LowerASCII(trimmed)) {
		r := invalidSyntax(oid, text)
		r.Hint = timeHint
		return r
	}
	return timeUnread.With(text, ShownType(oid))
}

func TimeDatum(oid OID, t time.Time) Datum {
	d := Datum{OID: oid, Micros: t.UnixMicro()}
	t = t.UTC()
	switch oid {
	case Date:
		d.Text = t.Format("2006-01-02")
	case Timestamp:
		d.Text = t.Format("2006-01-02 15:04:05.999999")
	default:
		d.Text = t.Format("2006-01-02 15:04:05.999999") + "+00"
	}
	return d
}

// cutClock splits 2020-01-31 23:59:00 or 2020-01-31T23:59:00.
func cutClock(s string) (day, clock string, ok bool) {
	if len(s) > 10 && (s[10] == ' ' || s[10] == 'T') {
		return s[:10], s[11:], true
	}
	return s, "", false
}

// cutOffset splits 23:59:00+02, +0200, +02:00 or Z; otherwise it leaves s whole. Offsets of seconds are not taken.
func cutOffset(s string) (clock string, offset time.Duration, ok bool) {
	if clock, ok := strings.CutSuffix(s, "Z"); ok {
		return clock, 0, true
	}
	at := strings.LastIndexAny(s, "+-")
	if at < 0 {
		return s, 0, false
	}
	zone := s[at+1:]
	if len(zone) == 4 && !strings.Contains(zone, ":") {
		zone = zone[:2] + ":" + zone[2:]
	}
	widths := []int{2, 2}
	if len(zone) == 2 {
		widths = widths[:1]
	}
	parts, ok := splitNumbers(zone, ":", widths)
	if !ok || parts[0] > 15 {
		return s, 0, false
	}
	offset = time.Duration(parts[0]) * time.Hour
	if len(parts) > 1 {
		if parts[1] > 59 {
			return s, 0, false
		}
		offset += time.Duration(parts[1]) * time.Minute
	}
	if s[at] == '-' {
		offset = -offset
	}
	return s[:at], offset, true
}

// readClock reads HH:MM[:SS[.ffffff]].
func readClock(clock string, given bool) (hms [3]int, micros int, ok bool) {
	if !given {
		return hms, 0, true
	}
	clock, fraction, hasFraction := strings.Cut(clock, ".")
	widths := []int{2, 2, 2}
	if len(clock) == 5 && !hasFraction {
		widths = widths[:2]
	}
	parts, ok := splitNumbers(clock, ":", widths)
	if !ok {
		return hms, 0, false
	}
	copy(hms[:], parts)
	if !hasFraction {
		return hms, 0, true
	}
	if fraction == "" || len(fraction) > 6 || strings.Trim(fraction, "0123456789") != "" {
		return hms, 0, false
	}
	micros, err := strconv.Atoi(fraction + strings.Repeat("0", 6-len(fraction)))
	return hms, micros, err == nil
}

// splitNumbers splits s into numbers of exactly the given widths.
func splitNumbers(s, separator string, widths []int) ([]int, bool) {
	parts := strings.Split(s, separator)
	if len(parts) != len(widths) {
		return nil, false
	}
	numbers := make([]int, len(parts))
	for i, p := range parts {
		if len(p) != widths[i] || strings.Trim(p, "0123456789") != "" {
			return nil, false
		}
		n, err := strconv.Atoi(p)
		if err != nil {
			return nil, false
		}
		numbers[i] = n
	}
	return numbers, true
}

const Day = 24 * time.Hour

// TrimmedDecimal is a number as trim_scale prints it.
func TrimmedDecimal(text string) string {
	d, refusal := readNumeric(text)
	if refusal != nil {
		panic("rewrite: internal error: " + text + " is no number")
	}
	return d.Text
}
