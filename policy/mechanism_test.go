package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMechanisms(t *testing.T) {
	const dp, none = "budget: {epsilon: 10, delta: 1e-5}", "budget: {releases: 10}"
	for _, test := range []struct {
		mechanism, budget string
		want              Mechanism
	}{
		{"{kind: geometric, epsilon: 0.5}", dp, Mechanism{Kind: Geometric, Epsilon: 5e8, Delta: 25e10}},
		{"{kind: geometric, epsilon: 0.5}", "budget: {epsilon: 10, releases: 3}", Mechanism{Kind: Geometric, Epsilon: 5e8}},
		{"{kind: laplace, epsilon: 0.5, delta: 0, negative: keep}", dp, Mechanism{Kind: Laplace, Epsilon: 5e8, KeepNegative: true}},
		{"{kind: geometric, epsilon: 0.5, delta: 0, negative: keep, totals: least-squares}", dp, Mechanism{Kind: Geometric, Epsilon: 5e8, KeepNegative: true, FitTotals: true}},
		{"{kind: discrete-gaussian, epsilon: 0.5, delta: 1e-9, negative: keep, totals: optimal}", dp,
			Mechanism{Kind: DiscreteGaussian, Epsilon: 5e8, Delta: 1e9, KeepNegative: true, FitTotals: true, OptimalTotals: true}},
		{"{kind: laplace, epsilon: 0.5, delta: 0, totals: sum}", dp, Mechanism{Kind: Laplace, Epsilon: 5e8}},
		{"{kind: gaussian, epsilon: 2, negative: keep, totals: least-squares}", dp,
			Mechanism{Kind: Gaussian, Epsilon: 2e9, Delta: 2e12, KeepNegative: true, FitTotals: true, Calibration: AnalyticCalibration}},
		{"{kind: gaussian, epsilon: 2}", dp, Mechanism{Kind: Gaussian, Epsilon: 2e9, Delta: 2e12, Calibration: AnalyticCalibration}},
		{"{kind: gaussian, epsilon: 0.5, delta: 1e-6, calibration: classic}", dp, Mechanism{Kind: Gaussian, Epsilon: 5e8, Delta: 1e12, Calibration: ClassicCalibration}},
		{"{kind: gaussian, epsilon: 5, delta: 1e-6, calibration: pdp}", dp, Mechanism{Kind: Gaussian, Epsilon: 5e9, Delta: 1e12, Calibration: PDPCalibration}},
		{"{kind: discrete-gaussian, epsilon: 0.5, delta: 1e-6}", dp, Mechanism{Kind: DiscreteGaussian, Epsilon: 5e8, Delta: 1e12}},
		{"{kind: dp-suppression, epsilon: 0.5, k: 6, delta: 0}", dp, Mechanism{Kind: DPSuppression, Epsilon: 5e8, K: 6}},
		{"{kind: dp-suppression, epsilon: 0.5, k: 6, delta: 0, fill: 3}", dp, Mechanism{Kind: DPSuppression, Epsilon: 5e8, K: 6, Fill: Fill{Kind: FillValue, Value: 3}}},
		{"{kind: suppression, k: 6, accept: no-guarantee, fill: null}", none, Mechanism{Kind: Suppression, K: 6, AcceptNoGuarantee: true}},
		{"{kind: suppression, k: 6, accept: no-guarantee, fill: half}", none, Mechanism{Kind: Suppression, K: 6, Fill: Fill{Kind: FillHalf}, AcceptNoGuarantee: true}},
		{"{kind: dp-suppression-eq2, epsilon: 1, k: 6, bound: 500, accept: no-guarantee}", none,
			Mechanism{Kind: DPSuppressionEq2, Epsilon: 1e9, K: 6, Bound: 500, AcceptNoGuarantee: true}},
		{"{kind: dp-suppression-alg2, epsilon: 100, k: 6, fill: 0, accept: no-guarantee}", none,
			Mechanism{Kind: DPSuppressionAlg2, Epsilon: 100e9, K: 6, Fill: Fill{Kind: FillValue}, AcceptNoGuarantee: true}},
		{"{kind: dp-swapping, epsilon: 1, quasi: [sex], accept: no-guarantee}", none,
			Mechanism{Kind: DPSwapping, Epsilon: 1e9, Quasi: []string{"sex"}, AcceptNoGuarantee: true}},
	} {
		text := strings.Replace(edited(t, mechLine, "mechanism: "+test.mechanism), budgetLine, test.budget, 1)
		p, err := Parse("policy.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", test.mechanism, err)
			continue
		}
		if diff := cmp.Diff(test.want, p.Tables[0].Mechanism); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.mechanism, diff)
		}
	}
}

// Analysts choose between losses under rules that count mixtures, within bounds that rise.
func TestLossesToChoose(t *testing.T) {
	const zcdp = "budget: {epsilon: 10, delta: 1e-5, composition: zcdp}"
	for _, test := range []struct{ mechanism, budget, want string }{
		{"{kind: geometric, epsilon: {least: 0.05, most: 1}, delta: 0}", zcdp, ""},
		{"{kind: laplace, epsilon: {least: 0.05, usual: 0.5, most: 1}, delta: 0}", "budget: {epsilon: 10, composition: basic}", ""},
		{"{kind: discrete-gaussian, epsilon: {least: 1, most: 1}}", "budget: {epsilon: 10, delta: 1e-5, composition: advanced}", ""},
		{"{kind: gaussian, epsilon: {least: 0.05, most: 1}}", "budget: {epsilon: 10, delta: 1e-5}", ""},
		{"{kind: geometric, epsilon: {least: 0.05, most: 1}}", "budget: {epsilon: 10, delta: 1e-5}", "composition pld counts geometric noise as copies of one loss"},
		{"{kind: discrete-gaussian, epsilon: {least: 0.05, most: 1}}", "budget: {epsilon: 10, delta: 1e-5}", "composition pld counts discrete-gaussian noise"},
		{"{kind: geometric, epsilon: {least: 1, most: 0.5}}", zcdp, "least, usual and most do not rise"},
		{"{kind: geometric, epsilon: {least: 0.1, usual: 2, most: 1}}", zcdp, "least, usual and most do not rise"},
		{"{kind: geometric, epsilon: {least: 0.1, most: 11}}", zcdp, "one count may cost 11, more than the budget's 10"},
		{"{kind: geometric, epsilon: {most: 1}}", zcdp, "write {least: 0.05, most: 1}"},
		{"{kind: geometric, epsilon: {least: 0.1, most: 1, more: 2}}", zcdp, "unknown key"},
		{"{kind: dp-suppression, epsilon: {least: 0.1, most: 1}, k: 6}", zcdp, "analysts choose the loss of noise alone"},
		{"{kind: gaussian, epsilon: {least: 0.1, most: 2}, calibration: classic}", zcdp, "the classic calibration is proved for an epsilon below 1, not for 2"},
	} {
		p, err := Parse("policy.yaml", []byte(strings.Replace(edited(t, mechLine, "mechanism: "+test.mechanism), budgetLine, test.budget, 1)))
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.mechanism, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v, want %s", test.mechanism, err, test.want)
		case test.want == "" && p.Tables[0].Mechanism.Epsilon < p.Tables[0].Mechanism.Least:
			t.Errorf("%s: %+v", test.mechanism, p.Tables[0].Mechanism)
		}
	}
}

// Each kind needs accept: no-guarantee exactly if it has no guarantee, and joins are of noise alone.
func TestKinds(t *testing.T) {
	for _, k := range Kinds {
		required, _, _ := strings.Cut(strings.Join(mechanismKeys[k], " "), "  ")
		if accepts := strings.Contains(required, "accept"); accepts == k.Guaranteed() {
			t.Errorf("%s: guaranteed %t, accept required %t", k, k.Guaranteed(), accepts)
		}
		m := Mechanism{Kind: k}
		if noise := k.Guaranteed() && !k.Suppresses(); m.Combines(m) != noise {
			t.Errorf("%s: combines %t, want %t", k, m.Combines(m), noise)
		}
	}
	if (Mechanism{Kind: Geometric}).Combines(Mechanism{Kind: Laplace}) {
		t.Error("geometric and Laplace noise combine")
	}
	summed := Mechanism{Kind: Geometric, KeepNegative: true}
	fitted := summed
	fitted.FitTotals = true
	if summed.Combines(fitted) || fitted.Combines(summed) || !fitted.Combines(fitted) {
		t.Error("tables combine whose totals are made in different ways, or do not though theirs are made in one")
	}
}
