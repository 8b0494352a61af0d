package chart

import (
	"math"
	"math/rand/v2"
)

// gallery holds one drawing of each kind with everything that it can show, for the tests and for the eye: run the tests with
// CHART_GALLERY=directory to have the pictures written there.
func gallery() map[string]Drawing {
	return map[string]Drawing{
		"curve":    sCurve(),
		"log":      errorAgainstEpsilon(),
		"boxes":    distances(),
		"bars":     biases(),
		"heat":     differences(),
		"shares":   shares(),
		"panels":   Panels{Title: "Four panels in one picture", Subtitle: "each with axes of its own", Rows: [][]Drawing{{sCurve(), errorAgainstEpsilon()}, {distances(), differences()}}},
		"crowded":  crowded(),
		"high":     highLevels(),
		"untidy":   untidy(),
		"negative": differenceLine(),
	}
}

// sCurve is the shape of a homogeneity risk against epsilon.
func sCurve() Figure {
	var epsilons, event, records, simulated, spread []float64
	for i := range 81 {
		e := math.Pow(10, -2+float64(i)/20)
		epsilons = append(epsilons, e)
		event = append(event, 0.125+0.63/(1+math.Exp(-2*math.Log(e/0.7))))
		records = append(records, 0.125+0.42/(1+math.Exp(-2*math.Log(e/0.7))))
		simulated = append(simulated, records[i]+0.004*math.Sin(float64(7*i)))
		spread = append(spread, 0.012)
	}
	few := func(v []float64) (s []float64) {
		for i := 0; i < len(v); i += 8 {
			s = append(s, v[i])
		}
		return s
	}
	return Figure{
		Title:    "Homogeneity risk of public.patients against epsilon",
		Subtitle: "sensitive: diagnosis; classified by sex, region, age. Geometric noise, add-remove adjacency.",
		X:        Axis{Label: "epsilon (per answer)", Log: true},
		Y:        Axis{Label: "risk (probability)", Min: 0, Max: 1, Percent: true},
		Lines: []Line{
			{Name: "event, cells alike", X: epsilons, Y: event},
			{Name: "records, by size of cell", X: epsilons, Y: records, Dashed: true},
			{Name: "records, 500 simulations (mean and standard deviation)", X: few(epsilons), Y: few(simulated), Error: few(spread), Points: true},
		},
		Marks:  []Mark{{0.5, "today: 0.5"}, {0.62, "largest for the target: 0.62"}, {4, "all of the budget: 4"}},
		Levels: []Level{{0.35, "target 35%"}, {0.125, "no epsilon: 12.5%"}, {0.755, "no noise: 75.5%"}, {0.545, "no noise, by size: 54.5%"}},
		Notes:  "Computed from true counts, for the steward only: not to be published.",
	}
}

func errorAgainstEpsilon() Figure {
	x := []float64{0.5, 1, 2, 4}
	return Figure{
		Title: "Error per cell against epsilon",
		X:     Axis{Label: "epsilon", Log: true},
		Y:     Axis{Label: "mean absolute error (records)", Log: true},
		Lines: []Line{
			{Name: "Laplace", X: x, Y: []float64{4, 2, 1, 0.5}, Points: true, Joined: true, Error: []float64{1, 0.5, 0.2, 0.1}},
			{Name: "discrete Gaussian", X: x, Y: []float64{90, 40, 15, 6}, Points: true, Joined: true, Error: []float64{20, 10, 5, 2}},
			{Name: "suppression", X: x, Y: []float64{0.02, 0.021, 0.03, math.NaN()}, Points: true, Joined: true, Dashed: true},
		},
		Legend: Beside,
	}
}

func differenceLine() Figure {
	return Figure{
		Title: "Bias against the true count", X: Axis{Label: "true count (records)"}, Y: Axis{Label: "bias (records)"},
		Lines: []Line{{X: []float64{0, 1000, 20000, 60000}, Y: []float64{0.4, -1.2, -0.3, 0}}},
	}
}

func distances() Boxes {
	r := rand.New(rand.NewPCG(1, 2))
	b := Boxes{Title: "Distance of marginals from the truth", X: Axis{Label: "epsilon"}, Y: Axis{Label: "total variation distance"}, Levels: []Level{{0.5, "half"}}}
	for i, name := range []string{"0.5", "1", "2", "4"} {
		g := BoxGroup{Name: name}
		for j, series := range []string{"1-way", "2-way", "3-way"} {
			s := BoxSeries{Name: series}
			for range 100 {
				s.Values = append(s.Values, math.Abs(0.1*float64(j+1)+0.3/float64(i+1)+0.05*r.NormFloat64()))
			}
			g.Series = append(g.Series, s)
		}
		b.Groups = append(b.Groups, g)
	}
	return b
}

func biases() Bars {
	return Bars{
		Title: "Bias of the mechanisms on one question", Subtitle: "SELECT region, count(*) FROM patients GROUP BY region",
		X: Axis{Label: "mechanism"}, Y: Axis{Label: "l1 bias (records)"},
		Names: []string{"geometric", "laplace", "discrete-gaussian", "dp-suppression", "suppression", "swapping", "k-anonymity"},
		Series: []Line{
			{Name: "small cells", Y: []float64{0.5, 0.7, 1.5, 12, 30, -4, 18}, Error: []float64{0.1, 0.1, 0.5, 3, 0, 2, 4}},
			{Name: "all cells", Y: []float64{0.2, 0.3, 0.5, 2, 8, -1, math.NaN()}},
		},
		Levels: []Level{{10, "one in a hundred"}},
	}
}

func differences() Heat {
	h := Heat{
		Title: "Sanitized minus true share of each pair", Subtitle: "Black or African American women",
		X: Axis{Label: "education"}, Y: Axis{Label: "age group"}, Unit: "difference (percentage points)", Diverging: true, Percent: true,
		Columns: []string{"none", "school", "high school", "college", "master's", "doctorate"}, Rows: []string{"0-17", "18-29", "30-44", "45-64", "65+"},
	}
	for i := range h.Rows {
		var row []float64
		for j := range h.Columns {
			row = append(row, 0.02*math.Sin(float64(3*i+j))-0.004*float64(i))
		}
		h.Values = append(h.Values, row)
	}
	h.Values[2][3] = math.NaN()
	return h
}

func shares() Heat {
	h := Heat{Title: "Pairs of income and age", X: Axis{Label: "age"}, Y: Axis{Label: "income (thousands)"}, Unit: "records"}
	for j := range 40 {
		h.Columns = append(h.Columns, Axis{}.number(float64(20+j), 1))
	}
	for i := range 30 {
		h.Rows = append(h.Rows, Axis{}.number(float64(5*i), 1))
		var row []float64
		for j := range 40 {
			row = append(row, 900*math.Exp(-math.Pow(float64(i)-0.4*float64(j)-5, 2)/40))
		}
		h.Values = append(h.Values, row)
	}
	h.Lines = []Line{{Name: "regression, true", X: []float64{0, 39}, Y: []float64{5, 20}}, {Name: "regression, sanitized", X: []float64{0, 39}, Y: []float64{8, 17}, Dashed: true}}
	return h
}

// highLevels has limits that are nearly the same, at the end of the axis.
func highLevels() Figure {
	f := sCurve()
	f.Levels = []Level{{0.97, "no noise: 97%"}, {0.98, "no noise, by size of cell: 98%"}, {1, "target 100%"}, {0.125, "only noise: 12.5%"}, {0.12, "only noise, by size of cell: 12%"}}
	return f
}

// crowded has more series and marks than anyone should draw.
func crowded() Figure {
	f := Figure{Title: "Many lines with long names, whose legend must not hide any of them, and a title that is much too long for one line of the picture",
		X: Axis{Label: "threshold (records)", Min: 2.5, Max: 7}, Y: Axis{Label: "share of cells shown", Percent: true}}
	for i := range 9 {
		f.Lines = append(f.Lines, Line{Name: "mechanism number " + string(rune('A'+i)), X: []float64{3, 4, 5, 6}, Points: true, Joined: true,
			Y: []float64{0.1 * float64(i), 0.15 + 0.08*float64(i), 0.2 + 0.06*float64(i), 0.3 + 0.05*float64(i)}})
	}
	for i := range 5 {
		f.Marks = append(f.Marks, Mark{4 + 0.05*float64(i), "setting of table " + string(rune('A'+i))})
		f.Levels = append(f.Levels, Level{0.5 + 0.004*float64(i), "limit " + string(rune('A'+i))})
	}
	return f
}

// untidy has names as a table can hold them.
func untidy() Bars {
	return Bars{
		Title: "Names with <tags> & \"quotes\", \x00control\ncharacters, \xff broken bytes", Y: Axis{Label: "records ≥ 0 (ε = ½)", Log: true},
		Names:  []string{"<b>", "a&b", "\x07bell", "Müller", "O'Neil", "ordinary"},
		Series: []Line{{Name: "x < y", Y: []float64{1, 10, 100, 1000, 10000, 20000}}},
	}
}
