package advice

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/sources"
	"tacit/release/internal/spent"
	"tacit/rewrite/query"
)

// advisedTable has noise and a budget under a rule.
func advisedTable(rule policy.Composition) *policy.Table {
	return &policy.Table{
		Name: peopleTable, Adjacency: policy.AddRemove, Composition: rule, Thresholds: 5e11, Derive: true,
		Mechanism: policy.Mechanism{Kind: policy.Geometric, Epsilon: 5e8},
		Budget:    policy.Budget{Epsilon: 10e9, Delta: 1e12},
		Columns: []policy.Column{
			{Name: "age", Domain: policy.Domain{Range: &policy.Range{First: 0, Last: 99}}},
			{Name: "region", Domain: policy.Domain{Values: []string{"north", "south", "east"}}},
			{Name: "sex", Domain: policy.Domain{Values: []string{"F", "M"}}},
			{Name: "illness"},
		},
	}
}

// chargedFor is a charge of a question by keys and conditions: "column test value", or a text in brackets that is computed of the columns
// after it.
func chargedFor(t *testing.T, keys string, conditions ...string) ledger.ChargedQuestion {
	t.Helper()
	s := query.Shape{Version: 1, Aggregate: "count(*)", Source: peopleTable.String()}
	names := map[string]bool{}
	for _, key := range strings.Fields(keys) {
		name, computed, _ := strings.Cut(key, ":")
		k := query.ShapeKey{Stored: true, Inputs: []string{name}}
		if computed != "" {
			k = query.ShapeKey{Text: name, Type: 23, Inputs: []string{computed}}
			name = computed
		}
		names[name] = true
		s.Keys = append(s.Keys, k)
	}
	for _, text := range conditions {
		words := strings.Fields(text)
		names[words[0]] = true
		s.Where = append(s.Where, query.ShapeCondition{
			Columns: words[:1], Atom: &query.ShapeAtom{Test: words[1], Values: words[2:]},
		})
	}
	values := map[string]int{}
	for _, name := range []string{"age", "illness", "region", "sex"} {
		if !names[name] {
			continue
		}
		s.Columns = append(s.Columns, query.ShapeColumn{Name: name, Type: map[bool]uint32{true: 23, false: 25}[name == "age"], Typmod: -1, NotNull: true})
		if n := map[string]int{"age": 100, "region": 3, "sex": 2}[name]; n > 0 {
			values[name] = n
		}
	}
	shape, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	shape = []byte(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(shape)))
	d := sources.Derivable{Shape: shape, Mechanism: "m", Cells: 1, Values: values}
	text := d.Text()
	if sources.Parse(text) == nil {
		t.Fatalf("no shape: %s", text)
	}
	return ledger.ChargedQuestion{
		Loss: accountant.Loss{Epsilon: 5e8}, Mechanism: "geometric", Shape: text,
		Term: composition.Term{Noise: composition.GeometricNoise, Epsilon: 5e8, Moves: 1},
	}
}

func adviceOn(t *testing.T, table *policy.Table, charged ...ledger.ChargedQuestion) *Advice {
	t.Helper()
	a, err := adviseOn(table, 1000, charged, func(int64) (float64, error) { return 0, errors.New("nothing was recorded") })
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		name      string
		charged   []ledger.ChargedQuestion
		derivable int
		want      string // statement, answers, cells, cells added in the middle and at most
	}{
		{"keys are united", []ledger.ChargedQuestion{chargedFor(t, "sex"), chargedFor(t, "region"), chargedFor(t, "")}, 3,
			"SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex; 3 answers, 6 cells, 3 6"},
		{"conditions on keys become keys", []ledger.ChargedQuestion{chargedFor(t, "sex", "region = north"), chargedFor(t, "", "sex = F"), chargedFor(t, "region")}, 3,
			"SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex; 3 answers, 6 cells, 2 3"},
		{"what all have in common is the base", []ledger.ChargedQuestion{chargedFor(t, "sex", "illness = flu", "age >= 18"), chargedFor(t, "region", "illness = flu")}, 2,
			"SELECT age, region, sex, count(*) FROM clinic.people WHERE illness = 'flu' GROUP BY age, region, sex; 2 answers, 600 cells, 200 246"},
		{"also what most have", []ledger.ChargedQuestion{chargedFor(t, "sex", "illness = flu"), chargedFor(t, "region", "illness = flu"), chargedFor(t, "sex", "illness = cold")}, 3,
			"SELECT region, sex, count(*) FROM clinic.people WHERE illness = 'flu' GROUP BY region, sex; 2 answers, 6 cells, 2 3"},
		{"of computed keys the columns", []ledger.ChargedQuestion{chargedFor(t, "age/10:age"), chargedFor(t, "", "age < 30", "age >= 20")}, 2,
			"SELECT age, count(*) FROM clinic.people GROUP BY age; 2 answers, 100 cells, 10 100"},
		{"asked twice", []ledger.ChargedQuestion{chargedFor(t, "sex"), chargedFor(t, "sex")}, 2,
			"SELECT sex, count(*) FROM clinic.people GROUP BY sex; 2 answers, 2 cells, 1 1, asked already"},
		{"nothing in common", []ledger.ChargedQuestion{chargedFor(t, "sex", "illness = flu"), chargedFor(t, "sex", "illness = cold")}, 2, ""},
		{"a key without declared values", []ledger.ChargedQuestion{chargedFor(t, "illness"), chargedFor(t, "sex illness")}, 0, ""},
		{"one question", []ledger.ChargedQuestion{chargedFor(t, "sex")}, 1, ""},
		{"none", nil, 0, ""},
		{"without shapes", []ledger.ChargedQuestion{{Loss: accountant.Loss{Epsilon: 5e8}}}, 0, ""},
	} {
		a := adviceOn(t, advisedTable(policy.BasicComposition), c.charged...)
		got := ""
		if f := a.Finer; f != nil {
			got = fmt.Sprintf("%s; %d answers, %d cells, %d %d", f.Statement, f.Answers, f.Cells, f.Added, f.MostAdded)
			if f.Recorded {
				got += ", asked already"
			}
			if saved := policy.Epsilon(f.Answers-1) * 5e8; a.Saved().Epsilon != saved || !f.Best {
				t.Errorf("%s: saved %v, want %v; the best: %t", c.name, a.Saved(), saved, f.Best)
			}
		}
		if got != c.want || a.Asked != len(c.charged) || a.Derivable != c.derivable {
			t.Errorf("%s: %d asked, %d derivable\ngot  %s\nwant %s", c.name, a.Asked, a.Derivable, got, c.want)
		}
	}
}

// What is saved is what the table's rule says of both: losses that compose better than sums save less than sums would.
func TestAdviceFollowsTheRule(t *testing.T) {
	var charged []ledger.ChargedQuestion
	for i := range 200 {
		charged = append(charged, chargedFor(t, "sex", fmt.Sprintf("age = %d", i)))
	}
	charged = append(charged, chargedFor(t, "illness"))
	basic := adviceOn(t, advisedTable(policy.BasicComposition), charged...)
	if basic.Spent.Epsilon != 201*5e8 || basic.Finer.Spent.Epsilon != 2*5e8 || basic.Finer.Cost.Epsilon != 5e8 {
		t.Errorf("basic: %+v", basic.Finer)
	}
	for _, rule := range []policy.Composition{policy.ZCDPComposition, policy.PLDComposition, policy.AdvancedComposition} {
		a := adviceOn(t, advisedTable(rule), charged...)
		if a.Finer == nil || a.Finer.Statement != basic.Finer.Statement || a.Spent.Epsilon >= basic.Spent.Epsilon || a.Saved().Epsilon >= basic.Saved().Epsilon || a.Saved().Epsilon <= 0 {
			t.Errorf("%s: spent %v, saved %v; %+v", rule, a.Spent, a.Saved(), a.Finer)
		}
	}
}

// Of blocks, that counts of which most was spent.
func TestAdviceOfBlocks(t *testing.T) {
	table := advisedTable(policy.BasicComposition)
	table.Blocks = &policy.Blocks{Column: "age", By: policy.ByValue}
	a, b, c := chargedFor(t, "sex", "age = 1"), chargedFor(t, "sex", "age = 2"), chargedFor(t, "region", "age = 2")
	a.Blocks, b.Blocks, c.Blocks = []string{"1"}, []string{"2"}, []string{"2"}
	if got := spent.On(live.AccountingOf(table, a.Term), []ledger.ChargedQuestion{a, b, c}); got.Epsilon != 10e8 {
		t.Errorf("spent %v, want that of block 2", got)
	}
	if got := spent.On(live.AccountingOf(advisedTable(policy.BasicComposition), a.Term), []ledger.ChargedQuestion{a, b, c}); got.Epsilon != 15e8 {
		t.Errorf("spent %v without blocks", got)
	}
}

func TestAdviceInWords(t *testing.T) {
	a := adviceOn(t, advisedTable(policy.BasicComposition), chargedFor(t, "sex"), chargedFor(t, "region"), chargedFor(t, ""))
	got := strings.Join(a.Lines(), "\n")
	const want = `clinic.people: 3 questions were charged in this epoch, 3 of them of a kind that can follow from others; spent: epsilon 1.5
  One release would have answered 3 of them:
    SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex;
  It has 6 cells and costs epsilon 0.5. All together would have cost epsilon 0.5 with it, which saves epsilon 1.
  Its answers would have been noisier: each was within ±6 with probability 95%; adding up 3 cells, as in the middle of them, within ±10; adding up 6, the most, within ±15.`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	text, err := json.Marshal(a)
	if err != nil || !json.Valid(text) || !strings.Contains(string(text), `"saved":{"epsilon":"1","delta":"0"}`) {
		t.Errorf("as JSON: %s, %v", text, err)
	}
	// What is shown of the three amounts adds up, though each is rounded.
	a.Spent, a.Finer.Spent = accountant.Loss{Epsilon: 999999991}, accountant.Loss{Epsilon: 499999999}
	if got := a.Lines(); !strings.HasSuffix(got[0], "spent: epsilon 1") || !strings.HasSuffix(got[3], "would have cost epsilon 0.5 with it, which saves epsilon 0.5.") {
		t.Errorf("got %q", got)
	}
	none := adviceOn(t, advisedTable(policy.BasicComposition), chargedFor(t, "sex"))
	if got := none.Lines(); len(got) != 2 || got[1] != "  No one release would have answered several of them, or that which would have answered most would have saved nothing." {
		t.Errorf("got %q", got)
	}
	if text, err := json.Marshal(none); err != nil || !strings.Contains(string(text), `"finer":null`) {
		t.Errorf("as JSON: %s, %v", text, err)
	}
}

// An advice on years of questions is no more work than reading them a few times, and is the same again.
func TestAdviceOnThousands(t *testing.T) {
	var charged []ledger.ChargedQuestion
	keys := []string{"", "sex", "region", "region sex", "age/10:age"}
	for i := range 5000 {
		charged = append(charged, chargedFor(t, keys[i%len(keys)], fmt.Sprintf("age >= %d", i%97), fmt.Sprintf("age <= %d", i%89)))
	}
	table := advisedTable(policy.PLDComposition)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a := adviceOn(t, table, charged...)
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 400<<20 { // some 10 times what it needs
		t.Errorf("the advice allocated %d MB", allocated>>20)
	}
	if a.Finer == nil || a.Finer.Answers != 5000 || a.Finer.Cells != 600 {
		t.Fatalf("%+v", a.Finer)
	}
	if again := adviceOn(t, table, charged...); fmt.Sprint(again.Lines()) != fmt.Sprint(a.Lines()) {
		t.Errorf("at first %q, then %q", a.Lines(), again.Lines())
	}
}

var peopleTable = policy.TableName{Schema: "clinic", Name: "people"}

// TestAdviceIsUseful has counts of one age, of which the finer release would be by age and region. It fails if a release is named whose sums
// are noisier than what was shown, or if a smaller one that is not so is missed.
func TestAdviceIsUseful(t *testing.T) {
	table := advisedTable(policy.PLDComposition)
	charged := []ledger.ChargedQuestion{chargedFor(t, "sex"), chargedFor(t, "region"), chargedFor(t, "", "age <= 50"), chargedFor(t, "age")}
	for i := range charged {
		charged[i].Release = int64(i + 1)
	}
	for mean, want := range map[float64]string{
		1e6: "SELECT age, region, sex, count(*) FROM clinic.people GROUP BY age, region, sex",
		30:  "SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex",
		1:   "",
	} {
		a, err := adviseOn(table, 1000, charged, func(int64) (float64, error) { return mean, nil })
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if a.Finer != nil {
			got = a.Finer.Statement
			if float64(a.Finer.MostHalfWidth95) > max(mean, float64(a.Finer.HalfWidth95)) {
				t.Errorf("counts of %v: within ±%d", mean, a.Finer.MostHalfWidth95)
			}
		}
		if got != want || a.TooNoisy != (want == "") || a.TooNoisy != strings.Contains(strings.Join(a.Lines(), "\n"), "errors larger than the counts") {
			t.Errorf("counts of %v: %q, too noisy: %t; want %q", mean, got, a.TooNoisy, want)
		}
	}
}
