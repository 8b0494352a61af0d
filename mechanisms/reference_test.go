package mechanisms

import (
	"math"
	"testing"

	"tacit/accountant/composition"
	"tacit/policy"
)

// The tests of this file compare with published or independently computed numbers, to all their digits.

// scaled is a mechanism with Laplace or geometric noise of scale 1 (alpha = exp(-1)), which is that of epsilon 1 under add-remove.
func scaled(t *testing.T, kind policy.Kind) *Mechanism {
	return newMechanism(t, Config{Kind: kind, Epsilon: 1e9, KeepNegative: true})
}

// withVariance is discrete Gaussian noise of a variance that was not calibrated.
func withVariance(t *testing.T, variance float64) additive {
	return additive{noise: newGaussian(testVariance(t, math.Sqrt(variance)), true), config: Config{Sensitivity: 1, PerCell: 1, Adjacency: policy.AddRemove}}
}

func TestReferenceCalibrations(t *testing.T) {
	digits(t, "classic sigma at 0.5 and 1e-5", classicSigma(0.5, 1e-5, 1), "9.68961053")
	digits(t, "pdp sigma at 1 and 1e-5", pdpSigma(1, 1e-5, 1), "4.52760703")
	sigma := pdpSigma(1, 1e-5, 1)
	beyond := func(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
	// The loss is normal with mean 1/(2 sigma^2) and standard deviation 1/sigma: P(loss > 1) + P(loss < -1).
	failure := beyond(sigma-1/(2*sigma)) + beyond(sigma+1/(2*sigma))
	digits(t, "pdp failure at that sigma", failure, "6.7586382e-06")
	digits(t, "exact delta at that sigma", gaussianDelta(1, sigma, 1), "2.19525744e-07")
	digits(t, "exact delta of the classic sigma", gaussianDelta(0.5, 9.68961052521, 1), "1.60785399e-08")
	digits(t, "analytic sigma", analyticSigma(0.5, 1e-5, 1), "7.03182668")
	digits(t, "analytic sigma, D = sqrt 2", analyticSigma(0.5, 1e-5, math.Sqrt2), "9.94450465")
}

// The classic calibration, which is proved for epsilon below 1, holds a while longer, and then fails.
func TestReferenceClassicFails(t *testing.T) {
	for _, c := range []struct{ delta, epsilon float64 }{{0.1, 5.743}, {1e-2, 6.772}, {1e-5, 8.420}, {1e-8, 9.374}} {
		exact := func(e float64) float64 { return gaussianDelta(e, classicSigma(e, c.delta, 1), 1) }
		if exact(c.epsilon-0.001) > c.delta || exact(c.epsilon+0.001) <= c.delta {
			t.Errorf("delta %v: the classic sigma does not turn wrong at epsilon %v", c.delta, c.epsilon)
		}
	}
}

func TestReferenceProfiles(t *testing.T) {
	g := withVariance(t, 4)
	digits(t, "discrete Gaussian, add-remove", g.guarantee(policy.AddRemove).Delta(0.5), "0.0540072237")
	digits(t, "discrete Gaussian, replace-one", g.guarantee(policy.ReplaceOne).Delta(0.5), "0.120956509")
	digits(t, "continuous Gaussian of the same variance", gaussianDelta(0.5, 2, 1), "0.052440")
	m := scaled(t, policy.Geometric)
	digits(t, "geometric, add-remove", m.Guarantee(policy.AddRemove).Delta(0.3), "0.368025632")
	digits(t, "geometric, replace-one", m.Guarantee(policy.ReplaceOne).Delta(0.3), "0.436812049")

	// Continuous Laplace noise of scale 1; the rounded noise has a delta a little below.
	one := func(epsilon float64) float64 { return -math.Expm1(-(1 - epsilon) / 2) }
	two := func(epsilon float64) float64 {
		s := 2 - epsilon
		return 1 - math.Exp(-s/2)*(1+s/4)
	}
	digits(t, "Laplace, add-remove", one(0.3), "0.29531191")
	digits(t, "Laplace, replace-one", two(0.3), "0.390933722")
	l := scaled(t, policy.Laplace)
	for _, e := range []float64{0, 0.1, 0.3, 0.9} {
		if d := l.Guarantee(policy.AddRemove).Delta(e); d > one(e) || d < one(e)*0.5 {
			t.Errorf("rounded Laplace noise has delta(%v) = %v, continuous noise %v", e, d, one(e))
		}
		if d := l.Guarantee(policy.ReplaceOne).Delta(e); d > two(e) || d < two(e)*0.5 {
			t.Errorf("replace-one: rounded Laplace noise has delta(%v) = %v, continuous noise %v", e, d, two(e))
		}
	}
}

func TestReferenceZCDP(t *testing.T) {
	digits(t, "rho of Laplace", scaled(t, policy.Laplace).Guarantee(policy.AddRemove).Rho, "0.367879441")
	digits(t, "rho of geometric", scaled(t, policy.Geometric).Guarantee(policy.AddRemove).Rho, "0.462117157")
	digits(t, "rho of discrete Gaussian", withVariance(t, 4).guarantee(policy.ReplaceOne).Rho, "0.25")
	digits(t, "basic epsilon of rho", epsilonOfRho(0.5, 1e-5), "5.29852591")
	digits(t, "best epsilon of rho", composition.EpsilonOfRho(0.5, 1e-5), "4.72838698")
	if d := composition.DeltaOfRho(0.5, composition.EpsilonOfRho(0.5, 1e-5)); !near(d, 1e-5, 1e-9) {
		t.Errorf("deltaOfRho at the best epsilon is %v, want 1e-5", d)
	}
}

func TestReferencePublishedSuppression(t *testing.T) {
	c := Config{Epsilon: 1e9, K: 6, Fill: policy.Fill{}, Bound: 10}
	c.Kind = policy.DPSuppressionEq2
	eq2 := newMechanism(t, c)
	c.Kind = policy.DPSuppressionAlg2
	alg2 := newMechanism(t, c)
	for _, e := range []float64{0, 0.5, 1, 7} {
		digits(t, "equation 2, replace-one", eq2.Guarantee(policy.ReplaceOne).Delta(e), "0.992450654")
		digits(t, "equation 2, add-remove", eq2.Guarantee(policy.AddRemove).Delta(e), "0.932332358")
		digits(t, "algorithm 2, replace-one", alg2.Guarantee(policy.ReplaceOne).Delta(e), "0.932332358")
		digits(t, "algorithm 2, add-remove", alg2.Guarantee(policy.AddRemove).Delta(e), "0.932332358")
	}
	digits(t, "Theorem 1", eq2.method.(publishedSuppression).theorem1(), "0.99542109")
}

func TestReferenceSwapping(t *testing.T) {
	digits(t, "swapping", SwappingDelta(2, 4), "0.844549934")
	digits(t, "Theorem 3 as printed", printedSwappingDelta(2, 4), "0.826019832")
	digits(t, "swapping of two places", SwappingDelta(0.5, 2), "0.529993")
	digits(t, "Theorem 3 as printed, two places", printedSwappingDelta(0.5, 2), "0.244919")
	// The paper's table, .868, .874, .899 and .969, has nine places; all but the first number are truncated.
	for i, e := range []float64{0.5, 1, 2, 4} {
		digits(t, "the paper's table", printedSwappingDelta(e, 9), []string{"0.867908", "0.874335", "0.899595", "0.969837"}[i])
		digits(t, "the paper's table, corrected", SwappingDelta(e, 9), []string{"0.889391", "0.891744", "0.908041", "0.970347"}[i])
	}
}

// The paper's table of discrete Gaussian noise has exp(-(epsilon-rho)^2/(4 rho)) with rho = epsilon/10: that of a variance of 20/epsilon, by
// the paper's statement. The text has 4/epsilon^2.
func TestReferenceDiscreteGaussianTable(t *testing.T) {
	for i, e := range []float64{0.5, 1, 2, 4} {
		rho := e / 10
		stated := math.Exp(-(e - rho) * (e - rho) / (4 * rho))
		if i == 0 {
			// The table's columns are epsilon 0.5, 1, 2 and 4: exp(-2.025 epsilon).
			digits(t, "exponent", math.Log(stated)/e, "-2.025")
		}
		digits(t, "the paper's table", stated, []string{"0.363310", "0.131994", "0.017422", "3.035e-4"}[i])
		used := withVariance(t, 20/e).guarantee(policy.ReplaceOne)
		// The statement is for persons who change counts by 2 in the l2 norm; under replace-one it is sqrt 2, and rho half of it.
		if !near(used.Rho, rho/2, 1e-9) {
			t.Errorf("epsilon %v: rho is %v, want %v", e, used.Rho, rho/2)
		}
		digits(t, "exact delta of that noise", used.Delta(e), []string{"1.25e-3", "1.07e-4", "8.6e-7", "6.0e-11"}[i])
		digits(t, "exact delta of the text's noise", withVariance(t, 4/(e*e)).guarantee(policy.ReplaceOne).Delta(e),
			[]string{"0.015784", "0.037969", "0.096793", "0.176249"}[i])
	}
}

func TestReferenceFairness(t *testing.T) {
	counts := []int64{2, 9, 30}
	// max(0, x + Lap(2/epsilon)) of continuous noise: its bias is exp(-epsilon x/2)/epsilon.
	continuous := func(x int64) float64 { return math.Exp(-float64(x) / 2) }
	digits(t, "alpha of continuous Laplace noise", continuous(2)-continuous(30), "0.367879135")
	rounded := Summarize(newMechanism(t, Config{Kind: policy.Laplace, Epsilon: 1e9, Adjacency: policy.ReplaceOne}).Expect(Histogram{Counts: counts}))
	// Rounding multiplies every bias by the same factor, that of sums over integers, exp(-1/4)/(2 (1-exp(-1/2))), to integrals.
	factor := math.Exp(-0.25) / (2 * -math.Expm1(-0.5))
	digits(t, "alpha of rounded Laplace noise, divided", rounded.Alpha/factor, "0.367879135")

	eq2 := newMechanism(t, Config{Kind: policy.DPSuppressionEq2, Epsilon: 1e9, K: 6, Fill: policy.Fill{}})
	summary := Summarize(eq2.Expect(Histogram{Counts: counts}))
	digits(t, "alpha of suppression", summary.Alpha, "1.60172284")
	digits(t, "l1 norm of the bias of suppression", summary.L1Bias, "1.60180579")
	// Theorem 7: (x_n - x_1) p_1 + max(|k/2 - x_1|, |k/2 - x_n|) (p_1 - p_n) bounds alpha.
	p := eq2.method.(publishedSuppression).below
	digits(t, "Theorem 7", 28*p(2)+27*(p(2)-p(30)), "51.2781968")
	// Theorem 7 is said to be tight if the largest count is k/2: it is not.
	two := Summarize(eq2.Expect(Histogram{Counts: []int64{1, 3}}))
	digits(t, "alpha of 1 and 3", two.Alpha, "1.917915")
	digits(t, "Theorem 7 of 1 and 3", 2*p(1)+2*(p(1)-p(3)), "2.058960")
	far := Summarize(eq2.Expect(Histogram{Counts: []int64{3, 100}}))
	digits(t, "alpha of 3 and 100", far.Alpha*1e19, "1.9")
}

// What follows are forms of the papers and of zCDP that no mechanism uses.

// theorem1 is the delta of Theorem 1 of Zhu et al. 2023 and Das et al. 2024, for the comparison with it: 1 - exp(-epsilon (B-k))/4.
func (p publishedSuppression) theorem1() float64 {
	epsilon := 2 * float64(p.noise.s) / float64(p.noise.t)
	return 1 - math.Exp(-epsilon*float64(p.bound-p.k))/4
}

// printedSwappingDelta is Theorem 3 as printed, for the comparison with the paper's table.
func printedSwappingDelta(epsilon float64, places int) float64 {
	others := float64(places - 1)
	moved := others / (math.Exp(epsilon) + others)
	return 1 - moved*(2-moved)/others - moved*moved/(others*others)
}

// epsilonOfRho is the epsilon at delta of a rho-zCDP mechanism in its usual form, rho + 2 sqrt(rho ln(1/delta)) (Bun and Steinke 2016,
// Proposition 1.3).
func epsilonOfRho(rho, delta float64) float64 { return rho + 2*math.Sqrt(rho*math.Log(1/delta)) }
