package disclosure

import (
	"math"
	"slices"
	"testing"

	"tacit/examples/papers/internal/report"
)

// Every published delta comes from its formula, to all printed digits; a neighbouring parameter would not do.
func TestPublishedDeltas(t *testing.T) {
	for _, d := range deltas {
		for _, printed := range [][]string{d.zhu, d.das} {
			for i, digits := range printed {
				if got := d.formula(epsilons[i]); !printsAs(got, digits) {
					t.Errorf("%s, ε = %g: published %s, regenerated %v", d.mechanism, epsilons[i], digits, got)
				}
			}
		}
		for _, row := range append(d.row("2023", d.zhu), d.row("2024", d.das)...) {
			if want := map[bool]report.Verdict{true: report.Shown, false: report.Same}[d.fitted]; row.Verdict != want {
				t.Errorf("%s: verdict %q, want %q", row.What, row.Verdict, want)
			}
		}
	}
	for places := 2; places < 60; places++ {
		agrees := true
		for i, printed := range []string{"0.868", "0.874", "0.899", "0.969"} {
			agrees = agrees && printsAs(publishedSwappingDelta(epsilons[i], places), printed)
		}
		if agrees != (places == impliedPlaces) {
			t.Errorf("%d values of the quasi-identifier: agrees is %t", places, agrees)
		}
	}
}

func TestPrintsAs(t *testing.T) {
	for _, test := range []struct {
		value   float64
		printed string
		want    bool
	}{
		{0.8679, "0.868", true}, {0.8745, "0.874", true}, {0.8756, "0.874", false}, {0.8734, "0.874", false},
		{0.000304, "3E-4", true}, {0.00041, "3E-4", false}, {0, "0", true},
	} {
		if got := printsAs(test.value, test.printed); got != test.want {
			t.Errorf("%v as %s: %t", test.value, test.printed, got)
		}
	}
}

// All tables are as long as there are epsilons, and are numbers.
func TestPublishedTables(t *testing.T) {
	check := func(where string, p published, variance bool) {
		columns := [][]string{p.l1, p.alpha}
		if variance {
			columns = append(columns, p.variance)
		}
		for _, column := range columns {
			if len(column) != len(epsilons) {
				t.Errorf("%s: %v", where, column)
			}
			for _, text := range column {
				number(text)
			}
		}
	}
	for id, table := range zhu {
		for _, name := range zhuNames {
			check(id+" "+name, table[name], false)
		}
	}
	for name, p := range das {
		check("2024 "+name, p, true)
	}
}

func TestShapes(t *testing.T) {
	for want, values := range map[string][]float64{
		"rises, then stays":             {935, 1003, 1018, 1014, 1015},
		"falls":                         {763, 342, 154, 67},
		"rises, then falls, then rises": {1, 2, 1, 2},
	} {
		if got := shape(values); got != want {
			t.Errorf("%v: %s, want %s", values, got, want)
		}
	}
	if got := order(map[string]float64{"b": 2, "a": 2, "c": 1}); got != "c < a < b" {
		t.Error(got)
	}
	if !agree([]string{"100", "10"}, []float64{119, 8.1}) || agree([]string{"100", "10"}, []float64{119, 7.9}) {
		t.Error("tolerance is not a fifth of what is printed")
	}
}

func TestShort(t *testing.T) {
	for want, v := range map[string]float64{"0": 0, "1235": 1234.6, "123.5": 123.46, "12.35": 12.346, "1.235": 1.2346, "0.123": 0.1234, "-1.500": -1.5, "6.02e-11": 6.018e-11} {
		if got := short(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

// The figures of k-anonymity are means of whole numbers over 20 releases, the others over 200: by their multiples.
func TestPublishedRepetitions(t *testing.T) {
	multiple := func(text string, of float64) bool {
		times := number(text) * of
		return math.Abs(times-math.Round(times)) < 1e-6
	}
	for id, table := range zhu {
		twentieths := true
		for name, p := range table {
			for _, text := range append(slices.Clone(p.l1), p.alpha...) {
				if !multiple(text, 200) || name == anonymityName && !multiple(text, 20) {
					t.Errorf("%s, %s: %s", id, name, text)
				}
				twentieths = twentieths && (name == anonymityName || multiple(text, 20))
			}
		}
		if twentieths {
			t.Errorf("%s: all figures are multiples of 1/20", id)
		}
	}
}
