package policy

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tacit/policy/internal/document"
)

// maxDuration keeps sums of durations and times far from overflow.
const maxDuration = 100 * 365 * 24 * time.Hour

// ParseDuration reads a duration above 0 in Go's form, which may start with days: 30d, 1d12h, 90m.
func ParseDuration(s string) (time.Duration, error) {
	failure := fmt.Errorf("%q is not a duration", s)
	rest := s
	var total time.Duration
	if days, after, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil {
			return 0, failure
		}
		total, rest = time.Duration(n)*24*time.Hour, after
	}
	if rest != "" {
		part, err := time.ParseDuration(rest)
		if err != nil || part < 0 {
			return 0, failure
		}
		total += min(part, maxDuration)
	}
	if total <= 0 || total > maxDuration {
		return 0, fmt.Errorf("%q is not above 0 and up to 100 years", s)
	}
	return total, nil
}

// durationText is a duration as a policy has it: in days if it is a number of them.
func durationText(d time.Duration) string {
	if day := 24 * time.Hour; d >= day && d%day == 0 {
		return fmt.Sprintf("%dd", d/day)
	}
	return d.String()
}

// duration returns a duration between two bounds; fallback if the key is absent or its value reported.
func (d *decoder) duration(n *document.Node, low, high, fallback time.Duration) time.Duration {
	text, ok := d.Text(n)
	if !ok {
		return fallback
	}
	value, problem, remedy := durationBetween(text, low, high, fallback)
	if problem != "" {
		d.Report(n, problem, remedy)
		return fallback
	}
	return value
}

// durationBetween reads a duration between two bounds, or says what is wrong with it.
func durationBetween(text string, low, high, example time.Duration) (value time.Duration, problem, remedy string) {
	value, err := ParseDuration(text)
	switch {
	case err != nil:
		return 0, err.Error(), "write a number with a unit: 30s, 5m, 12h or 30d"
	case value < low || value > high:
		return 0, fmt.Sprintf("%s is not between %s and %s", text, durationText(low), durationText(high)), "use a value between them, such as " + durationText(example)
	}
	return value, "", ""
}
