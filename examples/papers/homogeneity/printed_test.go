package homogeneity

import (
	"math"
	"testing"
)

// What the printed formulas give, by an independent evaluation. A formula that is repaired by mistake would show the
// papers to be right where they are not.
func TestPrintedFormulas(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
		decimals  int
	}{
		{"13 at (1,1,1), ε 0.1, bound", scenario8(3, 3, 0.1), 0.260411477, 9},
		{"14", meant14([]float64{0.5, 0.3, 0.2}, 4, 0.2), 0.260785, 6},
		{"14, R6", meant14([]float64{0.5, 0.3, 0.2}, 5, 1), 0.224523158, 9},
		{"15", meant15([]float64{1, 1, 1}, 4, 0.2), 0.255910, 6},
		{"16", printed16(3, 3, 50), 0.224, 3},
		{"19 in the limit", printed19([]float64{1, 1}, 10, 1e-9), 2.0 / 11 / 4, 8},
		{"21 in the limit, times 4", 4 * printed21([]float64{1, 1}, 0.1, 1e-9), 0.0936, 4},
		{"22", printed22(2, 4, 0.5), 0.266968, 6},
		{"28", printed28(1, 2, 4, 1.2), 0.528295, 6},
		{"S1", printedS1(4, 1), 0.445094, 6},
		{"2021, 3.6", printed36(1, 2, 2, 10), -19.157, 3},
		{"A_i, R8", sameLabel([]float64{0.5, 2, 0.7}, 4), 0.319521834, 9},
		{"2021, negative binomial: r^-2", printedNegativeBinomial(3, 0.4), 6.25, 6},
	} {
		if math.Abs(c.got-c.want) > 0.5*math.Pow(10, -float64(c.decimals)) {
			t.Errorf("%s: %.9f, want %v", c.name, c.got, c.want)
		}
	}
}
