package composition

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"tacit/policy"
)

var ruleColumns = []policy.Composition{policy.BasicComposition, policy.AdvancedComposition, policy.ZCDPComposition, policy.PLDComposition}

// fit is how many releases of a term fit into (10, 1e-6).
func fit(c *Composer, rule policy.Composition, term Term) (n int64) {
	f := Filter{Rule: rule, Epsilon: 10e9, Delta: 1e12, Main: term}
	for c.Covers(f, Tally{term: n + 1}) {
		n++
	}
	return n
}

// The guide has a table of how many answers fit, and two numbers of Gaussian ones.
func TestNumbersOfTheGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/composition.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| ([0-9.]+) \| (add-remove|replace-one) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$`).FindAllStringSubmatch(string(text), -1)
	if len(rows) < 6 {
		t.Fatalf("the guide has %d rows", len(rows))
	}
	var c Composer
	for _, row := range rows {
		epsilon, err := policy.ParseEpsilon(row[1])
		if err != nil {
			t.Fatal(err)
		}
		moves := map[string]int64{"add-remove": 1, "replace-one": 2}[row[2]]
		for i, rule := range ruleColumns {
			if want := strconv.FormatInt(fit(&c, rule, geometric(epsilon, moves)), 10); row[3+i] != want {
				t.Errorf("epsilon %v, %s, %s: the guide has %s, it is %s", epsilon, row[2], rule, row[3+i], want)
			}
		}
	}
	gaussians := regexp.MustCompile("under `zcdp` (\\d+) fit into \\(10, 10⁻⁶\\), and under `pld` (\\d+)").FindStringSubmatch(string(text))
	if gaussians == nil {
		t.Fatal("the guide has no numbers of Gaussian releases")
	}
	eight := Term{Noise: GaussianNoise, Variance: Ratio{64, 1}, Squared: 1}
	for i, rule := range []policy.Composition{policy.ZCDPComposition, policy.PLDComposition} {
		if want := strconv.FormatInt(fit(&c, rule, eight), 10); gaussians[1+i] != want {
			t.Errorf("Gaussian noise, %s: the guide has %s, it is %s", rule, gaussians[1+i], want)
		}
	}
}
