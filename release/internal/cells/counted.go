package cells

import (
	"strconv"
	"strings"
	"time"

	"tacit/policy"
)

// CountedSince is a time before the count of a release began, by what is kept with its charge; zero if it is not known.
func CountedSince(shape string) time.Time {
	_, since, _ := strings.Cut(shape, "\n")
	since, _, _ = strings.Cut(since, "\n")
	at, err := strconv.ParseInt(since, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(0, at)
}

// chosenLossPrefix begins the line that is kept with a charge whose loss an analyst chose.
const chosenLossPrefix = "loss "

// ChosenLossText is that line.
func ChosenLossText(loss policy.Epsilon) string {
	return "\n" + chosenLossPrefix + strconv.FormatInt(int64(loss), 10)
}

// ChosenLoss reads it; ok is false of other charges, and of those of former versions.
func ChosenLoss(shape string) (policy.Epsilon, bool) {
	lines := strings.SplitN(shape, "\n", 3)
	if len(lines) < 3 {
		return 0, false
	}
	text, ok := strings.CutPrefix(lines[2], chosenLossPrefix)
	loss, err := strconv.ParseInt(text, 10, 64)
	return policy.Epsilon(loss), ok && err == nil && loss > 0
}
