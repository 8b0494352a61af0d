package utility

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// A Scale is a variable with a number for each level.
type Scale struct {
	// Variable is its name. Required.
	Variable string
	// Scores are the numbers, one for each level. Default: 0, 1, 2, ..., which is also where a picture has the levels. Levels that are numbers
	// themselves must ascend then.
	Scores []float64
}

// scores are those of a variable.
func (s Scale) scores(v Variable) ([]float64, error) {
	if s.Scores != nil {
		if len(s.Scores) != len(v.Levels) {
			return nil, fmt.Errorf("utility: %d scores for %d levels of %s", len(s.Scores), len(v.Levels), v.Name)
		}
		return s.Scores, nil
	}
	if disordered(v.Levels) {
		return nil, fmt.Errorf("utility: the levels of %s are numbers that do not ascend, %q; bring them in order, or give them scores", v.Name, v.Levels)
	}
	scores := make([]float64, len(v.Levels))
	for i := range scores {
		scores[i] = float64(i)
	}
	return scores, nil
}

// disordered says whether all levels are numbers, and one is less than the one before, as after sorting "10" before "2".
func disordered(levels []string) bool {
	ascending, last := true, math.Inf(-1)
	for _, level := range levels {
		n, err := strconv.ParseFloat(level, 64)
		if err != nil {
			return false
		}
		ascending = ascending && n > last
		last = n
	}
	return !ascending
}

// A HeatMap sets a two-way marginal of a table beside that of its sanitized form (Das et al. 2024, "Subgroup Distributions" and figure 3;
// there, as in SDNist, income decile by education, of persons of one sex and race).
type HeatMap struct {
	Column, Row Variable
	// Original and Sanitized are in persons, by the levels of Row, then of Column.
	Original, Sanitized [][]float64
	// OriginalLine and SanitizedLine are the regression lines of Row's scores on Column's.
	OriginalLine, SanitizedLine Line
}

// NewHeatMap makes that of two variables; all others are summed over. [Histogram.Given] makes the tables of a subgroup. The sanitized counts
// must not be negative.
func NewHeatMap(original, sanitized *Histogram, column, row Scale) (*HeatMap, error) {
	if err := sameDomain(original, sanitized); err != nil {
		return nil, err
	}
	before, err := original.Marginal(row.Variable, column.Variable)
	if err != nil {
		return nil, err
	}
	after, err := sanitized.Marginal(row.Variable, column.Variable)
	if err != nil {
		return nil, err
	}
	m := &HeatMap{Column: before.Domain[1], Row: before.Domain[0], Original: matrix(before), Sanitized: matrix(after)}
	if m.OriginalLine, err = fitLine(before, column, row); err != nil {
		return nil, fmt.Errorf("original table: %w", err)
	}
	if m.SanitizedLine, err = fitLine(after, column, row); err != nil {
		return nil, fmt.Errorf("sanitized table: %w", err)
	}
	return m, nil
}

// matrix is a table of two variables by the levels of the first.
func matrix(h *Histogram) [][]float64 {
	columns := len(h.Domain[1].Levels)
	rows := make([][]float64, len(h.Domain[0].Levels))
	for i := range rows {
		rows[i] = h.Counts[i*columns : (i+1)*columns]
	}
	return rows
}

// Surplus is sanitized minus original, in persons: above 0 where the sanitized table has too many.
func (m *HeatMap) Surplus() [][]float64 {
	values := make([][]float64, len(m.Original))
	for i, row := range m.Original {
		values[i] = make([]float64, len(row))
		floats.SubTo(values[i], m.Sanitized[i], row)
	}
	return values
}

// A Line is y = Intercept + Slope x, in the scores of two variables.
type Line struct {
	Intercept, Slope float64
	// RSquared is the share of the variance of y that the line explains, in [0, 1]; 0 if y does not vary.
	RSquared float64
}

// At is the y of the line at x.
func (l Line) At(x float64) float64 { return l.Intercept + l.Slope*x }

// errNoLine is returned when all persons have the same x, so that no regression line is the best one.
var errNoLine = errors.New("utility: all persons have the same level of the explaining variable; no regression line")

// fitLine is the least-squares line of y on x over the persons of a table, each cell weighing as much as its count, which must not be negative.
func fitLine(h *Histogram, x, y Scale) (Line, error) {
	m, err := h.Marginal(x.Variable, y.Variable)
	if err != nil {
		return Line{}, err
	}
	if distributed(m.Counts) == 0 {
		return Line{}, ErrNoDistribution
	}
	xScores, err := x.scores(m.Domain[0])
	if err != nil {
		return Line{}, err
	}
	yScores, err := y.scores(m.Domain[1])
	if err != nil {
		return Line{}, err
	}
	var xs, ys, weights []float64
	for i, row := range matrix(m) {
		for j, n := range row {
			if n > 0 {
				xs, ys, weights = append(xs, xScores[i]), append(ys, yScores[j]), append(weights, n)
			}
		}
	}
	if constant(xs) {
		return Line{}, errNoLine
	}
	var l Line
	l.Intercept, l.Slope = stat.LinearRegression(xs, ys, weights, false)
	if !constant(ys) {
		l.RSquared = stat.RSquared(xs, ys, weights, l.Intercept, l.Slope)
	}
	return l, nil
}

func constant(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}
