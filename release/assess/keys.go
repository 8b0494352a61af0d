package assess

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tacit/policy"
	"tacit/risk"
)

// This file reads what a steward asks of a risk: its keys, and the range of epsilon. Errors are in the words of the command line.

// SplitExpressions divides the values of a flag at commas that are not in parentheses or quotes.
func SplitExpressions(flag string, values []string) ([]string, error) {
	var parts []string
	for _, value := range values {
		parts = append(parts, splitOutside(value, ',')...)
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("%s COLUMN,... is required", flag)
	}
	if slices.Contains(parts, "") {
		return nil, fmt.Errorf("%s: nothing stands between two commas", flag)
	}
	return parts, nil
}

// splitOutside divides a text at separators that are not in parentheses or quotes.
func splitOutside(text string, separator rune) []string {
	var parts []string
	depth, start := 0, 0
	var quote rune
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth--
		case r == separator && depth == 0:
			parts = append(parts, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(parts, strings.TrimSpace(text[start:]))
}

// CheckKeys refuses what can be told by its text alone. In GROUP BY a number is a position, and a text no column.
func (r HomogeneityRequest) CheckKeys() error {
	seen := map[string]bool{}
	for i, key := range slices.Concat(r.Quasi, r.Sensitive) {
		flag := "--qi"
		if i >= len(r.Quasi) {
			flag = "--sensitive"
		}
		switch {
		case constant.MatchString(key):
			return fmt.Errorf("%s: %s is a constant, not a column; name a column, or an expression of columns", flag, key)
		case key == "*":
			return fmt.Errorf("%s: * is no column; name each column that is meant", flag)
		case flag == "--qi" && seen[key]:
			return fmt.Errorf("%s: %s is there twice; write it once", flag, key)
		}
		seen[key] = true
	}
	return nil
}

// constant is a number or a text.
var constant = regexp.MustCompile(`^([+-]?[0-9.]+|'([^']|'')*')$`)

// ParseRange reads LOW:HIGH; nothing is the default of a table.
func ParseRange(text string, t *policy.Table) (risk.Range, error) {
	if text == "" {
		return defaultRange(t), nil
	}
	low, high, two := strings.Cut(text, ":")
	from, err := policy.ParseEpsilon(low)
	to, errHigh := policy.ParseEpsilon(high)
	if !two || err != nil || errHigh != nil || from == 0 || from >= to {
		return risk.Range{}, fmt.Errorf("--epsilon: %q is not a range of epsilon; write a low and a high one, as 0.01:10", text)
	}
	return risk.Range{Low: from.Float(), High: to.Float()}, nil
}
