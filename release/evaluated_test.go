package release

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/site"
	"tacit/rewrite"
)

const evaluatedSchema = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.wards (name text PRIMARY KEY);
INSERT INTO clinic.wards VALUES ('north'), ('south');
CREATE TABLE clinic.patients (id int PRIMARY KEY, ward text, age int, days int, visits int);
`

const evaluatedPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://evaluated_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:evaluated.db
auth: trust
analysts: {evaluated_ana: {}}
public: [clinic.wards]
limits: {cells: 1000}
tables:
  clinic.patients:
    person: row
    mechanism: {kind: geometric, epsilon: 1, delta: 1e-9}
    budget: {epsilon: 10, delta: 1e-8}
    workload: {marginals: [MARGINALS], epsilon: 1, delta: 1e-9}
    columns:
      ward: {values_from: clinic.wards.name}
      age: {range: [0, 99]}
      days: {range: [1, 999]}
      visits: {range: [1, 9]}
`

// computedOf are the expressions of the one table as a curator finds them.
func computedOf(t *testing.T, c *curator.Curator, p *policy.Policy) map[string]rewrite.Computed {
	t.Helper()
	catalog, _, err := c.Catalog(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return catalog.Computed[p.Tables[0].Name]
}

func curatorOf(t *testing.T, p *policy.Policy) *curator.Curator {
	t.Helper()
	c, err := curator.New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// textOf are the values of an expression that has some, in one text.
func textOf(t *testing.T, computed map[string]rewrite.Computed, text string) string {
	t.Helper()
	c, ok := computed[text]
	if !ok || len(c.Values) == 0 {
		t.Fatalf("%q has no values: %v", text, computed)
	}
	var values []string
	for _, v := range c.Values {
		values = append(values, v.Text)
	}
	return strings.Join(values, " ")
}

// TestComputedOnce: values of expressions are those of the load before, the very same ones, and are evaluated anew where declared values have changed. It fails
// if each load asks the server, if values outlive the declared ones, and if those are kept that no load needs.
func TestComputedOnce(t *testing.T) {
	s := site.New(t, evaluatedSchema, strings.Replace(evaluatedPolicy, "MARGINALS", "[upper(ward), age / 10], [age/10]", 1))
	c := curatorOf(t, s.Policy)
	first := computedOf(t, c, s.Policy)
	if len(first) != 2 {
		t.Fatalf("found %v", first)
	}
	again := computedOf(t, c, s.Policy)
	var upper, decade string
	for text := range first {
		if &first[text].Values[0] != &again[text].Values[0] {
			t.Errorf("%s was evaluated again", text)
		}
		if strings.Contains(text, "ward") {
			upper = text
		} else {
			decade = text
		}
	}
	s.Exec("INSERT INTO clinic.wards VALUES ('east')")
	changed := computedOf(t, c, s.Policy)
	if got := textOf(t, changed, upper); !strings.Contains(got, "EAST") || strings.Contains(textOf(t, first, upper), "EAST") {
		t.Errorf("after a change the values of %s are %s", upper, got)
	}
	if &first[decade].Values[0] != &changed[decade].Values[0] {
		t.Errorf("%s was evaluated again, and no value of its column has changed", decade)
	}
	other := s.Reparse(strings.Replace(evaluatedPolicy, "MARGINALS", "[upper(ward)]", 1))
	computedOf(t, c, other)
	if last := computedOf(t, c, s.Policy); &first[decade].Values[0] == &last[decade].Values[0] {
		t.Errorf("the values of %s were kept while no policy had it", decade)
	} else if diff := cmp.Diff(first[decade], last[decade]); diff != "" {
		t.Errorf("evaluated again, %s has (-first +again):\n%s", decade, diff)
	}
}

// TestComputedTooMuch: over how many combinations expressions are evaluated is bounded, of one and of all together. What is too much is said of the expression that
// exceeds it, and a small one behind it has its values.
func TestComputedTooMuch(t *testing.T) {
	var marginals []string
	for _, remainder := range []string{"2", "3", "4", "5", "6", "7"} {
		marginals = append(marginals, "[(days + age) %% "+remainder+" + visits]") // of 1,000 * 76 * 10 combinations, NULL included
	}
	text := strings.Replace(evaluatedPolicy, "MARGINALS", strings.Join(marginals, ", ")+", [age / 10], [days / 2 + age * visits]", 1)
	text = strings.Replace(text, "age: {range: [0, 99]}", "age: {range: [0, 74]}", 1)
	s := site.New(t, evaluatedSchema, text)
	computed := computedOf(t, curatorOf(t, s.Policy), s.Policy)
	const want = "its columns have 760000 combinations of declared values, and those of the policy's expressions before it 3800000; all together have at most 4000000"
	for text, c := range computed {
		switch {
		case strings.Contains(text, "% 7"):
			if c.Unknown != want {
				t.Errorf("%s: %q", text, c.Unknown)
			}
		case strings.Contains(text, "/ 2"):
			if !strings.Contains(c.Unknown, "760000 combinations") {
				t.Errorf("%s: %q", text, c.Unknown)
			}
		case len(c.Values) == 0 || c.Unknown != "":
			t.Errorf("%s: %v", text, c)
		}
	}
	if len(computed) != 8 {
		t.Errorf("found %d", len(computed))
	}
}
