package utility

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func trained(t testing.TB, h *Histogram, task Task) *Logistic {
	t.Helper()
	l, err := TrainLogistic(h, task)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func accuracy(t testing.TB, l *Logistic, h *Histogram) float64 {
	t.Helper()
	a, err := l.Accuracy(h)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// one and zero are task and counts of a target b, whose level B is positive.
// probability is that of the positive level, given the levels of all variables.
func (l *Logistic) probability(levels ...string) (float64, error) {
	cell, err := l.domain.Cell(levels...)
	return logistic(l.z(cell)), err
}

var onB = Task{Target: "b", Positive: "B"}

// With next to no penalty and a single variable, the probabilities are the shares.
func TestLogisticWithoutPenaltyHasTheShares(t *testing.T) {
	h := table(t, []float64{30, 10, 5, 5, 1, 99}, 3, 2)
	l := trained(t, h, Task{Target: "b", Positive: "B", Ridge: 1e-9})
	for i, want := range []float64{0.25, 0.5, 0.99} {
		got, err := l.probability(h.Domain[0].Levels[i], "A")
		if err != nil || math.Abs(got-want) > 1e-6 {
			t.Errorf("level %d: %v, %v, want %v", i, got, err, want)
		}
	}
}

// A table that is the same with both variables turned around has no intercept and opposite coefficients w and -w, where (m+n) logistic(w) + r w = n.
func TestLogisticOfSymmetricTable(t *testing.T) {
	for _, test := range []struct{ m, n, ridge float64 }{{1, 3, 1}, {0, 40, 1}, {0, 40, 1e-6}, {7, 9, 100}, {0.25, 0.5, 3}} {
		low, high := 0.0, 100.0
		for range 200 {
			w := (low + high) / 2
			if (test.m+test.n)*logistic(w)+test.ridge*w > test.n {
				high = w
			} else {
				low = w
			}
		}
		l := trained(t, table(t, []float64{test.n, test.m, test.m, test.n}, 2, 2), Task{Target: "b", Positive: "B", Ridge: test.ridge})
		w := l.coefficients[0]
		if math.Abs(l.intercept) > 1e-5 || math.Abs(w[1]-low) > 1e-5*(1+low) || math.Abs(w[0]+low) > 1e-5*(1+low) {
			t.Errorf("%+v: intercept %v, coefficients %v, want 0, %v", test, l.intercept, w, low)
		}
	}
}

// rowLoss is the penalized log loss of all persons, and its derivatives, from the definition, row by row.
func rowLoss(h *Histogram, l *Logistic) (loss float64, gradient [][]float64) {
	target := slices.IndexFunc(h.Domain, func(v Variable) bool { return v.Name == l.task.Target })
	positive := slices.Index(h.Domain[target].Levels, l.task.Positive)
	gradient = make([][]float64, len(h.Domain)+1)
	gradient[len(h.Domain)] = []float64{0} // of the intercept
	for v, w := range l.coefficients {
		gradient[v] = make([]float64, len(w))
		for i, x := range w {
			loss += l.task.Ridge / 2 * x * x
			gradient[v][i] = l.task.Ridge * x
		}
	}
	for cell, n := range h.Counts {
		at := make([]int, len(h.Domain))
		for v, rest := len(at)-1, cell; v >= 0; v-- {
			at[v], rest = rest%len(h.Domain[v].Levels), rest/len(h.Domain[v].Levels)
		}
		for range int(n) {
			z := l.intercept
			for v, w := range l.coefficients {
				if v != target {
					z += w[at[v]]
				}
			}
			p := 1 / (1 + math.Exp(-z))
			y := 0.0
			if at[target] == positive {
				y = 1
				loss -= math.Log(p)
			} else {
				loss -= math.Log1p(-p)
			}
			gradient[len(h.Domain)][0] += p - y
			for v := range h.Domain {
				if v != target {
					gradient[v][at[v]] += p - y
				}
			}
		}
	}
	return loss, gradient
}

// The loss of the rows that a table stands for is strictly convex, so that where its derivatives are 0 there is its minimum. The target may
// be any variable, and either level the positive one.
func TestLogisticIsTheMinimumOfTheRows(t *testing.T) {
	r := seeded(5)
	for i := range 60 {
		h := random(t, r, 1+r.IntN(12), [][]int{{2, 3, 4}, {3, 2, 4}, {3, 4, 2}}[i%3]...)
		target := h.Domain[i%3]
		target.Name = h.Domain[slices.IndexFunc(h.Domain, func(v Variable) bool { return len(v.Levels) == 2 })].Name
		l := trained(t, h, Task{Target: target.Name, Positive: string(rune('A' + i%2)), Ridge: []float64{0.1, 1, 20}[r.IntN(3)]})
		_, gradient := rowLoss(h, l)
		for v, slopes := range gradient {
			for level, slope := range slopes {
				if math.Abs(slope) > 1e-8*total(h.Counts) {
					t.Errorf("table %d: derivative %v at variable %d, level %d", i, slope, v, level)
				}
			}
		}
	}
}

// Accuracy is that of the rows, predicted one by one.
func TestAccuracyOfRows(t *testing.T) {
	r := seeded(6)
	for range 40 {
		h, other := random(t, r, 5, 3, 2, 4), random(t, r, 5, 3, 2, 4)
		l := trained(t, h, onB)
		var right, rows float64
		for a, first := range h.Domain[0].Levels {
			for c, last := range h.Domain[2].Levels {
				p, err := l.probability(first, "A", last)
				if err != nil {
					t.Fatal(err)
				}
				at := a*8 + c
				rows += other.Counts[at] + other.Counts[at+4]
				if p > 0.5 {
					right += other.Counts[at+4]
				} else {
					right += other.Counts[at]
				}
			}
		}
		if got := accuracy(t, l, other); got != right/rows {
			t.Errorf("accuracy %v, of rows %v", got, right/rows)
		}
	}
}

// Nothing depends on how often a table is counted, if the penalty grows as it does, or on the order of variables and levels.
func TestLogisticDoesNotDependOnTheWritingOfTheTable(t *testing.T) {
	r := seeded(7)
	h := random(t, r, 9, 3, 2, 4)
	l := trained(t, h, onB)
	many := table(t, nil, 3, 2, 4)
	for i, n := range h.Counts {
		many.Counts[i] = 1000 * n
	}
	turned, err := h.Marginal("c", "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	if turned, err = turned.Keep("b", "B", "A"); err != nil {
		t.Fatal(err)
	}
	l1000, lTurned := trained(t, many, Task{Target: "b", Positive: "B", Ridge: 1000}), trained(t, turned, onB)
	for _, a := range h.Domain[0].Levels {
		for _, c := range h.Domain[2].Levels {
			want, _ := l.probability(a, "A", c)
			if got, err := l1000.probability(a, "A", c); err != nil || math.Abs(got-want) > 1e-8 {
				t.Errorf("%s, %s: %v, %v a thousand times, %v once", a, c, got, err, want)
			}
			if got, err := lTurned.probability(c, a, "A"); err != nil || math.Abs(got-want) > 1e-8 {
				t.Errorf("%s, %s: %v, %v turned around, %v before", a, c, got, err, want)
			}
		}
	}
	// The other level as the positive one predicts the same.
	if a, b := accuracy(t, l, h), accuracy(t, trained(t, h, Task{Target: "b", Positive: "A"}), h); a != b {
		t.Errorf("accuracy %v, with the other level positive %v", a, b)
	}
}

// Data that a line separates, counts of very different size and next to no penalty converge.
func TestLogisticConverges(t *testing.T) {
	separable := table(t, []float64{50, 0, 0, 70, 0, 10}, 3, 2)
	for _, ridge := range []float64{1e-8, 1e-3, 1, 1e6} {
		l := trained(t, separable, Task{Target: "b", Positive: "B", Ridge: ridge})
		for _, w := range append(slices.Clone(l.coefficients[0]), l.intercept) {
			if math.IsNaN(w) || math.Abs(w) > 100 {
				t.Errorf("ridge %v: intercept %v, coefficients %v", ridge, l.intercept, l.coefficients[0])
			}
		}
		if got := accuracy(t, l, separable); ridge < 10 && got != 1 {
			t.Errorf("ridge %v: accuracy %v", ridge, got)
		}
	}
	r := seeded(8)
	for range 300 {
		h := table(t, nil, 5, 2, 3, 9)
		for i := range h.Counts {
			if r.IntN(3) > 0 {
				h.Counts[i] = math.Pow(10, 9*r.Float64()-2)
			}
		}
		if _, err := TrainLogistic(h, Task{Target: "b", Positive: "B", Ridge: math.Pow(10, 8*r.Float64()-6)}); err != nil {
			t.Error(err)
		}
	}
}

// Persons of one class: the classifier is constant, and right for as many as have that class.
func TestLogisticOfOneClass(t *testing.T) {
	original := table(t, []float64{3, 1, 3, 3}, 2, 2)
	for _, test := range []struct {
		counts            []float64
		accuracy, positve float64
	}{{[]float64{0, 4, 0, 0}, 0.4, 1}, {[]float64{1, 0, 7, 0}, 0.6, 0}} {
		l := trained(t, table(t, test.counts, 2, 2), onB)
		if got := accuracy(t, l, original); !math.IsInf(l.intercept, 0) || got != test.accuracy {
			t.Errorf("%v: intercept %v, accuracy %v, want %v", test.counts, l.intercept, got, test.accuracy)
		}
		if p, err := l.probability("A", "A"); err != nil || p != test.positve {
			t.Errorf("%v: probability %v, %v", test.counts, p, err)
		}
	}
	if l := trained(t, original, onB); math.IsInf(l.intercept, 0) {
		t.Error("a classifier of two classes is constant")
	}
}

func TestMajority(t *testing.T) {
	h := table(t, []float64{3, 1, 3, 3}, 2, 2)
	if got, err := Majority(h, "b"); err != nil || got != 0.6 {
		t.Errorf("%v, %v, want 0.6", got, err)
	}
	if _, err := Majority(table(t, nil, 2, 2), "b"); !errors.Is(err, ErrNoDistribution) {
		t.Errorf("of nobody: %v", err)
	}
}

func TestRefusedTasks(t *testing.T) {
	good := []float64{1, 2, 3, 4, 5, 6}
	for _, test := range []struct {
		what   string
		counts []float64
		task   Task
		want   string
	}{
		{"nobody", make([]float64, 6), onB, ErrNoDistribution.Error()},
		{"negative counts", []float64{9, 9, 9, -1, 9, 9}, onB, ErrNoDistribution.Error()},
		{"counts that sum up to no number", []float64{1e308, 1e308, 1e308, 1e308, 0, 0}, onB, ErrNoDistribution.Error()},
		{"no such target", good, Task{Target: "x", Positive: "B"}, "no variable x"},
		{"three levels", good, Task{Target: "a", Positive: "B"}, "must have two"},
		{"no such level", good, Task{Target: "b", Positive: "C"}, `"C" is none of the levels`},
		{"negative ridge", good, Task{Target: "b", Positive: "B", Ridge: -1}, "ridge is -1"},
		{"ridge is no number", good, Task{Target: "b", Positive: "B", Ridge: math.NaN()}, "ridge is NaN"},
	} {
		if _, err := TrainLogistic(table(t, test.counts, 3, 2), test.task); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.what, err, test.want)
		}
	}
	if _, err := TrainLogistic(table(t, []float64{1, 1}, 2), Task{Target: "a", Positive: "B"}); err == nil || !strings.Contains(err.Error(), "no variable to predict from") {
		t.Errorf("target alone: %v", err)
	}
	l := trained(t, table(t, good, 3, 2), onB)
	if _, err := l.Accuracy(table(t, good, 2, 3)); err == nil {
		t.Error("accuracy on another table")
	}
	if _, err := l.Accuracy(table(t, nil, 3, 2)); !errors.Is(err, ErrNoDistribution) {
		t.Errorf("accuracy on nobody: %v", err)
	}
}
