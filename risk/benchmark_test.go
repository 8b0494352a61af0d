package risk

import (
	"fmt"
	"math"
	"testing"
	"time"

	"tacit/mechanisms"
	"tacit/policy"
)

// adultSizes are the sizes of the 5,974 cells of the 27,504 persons of the Adult data that Liu and Zhao 2023 look at, and how many cells
// have each. Income is one of the attributes that make the cells, so that all are homogeneous in it.
var adultSizes = [][2]int64{
	{1, 3309}, {2, 904}, {3, 433}, {4, 241}, {5, 166}, {6, 137}, {7, 101}, {8, 86}, {9, 64}, {10, 41}, {11, 40}, {12, 29}, {13, 30}, {14, 26},
	{15, 25}, {16, 18}, {17, 23}, {18, 19}, {19, 13}, {20, 12}, {21, 12}, {22, 14}, {23, 10}, {24, 9}, {25, 11}, {26, 7}, {27, 2}, {28, 3},
	{29, 6}, {30, 6}, {31, 9}, {32, 9}, {33, 2}, {34, 2}, {35, 8}, {36, 2}, {37, 10}, {38, 2}, {39, 7}, {40, 3}, {41, 8}, {42, 2}, {43, 4},
	{44, 3}, {45, 1}, {46, 5}, {47, 6}, {48, 4}, {49, 3}, {50, 2}, {51, 3}, {52, 2}, {54, 1}, {55, 1}, {56, 3}, {58, 4}, {60, 3}, {61, 3},
	{62, 2}, {63, 4}, {64, 1}, {65, 1}, {66, 2}, {67, 2}, {68, 5}, {69, 2}, {70, 1}, {71, 3}, {72, 1}, {74, 2}, {76, 1}, {77, 1}, {78, 1},
	{83, 4}, {84, 1}, {86, 1}, {87, 4}, {89, 1}, {90, 3}, {92, 2}, {94, 1}, {95, 1}, {97, 1}, {98, 1}, {100, 1}, {103, 2}, {108, 1}, {111, 1},
	{113, 1}, {114, 1}, {119, 1}, {120, 2}, {151, 1}, {158, 1}, {166, 1}, {193, 1}, {199, 1}, {240, 1},
}

// adult is that table: collapsed, or with its cells one by one. With mixed, every second cell of more than one record has a fifth of
// them of the other label.
func adult(collapsed, mixed bool) *Table {
	t := &Table{Labels: 2}
	for _, s := range adultSizes {
		size, cells := s[0], s[1]
		alike := Pattern{Counts: []int64{size}, Cells: cells}
		var split Pattern
		if mixed && size > 1 {
			other := (size + 4) / 5
			split = Pattern{Counts: []int64{size - other, other}, Cells: cells / 2}
			alike.Cells -= split.Cells
		}
		for _, p := range []Pattern{alike, split} {
			switch {
			case p.Cells == 0:
			case collapsed:
				t.Patterns = append(t.Patterns, p)
			default:
				for range p.Cells {
					t.Patterns = append(t.Patterns, Pattern{Counts: p.Counts, Cells: 1})
				}
			}
		}
	}
	return t
}

func TestAdultSizes(t *testing.T) {
	for _, collapsed := range []bool{true, false} {
		for _, mixed := range []bool{true, false} {
			if d := adult(collapsed, mixed).Describe(); d.All != (Group{5974, 27504}) || d.Unique.Cells != 3309 || d.Largest != 240 {
				t.Errorf("%+v", d)
			}
		}
	}
}

// epsilonGrid is the papers': 100 epsilons from 10^-3 to 10^2, as steps of equal ratio.
func epsilonGrid() []float64 {
	grid := make([]float64, 100)
	for i := range grid {
		grid[i] = math.Pow(10, -3+5*float64(i)/99)
	}
	return grid
}

// calibrated is the survival of a mechanism at a delta of 10^-5, calibration of its noise included. Kinds that suppress withhold counts
// below 5.
func calibrated(kind policy.Kind, calibration policy.Calibration) SurvivalAt {
	return func(epsilon float64) (Survival, error) {
		c := mechanisms.Config{
			Kind: kind, Epsilon: policy.Epsilon(math.Round(epsilon * 1e9)), Calibration: calibration,
			Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, K: 5, Random: noBytes{},
		}
		if kind == policy.Gaussian || kind == policy.DiscreteGaussian {
			c.Delta = 1e13
		}
		m, err := mechanisms.New(c)
		if err != nil {
			return nil, err
		}
		s, _ := m.Survival()
		return s, nil
	}
}

// noBytes is for mechanisms that draw nothing.
type noBytes struct{}

func (noBytes) Read([]byte) (int, error) { panic("nothing is drawn") }

// discreteGaussianAt has the sigma of rho = epsilon^2/2, without a calibration.
func discreteGaussianAt(epsilon float64) (Survival, error) {
	law, err := mechanisms.DiscreteGaussianLaw(1 / epsilon)
	return law.Survival(), err
}

// naiveCurve is what the formulas say, term by term: for every epsilon, cell and label, the product over all other labels of probabilities
// that are computed on the spot.
func naiveCurve(t *Table, at SurvivalAt, epsilons []float64) (curve []Average) {
	for _, epsilon := range epsilons {
		s, err := at(epsilon)
		if err != nil {
			panic(err)
		}
		curve = append(curve, t.average(func(p Pattern, _ int64) float64 {
			counts := make([]int64, t.Labels)
			copy(counts, p.Counts)
			return byProducts(s, Event, counts)
		}))
	}
	return curve
}

// A curve of 5,974 cells and 100 epsilons, and how many times as long the naive computation of the same curve takes over all cells, one by
// one.
func BenchmarkCurve(b *testing.B) {
	for _, noise := range []struct {
		name string
		at   SurvivalAt
	}{
		{"laplace", laplaceAt},
		{"geometric", calibrated(policy.Geometric, "")},
		{"gaussian-analytic", calibrated(policy.Gaussian, policy.AnalyticCalibration)},
		{"gaussian-pdp", calibrated(policy.Gaussian, policy.PDPCalibration)},
		{"discrete-gaussian", discreteGaussianAt},
		{"discrete-gaussian-calibrated", calibrated(policy.DiscreteGaussian, "")},
	} {
		for _, mixed := range []bool{false, true} {
			start := time.Now()
			naive := naiveCurve(adult(false, mixed), noise.at, epsilonGrid())
			elapsed := time.Since(start)
			for _, collapsed := range []bool{true, false} {
				table := adult(collapsed, mixed)
				measures := map[string]Measure[Average]{"local": func(s Survival) Average { return table.Local(s, Event) }}
				if mixed { // otherwise both are the same
					measures["expected"] = func(s Survival) Average { return table.Expected(s, Event) }
				}
				for measure, risk := range measures {
					b.Run(fmt.Sprintf("%s/%s/mixed=%t/collapsed=%t", noise.name, measure, mixed, collapsed), func(b *testing.B) {
						for b.Loop() {
							points, err := Curve(risk, noise.at, epsilonGrid())
							if err != nil {
								b.Fatal(err)
							}
							if measure == "local" && math.Abs(points[70].Risk.Weighted-naive[70].Weighted) > 1e-11 {
								b.Fatalf("%v, naively %v", points[70], naive[70])
							}
						}
						mean := float64(b.Elapsed()) / float64(b.N)
						b.ReportMetric(mean/1e6, "ms/curve")
						if measure == "local" {
							b.ReportMetric(float64(elapsed)/mean, "x-naive")
						}
					})
				}
			}
		}
	}
}

// One cell of thousands of records.
func BenchmarkExpected(b *testing.B) {
	for _, n := range []int64{100, 5000} {
		for _, p := range [][]float64{{0.6, 0.4}, {0.3, 0.3, 0.2, 0.1, 0.1}} {
			for _, family := range families {
				law, err := family.law(0.01)
				if err != nil {
					b.Fatal(err)
				}
				s := law.Survival()
				b.Run(fmt.Sprintf("%s/n=%d/K=%d", family.name, n, len(p)), func(b *testing.B) {
					for b.Loop() {
						Expected(s, Event, p, n)
					}
				})
			}
		}
	}
}

// The inverse for a target of 0.4.
func BenchmarkLargest(b *testing.B) {
	table := adult(true, true)
	for _, kind := range []policy.Kind{policy.Laplace, policy.Gaussian, policy.DiscreteGaussian} {
		b.Run(string(kind), func(b *testing.B) {
			for b.Loop() {
				risk := func(s Survival) float64 { return table.Local(s, Event).Weighted }
				got, err := Largest(0.4, risk, calibrated(kind, ""), Range{0.01, 100})
				if err != nil || got.Answer != Crossed {
					b.Fatal(got, err)
				}
			}
		})
	}
}
