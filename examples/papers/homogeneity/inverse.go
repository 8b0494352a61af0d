package homogeneity

import (
	"math"

	"tacit/examples/papers/internal/report"
	"tacit/risk"
)

// inverses is what the 2021 paper says can be done and does not do: the ε for an acceptable risk.
func (x experiments) inverses() (report.Table, error) {
	targets := []float64{0.3, 0.4, 0.5, 0.75, 0.9}
	t := report.Table{
		Caption: "The largest ε from 0.001 to 100 up to which the risk, averaged over cells, stays at or below a target (local, event version; Gaussian pDP with δ = 0.001)",
		Header:  []string{"data", "mechanism"},
	}
	for _, target := range targets {
		t.Header = append(t.Header, "risk ≤ "+decimal(target))
	}
	for _, e := range []experiment{x.adult, x.adultQuasi, x.bankruptcy, x.subset} {
		for i, s := range []sanitizer{laplace(), gaussianPDP(1e-3)} {
			row := []string{e.name, []string{"Laplace", "Gaussian, pDP"}[i]}
			for _, target := range targets {
				cell, err := e.inverse(s, target)
				if err != nil {
					return t, err
				}
				row = append(row, cell)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}

func (e experiment) inverse(s sanitizer, target float64) (string, error) {
	found, err := risk.Largest(target, func(survival risk.Survival) float64 { return e.table.Local(survival, risk.Event).Unweighted }, s.survival, risk.Range{Low: 1e-3, High: 100})
	if err != nil {
		return "", err
	}
	switch found.Answer {
	case risk.Never:
		return "none", nil
	case risk.Always:
		return "any", nil
	}
	return digits(math.Floor(found.Epsilon*1e3)/1e3, 3), nil // rounded down: the risk at what is printed is within the target
}
