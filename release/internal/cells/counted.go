package cells

import (
	"strconv"
	"strings"
	"time"
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
