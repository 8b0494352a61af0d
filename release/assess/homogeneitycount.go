package assess

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"tacit/rewrite/query"
	"tacit/risk"
)

// mostPatternCounts bounds what the patterns of a table hold together, in memory and on the wire.
const mostPatternCounts = 10_000_000

// count runs the one statement, and sorts its rows into the report.
func (h *homogeneity) count(ctx context.Context) error {
	limit := h.state.Policy.Limits.Cells
	sql, args := query.CellPatternsSQL(h.queries, limit+1)
	left := mostPatternCounts
	err := h.inspection.Rows(ctx, sql, args, func(row [][]byte) error {
		if len(row) != 2+len(h.queries) {
			return fmt.Errorf("release: internal error: %d columns instead of %d", len(row), 2+len(h.queries))
		}
		attribute, err := strconv.Atoi(string(row[0]))
		if err != nil {
			return err
		}
		switch {
		case attribute > 0:
			return h.addMoment(&h.report.Attributes[attribute-1], string(row[2]))
		case attribute < 0:
			return h.addNumber(-attribute-1, string(row[1]))
		}
		p, err := jointPattern(row)
		if err != nil {
			return err
		}
		for _, counts := range p.Counts {
			left -= len(counts)
		}
		joint := h.report.Joint
		if len(joint.Patterns) == limit || left < 0 {
			return errManyPatterns(limit)
		}
		joint.Patterns = append(joint.Patterns, p)
		return nil
	})
	if err != nil {
		return err
	}
	return h.finalise(limit)
}

func errManyPatterns(limit int) error {
	return fmt.Errorf("the cells have more than %d different patterns of counts; take fewer or coarser sensitive labels, such as ranges, or raise limits.cells", limit)
}

// addNumber reads how many are left out of an attribute's cells, or behind all attributes, how many persons there are.
func (h *homogeneity) addNumber(attribute int, text string) (err error) {
	number := &h.report.Persons
	if attribute < len(h.report.Attributes) {
		number = &h.report.Attributes[attribute].Undeclared
	}
	*number, err = strconv.ParseInt(text, 10, 64)
	return err
}

// jointPattern reads a row of cells.
func jointPattern(row [][]byte) (risk.JointPattern, error) {
	cells, err := strconv.ParseInt(string(row[1]), 10, 64)
	if err != nil {
		return risk.JointPattern{}, err
	}
	p := risk.JointPattern{Cells: cells}
	for _, text := range row[2:] {
		counts := []int64{}
		for _, n := range elements(string(text)) {
			count, err := strconv.ParseInt(n, 10, 64)
			if err != nil {
				return risk.JointPattern{}, err
			}
			counts = append(counts, count)
		}
		p.Counts = append(p.Counts, counts)
	}
	return p, nil
}

// elements are those of an array of numbers, as the server prints it.
func elements(array string) []string {
	inner := strings.Trim(array, "{}")
	if inner == "" {
		return nil
	}
	return strings.Split(inner, ",")
}

// addMoment reads the sums of a label. A sum that does not fit has no place in a Moment; the attribute has no moments then.
func (h *homogeneity) addMoment(a *AttributeCells, array string) error {
	a.Seen++
	var sums [3]int64
	for i, text := range elements(array) {
		n, ok := new(big.Int).SetString(text, 10)
		if !ok || i >= len(sums) {
			return errors.New("release: internal error: not the sums of a label")
		}
		if !n.IsInt64() {
			sums = [3]int64{-1, -1, -1}
			break
		}
		sums[i] = n.Int64()
	}
	a.Cells.Moments = append(a.Cells.Moments, risk.Moment{Sum: sums[0], Squares: sums[1], Cross: sums[2]})
	return nil
}

// finalise makes each attribute's table of the joint patterns. Rows of the statement have no order that may be relied on: patterns and moments
// get one that says nothing of keys.
func (h *homogeneity) finalise(limit int) error {
	joint := h.report.Joint
	slices.SortFunc(joint.Patterns, func(a, b risk.JointPattern) int {
		return slices.CompareFunc(a.Counts, b.Counts, slices.Compare[[]int64])
	})
	for i := range h.report.Attributes {
		a := &h.report.Attributes[i]
		if a.Seen > limit {
			return fmt.Errorf("sensitive %q has more than limits.cells = %d labels; take coarser ones", a.Name, limit)
		}
		if a.LabelsSeen {
			a.Cells.Labels = max(a.Seen, 1)
		}
		a.Cells.Patterns = patternsOf(joint.Patterns, i)
		a.Cells.Moments = finaliseMoments(a.Cells.Moments, a.Cells.Labels)
		joint.Labels = append(joint.Labels, a.Cells.Labels)
		if err := a.Cells.Check(); err != nil {
			return fmt.Errorf("release: internal error: %w", err)
		}
	}
	return nil
}

// patternsOf are the patterns of one attribute. Cells in which it has no count are none of its cells.
func patternsOf(joint []risk.JointPattern, attribute int) []risk.Pattern {
	var patterns []risk.Pattern
	for _, p := range joint {
		if len(p.Counts[attribute]) > 0 {
			patterns = append(patterns, risk.Pattern{Counts: p.Counts[attribute], Cells: p.Cells})
		}
	}
	slices.SortFunc(patterns, func(a, b risk.Pattern) int { return slices.Compare(a.Counts, b.Counts) })
	merged := patterns[:0]
	for _, p := range patterns {
		if n := len(merged); n > 0 && slices.Equal(merged[n-1].Counts, p.Counts) {
			merged[n-1].Cells += p.Cells
			continue
		}
		merged = append(merged, p)
	}
	return merged
}

// finaliseMoments adds those of labels that nobody has; nil if some do not fit.
func finaliseMoments(moments []risk.Moment, labels int) []risk.Moment {
	if slices.ContainsFunc(moments, func(m risk.Moment) bool { return m.Sum < 0 }) {
		return nil
	}
	slices.SortFunc(moments, func(a, b risk.Moment) int {
		return -slices.Compare([]int64{a.Sum, a.Squares, a.Cross}, []int64{b.Sum, b.Squares, b.Cross})
	})
	return append(moments, make([]risk.Moment, max(0, labels-len(moments)))...)
}
