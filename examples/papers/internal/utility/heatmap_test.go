package utility

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func fit(t testing.TB, h *Histogram, x, y Scale) Line {
	t.Helper()
	l, err := fitLine(h, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestFitLineByHand(t *testing.T) {
	a, b := Scale{Variable: "a"}, Scale{Variable: "b"}
	for _, test := range []struct {
		what   string
		counts []float64 // by a, then b
		x, y   Scale
		want   Line
	}{
		{"on the diagonal", []float64{3, 0, 0, 0, 5, 0, 0, 0, 2}, a, b, Line{0, 1, 1}},
		{"scores of their own", []float64{3, 0, 0, 0, 5, 0, 0, 0, 2}, Scale{"a", []float64{10, 20, 30}}, Scale{"b", []float64{1, -1, -3}}, Line{3, -0.2, 1}},
		{"y does not vary", []float64{0, 3, 0, 0, 4, 0, 0, 0, 0}, a, b, Line{1, 0, 0}},
		// Persons at (0,0), (1,0), (1,0), (1,2): means 3/4 and 1/2, Sxy = 1/2, Sxx = 3/4, Syy = 3. Without weights Sxy and Sxx would be 1/3 and 2/3.
		{"by persons, not by cells", []float64{1, 0, 0, 2, 0, 1, 0, 0, 0}, a, b, Line{0, 2. / 3, 1. / 9}},
		{"the other way round", []float64{1, 0, 0, 2, 0, 1, 0, 0, 0}, b, a, Line{2. / 3, 1. / 6, 1. / 9}},
	} {
		if diff := cmp.Diff(test.want, fit(t, table(t, test.counts, 3, 3), test.x, test.y), rounded); diff != "" {
			t.Errorf("%s: %s", test.what, diff)
		}
	}
	if y := (Line{Intercept: 2, Slope: 3}).At(5); y != 17 {
		t.Errorf("at 5 the line is %v, want 17", y)
	}
}

// The line of a table is that of its rows: sums over persons, one by one.
func TestFitLineOfRows(t *testing.T) {
	r := seeded(4)
	for range 50 {
		h := random(t, r, 6, 4, 2, 5)
		var n, sx, sy, sxx, sxy float64
		for cell, count := range h.Counts {
			x, y := float64(cell/10), float64(cell%5)
			for range int(count) {
				n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
			}
		}
		slope := (n*sxy - sx*sy) / (n*sxx - sx*sx)
		got := fit(t, h, Scale{Variable: "a"}, Scale{Variable: "c"})
		if math.Abs(got.Slope-slope) > 1e-9 || math.Abs(got.Intercept-(sy-slope*sx)/n) > 1e-9 || !(got.RSquared >= 0 && got.RSquared <= 1) {
			t.Errorf("%+v, of rows slope %v and intercept %v", got, slope, (sy-slope*sx)/n)
		}
	}
}

func TestHeatMap(t *testing.T) {
	original := table(t, []float64{
		1, 0, 2, 10, 0, 0, // a = A: b by c
		3, 4, 0, 0, 0, 7, // a = B
	}, 2, 2, 3)
	sanitized := table(t, []float64{0, 0, 5, 8, 0, 0, 3, 4, 1, 0, 0, 0}, 2, 2, 3)
	m, err := NewHeatMap(original, sanitized, Scale{Variable: "c"}, Scale{Variable: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if m.Column.Name != "c" || m.Row.Name != "a" {
		t.Errorf("columns %s, rows %s", m.Column.Name, m.Row.Name)
	}
	if diff := cmp.Diff([][]float64{{11, 0, 2}, {3, 4, 7}}, m.Original); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]float64{{-3, 0, 3}, {0, 0, -6}}, m.Surplus()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(fit(t, original, Scale{Variable: "c"}, Scale{Variable: "a"}), m.OriginalLine); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(fit(t, sanitized, Scale{Variable: "c"}, Scale{Variable: "a"}), m.SanitizedLine); diff != "" {
		t.Error(diff)
	}
}

func TestRefusedLines(t *testing.T) {
	a, b := Scale{Variable: "a"}, Scale{Variable: "b"}
	for _, test := range []struct {
		what   string
		counts []float64
		x, y   Scale
		want   error // nil: any
	}{
		{"x does not vary", []float64{1, 2, 0, 0}, a, b, errNoLine},
		{"one person", []float64{1, 0, 0, 0}, a, b, errNoLine},
		{"nobody", []float64{0, 0, 0, 0}, a, b, ErrNoDistribution},
		{"negative counts", []float64{5, 5, -1, 5}, a, b, ErrNoDistribution},
		{"scores that do not fit", []float64{1, 1, 1, 1}, Scale{"a", []float64{1}}, b, nil},
		{"one variable", []float64{1, 1, 1, 1}, a, a, nil},
	} {
		_, err := fitLine(table(t, test.counts, 2, 2), test.x, test.y)
		if err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: %v", test.what, err)
		}
	}
	sorted, err := NewHistogram(Domain{{"edu", []string{"1", "10", "2"}}, {"income", []string{"low", "high"}}})
	if err != nil {
		t.Fatal(err)
	}
	sorted = sorted.filled(1)
	if _, err := fitLine(sorted, Scale{Variable: "edu"}, Scale{Variable: "income"}); err == nil || !strings.Contains(err.Error(), "do not ascend") {
		t.Errorf("numbers sorted as text: %v", err)
	}
	fit(t, sorted, Scale{"edu", []float64{1, 10, 2}}, Scale{Variable: "income"})
	good, bad := table(t, []float64{1, 1, 1, 1}, 2, 2), table(t, []float64{0, 0, 0, 0}, 2, 2)
	if _, err := NewHeatMap(good, bad, a, b); !errors.Is(err, ErrNoDistribution) {
		t.Errorf("heat map of nothing: %v", err)
	}
	if _, err := NewHeatMap(good, table(t, []float64{1, 1}, 2), a, b); err == nil {
		t.Error("heat map of tables that differ")
	}
}
