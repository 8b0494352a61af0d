package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy/internal/document"
)

// publishing is a policy with a publication of every kind.
const publishing = `listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@127.0.0.1/hospital
  curator: postgres://curator@127.0.0.1/hospital
  publisher: postgres://publisher@127.0.0.1/hospital
ledger: sqlite:tacit.db
auth: trust
analysts:
  ana: {}
public: [public.regions]
tables:
  public.patients:
    person: row
    adjacency: replace-one
    mechanism: {kind: geometric, epsilon: 0.5}
    budget: {epsilon: 10, delta: 0.01, releases: 10}
    columns:
      sex: {values: [F, M]}
      age: {range: [0, 119]}
      region: {values: [north, west, east, south]}
      ward: {}
  public.visits:
    person: {column: patient, rows: 4, groups: 2}
    mechanism: {kind: geometric, epsilon: 0.5}
    budget: {epsilon: 10}
    columns: {sex: {values: [F, M]}}
publications:
  open.k5:
    of: public.patients
    kind: k-anonymity
    quasi: [sex, age, region]
    columns: [ward, sex, age, region]
    k: 5
    hierarchies: {region: {coast: [north, west], inland: [east, south]}}
    accept: no-guarantee
  open.sample:
    of: public.patients
    kind: dp-k-anonymity
    quasi: [ward]
    k: 2
    epsilon: 1
    output: values
    accept: no-guarantee
  open.swapped:
    of: public.patients
    kind: swapping
    quasi: [sex]
    rate: 0.25
    accept: no-guarantee
  open.donors:
    of: public.patients
    kind: dp-swapping-donor
    quasi: [sex]
    columns: [sex, age]
    rate: 1
    epsilon: 2
    compare: [region]
    donors: any-record
    accept: no-guarantee
  open.responses:
    of: public.patients
    kind: dp-swapping
    quasi: [sex, age]
    columns: [age, sex]
    epsilon: 1
  open.safe:
    of: public.patients
    kind: safe-k-anonymity
    quasi: [sex, age, region]
    columns: [sex, age, region]
    k: 20
    epsilon: 1
    beta: 0.1
    generalise: {sex: 1, age: 10, region: 0}
`

func TestPublications(t *testing.T) {
	p, err := Parse("p.yaml", []byte(publishing))
	if err != nil {
		t.Fatal(err)
	}
	patients := TableName{"public", "patients"}
	open := func(name string) TableName { return TableName{"open", name} }
	all := []string{"sex", "age", "region", "ward"}
	leaf := func(labels ...string) (leaves []Hierarchy) {
		for _, l := range labels {
			leaves = append(leaves, Hierarchy{Label: l})
		}
		return leaves
	}
	region := Hierarchy{AnyValue, []Hierarchy{{"coast", leaf("north", "west")}, {"inland", leaf("east", "south")}}}
	want := []*Publication{
		{Name: open("k5"), Of: patients, Kind: PublishKAnonymity, Quasi: []string{"sex", "age", "region"}, Columns: []string{"ward", "sex", "age", "region"},
			K: 5, Hierarchies: map[string]Hierarchy{"region": region}, AcceptNoGuarantee: true},
		{Name: open("sample"), Of: patients, Kind: PublishDPKAnonymity, Quasi: []string{"ward"}, Columns: all, K: 2, Epsilon: 1e9, Reconstruct: true, AcceptNoGuarantee: true},
		{Name: open("swapped"), Of: patients, Kind: PublishSwapping, Quasi: []string{"sex"}, Columns: all, Rate: 25e7, Compare: all, OtherQuasi: true, AcceptNoGuarantee: true},
		{Name: open("donors"), Of: patients, Kind: PublishDonorSwapping, Quasi: []string{"sex"}, Columns: []string{"sex", "age"}, Rate: OneShare, Epsilon: 2e9,
			Compare: []string{"region"}, AcceptNoGuarantee: true},
		{Name: open("responses"), Of: patients, Kind: PublishDPSwapping, Quasi: []string{"sex", "age"}, Columns: []string{"age", "sex"}, Epsilon: 1e9},
		{Name: open("safe"), Of: patients, Kind: PublishSafeKAnonymity, Quasi: []string{"sex", "age", "region"}, Columns: []string{"sex", "age", "region"},
			K: 20, Epsilon: 1e9, Beta: 1e8, Generalise: []int64{1, 10, 0}},
	}
	if diff := cmp.Diff(want, p.Publications); diff != "" {
		t.Error(diff)
	}
	if p.Upstream.Publisher != "postgres://publisher@127.0.0.1/hospital" {
		t.Errorf("publisher %q", p.Upstream.Publisher)
	}
	for _, c := range p.Publications {
		table, _ := p.Table(c.Of)
		guaranteed, why := c.Guaranteed(table)
		if guaranteed != !c.AcceptNoGuarantee || why != "" {
			t.Errorf("%v: guaranteed is %v, %q", c.Name, guaranteed, why)
		}
	}
}

// Each mistake is an edit of the policy publishing, as for mistakes.
var publicationMistakes = []mistake{
	{publishing[strings.Index(publishing, "publications:"):], "publications: {} # <-\n", "publications", "nothing is published"},
	{"  publisher: postgres://publisher@127.0.0.1/hospital\n", "", "upstream.publisher", "missing"},
	{"publisher@127.0.0.1/hospital", "curator@127.0.0.1/hospital # <-", "upstream.publisher", "is the curator"},
	{"publisher@127.0.0.1/hospital", "ana@127.0.0.1/hospital # <-", "upstream.publisher", "is analyst ana"},
	{"publisher@127.0.0.1/hospital", "{analyst}@127.0.0.1/hospital # <-", "upstream.publisher", "is the analyst"},
	{"publisher@127.0.0.1/hospital", "publisher@127.0.0.1/hospitals # <-", "upstream.publisher", "not the curator's"},
	{"publisher: postgres://publisher@127.0.0.1/hospital", "publisher: host=a # <-", "upstream.publisher", "URL form"},
	{"  open.k5:", "  k5: # <-", "publications.k5", "no schema"},
	{"  open.k5:", "  public.patients: # <-", "publications.public.patients", "is a protected table"},
	{"  open.k5:", "  public.k5: # <-", "publications.public.k5", "holds the protected table public.patients"},
	{"  open.k5:", "  public.regions: # <-", "publications.public.regions", "listed under public"},
	{"  open.k5:", "  ana.k5: # <-", "publications.ana.k5", "analyst ana makes tables"},
	{"  open.k5:", "  pg_temp.k5: # <-", "publications.pg_temp.k5", "belongs to the server"},
	{"  open.k5:", "  tacit.k5: # <-", "publications.tacit.k5", "the proxy's own"},
	{"  open.k5:", "  open.\"safe\":", "publications.open.safe", "published twice"},
	{"open.k5:\n    of: public.patients", "open.k5:\n    of: public.wards # <-", "publications.open.k5.of", "not a protected table"},
	{"open.k5:\n    of: public.patients", "open.k5: # <-", "publications.open.k5.of", "missing"},
	{"    kind: k-anonymity\n", "", "publications.open.k5.kind", "missing"},
	{"kind: k-anonymity", "kind: l-diversity # <-", "publications.open.k5.kind", "no kind of publication"},
	{"    k: 5\n", "", "publications.open.k5.k", "missing"},
	{"    k: 5", "    k: 1 # <-", "publications.open.k5.k", "whole number from 2"},
	{"    k: 5", "    k: 5\n    epsilon: 1 # <-", "publications.open.k5.epsilon", "has no epsilon"},
	{"    k: 5", "    k: 5\n    rate: 0.5 # <-", "publications.open.k5.rate", "has no rate"},
	{"    k: 5", "    k: 5\n    compare: [sex] # <-", "publications.open.k5.compare", "has no compare"},
	{"    k: 5", "    k: 5\n    donors: any-record # <-", "publications.open.k5.donors", "has no donors"},
	{"    k: 5", "    k: 5\n    generalise: {sex: 1} # <-", "publications.open.k5.generalise", "has no generalise"},
	{"    k: 5", "    k: 5\n    beta: 0.1 # <-", "publications.open.k5.beta", "has no beta"},
	{"    k: 5", "    k: 5\n    seed: 1 # <-", "publications.open.k5.seed", "unknown key"},
	{"    k: 5", "    k: 5\n    output: rows # <-", "publications.open.k5.output", "not known"},
	{"    rate: 0.25\n", "    rate: 0.25\n    k: 3 # <-\n", "publications.open.swapped.k", "has no k"},
	{"    rate: 0.25\n", "    rate: 0.25\n    output: values # <-\n", "publications.open.swapped.output", "has no output"},
	{"    rate: 0.25\n", "", "publications.open.swapped.rate", "missing"},
	{"rate: 0.25", "rate: 0 # <-", "publications.open.swapped.rate", "share of 0"},
	{"rate: 0.25", "rate: 1.5 # <-", "publications.open.swapped.rate", "more than the whole"},
	{"rate: 0.25", "rate: -1 # <-", "publications.open.swapped.rate", "negative"},
	{"rate: 0.25", "rate: 0.25\n    compare: [id] # <-", "publications.open.swapped.compare", "not among the columns"},
	{"rate: 0.25", "rate: 0.25\n    compare: [] # <-", "publications.open.swapped.compare", "empty"},
	{"rate: 0.25", "rate: 0.25\n    donors: nearest # <-", "publications.open.swapped.donors", "not known"},
	{"epsilon: 2", "epsilon: 1001 # <-", "publications.open.donors.epsilon", "above 1000"},
	{"quasi: [sex, age, region]\n    columns: [ward, sex, age, region]", "quasi: [sex, age, id] # <-", "publications.open.k5.quasi", "not among the columns"},
	{"quasi: [sex, age, region]\n    columns: [ward, sex, age, region]", "quasi: [] # <-", "publications.open.k5.quasi", "empty"},
	{"    quasi: [sex, age, region]\n    columns: [ward, sex, age, region]\n", "", "publications.open.k5.quasi", "missing"},
	{"columns: [ward, sex, age, region]", "columns: [sex, age] # <-", "publications.open.k5.columns", `"region" is not published`},
	{"columns: [ward, sex, age, region]", "columns: [ward, sex, age, region, ward] # <-", "publications.open.k5.columns", "listed twice"},
	{"hierarchies: {region: {coast: [north, west], inland: [east, south]}}", "hierarchies: {ward: {a: [x]}} # <-", "publications.open.k5.hierarchies.ward", "not among the quasi-identifiers"},
	{"hierarchies: {region: {coast: [north, west], inland: [east, south]}}", "hierarchies: {age: {a: [x]}} # <-", "publications.open.k5.hierarchies.age", "has a range"},
	{"inland: [east, south]}}", "inland: [east]}} # <-", "publications.open.k5.hierarchies.region", `"south" is not in the hierarchy`},
	{"inland: [east, south]}}", "inland: [east, south, up]}} # <-", "publications.open.k5.hierarchies.region", `"up" is not among the declared values`},
	{"inland: [east, south]}}", "inland: [east, south, west]}} # <-", "publications.open.k5.hierarchies.region.inland", `"west" stands twice`},
	{"inland: [east, south]}}", "inland: [east, south], more: []}} # <-", "publications.open.k5.hierarchies.region.more", "no value below"},
	{"inland: [east, south]}}", "inland: east}} # <-", "publications.open.k5.hierarchies.region.inland", "instead of a list"},
	{"inland: [east, south]}}", "'*': [east, south]}} # <-", "publications.open.k5.hierarchies.region", "stands for all values already"},
	{"    k: 5\n    hierarchies: {region: {coast: [north, west], inland: [east, south]}}\n    accept: no-guarantee\n", "    k: 5\n", "publications.open.k5.accept", "missing"},
	{"output: values\n    accept: no-guarantee", "output: values\n    accept: yes # <-", "publications.open.sample.accept", "not known"},
	{"    columns: [age, sex]\n", "", "publications.open.responses.accept", "missing"},
	{"    adjacency: replace-one\n", "", "publications.open.responses.accept", "missing"},
	{"columns: [age, sex]", "columns: [age, sex]\n    accept: no-guarantee # <-", "publications.open.responses.accept", "has a guarantee"},
	{"quasi: [sex, age]\n    columns: [age, sex]", "quasi: [sex, ward] # <-\n    columns: [sex, ward]", "publications.open.responses.quasi", "unknown"},
	{"k: 20\n    epsilon: 1\n", "k: 20\n    epsilon: 11 # <-\n", "publications.open.safe.epsilon", "more than the budget's 10"},
	{"beta: 0.1", "beta: 1 # <-", "publications.open.safe.beta", "not below 1"},
	{"    beta: 0.1\n", "", "publications.open.safe.beta", "missing"},
	{"    generalise: {sex: 1, age: 10, region: 0}\n", "", "publications.open.safe.generalise", "missing"},
	{"generalise: {sex: 1, age: 10, region: 0}", "generalise: {sex: 1, age: 10} # <-", "publications.open.safe.generalise.region", "missing"},
	{"generalise: {sex: 1, age: 10, region: 0}", "generalise: {sex: 2, age: 10, region: 0} # <-", "publications.open.safe.generalise.sex", "whole number from 0 to 1"},
	{"generalise: {sex: 1, age: 10, region: 0}", "generalise: {sex: 1, age: 0, region: 0} # <-", "publications.open.safe.generalise.age", "whole number from 1 to 120"},
	{"generalise: {sex: 1, age: 10, region: 0}", "generalise: {sex: 1, age: 10, region: 0, ward: 1} # <-", "publications.open.safe.generalise.ward", "unknown key"},
	{"delta: 0.01, releases: 10}", "delta: 0.01}", "publications.open.k5", "allows no releases"},
}

func TestPublicationMistakes(t *testing.T) {
	for i, m := range publicationMistakes {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if !strings.Contains(publishing, m.old) {
				t.Fatalf("%q is not in the policy", m.old)
			}
			text := strings.Replace(publishing, m.old, m.new, 1)
			_, err := Parse("p.yaml", []byte(text))
			var all document.Errors
			if !errors.As(err, &all) {
				t.Fatalf("no error in\n%s", text)
			}
			i := slices.IndexFunc(all, func(e *Error) bool { return e.Key == m.key && strings.Contains(e.Problem, m.problem) })
			if i < 0 {
				t.Fatalf("want key %q, problem %q; got\n%v", m.key, m.problem, err)
			}
			if want := wantLines(text); len(want) > 0 && all[i].Line != want[0] {
				t.Errorf("want line %d; got\n%v", want[0], err)
			}
			for _, e := range all {
				if e.Remedy == "" || e.Line == 0 {
					t.Errorf("incomplete error %#v", e)
				}
			}
		})
	}
}

// checkPublicationInvariants repeats what package release relies on.
func checkPublicationInvariants(t *testing.T, p *Policy, c *Publication) {
	t.Helper()
	table, ok := p.Table(c.Of)
	if !ok || p.Upstream.Publisher == "" || len(c.Quasi) == 0 || len(c.Columns) < len(c.Quasi) {
		t.Fatalf("an incomplete publication: %+v", c)
	}
	for _, name := range slices.Concat(c.Quasi, c.Columns, c.Compare) {
		if _, ok := table.column(name); !ok {
			t.Errorf("column %q is not listed", name)
		}
	}
	guaranteed, _ := c.Guaranteed(table)
	if guaranteed == c.AcceptNoGuarantee || guaranteed && c.Epsilon > table.Budget.Epsilon || !guaranteed && table.Budget.Releases == 0 {
		t.Errorf("publication %+v under budget %+v", c, table.Budget)
	}
	if c.Kind.Generalises() && c.K < 2 || c.Kind == PublishSafeKAnonymity && (len(c.Generalise) != len(c.Quasi) || c.Beta <= 0 || c.Beta >= OneShare) {
		t.Errorf("publication %+v", c)
	}
}

// TestGuaranteeNeedsRows fails if a publication is charged an epsilon of rows where a person has several.
func TestGuaranteeNeedsRows(t *testing.T) {
	p, err := Parse("p.yaml", []byte(publishing))
	if err != nil {
		t.Fatal(err)
	}
	visits, _ := p.Table(TableName{"public", "visits"})
	for _, c := range p.Publications {
		if ok, why := c.Guaranteed(visits); ok || c.Kind.needsDomains() != (why != "") {
			t.Errorf("%v of persons with several rows: %v, %q", c.Name, ok, why)
		}
	}
}
