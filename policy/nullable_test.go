package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nullable stands beside a domain or alone, and says no more than that.
func TestNullable(t *testing.T) {
	const base = `
listen: 127.0.0.1:6432
upstream: {analyst: "postgres://{analyst}@127.0.0.1/x", curator: "postgres://tacit_curator@127.0.0.1/x"}
ledger: sqlite:tacit.db
auth: trust
analysts: {ana: {}}
tables:
  public.people:
    person: row
    mechanism: {kind: geometric, epsilon: 0.5}
    budget: {epsilon: 10}
    columns: {a: COLUMN}
`
	for text, want := range map[string]Column{
		"{}":                                {Name: "a"},
		"{nullable: false}":                 {Name: "a", NeverNull: true},
		"{nullable: true}":                  {Name: "a"},
		"{values: [x], nullable: false}":    {Name: "a", Domain: Domain{Values: []string{"x"}}, NeverNull: true},
		"{range: [1, 2], outside: clamp}":   {Name: "a", Domain: Domain{Range: &Range{First: 1, Last: 2}}},
		"{outside: null, range: [1, 3]}":    {Name: "a", Domain: Domain{Range: &Range{First: 1, Last: 3}}, DropOutside: true},
		"{outside: 'null', range: [1, 2]}":  {Name: "a", Domain: Domain{Range: &Range{First: 1, Last: 2}}, DropOutside: true},
		"{nullable: false, range: [1, 2] }": {Name: "a", Domain: Domain{Range: &Range{First: 1, Last: 2}}, NeverNull: true},
	} {
		p, err := Parse("policy.yaml", []byte(strings.Replace(base, "COLUMN", text, 1)))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, p.Tables[0].Columns[0]); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	for text, want := range map[string]string{
		"{outside: drop, range: [1, 2]}":             `"drop" is not known here`,
		"{outside: clamp}":                           "there is no range",
		"{nullable: no}":                             `"no" is not known here`,
		"{values: [x], range: [1, 2], nullable: no}": "given in more than one way",
	} {
		if _, err := Parse("policy.yaml", []byte(strings.Replace(base, "COLUMN", text, 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
