package chart

import (
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func labels(ticks []plot.Tick) string {
	var s []string
	for _, t := range ticks {
		if !t.IsMinor() {
			s = append(s, t.Label)
		}
	}
	return strings.Join(s, " ")
}

// A reader takes a scale in at a glance only if its numbers are round and written alike.
func TestTicks(t *testing.T) {
	log, linear, percent := Axis{Log: true}, Axis{}, Axis{Percent: true}
	for _, c := range []struct {
		axis   Axis
		limits extent
		want   string
	}{
		{log, extent{0.001, 100}, "0.001 0.01 0.1 1 10 100"},
		{log, extent{0.008, 130}, "0.01 0.1 1 10 100"},
		{log, extent{0.5, 4}, "0.5 0.7 1 2 3 4"},
		{log, extent{1, 100}, "1 2 5 10 20 50 100"},
		{log, extent{1, 20000}, "1 10 100 1000 10,000"},
		{log, extent{1e-12, 1}, "1e-12 1e-10 1e-08 1e-06 0.0001 0.01 1"},
		{log, extent{3.1, 3.9}, "3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 3.9"},
		{linear, extent{0, 1}, "0 0.2 0.4 0.6 0.8 1.0"},
		{linear, extent{-1.5, 0.5}, "\u22121.5 \u22121.0 \u22120.5 0 0.5"},
		{linear, extent{0, 60000}, "0 10,000 20,000 30,000 40,000 50,000 60,000"},
		{linear, extent{0, 3}, "0 0.5 1.0 1.5 2.0 2.5 3.0"},
		{percent, extent{0, 1}, "0% 20% 40% 60% 80% 100%"},
		{percent, extent{0, 0.02}, "0% 0.5% 1.0% 1.5% 2.0%"},
		{Axis{Log: true, Ticks: []float64{0.5, 1, 2, 4, 8}}, extent{0.5, 4}, "0.5 1 2 4"},
	} {
		if got := labels(c.axis.ticks(c.limits, 8)); got != c.want {
			t.Errorf("log %t, %v: %s, want %s", c.axis.Log, c.limits, got, c.want)
		}
	}
}

func TestLimitsOfAnAxis(t *testing.T) {
	for _, c := range []struct{ from, want extent }{
		{extent{1, 9.3}, extent{0, 10}},
		{extent{95, 99}, extent{95, 99}},
		{extent{-3, 2}, extent{-3, 2}},
		{extent{-9.5, -1}, extent{-10, 0}},
		{extent{4, 4}, extent{0, 4}},
		{extent{0, 0}, extent{0, 1}},
	} {
		got, err := Axis{Label: "x"}.limits(c.from)
		if err != nil || got != c.want {
			t.Errorf("%v: %v, %v, want %v", c.from, got, err, c.want)
		}
	}
}

func TestNamesAlongAnAxis(t *testing.T) {
	n := newNames([]string{"0.5", "1", "2"}, 40)
	if n.slanted || len(n.lines[1]) != 1 {
		t.Errorf("few numbers: %+v", n)
	}
	n = newNames([]string{"very high school", "college"}, 50)
	if n.slanted || len(n.lines[0]) != 2 {
		t.Errorf("a name that fits in two lines: %+v", n)
	}
	n = newNames([]string{"discrete-gaussian", "laplace"}, 30)
	if !n.slanted || len(n.lines[0]) != 1 || n.overhang() <= 0 {
		t.Errorf("a name that fits only slanted: %+v", n)
	}
	var years []string
	for range 40 {
		years = append(years, "2001")
	}
	n = newNames(years, 10)
	if n.slanted || n.lines[0] == nil || n.lines[1] != nil || n.lines[5] == nil {
		t.Errorf("numbers that crowd are thinned: %+v", n)
	}
}
