package seal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/release/internal/epoch"
	"tacit/rewrite/query"
)

// certifiedBlocks are the blocks of the certified plan that tuples belong to, numbered in the order in which they first appear; nil
// without a plan.
func certifiedBlocks(f *epoch.PublicFacts, a *policy.Auditor) ([]int32, error) {
	if a.Certified == nil {
		return nil, nil
	}
	blocks := make([]int32, len(f.Tuples))
	index := make(map[string]int32)
	for i, tuple := range f.Tuples {
		var parts []query.Value
		for _, c := range a.Certified {
			place := slices.Index(f.Columns, c.Column)
			if place < 0 {
				return nil, fmt.Errorf("certified: column %q is not public", c.Column)
			}
			part, err := certifiedPart(c, a.Hierarchies[c.Column], tuple[place])
			if err != nil {
				return nil, err
			}
			parts = append(parts, part)
		}
		var b strings.Builder
		key := cells.CellKey(&b, parts)
		block, ok := index[key]
		if !ok {
			block = int32(len(index))
			index[key] = block
		}
		blocks[i] = block
	}
	return blocks, nil
}

// certifiedPart is the part of a column's values that a value belongs to. Values that are in no part are one by themselves.
func certifiedPart(c policy.Certified, h policy.Hierarchy, v query.Value) (query.Value, error) {
	switch {
	case c.Values || v.Null:
		return v, nil
	case c.Hierarchy:
		for i, label := range h.Labels(c.Level) {
			if slices.Contains(label.Leaves(), v.Text) {
				return query.Value{Text: strconv.Itoa(i)}, nil
			}
		}
		return query.Value{Text: "none"}, nil
	}
	n, err := ordinalOf(v.Text, c.Dates)
	if err != nil {
		return v, fmt.Errorf("certified: column %q has the value %q, which lies in no range: %w", c.Column, v.Text, err)
	}
	i, found := slices.BinarySearch(c.Starts, n)
	if !found {
		i--
	}
	return query.Value{Text: strconv.Itoa(i)}, nil
}

// ordinalOf is a whole number, rounded down, or the number of days since 1970-01-01.
func ordinalOf(text string, date bool) (int64, error) {
	if !date {
		whole, _, fraction := strings.Cut(text, ".")
		n, err := strconv.ParseInt(whole, 10, 64)
		if err == nil && fraction && strings.HasPrefix(text, "-") {
			n--
		}
		return n, err
	}
	day, err := time.Parse(time.DateOnly, text)
	return day.Unix() / 86400, err
}
