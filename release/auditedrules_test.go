package release

import (
	"math"
	"strings"
	"testing"

	"tacit/policy"
	"tacit/release/internal/site"
	"tacit/release/seal"
)

// newCarriersOf is an audited table whose policy has other lines in place of its prior and delta.
func newCarriersOf(t *testing.T, prior, rest string) *ward {
	text := strings.Replace(site.CarrierPolicy, "prior: {by: [hair], values: {blonde: 0.5, black: 0.4, brown: 0.3, white: 0.4}}", prior, 1)
	text = strings.Replace(text, "delta: 0.2", rest, 1)
	if !strings.Contains(text, prior) || !strings.Contains(text, rest) {
		t.Fatal("the policy has changed")
	}
	return newWardOf(t, site.CarrierSchema, text)
}

// many adds 20,000 people of each of three types to the carriers, and takes the white-haired away.
const many = `DELETE FROM clinic.carriers WHERE hair = 'white';
INSERT INTO clinic.carriers SELECT 1000000 + 100000 * h + i, (ARRAY['blonde', 'black', 'brown'])[h], 'green', 30, 'east', i <= 10000 - 2000 * (h - 1) FROM generate_series(1, 3) AS h, generate_series(1, 20000) AS i;`

// TestEstimatedPrior estimates the rates of three types from noisy totals. It fails if the estimate is not charged, if it is no estimate, or if
// nothing is released under it.
func TestEstimatedPrior(t *testing.T) {
	w := newCarriersOf(t, "prior: {by: [hair], estimate: {epsilon: 1}}\n    budget: {epsilon: 1}", "delta: 0.2")
	w.Exec(many)
	sealed := w.seal(false)
	if sealed.Charged != 1_000_000_000 || len(sealed.Types) != 3 {
		t.Fatalf("%+v", sealed)
	}
	for _, kind := range sealed.Types {
		want := map[string]float64{"hair=blonde": 0.5, "hair=black": 0.4, "hair=brown": 0.3}[kind.Name]
		if got := kind.Prior[1]; got < want-0.02 || got > want+0.02 {
			t.Errorf("%s: %v instead of about %v", kind.Name, got, want)
		}
	}
	d := w.open()
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'brown'", "6192")
	d.Close()
	if _, err := w.trySeal(false); err != nil { // the estimate stays that of the first epoch
		t.Error(err)
	}
}

// TestEstimateIsNotWasted fails if an estimate is charged though public facts show that it is of no use, or again after a seal that failed behind it.
func TestEstimateIsNotWasted(t *testing.T) {
	const certified = "\n      certified: {hair: values, eye: values, age: values, region: values}"
	const prior = "prior: {by: [hair], estimate: {epsilon: 1}}"
	w := newCarriersOf(t, prior+certified+"\n    budget: {epsilon: 1}", "delta: 0.2")
	if _, err := w.trySeal(false); err == nil || !strings.Contains(err.Error(), "people of type hair=white are 4, too few for an estimate at epsilon 1") {
		t.Errorf("sealed: %v", err)
	}
	w.Exec(many)
	if _, err := w.trySeal(false); err == nil || !strings.Contains(err.Error(), "plan") {
		t.Errorf("sealed: %v", err)
	}
	w.Policy = w.Reparse(strings.Replace(strings.Replace(site.CarrierPolicy, "prior: {by: [hair], values: {blonde: 0.5, black: 0.4, brown: 0.3, white: 0.4}}", prior, 1), "    columns:", "    budget: {epsilon: 1}\n    columns:", 1))
	if sealed := w.seal(false); sealed.Charged != 0 || sealed.Epoch != 1 {
		t.Errorf("%+v", sealed)
	}
}

// TestNoiseBound compares the bound with the tail of the noise, summed. It fails if it is too small, or larger than it has to be.
func TestNoiseBound(t *testing.T) {
	for _, epsilon := range []float64{0.01, 0.1, 1, 5} {
		for _, types := range []int{1, 4, 1000} {
			w := &seal.Sealing{Table: &policy.Table{Mechanism: policy.Mechanism{Audit: &policy.Auditor{Prior: policy.Prior{Estimate: policy.Epsilon(epsilon * 1e9)}}}}}
			a := math.Exp(-epsilon)
			beyond := func(k float64) float64 { // P(|noise| > k)
				sum := 0.0
				for x := k + 1; x < k+1+60/epsilon; x++ {
					sum += 2 * (1 - a) / (1 + a) * math.Exp(-epsilon*x)
				}
				return sum * float64(types)
			}
			k := w.NoiseBound(types)
			if beyond(k) > 1e-9*(1+1e-9) || beyond(k-1) <= 1e-9 {
				t.Errorf("epsilon %v, %d types: beyond %v with %v, beyond one less with %v", epsilon, types, k, beyond(k), beyond(k-1))
			}
		}
	}
}

// TestPaperRules decides by the fixed threshold delta/T, and by the paper's sampling, until all T decisions are made.
func TestPaperRules(t *testing.T) {
	const prior = "prior: {by: [hair], values: {blonde: 0.5, black: 0.4, brown: 0.3, white: 0.4}}"
	for _, rule := range []policy.AuditRule{policy.ThresholdRule, policy.PaperRule} {
		t.Run(string(rule), func(t *testing.T) {
			w := newCarriersOf(t, prior, "delta: 0.2\n      rule: "+string(rule)+"\n      decisions: 4")
			w.seal(false)
			d := w.open()
			w.answers(d, "SELECT hair, count(*) FILTER (WHERE gene) FROM clinic.carriers GROUP BY hair", "blonde 312", "black 253", "brown 192", "white NULL")
			if r := w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312"); r.Free != 1 {
				t.Errorf("%+v", r)
			}
			// The fifth decision is one too many, though it would be safe.
			w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde' AND eye = 'blue'", "NULL")
			proof, err := seal.Replay(t.Context(), w.Policy.Ledger, carriers)
			if err != nil || len(proof.Differences) > 0 {
				t.Errorf("%+v, %v", proof, err)
			}
		})
	}
}
