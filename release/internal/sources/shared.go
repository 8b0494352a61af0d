package sources

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A SharedPart says what one question of a release with sums was about, and how many parts the release had.
type SharedPart struct {
	Aggregate string
	Parts     int
}

func (s SharedPart) String() string { return fmt.Sprintf("%d %s", s.Parts, s.Aggregate) }

// sharedPartOf reads it from what is kept with a charge; ok is false of other questions, and of those of former versions.
func sharedPartOf(shape string) (s SharedPart, ok bool) {
	lines := strings.SplitN(shape, "\n", 3)
	if len(lines) < 3 {
		return SharedPart{}, false
	}
	number, aggregate, ok := strings.Cut(lines[2], " ")
	parts, err := strconv.Atoi(number)
	return SharedPart{aggregate, parts}, ok && err == nil && parts > 0
}

// PartsOf are the numbers of parts that releases had of which one part was about an aggregate, rising: the fewer, the less noise.
func (x *Index) PartsOf(aggregate string) []int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var parts []int
	for s := range x.shared {
		if s.Aggregate == aggregate {
			parts = append(parts, s.Parts)
		}
	}
	slices.Sort(parts)
	return parts
}
