package risk

// A limit is a survival at an end of the scale of noise.
type limit struct{ survivesEmpty, survives float64 }

func (l limit) Survives(n int64) float64 {
	if n == 0 {
		return l.survivesEmpty
	}
	return l.survives
}

func (l limit) Vanishes(n int64) float64 { return 1 - l.Survives(n) }

var (
	// NoNoise is the survival of counts that are shown as they are: what measures tend to as epsilon grows. The local risk is the share of
	// homogeneous cells, and the expected one the mean of sum p_k^n.
	NoNoise Survival = limit{0, 1}
	// AllNoise is the survival under symmetric noise whose scale grows without bound: what measures tend to as epsilon gets small.
	// The local risk of a cell in which m labels of K occur is m 2^-K (event) or 2^-K (records): noise alone never brings it down to 0.
	// It is not the limit where a fill value of 1 or more stands for counts that are withheld.
	//
	// Erratum: Liu and Zhao 2023, equation 13, tends to 2 2^-K for every heterogeneous cell.
	AllNoise Survival = limit{0.5, 0.5}
)
