package seal

import (
	"fmt"
	"strings"
)

// Lines tell of an epoch, each with a name and a text.
func (s *Epoch) Lines() [][2]string {
	lines := [][2]string{
		{"sealed", fmt.Sprintf("epoch %d of %s", s.Epoch, s.Table)},
		{"people", fmt.Sprintf("%d, in %d combinations of the public columns", s.People, s.Combinations)},
	}
	if s.Pending > 0 {
		lines = append(lines, [2]string{"pending", fmt.Sprintf("%d people whose groups are too small to be taken in yet", s.Pending)})
	}
	if s.Untyped > 0 {
		lines[len(lines)-1][1] = fmt.Sprintf("%d people, of whom %d wait until their groups are large enough; the other %d are of types that nobody was of at the first epoch, and are never taken in", s.Pending, s.Pending-s.Untyped, s.Untyped)
	}
	for _, t := range s.Types {
		var shares []string
		for i, p := range t.Prior {
			shares = append(shares, fmt.Sprintf("%s %.4g", t.Values[i], p))
		}
		lines = append(lines, [2]string{"prior", fmt.Sprintf("%s (%d people): %s", t.Name, t.People, strings.Join(shares, ", "))})
	}
	switch {
	case s.Groupings > 0 && s.Blocks > 0:
		lines = append(lines, [2]string{"certified", fmt.Sprintf("%d blocks and %d groupings, at a risk of %v", s.Blocks, s.Groupings, s.Risk.RoundUp(3))})
	case s.Groupings > 0:
		lines = append(lines, [2]string{"certified", fmt.Sprintf("%d groupings, at a risk of %v", s.Groupings, s.Risk.RoundUp(3))})
	case s.Blocks > 0:
		lines = append(lines, [2]string{"certified", fmt.Sprintf("%d blocks, at a risk of %v", s.Blocks, s.Risk.RoundUp(3))})
	}
	if s.Charged > 0 {
		lines = append(lines, [2]string{"charged", fmt.Sprintf("epsilon %v for the estimate of the prior", s.Charged)})
	}
	return append(lines, [2]string{"left", fmt.Sprintf("risk %v", s.Left.RoundDown(3))})
}
