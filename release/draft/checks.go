package draft

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tacit/release/curator"
)

// This file reads domains out of CHECK constraints, in the form in which the server prints them. What it does not understand completely is no
// domain: a domain that is too small would leave rows out of counts. Start at checkedDomain.

// checkedDomain is the domain that a column's constraints give it: a list of values, or the two ends of a range; and the constraints that were
// not understood.
func checkedDomain(c curator.DescribedColumn) (values []string, bounds *[2]string, unread string) {
	var low, high []comparison
	for _, check := range c.Checks {
		tokens := tokenize(check)
		if listed := listedValues(c.Name, tokens); listed != nil {
			return listed, nil, ""
		}
		l, h := comparisons(c.Name, tokens)
		if len(l)+len(h) == 0 {
			unread = strings.TrimPrefix(unread+" AND "+check, " AND ")
		}
		low, high = append(low, l...), append(high, h...)
	}
	if first, last, ok := ends(c.Class, low, high); ok {
		return nil, &[2]string{first, last}, ""
	}
	if unread == "" && len(low)+len(high) > 0 {
		unread = strings.Join(c.Checks, " AND ")
	}
	return nil, nil, unread
}

// A comparison bounds a column by a constant; the constant itself may be excluded.
type comparison struct {
	constant string
	excluded bool
}

// tokenPattern matches names, constants, casts and operators. Casts of constants and of the column change nothing that matters here, since the
// domain is read by the column's type again. Parentheses do not matter to what is understood: one comparison, those joined by AND, and those
// joined by OR, never both.
var tokenPattern = regexp.MustCompile(`^(?:\s+|` +
	`::"?[a-z_][a-z_0-9]*"?(?: varying| precision| with(?:out)? time zone)?(?:\(\d+(?:,\d+)?\))?(?:\[\])?|[()]|` +
	`('(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_][A-Za-z_0-9$]*|-?[0-9]+(?:\.[0-9]+)?|>=|<=|<>|[-+*/<>=~!,\[\]%^&|#@?:.]))`)

// tokenize returns nil if something is unknown.
func tokenize(text string) []string {
	var tokens []string
	for text != "" {
		m := tokenPattern.FindStringSubmatch(text)
		if m == nil {
			return nil
		}
		if m[1] != "" {
			tokens = append(tokens, m[1])
		}
		text = text[len(m[0]):]
	}
	return tokens
}

// listedValues understands column = ANY ARRAY[...], and column = ... OR column = ....
func listedValues(column string, tokens []string) []string {
	var values []string
	if n := len(tokens); n > 5 && isColumn(tokens[0], column) && slices.Equal(tokens[1:5], []string{"=", "ANY", "ARRAY", "["}) && tokens[n-1] == "]" {
		for i, token := range tokens[5 : n-1] {
			value, ok := constant(token)
			if i%2 == 1 && token != "," || i%2 == 0 && !ok {
				return nil
			}
			if i%2 == 0 && !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		return values
	}
	for i := 0; i < len(tokens); i += 4 {
		if i+2 >= len(tokens) || !isColumn(tokens[i], column) || tokens[i+1] != "=" || i+3 < len(tokens) && tokens[i+3] != "OR" || i+3 == len(tokens)-1 {
			return nil
		}
		value, ok := constant(tokens[i+2])
		if !ok {
			return nil
		}
		values = append(values, value)
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// comparisons understands column >= ... AND column <= ..., and parts of it.
func comparisons(column string, tokens []string) (low, high []comparison) {
	for i := 0; i < len(tokens); i += 4 {
		if i+2 >= len(tokens) || !isColumn(tokens[i], column) || i+3 < len(tokens) && tokens[i+3] != "AND" || i+3 == len(tokens)-1 {
			return nil, nil
		}
		value, ok := constant(tokens[i+2])
		switch operator := tokens[i+1]; {
		case !ok:
			return nil, nil
		case operator == ">=" || operator == ">":
			low = append(low, comparison{value, operator == ">"})
		case operator == "<=" || operator == "<":
			high = append(high, comparison{value, operator == "<"})
		default:
			return nil, nil
		}
	}
	return low, high
}

func isColumn(token, column string) bool {
	return token == column || token == `"`+strings.ReplaceAll(column, `"`, `""`)+`"`
}

func constant(token string) (string, bool) {
	if quoted, ok := strings.CutPrefix(token, "'"); ok {
		return strings.ReplaceAll(strings.TrimSuffix(quoted, "'"), "''", "'"), true
	}
	_, err := strconv.ParseFloat(token, 64)
	return token, err == nil
}

// ends are the least and the greatest value of a range, as a policy has them. A constant that is excluded is left out where values are whole, and is an
// end of other ranges: a value that no row can have does no harm.
func ends(class curator.TypeClass, low, high []comparison) (first, last string, ok bool) {
	read, write, step := readInteger, func(n int64) string { return strconv.FormatInt(n, 10) }, int64(1)
	switch class {
	case curator.Integer:
	case curator.Date:
		read, write = readDate, func(n int64) string { return time.Unix(n*86400, 0).UTC().Format(time.DateOnly) }
	case curator.Time:
		read, write = readTime, writeTime
	case curator.Decimal:
		read, write, step = readMillionths, writeMillionths, 0
	default:
		return "", "", false
	}
	from, okFrom := tightest(low, read, step, func(a, b int64) int64 { return max(a, b) })
	to, okTo := tightest(high, read, -step, func(a, b int64) int64 { return min(a, b) })
	if !okFrom || !okTo || from > to {
		return "", "", false
	}
	if midnight := int64(24 * time.Hour / time.Microsecond); class == curator.Time && from%midnight == 0 && (to+1)%midnight == 0 { // whole days
		return time.UnixMicro(from).UTC().Format(time.DateOnly), time.UnixMicro(to).UTC().Format(time.DateOnly), true
	}
	return write(from), write(to), true
}

// tightest is the bound that holds of all; an excluded constant stands for its neighbour by step.
func tightest(bounds []comparison, read func(string) (int64, bool), step int64, tighter func(a, b int64) int64) (bound int64, ok bool) {
	for i, b := range bounds {
		n, ok := read(b.constant)
		if !ok {
			return 0, false
		}
		if b.excluded {
			n += step
		}
		if i == 0 {
			bound = n
		}
		bound = tighter(bound, n)
	}
	return bound, len(bounds) > 0
}

// readInteger reads numbers that are far from overflow.
func readInteger(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 54)
	return n, err == nil
}

func readDate(text string) (int64, bool) {
	date, err := time.Parse(time.DateOnly, text)
	return date.Unix() / 86400, err == nil && date.Year() > 0
}

// readTime reads a time of a clock, or of a clock in UTC of those that have an offset, in microseconds.
func readTime(text string) (int64, bool) {
	for _, layout := range []string{"2006-01-02 15:04:05.999999", "2006-01-02 15:04:05.999999-07", "2006-01-02 15:04:05.999999-07:00", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil && at.UTC().Year() > 0 {
			return at.UnixMicro(), true
		}
	}
	return 0, false
}

func writeTime(micros int64) string {
	return time.UnixMicro(micros).UTC().Format("'2006-01-02 15:04:05.999999'")
}

// readMillionths reads a decimal of few digits.
func readMillionths(text string) (int64, bool) {
	n, ok := new(big.Rat).SetString(text)
	if !ok || strings.ContainsAny(text, "eE/_xXpP") {
		return 0, false
	}
	n.Mul(n, big.NewRat(1_000_000, 1))
	return n.Num().Int64(), n.IsInt() && n.Num().IsInt64() && n.Num().BitLen() < 54
}

// writeMillionths writes a decimal with a point, so that a range of such does not mean whole numbers alone.
func writeMillionths(n int64) string {
	text := strings.TrimRight(big.NewRat(n, 1_000_000).FloatString(6), "0")
	if strings.HasSuffix(text, ".") {
		text += "0"
	}
	return text
}
