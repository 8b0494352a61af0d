package microdata

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/internal/battery"
	"tacit/policy"
)

// continents are a hierarchy whose leaves are at different levels.
func continents(t testing.TB) *Hierarchy {
	t.Helper()
	h, err := NewHierarchy(Node{Label: "world", Children: []Node{
		{Label: "europe", Children: []Node{{Label: "north", Children: []Node{{Label: "se"}, {Label: "no"}}}, {Label: "fr"}, {Label: "de"}}},
		{Label: "sealand"},
		{Label: "asia", Children: []Node{{Label: "jp"}, {Label: "kr"}, {Label: "in"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// checkClasses is what every k-anonymous table has to be: classes of k rows or more that part the rows, each value within the
// generalised one, which is no wider than it needs to be.
func checkClasses(t *testing.T, table *Table, rows []int32, classes []Class, k int, tight bool) {
	t.Helper()
	var seen []int32
	for _, c := range classes {
		if len(c.Rows) < k {
			t.Fatalf("a class of %d rows", len(c.Rows))
		}
		seen = append(seen, c.Rows...)
		for i, column := range table.Quasi() {
			checkGeneralised(t, table, column, c.Rows, c.Quasi[i], tight)
		}
	}
	slices.Sort(seen)
	if !slices.Equal(seen, rows) {
		t.Fatalf("the classes have rows %v, want %v", seen, rows)
	}
}

func checkGeneralised(t *testing.T, table *Table, column int, rows []int32, g Generalised, tight bool) {
	t.Helper()
	low, high, null := Cell(math.MaxInt32), Null, false
	for _, r := range rows {
		v := table.Cell(int(r), column)
		if v == Null {
			null = true
			continue
		}
		low, high = min(low, v), max(high, v)
	}
	if null != g.Null {
		t.Fatalf("column %d: NULL is %v, stated %v", column, null, g.Null)
	}
	c := &table.columns[column]
	switch {
	case high == Null:
		if g.Low != Null || g.High != Null {
			t.Fatalf("column %d has nothing but NULL, stated %+v", column, g)
		}
	case g.Low > low || g.High < high:
		t.Fatalf("column %d: %d to %d is not within %+v", column, low, high, g)
	case c.Hierarchy != nil:
		n := c.Hierarchy.covering(low, high)
		if label, ok := c.Label(g); tight && (!ok || label != n.label || g.Low != n.first || g.High != n.last) {
			t.Fatalf("column %d: %d to %d is %q, stated %q, %+v", column, low, high, n.label, label, g)
		}
	case tight && (g.Low != low || g.High != high):
		t.Fatalf("column %d: %d to %d is stated as %+v", column, low, high, g)
	}
}

func mondrianColumns(t *testing.T) map[string][]Column {
	m := mixtures()
	m["hierarchies"] = []Column{
		quasiOf(nullableOf(Column{Name: "country", Hierarchy: continents(t)})), quasiOf(number("age", 0, 60)),
		quasiOf(Column{Name: "birth", Hierarchy: continents(t)}), number("other", 0, 3),
	}
	return m
}

func TestMondrianInvariants(t *testing.T) {
	for name, columns := range mondrianColumns(t) {
		rng := rand.New(rand.NewPCG(9, 9))
		for range 60 {
			table, k := randomTable(t, columns, rng.IntN(400), rng), 2+rng.IntN(12)
			m, err := NewKAnonymity(KAnonymityConfig{Columns: columns, K: k})
			if err != nil {
				t.Fatal(err)
			}
			classes, err := m.Anonymise(table)
			if err != nil {
				t.Fatal(err)
			}
			rows := identity(table.rows)
			if table.rows < k {
				rows = nil
			}
			t.Run(name, func(t *testing.T) { checkClasses(t, table, rows, classes, k, true) })
		}
	}
}

// TestMondrianCutsWhereItCan: no class that it leaves could be cut in two by one column's values (there being no hierarchy).
func TestMondrianCutsWhereItCan(t *testing.T) {
	columns := []Column{quasiOf(number("a", 0, 9)), quasiOf(nullableOf(category("b", 4)))}
	rng := rand.New(rand.NewPCG(10, 10))
	for range 100 {
		table, k := randomTable(t, columns, 200, rng), 2+rng.IntN(12)
		for _, c := range mondrian(table, identity(table.rows), k) {
			for _, column := range table.Quasi() {
				for at := Cell(0); at < 10; at++ {
					below := 0
					for _, r := range c.Rows {
						if table.Cell(int(r), column) < at {
							below++
						}
					}
					if below >= k && len(c.Rows)-below >= k {
						t.Fatalf("a class of %d rows can be cut at %d into %d and the rest, k = %d", len(c.Rows), at, below, k)
					}
				}
			}
		}
	}
}

// TestMondrianByHand follows the rules on a small table: the widest column first, even cuts, equal values together.
func TestMondrianByHand(t *testing.T) {
	columns := []Column{quasiOf(number("age", 0, 100)), quasiOf(Column{Name: "country", Hierarchy: continents(t)})}
	table := tableOf(t, columns,
		[]Cell{20, 0}, []Cell{20, 1}, []Cell{20, 2}, []Cell{90, 5}, []Cell{95, 6}, []Cell{70, 0}, []Cell{71, 1})
	// The countries are all over the world, the ages are not: europe with 5 rows, asia with 2. Then north has 4 and fr 1, which is
	// too few; ages are cut after 20.
	got := map[string]int{}
	for _, c := range mondrian(table, identity(7), 2) {
		label, _ := columns[1].Label(c.Quasi[1])
		got[label+" "+string(rune('0'+c.Quasi[0].Low/10))+string(rune('0'+c.Quasi[0].High/10))] = len(c.Rows)
	}
	if diff := cmp.Diff(map[string]int{"europe 22": 3, "north 77": 2, "asia 99": 2}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestMondrianCutsNullFirst: NULL is cut off before the wider column is cut, if enough rows have it.
func TestMondrianCutsNullFirst(t *testing.T) {
	columns := []Column{quasiOf(number("a", 0, 9)), quasiOf(nullableOf(number("b", 0, 9)))}
	table := tableOf(t, columns, []Cell{0, Null}, []Cell{9, Null}, []Cell{0, 4}, []Cell{9, 5})
	var got []Generalised
	for _, c := range mondrian(table, identity(4), 2) {
		got = append(got, c.Quasi[1])
	}
	want := []Generalised{{Low: Null, High: Null, Null: true}, {Low: 4, High: 5}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestEvenCuts compares with all cuts, for few rows and many values and the other way round.
func TestEvenCuts(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	var c cutter
	for range 3000 {
		column := make([]Cell, 2+rng.IntN(40))
		span := 1 + rng.IntN(60)
		for i := range column {
			column[i] = Cell(rng.IntN(span)*rng.IntN(2) - 1)
		}
		rows := identity(len(column))
		low, high := extremes(rows, column)
		best := 0
		for at := low + 1; at <= high; at++ {
			below := partition(rows, column, at)
			best = max(best, min(below, len(rows)-below))
		}
		at, below, ok := c.even(rows, column, low, high)
		if ok != (low != high) {
			t.Fatalf("%v: a cut is found: %v", column, ok)
		}
		if ok && (partition(rows, column, at) != below || min(below, len(rows)-below) != best) {
			t.Fatalf("%v is cut at %d, %d below; the best leaves %d", column, at, below, best)
		}
	}
}

// TestSubsampleRate compares the sizes of samples with the binomial distribution.
func TestSubsampleRate(t *testing.T) {
	columns := []Column{quasiOf(category("a", 1))}
	table := randomTable(t, columns, 6, rand.New(rand.NewPCG(1, 1)))
	m, err := NewDPKAnonymity(DPKAnonymityConfig{Columns: columns, K: 2, Epsilon: half, Random: battery.Seeded(12)})
	if err != nil {
		t.Fatal(err)
	}
	safe, err := NewSafeKAnonymity(SafeKAnonymityConfig{Columns: columns, Scheme: make([]Generalisation, 1), K: 2, Beta: policy.OneShare / 3, Random: battery.Seeded(13)})
	if err != nil {
		t.Fatal(err)
	}
	for beta, anonymise := range map[float64]func(*Table) ([]Class, error){1 - math.Exp(-0.5): m.Anonymise, (policy.OneShare / 3).Float(): safe.Anonymise} {
		observed, p := make([]int, 7), make([]float64, 7)
		for range 50_000 {
			classes, err := anonymise(table)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, c := range classes {
				n += len(c.Rows)
			}
			observed[n]++
		}
		for n, mass := range shown(6, 2, beta) {
			p[n] = mass
		}
		chiSquared(t, observed, p)
	}
}

func TestDPKAnonymityInvariants(t *testing.T) {
	for name, columns := range mondrianColumns(t) {
		rng := rand.New(rand.NewPCG(14, 14))
		table := randomTable(t, columns, 300, rng)
		m, err := NewDPKAnonymity(DPKAnonymityConfig{Columns: columns, K: 3, Epsilon: perEpsilon, Random: battery.Seeded(15)})
		if err != nil {
			t.Fatal(err)
		}
		classes, err := m.Anonymise(table)
		if err != nil {
			t.Fatal(err)
		}
		var rows []int32
		for _, c := range classes {
			rows = append(rows, c.Rows...)
		}
		slices.Sort(rows)
		if len(slices.Compact(slices.Clone(rows))) != len(rows) {
			t.Fatalf("%s: a row is in two classes", name)
		}
		checkClasses(t, table, rows, classes, 3, true)
	}
}

// TestSafeClasses compares with a map, and with rules of generalisation that are written out.
func TestSafeClasses(t *testing.T) {
	columns := []Column{
		quasiOf(nullableOf(number("age", 3, 40))), quasiOf(Column{Name: "country", Hierarchy: continents(t)}), number("x", 0, 9),
		quasiOf(category("sex", 2)), quasiOf(category("all", 7)),
	}
	m, err := NewSafeKAnonymity(SafeKAnonymityConfig{
		Columns: columns, Scheme: []Generalisation{{Width: 10}, {Level: 1}, {Level: 1}, {}}, K: 3, Beta: policy.OneShare / 2, Random: battery.Seeded(16),
	})
	if err != nil {
		t.Fatal(err)
	}
	table := randomTable(t, columns, 500, rand.New(rand.NewPCG(17, 17)))
	country := []Generalised{{Low: 0, High: 3}, {Low: 0, High: 3}, {Low: 0, High: 3}, {Low: 0, High: 3}, {Low: 4, High: 4}, {Low: 5, High: 7}, {Low: 5, High: 7}, {Low: 5, High: 7}}
	want := map[[4]Generalised]int{}
	for row := range table.rows {
		age := Generalised{Low: Null, High: Null, Null: true}
		if v := table.Cell(row, 0); v != Null {
			age = Generalised{Low: v / 10 * 10, High: min(v/10*10+9, 37)}
		}
		sex := table.Cell(row, 3)
		want[[4]Generalised{age, country[table.Cell(row, 1)], {Low: sex, High: sex}, {Low: 0, High: 6}}]++
	}
	for key, n := range want {
		if n < 3 {
			delete(want, key)
		}
	}
	got := map[[4]Generalised]int{}
	classes := m.classes(table, identity(table.rows))
	for _, c := range classes {
		got[[4]Generalised(c.Quasi)] = len(c.Rows)
		for i, column := range table.Quasi() {
			checkGeneralised(t, table, column, c.Rows, c.Quasi[i], false)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(classes) != len(want) {
		t.Errorf("%d classes (-want +got)\n%s", len(classes), diff)
	}
}

// TestMondrianForgetsTheOrder: classes do not depend on the order of the rows.
func TestMondrianForgetsTheOrder(t *testing.T) {
	for name, columns := range mondrianColumns(t) {
		rng := rand.New(rand.NewPCG(18, 18))
		table := randomTable(t, columns, 200, rng)
		rows := identity(200)
		rng.Shuffle(200, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		a, b := mondrian(table, identity(200), 4), mondrian(table, rows, 4)
		for _, classes := range [][]Class{a, b} {
			for _, c := range classes {
				slices.Sort(c.Rows)
			}
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s\n%s", name, diff)
		}
	}
}
