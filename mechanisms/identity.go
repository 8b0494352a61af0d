package mechanisms

import (
	"fmt"

	"tacit/policy"
)

// Identity is a text that differs between two mechanisms of the same sensitivity if the distribution of what Sanitize returns
// does. It is part of what makes two questions the same; so it must not change between versions of this program without need.
func (m *Mechanism) Identity() string {
	c := m.config
	text := fmt.Sprintf("mechanism %s epsilon %d adjacency %s negative %t\n", c.Kind, c.Epsilon, c.Adjacency, c.KeepNegative)
	switch {
	case c.Kind.NeedsDelta():
		text += fmt.Sprintf("delta %d calibration %s\n", c.Delta, c.Calibration)
	case c.Kind.Suppresses():
		text += fmt.Sprintf("k %d fill %s\n", c.K, c.Fill)
	case c.Kind.AddsNoise(), c.Kind == policy.DPSwapping:
	default:
		panic(fmt.Sprintf("mechanisms: internal error: no identity of kind %s", c.Kind))
	}
	if c.Parts > 1 {
		text += fmt.Sprintf("one of %d parts\n", c.Parts)
	}
	if c.Margins != nil && c.Margins.AreTogether() {
		text += fmt.Sprintf("measured as %v\n", c.Margins)
	} else if c.Margins != nil {
		text += fmt.Sprintf("fitted to %v\n", c.Margins)
	}
	return text
}

// SelectionIdentity is Identity for Select.
func (m *Mechanism) SelectionIdentity() string {
	switch s := m.selection().(type) {
	case truncatedThreshold:
		return fmt.Sprintf("threshold %d truncated\n", s.threshold())
	case nil:
		return ""
	default:
		return fmt.Sprintf("threshold %d\n", s.threshold())
	}
}
