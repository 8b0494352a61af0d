package contingency

import (
	"math"
	"testing"
)

// The riskiest cell of the paper's order, by enumeration of all 3x3 tables with the margins and cell 1,1 of figure 3: half a million. The decision
// errs to the safe side by less than 1%.
func TestFigure3RiskiestCellByEnumeration(t *testing.T) {
	table := hair(100)
	laws := make([][]float64, len(table.Cells))
	for i, cell := range table.Cells {
		g := cell[0]
		for v := range g.People + 1 {
			all, _ := math.Lgamma(float64(g.People + 1))
			yes, _ := math.Lgamma(float64(v + 1))
			no, _ := math.Lgamma(float64(g.People - v + 1))
			laws[i] = append(laws[i], math.Exp(all-yes-no+float64(v)*math.Log(g.Prior)+float64(g.People-v)*math.Log1p(-g.Prior)))
		}
	}
	unsafe, all := 0.0, 0.0
	for v := range 46 {
		mass, means := 0.0, make([]float64, 9)
		for a := range 78 {
			for b := range 152 {
				x := []int{101, v, 45 - v, a, b, 151 - a - b, 77 - a, 156 - v - b, a + b + v - 80}
				p := 1.0
				for i, n := range x {
					if n < 0 || n >= len(laws[i]) {
						p = 0
						break
					}
					p *= laws[i][n]
				}
				if p == 0 {
					continue
				}
				mass += p
				for i, n := range x {
					means[i] += p * float64(n)
				}
			}
		}
		all += mass
		for i, cell := range table.Cells {
			g := cell[0]
			if q := means[i] / mass / float64(g.People); math.Abs(q-g.Prior) > epsilon*min(g.Prior, 1-g.Prior)*(1+1e-9) {
				unsafe += mass
				break
			}
		}
	}
	exact := unsafe / all
	if math.Abs(exact-9.33639e-3) > 1e-8 {
		t.Errorf("risk by enumeration: %v", exact)
	}
	if got := decided(t, table, figure3, marginsFirst(table), atMost(delta/16))["cell 1,2"].risk; got < exact || got > 1.01*exact {
		t.Errorf("risk %v, by enumeration %v", got, exact)
	}
}
