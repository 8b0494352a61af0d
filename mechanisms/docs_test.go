package mechanisms

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tacit/policy"
)

// The steward's guide has a table of thresholds, and no document has a placeholder.
func TestThresholdsOfTheGuide(t *testing.T) {
	text, err := os.ReadFile("../docs/steward.md")
	if err != nil {
		t.Fatal(err)
	}
	deltas := []policy.Delta{1e13, 1e12, 1e10}
	_, table, _ := strings.Cut(string(text), "\n| epsilon of a count | delta 1e-5 | 1e-6 | 1e-8 |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := regexp.MustCompile(`(?m)^\| ([0-9.]+) \| (\d+) \| (\d+) \| (\d+) \|$`).FindAllStringSubmatch(table, -1)
	if len(rows) != 3 {
		t.Fatalf("the guide has %d rows of thresholds", len(rows))
	}
	for _, row := range rows {
		epsilon, err := policy.ParseEpsilon(row[1])
		if err != nil {
			t.Fatal(err)
		}
		for i, delta := range deltas {
			m := newMechanism(t, Config{Kind: policy.Geometric, Epsilon: epsilon, Delta: delta})
			if want := strconv.FormatInt(m.Threshold(), 10); row[2+i] != want {
				t.Errorf("epsilon %v, delta %v: the guide has %s, it is %s", epsilon, delta, row[2+i], want)
			}
		}
	}
	for _, name := range []string{"README.md", "docs/mechanisms.md", "docs/publishing.md", "docs/analyst.md"} {
		text, err := os.ReadFile("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if found := regexp.MustCompile(`[A-Z]+-TRANSCRIPT|TODO|XXX`).FindString(string(text)); found != "" || strings.Contains(string(text), "???") {
			t.Errorf("%s has a placeholder: %s", name, found)
		}
	}
}
