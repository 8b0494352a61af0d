package main

import (
	"fmt"
	"math"
	"slices"
)

// trueCounts are those of a statement, by key as in an answer. Cells without rows are not in it.
func trueCounts(rows []row, s statement) map[string]int64 {
	counts := make(map[string]int64)
	where := -1
	if s.where != "" {
		where = columnAt(s.where)
	}
	places := make([]int, len(s.by))
	for i, name := range s.by {
		places[i] = columnAt(name)
	}
	for _, r := range rows {
		if where >= 0 && columns[where].values[r[where]] != s.value {
			continue
		}
		key := ""
		for _, p := range places {
			key += columns[p].values[r[p]] + "\n"
		}
		counts[key]++
	}
	return counts
}

// Kinds of statements differ in how many columns they need, with that of the condition.
const kinds = 3

var kindNames = []string{"of one column or none", "of two columns", "of three columns"}

func (s statement) kind() int { return max(1, len(s.marginal())) - 1 }

// errorsOf are those of the answers to all statements.
type errorsOf struct {
	absolute float64        // mean of all cells
	root     float64        // of the mean squared error of all cells
	relative float64        // median of all statements: the sum of absolute errors by the sum of true counts
	byKind   [kinds]float64 // absolute, by kind of statement
	charged  int
	bySize   [sizes]sizeErrors
	// apart is by how much at most the counts of a statement without a condition add up to something else than the count of all.
	apart int64
}

// Sizes of true counts, from leastOf on.
const sizes = 4

var leastOf = [sizes]int64{0, 1, 100, 1000}

// sizeErrors are those of all counts of one size.
type sizeErrors struct{ cells, mean, root float64 }

func (e *errorsOf) addSize(truth int64, difference float64) {
	size := 0
	for size+1 < sizes && truth >= leastOf[size+1] {
		size++
	}
	of := &e.bySize[size]
	of.cells, of.mean, of.root = of.cells+1, of.mean+difference, of.root+difference*difference
}

// apartOf compares the sums of statements with the count of all.
func apartOf(asked []statement, answers []answer) (most int64) {
	sums := make([]int64, len(asked))
	total := int64(0)
	for i, s := range asked {
		for _, n := range answers[i].counts {
			sums[i] += n
		}
		if len(s.marginal()) == 0 {
			total = sums[i]
		}
	}
	for i, s := range asked {
		if s.where == "" {
			most = max(most, sums[i]-total, total-sums[i])
		}
	}
	return most
}

// compare sets answers beside true counts.
func compare(rows []row, asked []statement, answers []answer) (*errorsOf, error) {
	e := &errorsOf{apart: apartOf(asked, answers)}
	var inKind [kinds]float64
	cells := 0.0
	var relative []float64
	for i, s := range asked {
		truth := trueCounts(rows, s)
		if got := len(answers[i].counts); got != s.cells() {
			return nil, fmt.Errorf("%s: %d cells instead of %d", s.SQL(), got, s.cells())
		}
		absolute, all := 0.0, 0.0
		for key, n := range answers[i].counts {
			difference := float64(n - truth[key])
			absolute += math.Abs(difference)
			e.addSize(truth[key], difference)
			e.root += difference * difference
			all += float64(truth[key])
		}
		e.absolute += absolute
		e.byKind[s.kind()] += absolute
		inKind[s.kind()] += float64(s.cells())
		cells += float64(s.cells())
		if all > 0 {
			relative = append(relative, absolute/all)
		}
		if answers[i].charged {
			e.charged++
		}
	}
	for k := range e.byKind {
		e.byKind[k] /= inKind[k]
	}
	for i := range e.bySize {
		of := &e.bySize[i]
		of.mean, of.root = of.mean/of.cells, math.Sqrt(of.root/of.cells)
	}
	e.absolute, e.root, e.relative = e.absolute/cells, math.Sqrt(e.root/cells), median(relative)
	return e, nil
}

// expected are the errors of answers with Gaussian noise of the least deviations, of each of which the mean absolute value is sqrt(2/pi) times it.
func (l *least) expected(rows []row, asked []statement) *errorsOf {
	answers := &errorsOf{root: l.root}
	var inKind [kinds]float64
	cells := 0.0
	var relative []float64
	for i, s := range asked {
		each := l.deviation[i] * math.Sqrt(2/math.Pi)
		n, all := float64(s.cells()), 0.0
		for _, c := range trueCounts(rows, s) {
			all += float64(c)
		}
		answers.absolute += each * n
		answers.byKind[s.kind()] += each * n
		inKind[s.kind()] += n
		cells += n
		if all > 0 {
			relative = append(relative, each*n/all)
		}
	}
	for k := range inKind {
		answers.byKind[k] /= inKind[k]
	}
	answers.absolute, answers.relative = answers.absolute/cells, median(relative)
	return answers
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
