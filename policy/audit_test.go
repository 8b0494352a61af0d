package policy

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy/internal/document"
)

// auditing is a good policy with an audited table, from which the tests below make others.
const auditing = `listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@127.0.0.1/hospital
  curator: postgres://curator@127.0.0.1/hospital
ledger: sqlite:tacit.db
auth: trust
analysts:
  ana: {budget: {risk: 0.01}}
tables:
  public.carriers:
    person: row
    mechanism:
      kind: audit
      private: has_gene
      epsilon: 0.5
      delta: 0.2
      prior: {by: [hair], values: {blonde: 0.5, black: 0.4, brown: 0.3}}
    columns:
      eye: {values: [blue, black, brown]}
      hair: {values: [blonde, black, brown]}
      age: {range: [0, 120]}
      born: {range: [1900-01-01, 1900-12-31]}
      city: {}
      # more
`

const (
	carriers  = "tables.public.carriers."
	audit     = carriers + "mechanism."
	priorLine = "prior: {by: [hair], values: {blonde: 0.5, black: 0.4, brown: 0.3}}"
	deltaLine = "      delta: 0.2"
)

func auditEdited(t *testing.T, edits ...string) string {
	t.Helper()
	text := auditing
	for i := 0; i < len(edits); i += 2 {
		if strings.Count(text, edits[i]) != 1 {
			t.Fatalf("the policy of the tests does not contain %q once", edits[i])
		}
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	return text
}

// declared are the types of auditing.
var declared = []PriorType{
	{Keys: []string{"blonde"}, Probabilities: []Share{5e8, 5e8}},
	{Keys: []string{"black"}, Probabilities: []Share{6e8, 4e8}},
	{Keys: []string{"brown"}, Probabilities: []Share{7e8, 3e8}},
}

func TestAuditors(t *testing.T) {
	base := Auditor{
		Private: "has_gene", Epsilon: 5e8, Delta: 2e17, Decision: 2e16, Statement: 5e16, Rule: LedgerRule,
		Prior: Prior{Kind: DeclaredPrior, By: []string{"hair"}, Types: declared},
	}
	with := func(change func(a *Auditor)) *Auditor {
		a := base
		change(&a)
		return &a
	}
	totals := Prior{Kind: TotalsPrior, Least: 1000}
	const blood = "# more\n      blood: {values: [a, b, ab]}"
	for name, test := range map[string]struct {
		edits []string
		want  *Auditor
	}{
		"as it is":                   {nil, &base},
		"decisions under the ledger": {[]string{deltaLine, deltaLine + "\n      decisions: 400"}, with(func(a *Auditor) { a.Decisions = 400 })},
		"all defaults": {[]string{deltaLine + "\n", "", "      " + priorLine + "\n", ""}, with(func(a *Auditor) {
			a.Delta, a.Decision, a.Statement, a.Prior = 5e16, 5e15, 125e14, totals
		})},
		"every amount": {[]string{deltaLine, "      delta: 0.1\n      plan: 0.04\n      decision: 0.002\n      statement: 2e-2\n      insiders: 3\n      protect: true"},
			with(func(a *Auditor) {
				a.Delta, a.Plan, a.Decision, a.Statement, a.Insiders, a.OneSided = 1e17, 4e16, 2e15, 2e16, 3, true
			})},
		"a large decision raises the statement": {[]string{deltaLine, deltaLine + "\n      decision: 0.1"}, with(func(a *Auditor) { a.Decision, a.Statement = 1e17, 1e17 })},
		"a small statement lowers the decision": {[]string{deltaLine, deltaLine + "\n      statement: 0.01"}, with(func(a *Auditor) { a.Decision, a.Statement = 1e16, 1e16 })},
		"the threshold": {[]string{deltaLine, deltaLine + "\n      rule: threshold\n      decisions: 16"},
			with(func(a *Auditor) { a.Rule, a.Decisions, a.Decision, a.Statement = ThresholdRule, 16, 125e14, 2e17 })},
		"the paper's": {[]string{deltaLine, deltaLine + "\n      rule: paper\n      decisions: 400\n      decision: 0.001"},
			with(func(a *Auditor) { a.Rule, a.Decisions, a.Decision, a.Statement = PaperRule, 400, 1e15, 2e17 })},
		"totals by type":     {[]string{priorLine, "prior: {by: [hair, city], baseline: totals}"}, with(func(a *Auditor) { a.Prior = Prior{Kind: TotalsPrior, By: []string{"hair", "city"}, Least: 1000} })},
		"smaller types":      {[]string{priorLine, "prior: {baseline: totals, least: 4}"}, with(func(a *Auditor) { a.Prior = Prior{Kind: TotalsPrior, Least: 4} })},
		"totals of one type": {[]string{priorLine, "prior: {by: []}"}, with(func(a *Auditor) { a.Prior = totals })},
		"one type": {[]string{priorLine, "prior: {by: [], value: 0.25, interval: 0.05, spread: 0.1}"}, with(func(a *Auditor) {
			a.Prior = Prior{Kind: DeclaredPrior, Types: []PriorType{{Probabilities: []Share{75e7, 25e7}}}, Interval: 5e7, Spread: 1e8}
		})},
		"an estimate": {[]string{priorLine, "prior: {by: [hair], estimate: {epsilon: 0.1}}", "    person: row", "    person: row\n    budget: {epsilon: 0.2}"},
			with(func(a *Auditor) { a.Prior = Prior{Kind: EstimatedPrior, By: []string{"hair"}, Estimate: 1e8} })},
		"several columns": {[]string{priorLine, "prior: {by: [hair, age], values: {blonde: {'*': 0.5}, '*': {30: 0.25, '*': 0.4}}}"}, with(func(a *Auditor) {
			a.Prior = Prior{Kind: DeclaredPrior, By: []string{"hair", "age"}, Types: []PriorType{
				{Keys: []string{"blonde", "*"}, Probabilities: []Share{5e8, 5e8}},
				{Keys: []string{"*", "30"}, Probabilities: []Share{75e7, 25e7}},
				{Keys: []string{"*", "*"}, Probabilities: []Share{6e8, 4e8}},
			}}
		})},
		"NULL": {[]string{priorLine, "prior: {value: {true: 0.3, false: 0.6, 'null': 0.1}}"}, with(func(a *Auditor) {
			a.Prior = Prior{Kind: DeclaredPrior, Types: []PriorType{{Probabilities: []Share{6e8, 3e8}, Null: 1e8}}}
		})},
		"a listed Boolean column": {[]string{"# more", "has_gene: {}"}, &base},
		"categories": {[]string{"# more", blood, "private: has_gene", "private: blood", priorLine, "prior: {by: [], value: {a: 0.333333333, b: 0.333333333, ab: 0.333333334}}"},
			with(func(a *Auditor) {
				a.Private, a.Values = "blood", []string{"a", "b", "ab"}
				a.Prior = Prior{Kind: DeclaredPrior, Types: []PriorType{{Probabilities: []Share{333333333, 333333333, 333333334}}}}
			})},
		"a workload": {[]string{deltaLine, deltaLine + "\n      workload: [[hair], [eye, age]]"}, with(func(a *Auditor) {
			a.Workload, a.Plan = [][]string{{"hair"}, {"eye", "age"}}, 1e17
		})},
		"a plan": {[]string{deltaLine, deltaLine + "\n      hierarchies: {eye: {light: [blue], dark: [black, brown]}}\n" +
			"      certified: {hair: values, eye: 1, age: [0, 30, 60], born: [1900-01-01, 1900-07-01], city: [1, 2]}"}, with(func(a *Auditor) {
			a.Plan = 1e17
			a.Hierarchies = map[string]Hierarchy{"eye": {Label: "*", Children: []Hierarchy{
				{Label: "light", Children: []Hierarchy{{Label: "blue"}}}, {Label: "dark", Children: []Hierarchy{{Label: "black"}, {Label: "brown"}}},
			}}}
			a.Certified = []Certified{
				{Column: "hair", Values: true}, {Column: "eye", Hierarchy: true, Level: 1}, {Column: "age", Starts: []int64{0, 30, 60}},
				{Column: "born", Starts: []int64{-25567, -25386}, Dates: true}, {Column: "city", Starts: []int64{1, 2}},
			}
		})},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Parse("policy.yaml", []byte(auditEdited(t, test.edits...)))
			if err != nil {
				t.Fatal(err)
			}
			table := p.Tables[0]
			if diff := cmp.Diff(Mechanism{Kind: Audit, Audit: test.want}, table.Mechanism); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			budget := Budget{Risk: test.want.Delta}
			if test.want.Prior.Kind == EstimatedPrior {
				budget.Epsilon = 2e8
			}
			if table.Budget != budget || table.Adjacency != ReplaceOne || !table.SizePublic || table.Person != nil {
				t.Errorf("the table is %+v", table)
			}
			checkInvariants(t, p)
		})
	}
}

// The policy that the design of the whole gives as its example.
func TestAuditInOneLine(t *testing.T) {
	const line = `  public.carriers:
    person: row
    mechanism: {kind: audit, private: has_gene, epsilon: 0.5, delta: 0.2, decisions: 400,
                prior: {by: [hair], values: {blonde: 0.5, black: 0.4, brown: 0.3}}}
    columns: {eye: {values: [blue, black, brown]}, hair: {values: [blonde, black, brown]}}
`
	p, err := Parse("policy.yaml", []byte(auditing[:strings.Index(auditing, "  public.carriers:")]+line))
	if err != nil {
		t.Fatal(err)
	}
	if a := p.Tables[0].Mechanism.Audit; a.Decisions != 400 || a.Rule != LedgerRule || len(a.Prior.Types) != 3 {
		t.Errorf("%+v", a)
	}
	if limit := p.Analysts[0].Budget; *limit != (Budget{NoEpsilonCap, NoDeltaCap, NoReleasesCap, 1e16}) {
		t.Errorf("the analyst's cap is %+v", limit)
	}
}

func TestPriorType(t *testing.T) {
	p, err := Parse("policy.yaml", []byte(auditEdited(t, priorLine, "prior: {by: [hair, city], values: {blonde: {x: 0.1, '*': 0.2}, brown: {x: 0.3}, '*': {x: 0.4}}}",
		"hair: {values: [blonde, black, brown]}", "hair: {}")))
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) *string { return &s }
	for _, test := range []struct {
		hair, city *string
		want       Share // 0: none
	}{
		{text("blonde"), text("x"), 1e8},
		{text("blonde"), text("y"), 2e8},
		{text("blonde"), nil, 2e8},
		{text("brown"), text("x"), 3e8},
		{text("brown"), text("y"), 0}, // the type of others is of other hair
		{text("red"), text("x"), 4e8},
		{nil, text("x"), 4e8},
		{text("*"), text("x"), 4e8}, // a value that happens to be spelt like the label
		{nil, nil, 0},
	} {
		got, ok := p.Tables[0].Mechanism.Audit.Prior.Type([]*string{test.hair, test.city})
		if ok != (test.want > 0) || ok && got.Probabilities[1] != test.want {
			t.Errorf("the type is %+v, %t; want %v", got, ok, test.want)
		}
	}
}

var auditMistakes = []mistake{
	{"    mechanism:\n      kind: audit\n      private: has_gene", "    mechanism: # <-\n      kind: audit", audit + "private", "missing"},
	{"private: has_gene", "private: # <-", audit + "private", "no value"},
	{"private: has_gene", "private: '' # <-", audit + "private", "empty"},
	{"private: has_gene", "private: age # <-", audit + "private", "not listed one by one"},
	{"    mechanism:\n      kind: audit\n      private: has_gene\n      epsilon: 0.5", "    mechanism: # <-\n      kind: audit\n      private: has_gene", audit + "epsilon", "missing"},
	{"epsilon: 0.5", "epsilon: 1 # <-", audit + "epsilon", "certainty"},
	{"epsilon: 0.5", "epsilon: 0 # <-", audit + "epsilon", "epsilon is 0"},
	{"delta: 0.2", "delta: 0 # <-", audit + "delta", "allows no answer"},
	{"delta: 0.2", "delta: 0.6 # <-", audit + "delta", "more likely than not"},
	{"    mechanism:\n      kind: audit\n      private: has_gene\n      epsilon: 0.5\n      delta: 0.2",
		"    mechanism:\n      kind: audit # <-\n      private: has_gene\n      epsilon: 0.5\n      delta: 1e-18", strings.TrimSuffix(audit, "."), "too small"},
	{"delta: 0.2", "delta: 1e-19 # <-", audit + "delta", "decimal places"},
	{"delta: 0.2", "delta: 0.2\n      accept: no-guarantee # <-", audit + "accept", "has no accept"},
	{"delta: 0.2", "delta: 0.2\n      fill: half # <-", audit + "fill", "has no fill"},
	{"delta: 0.2", "delta: 0.2\n      k: 6 # <-", audit + "k", "has no k"},
	{"delta: 0.2", "delta: 0.2\n      negative: keep # <-", audit + "negative", "has no negative"},
	{"delta: 0.2", "delta: 0.2\n      confidence: 6 # <-", audit + "confidence", "unknown key"},
	{"delta: 0.2", "delta: 0.2\n      plan: 0.3 # <-", audit + "plan", "more than the table's 0.2"},
	{"delta: 0.2", "delta: 0.2\n      plan: 0 # <-", audit + "plan", "allows no answer"},
	{"delta: 0.2", "delta: 0.2\n      decision: 0.3 # <-", audit + "decision", "more than the table's 0.2"},
	{"delta: 0.2", "delta: 0.2\n      statement: 0.3 # <-", audit + "statement", "more than the table's 0.2"},
	{"delta: 0.2", "delta: 0.2\n      statement: 0.1\n      decision: 0.11 # <-", audit + "decision", "more than a statement's 0.1"},
	{"delta: 0.2", "delta: 0.2\n      rule: noise # <-", audit + "rule", "not known"},
	{"    mechanism:\n      kind: audit", "    mechanism: # <-\n      kind: audit\n      rule: threshold", audit + "decisions", "missing"},
	{"    mechanism:\n      kind: audit", "    mechanism: # <-\n      kind: audit\n      rule: paper", audit + "decisions", "missing"},
	{"delta: 0.2", "delta: 0.2\n      decisions: 0 # <-", audit + "decisions", "whole number from 1"},
	{"delta: 0.2", "delta: 0.2\n      insiders: 51 # <-", audit + "insiders", "from 0 to 50"},
	{priorLine, "prior: {value: {true: 0.3, false: 0.6, 'null': 0.1}, interval: 0.1} # <-", audit + "prior.interval", "other values"},
	{"delta: 0.2", "delta: 0.2\n      insiders: -1 # <-", audit + "insiders", "whole number from 0"},
	{"delta: 0.2", "delta: 0.2\n      protect: false # <-", audit + "protect", "not known"},
	{"    person: row", "    person: {column: id, rows: 4, groups: 2} # <-", carriers + "person", "counts rows"},
	{"    person: row", "    person: row\n    adjacency: add-remove # <-", carriers + "adjacency", "has no adjacency"},
	{"    person: row", "    person: row\n    size: hidden # <-", carriers + "size", "is public"},
	{"    person: row", "    person: row\n    replay: forever # <-", carriers + "replay", "for ever"},
	{"    person: row", "    person: row\n    budget: {epsilon: 1} # <-", carriers + "budget", "cost no epsilon"},
	{"{budget: {risk: 0.01}}", "{budget: {risk: 0}} # <-", "analysts.ana.budget.risk", "allows no answer"},
	{"{budget: {risk: 0.01}}", "{budget: {risk: 0.9}} # <-", "analysts.ana.budget.risk", "more likely than not"},
	{"{budget: {risk: 0.01}}", "{budget: {risk: 0.01, delta: 0.1}} # <-", "analysts.ana.budget.delta", "without an epsilon"},
	{"tables:", "publications:\n  open.carriers: {of: public.carriers, kind: swapping, quasi: [hair], rate: 0.2, accept: no-guarantee} # <-\ntables:", "publications.open.carriers.of", "knows nothing of what a copy tells"},
	{priorLine, "prior: totals # <-", audit + "prior", "instead of a mapping"},
	{priorLine, "prior: {for: [hair]} # <-", audit + "prior.for", "unknown key"},
	{priorLine, "prior: {by: hair, baseline: totals} # <-", audit + "prior.by", "instead of a list"},
	{priorLine, "prior: {by: [height], baseline: totals} # <-", audit + "prior.by", "not among the columns"},
	{priorLine, "prior: {by: [hair], baseline: zero} # <-", audit + "prior.baseline", "not known"},
	{priorLine, "prior: {baseline: totals, least: 0} # <-", audit + "prior.least", "not a whole number from 1"},
	{priorLine, "prior: {value: 0.5, least: 4} # <-", audit + "prior.least", "none are"},
	{priorLine, "prior: {by: [hair], baseline: totals, interval: 0.1} # <-", audit + "prior.interval", "there are none"},
	{priorLine, "prior: {by: [hair], baseline: totals, values: {'*': 0.5}} # <-", audit + "prior.baseline", "given by values already"},
	{priorLine, "prior: {by: [hair], estimate: {epsilon: 0.1}, baseline: totals} # <-", audit + "prior.estimate", "given by baseline already"},
	{priorLine, "prior: {values: {blonde: 0.5}} # <-", audit + "prior.by", "missing"},
	{priorLine, "prior: {by: [], values: {blonde: 0.5}} # <-", audit + "prior.values", "one type"},
	{priorLine, "prior: {by: [hair], value: 0.5} # <-", audit + "prior.value", "one probability for all"},
	{priorLine, "prior: {by: [hair], values: 0.5} # <-", audit + "prior.values", "no value of"},
	{priorLine, "prior: {by: [hair], values: {blonde: 0.5, '*': 1}} # <-", audit + "prior.values.*", "not between 0 and 1"},
	{priorLine, "prior: {by: [hair], values: {blonde: 0, '*': 0.3}} # <-", audit + "prior.values.blonde", "not between 0 and 1"},
	{priorLine, "prior: {by: [hair], values: {blonde: half, '*': 0.3}} # <-", audit + "prior.values.blonde", "not a decimal"},
	{priorLine, "prior: {by: [hair], values: {blonde: 0.3, '*': 0.1234567891}} # <-", audit + "prior.values.*", "decimal places"},
	{priorLine, "prior: {by: [hair], values: {blonde: 0.5, black: 0.4}} # <-", audit + "prior.values", "without a probability: 1"},
	{priorLine, "prior: {by: [hair], values: {blonde: 0.5, red: 0.4, '*': 0.1}} # <-", audit + "prior.values.red", "not among the declared values"},
	{priorLine, "prior: {by: [age], values: {121: 0.5, '*': 0.1}} # <-", audit + "prior.values.121", "not among the declared values"},
	{priorLine, "prior: {by: [hair, eye], values: {blonde: 0.5, '*': {'*': 0.1}}} # <-", audit + "prior.values.blonde", "no value of"},
	{priorLine, "prior: {by: [hair], values: {blonde: {true: 0.5}, '*': 0.1}} # <-", audit + "prior.values.blonde", `"false" of the private column has no probability`},
	{priorLine, "prior: {by: [hair], values: {blonde: {true: 0.5, false: 0.4}, '*': 0.1}} # <-", audit + "prior.values.blonde", "add up to 0.9"},
	{priorLine, "prior: {by: [hair], values: {blonde: {yes: 0.5, false: 0.4}, '*': 0.1}} # <-", audit + "prior.values.blonde.yes", "no value of the private column"},
	{priorLine, "prior: {by: [hair], values: {'*': 0.3}, interval: 0.6} # <-", audit + "prior.interval", "no answer is within"},
	{priorLine, "prior: {by: [hair], values: {'*': 0.8}, interval: 0.25} # <-", audit + "prior.interval", "reaches 1"},
	{priorLine, "prior: {by: [hair], values: {'*': 0.8}, spread: 1} # <-", audit + "prior.spread", "not below 1"},
	{priorLine, "prior: {by: [hair], estimate: {}} # <-\n    budget: {epsilon: 1}", audit + "prior.estimate.epsilon", "missing"},
	{"    person: row", "    person: row\n    budget: {epsilon: 1, delta: 1e-6} # <-", carriers + "budget", "cost no epsilon"},
	{deltaLine, deltaLine + "\n      certified: {} # <-", audit + "certified", "nothing is certified"},
	{deltaLine, deltaLine + "\n      certified: {has_gene: values} # <-", audit + "certified.has_gene", "private column"},
	{deltaLine, deltaLine + "\n      certified: {height: values} # <-", audit + "certified.height", "not among the columns"},
	{deltaLine, deltaLine + "\n      certified: {hair: 1} # <-", audit + "certified.hair", "no hierarchy"},
	{deltaLine, deltaLine + "\n      hierarchies: {hair: [blonde, black, brown]}\n      certified: {hair: 2} # <-", audit + "certified.hair", "whole number from 0 to 1"},
	{deltaLine, deltaLine + "\n      certified: {hair: {by: values}} # <-", audit + "certified.hair", "no way to divide"},
	{deltaLine, deltaLine + "\n      certified: {hair: [1, 2]} # <-", audit + "certified.hair", "no ranges"},
	{deltaLine, deltaLine + "\n      certified: {age: []} # <-", audit + "certified.age", "empty"},
	{deltaLine, deltaLine + "\n      certified: {age: [0, 30, 30]} # <-", audit + "certified.age", "do not rise"},
	{deltaLine, deltaLine + "\n      certified: {age: [0, old]} # <-", audit + "certified.age", "neither"},
	{deltaLine, deltaLine + "\n      certified: {age: [0, 121]} # <-", audit + "certified.age", "outside"},
	{deltaLine, deltaLine + "\n      certified: {age: [1900-02-01]} # <-", audit + "certified.age", "of numbers"},
	{deltaLine, deltaLine + "\n      certified: {city: [0, 1900-02-01]} # <-", audit + "certified.city", "some are dates"},
	{deltaLine, deltaLine + "\n      workload: [] # <-", audit + "workload", "1 to 64 groupings"},
	{deltaLine, deltaLine + "\n      workload: {hair: values} # <-", audit + "workload", "1 to 64 groupings"},
	{deltaLine, deltaLine + "\n      workload: [hair] # <-", audit + "workload", "no list of columns"},
	{deltaLine, deltaLine + "\n      workload: [[hair], []] # <-", audit + "workload", "no list of columns"},
	{deltaLine, deltaLine + "\n      workload: [[hair, has_gene]] # <-", audit + "workload", "private column"},
	{deltaLine, deltaLine + "\n      workload: [[height]] # <-", audit + "workload", "not among the columns"},
	{deltaLine, deltaLine + "\n      workload: [[hair, hair]] # <-", audit + "workload", "in the grouping twice"},
	{deltaLine, deltaLine + "\n      workload: [[hair, eye], [eye, hair]] # <-", audit + "workload", "in the list twice"},
	{deltaLine, deltaLine + "\n      insiders: 2\n      workload: [[hair]] # <-", audit + "workload", "insiders"},
	{priorLine, "prior: {by: [hair], values: {'*': 0.3}, interval: 0.05}\n      workload: [[hair]] # <-", audit + "workload", "without interval"},
	{priorLine, "prior: {by: [hair], estimate: {epsilon: 0.1}}\n      workload: [[hair]] # <-\n    budget: {epsilon: 1}", audit + "workload", "not for an estimate"},
	{priorLine, "prior: {value: {true: 0.3, false: 0.6, 'null': 0.1}}\n      workload: [[hair]] # <-", audit + "workload", "other values than true and false"},
	{"age: {range: [0, 120]}", "age: {range: [2020-01-01, today]} # <-", "tables.public.carriers.columns.age", "ends at today"},
	{deltaLine, deltaLine + "\n      hierarchies: {has_gene: [a, b]} # <-", audit + "hierarchies.has_gene", "private column"},
	{deltaLine, deltaLine + "\n      hierarchies: {height: [a, b]} # <-", audit + "hierarchies.height", "not among the columns"},
	{deltaLine, deltaLine + "\n      hierarchies: {age: [a, b]} # <-", audit + "hierarchies.age", "has a range"},
	{deltaLine, deltaLine + "\n      hierarchies: {hair: [blonde, black]} # <-", audit + "hierarchies.hair", "not in the hierarchy"},
}

func TestAuditMistakes(t *testing.T) {
	for i, m := range auditMistakes {
		t.Run(fmt.Sprint(i), func(t *testing.T) { checkMistake(t, m, auditEdited(t, m.old, m.new)) })
	}
}

// Mistakes that need more than one edit.
func TestAuditContradictions(t *testing.T) {
	const estimate = "prior: {by: [hair], estimate: {epsilon: 0.3}}"
	const blood = "# more\n      blood: {values: [a, b]}"
	for _, test := range []struct {
		edits        []string
		key, problem string
	}{
		{[]string{priorLine, estimate, "  public.carriers:", "  public.carriers: # <-"}, carriers + "budget", "missing"},
		{[]string{priorLine, estimate, "person: row", "person: row\n    budget: {epsilon: 0.2} # <-"}, carriers + "budget.epsilon", "more than the budget's 0.2"},
		{[]string{priorLine, estimate, "person: row", "person: row\n    budget: {epsilon: 1, delta: 0} # <-"}, carriers + "budget.delta", "unknown key"},
		{[]string{priorLine, estimate, "person: row", "person: row\n    budget: {} # <-"}, carriers + "budget.epsilon", "missing"},
		{[]string{priorLine, "prior: {by: [has_gene]} # <-", "# more", "has_gene: {}"}, audit + "prior.by", "private column"},
		{[]string{"private: has_gene", "private: has_gene # <-", "# more", "has_gene: {values: [false, true]}"}, audit + "private", "Boolean column"},
		{[]string{"private: has_gene", "private: has_gene # <-", "# more", "has_gene: {values: [a]}"}, audit + "private", "has 1 values"},
		{[]string{"private: has_gene", "private: blood\n      protect: true # <-", "# more", blood, priorLine, "prior: {by: [hair]}"}, audit + "protect", "other values"},
		{[]string{"private: has_gene", "private: has_gene\n      protect: true # <-", priorLine, "prior: {value: {true: 0.3, false: 0.6, 'null': 0.1}}"}, audit + "protect", "has NULL"},
		{[]string{"private: has_gene", "private: blood", "# more", blood, priorLine, "prior: {value: {a: 0.5, b: 0.5}, interval: 0.1} # <-"}, audit + "prior.interval", "other values"},
		{[]string{"private: has_gene", "private: blood", "# more", blood, priorLine, "prior: {by: [], value: 0.3} # <-"}, audit + "prior.value", "no probabilities"},
	} {
		text := auditEdited(t, test.edits...)
		checkMistake(t, mistake{key: test.key, problem: test.problem, new: strings.Join(test.edits, "\n")}, text)
	}
}

// All keys of a mechanism are known wherever one of them is.
func TestAuditKeysBelongToAudit(t *testing.T) {
	_, err := Parse("p.yaml", []byte(edited(t, mechLine, "mechanism: {kind: geometric, epsilon: 0.5, private: sex, prior: {}, insiders: 3}")))
	var all document.Errors
	if !errors.As(err, &all) || len(all) != 3 || !strings.Contains(all[0].Problem, "kind geometric has no private") {
		t.Errorf("%v", err)
	}
}

func TestHierarchyLabels(t *testing.T) {
	h := Hierarchy{Label: "*", Children: []Hierarchy{
		{Label: "far"}, {Label: "near", Children: []Hierarchy{{Label: "a"}, {Label: "b"}}},
	}}
	for level, want := range []string{"*", "far near", "far a b", "far a b"} {
		var got []string
		for _, label := range h.Labels(level) {
			got = append(got, label.Label)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("level %d: %v, want %v", level, got, want)
		}
	}
}

// checkAuditInvariants repeats what users of an audited table rely on.
func checkAuditInvariants(t *testing.T, table *Table) {
	t.Helper()
	a, b := table.Mechanism.Audit, table.Budget
	if a == nil || b.Risk != a.Delta || b.Delta != 0 || b.Releases != 0 || (b.Epsilon > 0) != (a.Prior.Kind == EstimatedPrior) || b.Epsilon < a.Prior.Estimate {
		t.Fatalf("auditor %+v under budget %+v", a, b)
	}
	if table.Person != nil || table.Adjacency != ReplaceOne || !table.SizePublic || table.Replay != 0 {
		t.Errorf("table %+v", table)
	}
	if a.Private == "" || a.Epsilon <= 0 || a.Epsilon >= 1e9 || a.Delta <= 0 || a.Delta > maxRisk ||
		a.Decision > a.Statement || a.Statement > a.Delta || a.Plan < 0 || a.Plan > a.Delta || a.Insiders < 0 || a.Decisions == 0 && a.Rule != LedgerRule {
		t.Errorf("auditor %+v", a)
	}
	if (a.Prior.Types != nil) != (a.Prior.Kind == DeclaredPrior) {
		t.Errorf("prior %+v", a.Prior)
	}
	for _, prior := range a.Prior.Types {
		sum := prior.Null
		for _, p := range prior.Probabilities {
			if sum += p; p <= 0 {
				t.Errorf("type %+v", prior)
			}
		}
		if sum != OneShare || len(prior.Keys) != len(a.Prior.By) || len(prior.Probabilities) != max(2, len(a.Values)) {
			t.Errorf("type %+v of prior by %q", prior, a.Prior.By)
		}
	}
}
