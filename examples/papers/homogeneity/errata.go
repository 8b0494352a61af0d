package homogeneity

import (
	"fmt"
	"math"

	"tacit/examples/papers/internal/report"
	"tacit/mechanisms"
	"tacit/risk"
)

// An erratum compares a printed formula with the right value of what it is for.
type erratum struct {
	what      string
	published float64
	right     float64
	decimals  int
	reason    string
}

func (e erratum) row() report.Row {
	published, right := digits(e.published, e.decimals), digits(e.right, e.decimals)
	return report.Row{What: e.what, Published: published + " (as printed)", Regenerated: right, Verdict: report.Holds(published == right), Reason: e.reason}
}

// errata evaluates what the papers print where it does not hold.
func (x experiments) errata() (report.Section, error) {
	s := report.Section{
		ID: "homogeneity-errata", Title: "Homogeneity attack: formulas as they are printed",
		Source: paper2023 + ", theorems 1 and 3, corollaries 2 and 4, supplement; " + paper2021 + ", corollaries 3.6 to 3.13",
		Rule:   "What is published is the formula; its value, evaluated here, would have to be the exact one to the digits shown.",
		Intro: "Published: the printed formula, evaluated. Regenerated: the exact value of what it is for, by package risk. The 2023 paper's own curves do not have the misprints: " +
			"its code has the forms that were meant.",
	}
	c := &exact{}
	var all []erratum
	for _, list := range []func(*exact) []erratum{x.localErrata, x.priorErrata, x.sizeErrata} {
		all = append(all, list(c)...)
	}
	for _, e := range all {
		s.Rows = append(s.Rows, e.row())
	}
	s.Rows = append(s.Rows, x.momentsRow(c))
	return s, c.err
}

// exact computes the right values. After an error it gives zeros, and the error at the end.
type exact struct{ err error }

func (c *exact) keep(err error) bool {
	if c.err == nil {
		c.err = err
	}
	return c.err == nil
}

func (c *exact) laplace(epsilon float64) risk.Survival {
	law, err := mechanisms.LaplaceLaw(1 / epsilon)
	if !c.keep(err) {
		return risk.AllNoise
	}
	return law.Survival()
}

func (c *exact) gaussian(sigma float64) risk.Survival {
	law, err := mechanisms.GaussianLaw(sigma)
	if !c.keep(err) {
		return risk.AllNoise
	}
	return law.Survival()
}

// shrinkage is the risk of one cell of n records with a Dirichlet prior.
func (c *exact) shrinkage(s risk.Survival, n int64, alpha ...float64) float64 {
	counts := make([]int64, len(alpha))
	counts[0] = n
	t, err := risk.NewTable(len(alpha), [][]int64{counts})
	if !c.keep(err) {
		return 0
	}
	m, err := t.Shrinkage(risk.Event, alpha)
	if !c.keep(err) {
		return 0
	}
	return m(s).Unweighted
}

// marginalShrinkage is the risk of a cell with a Dirichlet prior and a size from a Poisson distribution.
func (c *exact) marginalShrinkage(s risk.Survival, mean float64, scope risk.Scope, alpha ...float64) float64 {
	sizes, err := risk.Poisson(mean, scope)
	if !c.keep(err) {
		return 0
	}
	m, err := risk.MarginalShrinkage(risk.Event, alpha, sizes)
	if !c.keep(err) {
		return 0
	}
	return m(s)
}

// marginal is the risk of a cell of n records of one of two labels, with a size from a Poisson distribution.
func (c *exact) marginal(s risk.Survival, n int64, mean float64, scope risk.Scope) float64 {
	t, err := risk.NewTable(2, [][]int64{{n, 0}})
	if !c.keep(err) {
		return 0
	}
	sizes, err := risk.Poisson(mean, scope)
	if !c.keep(err) {
		return 0
	}
	m, err := t.Marginal(risk.Event, sizes)
	if !c.keep(err) {
		return 0
	}
	return m(s).Unweighted
}

// average13 is a form of equation 13 over the Bankruptcy subset.
func (x experiments) average13(form func(labels int, n, epsilon float64, homogeneous bool) float64, epsilon float64) risk.Average {
	var a risk.Average
	d := x.subset.table.Describe()
	for _, p := range x.subset.table.Patterns {
		r := form(x.subset.table.Labels, float64(p.Records()), epsilon, len(p.Counts) == 1) * float64(p.Cells)
		a.Unweighted += r / float64(d.All.Cells)
		a.Weighted += r * float64(p.Records()) / float64(d.All.Records)
	}
	return a
}

func (x experiments) localErrata(c *exact) []erratum {
	const small = 1e-9
	printed, meant, right := x.average13(printed13, small), x.average13(meant13, small), local(x.subset.table, risk.AllNoise)
	prefactor := "A prefactor F0^(K-1) multiplies both terms; it belongs to the first. The form that was meant gives %s, as the paper's figure has it; exact is m 2^-K for m labels."
	ones := []int64{1, 1, 1}
	half := c.laplace(0.2)
	p := []float64{0.5, 0.3, 0.2}
	return []erratum{
		{"(13), Bankruptcy subset, ε → 0, by cells", printed.Unweighted, right.Unweighted, 4, fmt.Sprintf(prefactor, digits(meant.Unweighted, 4))},
		{"(13), Bankruptcy subset, ε → 0, by records", printed.Weighted, right.Weighted, 4, fmt.Sprintf(prefactor, digits(meant.Weighted, 4))},
		{"Scenario 8 in (13) to (17), counts (1, 1, 1), ε = 0.1: the bound", scenario8(3, 3, 0.1), risk.Local(c.laplace(0.1), risk.Event, 3, ones), 9,
			"The risk exceeds its upper bound: n-1 and 1 are not the worst counts if three labels occur. It is one for the record version."},
		{"(14), K = 3, p = (0.5, 0.3, 0.2), n = 4, ε = 0.2: the bound", meant14(p, 4, 0.2), risk.Expected(half, risk.Event, p, 4), 6, "Exceeded, as above."},
		{"(15), K = 3, Dirichlet(1, 1, 1), n = 4, ε = 0.2: the bound", meant15([]float64{1, 1, 1}, 4, 0.2), c.shrinkage(half, 4, 1, 1, 1), 6, "Exceeded, as above."},
		{"(22), K = 2, σ = 0.5, counts (3, 1)", printed22(2, 4, 0.5), risk.Local(c.gaussian(0.5), risk.Event, 2, []int64{3, 1}), 6, "The same prefactor as in (13)."},
		{"(S1), counts (3, 1), ε = 1", printedS1(4, 1), risk.Local(c.laplace(1), risk.Event, 2, []int64{3, 1}), 6, "The same prefactor, and the second term lacks its factor of 1/2."},
	}
}

func (x experiments) priorErrata(c *exact) []erratum {
	const small = 1e-9
	few := []float64{1, 1}
	homogeneous := sameLabel([]float64{1, 2}, 4)
	right28 := homogeneous * risk.Local(c.gaussian(1.2), risk.Event, 2, []int64{4})
	return []erratum{
		{"(19), K = 2, Dirichlet(1, 1), n = 10, ε → 0: in (2^-K, 1)", printed19(few, 10, small), c.shrinkage(c.laplace(1e-6), 10, few...), 4,
			"It is said to be within (0.25, 1) and is not. If all cells are homogeneous the prior still says that a cell may not be; the formula drops such cells."},
		{"(21), as (19) with n from Poisson(0.1), ε → 0", printed21(few, 0.1, small), c.marginalShrinkage(c.laplace(1e-6), 0.1, risk.NonEmpty, few...), 4,
			"As (19); and only cells with records are averaged over, so that the law of sizes is to be truncated at 0."},
		{"(28), K = 2, Dirichlet(1, 2), n = 4, σ = 1.2", printed28(1, 2, 4, 1.2), right28, 6, "It divides by 4 B(α1, α2), where there should be 2^K. (30) does the same."},
	}
}

func (x experiments) sizeErrata(c *exact) []erratum {
	return []erratum{
		{"(16), one cell of 3 records of one label, Poisson(3), ε = 50", printed16(3, 3, 50), c.marginal(c.laplace(50), 3, 3, risk.NonEmpty), 3,
			fmt.Sprintf("It multiplies by the probability of the observed size, instead of averaging over sizes. Without truncation at 0 the average is %s. "+
				"So do (20), (25), (29), (S4) and (S9).", digits(c.marginal(c.laplace(50), 3, 3, risk.AllCells), 3))},
		{"(17), Poisson(0.1), Dirichlet(1, 1), ε → ∞", 1 - math.Exp(-0.1), c.marginalShrinkage(c.laplace(100), 0.1, risk.NonEmpty, 1, 1), 3,
			"Most cells of this law are empty, and count as cells without risk; the paper's averages are over cells with records."},
		{"2021, corollary 3.6, Poisson(2), Beta(1, 2), ε = 10", printed36(1, 2, 2, 10), c.cellsOf36(), 6,
			"A probability of -19: the sum begins at n = 0, where the noise is on the other side of 0. From n = 1 on it is right, for homogeneous cells."},
		{"2021, negative binomial with r = 0.4: the probabilities' sum", printedNegativeBinomial(3, 0.4), 1, 2, "C(n+λ+1, n) sums to r^-2; it should be C(n+λ-1, n)."},
	}
}

// cellsOf36 is corollary 3.6 from n = 1 on.
func (c *exact) cellsOf36() float64 {
	sum, s := 0.0, c.laplace(10)
	for n := int64(1); n < 200; n++ {
		sum += poisson(float64(n), 2) * sameLabel([]float64{1, 2}, float64(n)) * risk.Local(s, risk.Event, 2, []int64{n})
	}
	return sum
}
