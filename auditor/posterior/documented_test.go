package posterior

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestDocumentedLeastPeople holds the table of docs/auditor.md against what is computed: the least blocks for a risk of 0.001, released
// once and certified.
func TestDocumentedLeastPeople(t *testing.T) {
	text, err := os.ReadFile("../../docs/auditor.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, epsilon := range []float64{0.1, 0.2, 0.5, 0.8} {
		row := fmt.Sprintf("| %v |", epsilon)
		for _, p := range []float64{0.5, 0.3, 0.1, 0.05, 0.01} {
			margin := epsilon * p
			kind := Atom{Prior: []float64{1 - p, p}, Limits: []Limit{{0, 1}, {p - margin, p + margin}}}
			row += fmt.Sprintf(" %d / %d |", least(t, Need{Kind: kind}), least(t, Need{Kind: kind, Certified: true}))
		}
		if !strings.Contains(string(text), row+"\n") {
			t.Errorf("docs/auditor.md lacks the row %s", row)
		}
	}
}

func least(t *testing.T, n Need) int {
	t.Helper()
	n.Sets, n.Risk = []ValueSet{True}, 1e-3
	people, err := LeastPeople(n)
	if err != nil {
		t.Fatal(err)
	}
	return people
}
