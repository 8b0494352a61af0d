package attack

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// binomial is the law of a cell of people who have the attribute with the same probability.
func binomial(people int, p float64) []float64 {
	law := []float64{1}
	for range people {
		law = append(law, 0)
		for v := len(law) - 1; v >= 0; v-- {
			law[v] *= 1 - p
			if v > 0 {
				law[v] += law[v-1] * p
			}
		}
	}
	return law
}

// genes is who is in figure 1: of the brown-haired people a hundred are not blue-eyed.
func genes() Prior {
	return Prior{binomial(60, 0.8), binomial(110, 0.1), binomial(60, 0.8), binomial(60, 0.2), binomial(100, 0.5), binomial(60, 0.2)}
}

// The paper's argument, by enumeration: only {1,3,5} and {2,4,6} can be the sensitive cells. Without the rule every cell may be anything.
func TestFigure1(t *testing.T) {
	rule, shown := Figure1()
	without, with, err := rule.Infer(shown, nil)
	if err != nil {
		t.Fatal(err)
	}
	if without.Tables != 56*56-15 { // two free cells, which add up to 5 or more
		t.Errorf("%d tables, want %d", without.Tables, 56*56-15)
	}
	var found []string
	for _, f := range with.Findings {
		found = append(found, fmt.Sprint(f.Sensitive.Cells(), f.Tables))
	}
	if with.Tables != 42 || len(found) != 2 || !slices.Contains(found, "[1 3 5] 21") || !slices.Contains(found, "[2 4 6] 21") {
		t.Errorf("%d tables: %v", with.Tables, found)
	}
	for i, want := range [][4]int{{0, 55, 0, 55}, {0, 105, 0, 105}, {0, 55, 0, 55}, {0, 55, 0, 55}, {0, 105, 0, 105}, {0, 55, 0, 55}} {
		a, b := without.Cells[i], with.Cells[i]
		if a.Low != want[0] || a.High != want[1] || b.Low != want[2] || b.High != want[3] {
			t.Errorf("cell %d: %d to %d, and with the rule %d to %d", i+1, a.Low, a.High, b.Low, b.High)
		}
		for v := a.Low; v <= a.High; v++ {
			if p := b.Probability(v); p > 0 && v > 5 && v < 50 {
				t.Errorf("cell %d may be %d", i+1, v)
			}
		}
	}
}

// What section 3 concludes: if the gene is likelier in blue-eyed blondes, {2,4,6} is likelier, and if exactly a hundred brown-haired people
// are not blue-eyed, all of them have the gene then.
func TestFigure1ExposesPeople(t *testing.T) {
	rule, shown := Figure1()
	_, with, err := rule.Infer(shown, genes())
	if err != nil {
		t.Fatal(err)
	}
	if f := with.Findings[0]; fmt.Sprint(f.Sensitive.Cells()) != "[2 4 6]" || f.Probability < 0.99 {
		t.Errorf("%+v", f)
	}
	if q := with.Cells[4].Mean() / 100; q < 0.99 {
		t.Errorf("a brown-haired person without blue eyes has the gene with probability %v", q)
	}
	if b := with.Cells[4]; with.Likeliest[4] != 100 || b.High != 100 {
		t.Errorf("%v, up to %d", with.Likeliest, b.High)
	}
}

// tables are all tables of some shape with values up to most.
func tables(cells, most int, visit func([]int)) {
	table := make([]int, cells)
	var fill func(i int)
	fill = func(i int) {
		if i == cells {
			visit(table)
			return
		}
		for table[i] = 0; table[i] <= most; table[i]++ {
			fill(i + 1)
		}
		table[i] = 0
	}
	fill(0)
}

// shownOf is what is published of a table when some cells are hidden.
func shownOf(rows, columns int, table []int, hidden Hiding) Shown {
	s := Shown{make([]int, rows), make([]int, columns), slices.Clone(table)}
	for i, v := range table {
		s.Rows[i/columns] += v
		s.Columns[i%columns] += v
		if hidden.Has(i) {
			s.Cells[i] = Hidden
		}
	}
	return s
}

// Which cells follow, by cycles and by the tables that would be shown alike.
func TestFollows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	seen := [2]int{}
	for range 3000 {
		rule := Rule{Rows: 1 + r.IntN(3), Columns: 1 + r.IntN(3), Threshold: 1}
		table := make([]int, rule.cells())
		for i := range table {
			table[i] = r.IntN(3)
		}
		hidden := Hiding(r.IntN(1 << rule.cells()))
		varies := make([]bool, rule.cells())
		shown := shownOf(rule.Rows, rule.Columns, table, hidden)
		w := walk{shown: shown, columns: rule.Columns, left: 1 << 20, table: make([]int, rule.cells()), rows: shown.Rows, sums: shown.Columns,
			visit: func(other []int) {
				for i, v := range other {
					varies[i] = varies[i] || v != table[i]
				}
			}}
		if !w.from(0) {
			t.Fatal("too many tables")
		}
		for i := range table {
			if !hidden.Has(i) {
				continue
			}
			got := rule.follows(i, hidden, positive(table))
			if got == varies[i] {
				t.Fatalf("%v hidden of %v: cell %d follows: %v", hidden.Cells(), table, i+1, got)
			}
			if got {
				seen[0]++
			} else {
				seen[1]++
			}
		}
	}
	if min(seen[0], seen[1]) < 500 {
		t.Errorf("too few of each: %v", seen)
	}
}

// What the attacker infers, against Bayes' rule over all tables of a small world.
func TestInferAgainstBayes(t *testing.T) {
	const most = 3
	prior := Prior{}
	for i := range 6 {
		prior = append(prior, binomial(most, 0.2+0.1*float64(i)))
	}
	for _, rule := range []Rule{
		{Rows: 2, Columns: 3, Threshold: 1, Secondary: true},
		{Rows: 2, Columns: 3, Threshold: 1, Secondary: true, SparesEmpty: true},
		{Rows: 3, Columns: 2, Threshold: 1},
		{Rows: 3, Columns: 2, Threshold: 0},
	} {
		type world struct {
			shown  Shown
			total  float64
			means  []float64
			tables int
		}
		worlds := map[string]*world{}
		tables(6, most, func(table []int) {
			sets, err := rule.Hide(table)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range sets {
				shown := shownOf(rule.Rows, rule.Columns, table, h)
				w := worlds[fmt.Sprint(shown)]
				if w == nil {
					w = &world{shown: shown, means: make([]float64, 6)}
					worlds[fmt.Sprint(shown)] = w
				}
				p := prior.of(table) / float64(len(sets))
				w.total += p
				w.tables++
				for i, v := range table {
					w.means[i] += p * float64(v)
				}
			}
		})
		checked := 0
		for _, w := range worlds {
			if checked++; checked > 300 {
				break
			}
			without, with, err := rule.Infer(w.shown, prior)
			if err != nil {
				t.Fatalf("%+v: %v", w.shown, err)
			}
			if with.Tables != w.tables || without.Tables < with.Tables {
				t.Errorf("%+v: %d tables, want %d", w.shown, with.Tables, w.tables)
			}
			for i, b := range with.Cells {
				if math.Abs(b.Mean()-w.means[i]/w.total) > 1e-12 {
					t.Errorf("%+v: cell %d is %v on average, want %v", w.shown, i+1, b.Mean(), w.means[i]/w.total)
				}
			}
		}
	}
}

// published is a table of 3 by 3 cells as [Publication.Bounds] takes it. Cells have the same numbers there.
func published(s Shown) Publication {
	var p Publication
	for _, v := range append(append(slices.Clone(s.Cells), s.Rows...), s.Columns...) {
		p.Cells = append(p.Cells, Cell{Value: int64(max(v, 0)), Hidden: v == Hidden})
	}
	for i := range 3 {
		p.Sums = append(p.Sums, Sum{Total: 9 + i, Parts: []int{3 * i, 3*i + 1, 3*i + 2}}, Sum{Total: 12 + i, Parts: []int{i, i + 3, i + 6}})
	}
	return p
}

// Without the rule the ranges are those of the linear programs.
func TestRangesAreBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 100 {
		table := make([]int, 9)
		for i := range table {
			table[i] = r.IntN(6)
		}
		rule := Rule{Rows: 3, Columns: 3, Threshold: 2, Secondary: true}
		sets, err := rule.Hide(table)
		if err != nil || len(sets) == 0 {
			continue
		}
		shown := shownOf(3, 3, table, sets[0])
		without, with, err := rule.Infer(shown, nil)
		if err != nil {
			t.Fatal(err)
		}
		intervals, err := published(shown).Bounds()
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range intervals {
			a, b := without.Cells[i.Cell], with.Cells[i.Cell]
			if i.Low.Value.Cmp(ratio(int64(a.Low))) != 0 || i.High.Value.Cmp(ratio(int64(a.High))) != 0 {
				t.Errorf("%+v: cell %d is %d to %d, want %s", shown, i.Cell+1, a.Low, a.High, i)
			}
			if b.Low < a.Low || b.High > a.High || b.Low > table[i.Cell] || b.High < table[i.Cell] {
				t.Errorf("%+v: cell %d of %v is %d to %d with the rule", shown, i.Cell+1, table, b.Low, b.High)
			}
		}
	}
}

func TestBadRules(t *testing.T) {
	rule, shown := Figure1()
	for _, test := range []struct {
		name   string
		change func()
		want   error
	}{
		{"other shape", func() { rule.Rows = 3 }, ErrMalformed},
		{"too many cells", func() { rule.Columns = 20 }, ErrTooLarge},
		{"no rows", func() { rule.Rows = 0 }, ErrMalformed},
		{"rows and columns differ", func() { shown.Rows[0]++ }, ErrInconsistent},
		{"sums of 2^60", func() { shown.Rows, shown.Columns = []int{1 << 60, 105}, []int{1 << 59, 1 << 59, 105} }, ErrMalformed},
		{"sums of 2^34", func() { shown.Rows, shown.Columns = []int{1 << 34, 1 << 34}, []int{1 << 34, 1 << 33, 1 << 33} }, ErrTooLarge},
		{"negative sum", func() { shown.Rows, shown.Columns = []int{-5, 5}, []int{0, 0, 0} }, ErrMalformed},
		{"hidden sum", func() { shown.Rows[0], shown.Columns[0] = Hidden, Hidden }, ErrMalformed},
		{"negative cell", func() { shown.Cells[0] = -7 }, ErrMalformed},
		{"no such table", func() { shown.Cells[0] = 60 }, ErrInconsistent},
		{"the rule hides less", func() { shown.Cells[0], shown.Cells[4] = 30, 40 }, ErrInconsistent},
		{"too many tables", func() { shown.Rows, shown.Columns = []int{90000, 90000}, []int{60000, 60000, 60000} }, ErrTooLarge},
	} {
		rule, shown = Figure1()
		if test.change(); true {
			if _, _, err := rule.Infer(shown, nil); !errors.Is(err, test.want) {
				t.Errorf("%s: %v", test.name, err)
			}
		}
	}
}

// The values of a cell take memory for those that its row and its column leave it, not for all people of the table.
func TestInferOfManyPeople(t *testing.T) {
	const many = 1 << 38
	rule := Rule{Rows: 2, Columns: 3, Threshold: 5, Secondary: true}
	without, with, err := rule.Infer(shownOf(2, 3, []int{2, 3, many, 4, 1, many}, 0b011011), nil)
	if err != nil {
		t.Fatal(err)
	}
	if b := without.Cells[0]; b.Low != 1 || b.High != 5 || math.Abs(b.Probability(3)-0.2) > 1e-15 || b.Probability(0) != 0 || b.Probability(6) != 0 {
		t.Errorf("a hidden cell: %+v", b)
	}
	if b := with.Cells[2]; b.Low != many || b.Probability(many) != 1 || b.Probability(many-1) != 0 || b.Probability(many+1) != 0 || b.Mean() != many {
		t.Errorf("a shown cell: %+v", b)
	}
}

func TestBadPriors(t *testing.T) {
	rule, shown := Figure1()
	for _, q := range []float64{math.NaN(), -0.1, 1.1, math.Inf(1)} {
		prior := genes()
		prior[3][7] = q
		if _, _, err := rule.Infer(shown, prior); !errors.Is(err, ErrMalformed) {
			t.Errorf("a probability of %v: %v", q, err)
		}
	}
}
