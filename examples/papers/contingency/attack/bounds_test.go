package attack

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fourByFour is sdcTable's problem data (GPL): v1,v2,freq,status.
const fourByFour = `w,a,30,u w,b,47,u w,c,64,u w,d,89,s w,tot,230,s x,a,90,u x,b,124,s x,c,5,u x,d,31,s x,tot,250,s y,a,92,s y,b,100,u y,c,59,s y,d,85,u y,tot,336,s
z,a,800,s z,b,991,u z,c,651,s z,d,685,u z,tot,3127,s tot,a,1012,s tot,b,1262,s tot,c,779,s tot,d,890,s tot,tot,3943,s`

func problem(t *testing.T) Publication {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.Join(strings.Fields(fourByFour), "\n"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var entries []Entry
	for _, row := range rows {
		v, err := strconv.ParseInt(row[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, Entry{row[:2], Cell{Value: v, Hidden: row[3] == "u"}})
	}
	p, err := Cross([]Way{Flat("v1", "tot", "w", "x", "y", "z"), Flat("v2", "tot", "a", "b", "c", "d")}, entries)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The ranges that sdcTable's data is known for: every row and every column has two hidden cells or more, and yet (w, b) is recovered.
func TestFourByFour(t *testing.T) {
	p := problem(t)
	intervals, err := p.Bounds()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, i := range intervals {
		got[p.Cells[i.Cell].Name] = i.String()
		if !i.Whole {
			t.Errorf("%s: bounds of tables of real numbers only", p.Cells[i.Cell].Name)
		}
	}
	want := map[string]string{
		"(w, a)": "25 to 94", "(w, b)": "47", "(w, c)": "0 to 69", "(x, a)": "26 to 95", "(x, c)": "0 to 69",
		"(y, b)": "0 to 185", "(y, d)": "0 to 185", "(z, b)": "906 to 1091", "(z, d)": "585 to 770",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Where real bounds are no integers, those of counts are tighter: x + y = y + z = 3 and x + z + w = 5, all of them hidden.
func TestRealBoundsMayBeHalves(t *testing.T) {
	p := Publication{Cells: []Cell{{Name: "x", Hidden: true}, {Name: "y", Hidden: true}, {Name: "z", Hidden: true}, {Name: "w", Hidden: true},
		{Name: "xy", Value: 3}, {Name: "yz", Value: 3}, {Name: "xzw", Value: 5}}}
	p.Sums = []Sum{{4, []int{0, 1}}, {5, []int{1, 2}}, {6, []int{0, 2, 3}}}
	intervals, err := p.Bounds()
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []string{"0 to 5/2", "1/2 to 3", "0 to 5/2", "0 to 5"} {
		if intervals[k].String() != want || intervals[k].Whole {
			t.Errorf("%s: %s, whole: %v, want %v", p.Cells[k].Name, intervals[k], intervals[k].Whole, want)
		}
	}
}

// threeWay is a table of three ways of which all cells are hidden and all sums shown.
func threeWay(n int, seed uint64) Publication {
	r := rand.New(rand.NewPCG(seed, 2))
	var codes []string
	for i := range n {
		codes = append(codes, fmt.Sprint(i))
	}
	value, entries := map[string]int64{}, []Entry(nil)
	for i := range n * n * n {
		inner := []string{codes[i/n/n], codes[i/n%n], codes[i%n]}
		v := int64(r.ExpFloat64() * 5)
		entries = append(entries, Entry{inner, Cell{Value: v, Hidden: true}})
		for mask := 1; mask < 8; mask++ {
			total := slices.Clone(inner)
			for way := range total {
				if mask>>way&1 == 1 {
					total[way] = "t"
				}
			}
			value[key(total)] += v
		}
	}
	for codes, v := range value {
		entries = append(entries, Entry{strings.Split(codes, "\x00"), Cell{Value: v}})
	}
	p, err := Cross([]Way{Flat("a", "t", codes...), Flat("b", "t", codes...), Flat("c", "t", codes...)}, entries)
	if err != nil {
		panic(err)
	}
	return p
}

// In three ways the bounds of real tables are not always those of counts, but hold the true counts.
func TestThreeWays(t *testing.T) {
	p := threeWay(4, 5)
	intervals, err := p.Bounds()
	if err != nil {
		t.Fatal(err)
	}
	halves := 0
	for _, i := range intervals {
		if v := ratio(p.Cells[i.Cell].Value); i.Low.Value.Cmp(v) > 0 || i.High.Value.Cmp(v) < 0 {
			t.Errorf("%s is %v: %s", p.Cells[i.Cell].Name, v, i)
		}
		if !i.Whole {
			halves++
		}
	}
	if halves == 0 {
		t.Error("all bounds are of whole tables")
	}
}

// What does not fit into 64 bits is refused.
func TestNoOverflow(t *testing.T) {
	columns := [][]entry{{{0, 1}, {2, 1}}, {{0, 1}, {1, 1}}, {{1, 1}, {2, 1}}}
	p, _ := newProgram(columns, []int64{1 << 40, 1 << 40, 1 << 40})
	if y, err := p.start(); y != nil || err != nil || p.level[0] != 1<<40 || p.d != 2 {
		t.Errorf("%v, %v: levels %v over %d", y, err, p.level, p.d)
	}
	p, _ = newProgram(columns, []int64{1 << 62, 1 << 62, 1 << 62})
	if _, err := p.start(); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

// A hidden total has no limit, unless the parts have.
func TestNoLimit(t *testing.T) {
	p := Publication{Cells: []Cell{{Name: "part", Hidden: true}, {Name: "total", Hidden: true}, {Name: "other", Value: 3}}, Sums: []Sum{{1, []int{0, 2}}}}
	intervals, err := p.Bounds()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(intervals[0], "; ", intervals[1]); got != "0 or more; 3 or more" {
		t.Error(got)
	}
	p.Cells[0].Most = 7
	if intervals, err = p.Bounds(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(intervals[0], "; ", intervals[1]); got != "0 to 7; 3 to 10" {
		t.Error(got)
	}
}

// What is not proved is not believed.
func TestCheckRefuses(t *testing.T) {
	p := problem(t)
	for name, spoil := range map[string]func(*Interval){
		"a wider bound":               func(i *Interval) { i.High.Value = big.NewRat(95, 1) },
		"a narrower bound":            func(i *Interval) { i.High.Value = big.NewRat(93, 1) },
		"a narrower bound, its table": func(i *Interval) { i.High.Value, i.High.Table = i.Low.Value, i.Low.Table },
		"no multipliers":              func(i *Interval) { i.High.Proof = Proof{} },
		"a contradiction":             func(i *Interval) { i.High.Proof.Impossible = true },
		"no limit":                    func(i *Interval) { i.High.Value = nil },
		"a ray that sums notice": func(i *Interval) {
			i.High.Value, i.High.Ray = nil, Vector{map[int]*big.Int{i.Cell: big.NewInt(1)}, big.NewInt(1)}
		},
		"a table that does not add up": func(i *Interval) {
			i.High.Table = Vector{map[int]*big.Int{i.Cell: i.High.Value.Num()}, big.NewInt(1)}
		},
	} {
		intervals, err := p.Bounds()
		if err != nil {
			t.Fatal(err)
		}
		i := intervals[0]
		if err := p.Check(i); err != nil {
			t.Fatal(err)
		}
		i.Whole = false
		if spoil(&i); !errors.Is(p.Check(i), ErrProof) {
			t.Errorf("%s is accepted", name)
		}
	}
}

// two is A + B = 10, of which both are hidden, with honest bounds of A.
func two(t *testing.T) (Publication, Interval) {
	t.Helper()
	p := Publication{Cells: []Cell{{Name: "A", Hidden: true}, {Name: "B", Hidden: true}, {Name: "T", Value: 10}}, Sums: []Sum{{2, []int{0, 1}}}}
	intervals, err := p.Bounds()
	if err != nil {
		t.Fatal(err)
	}
	return p, intervals[0]
}

// vector is of numbers for the first cells, or sums.
func vector(denominator int64, numerators ...int64) Vector {
	v := Vector{map[int]*big.Int{}, big.NewInt(denominator)}
	for i, n := range numerators {
		v.Numerators[i] = big.NewInt(n)
	}
	return v
}

// A denominator that is negative turns the inequality of a proof around, and one that is 0 is none.
func TestCheckRefusesDenominators(t *testing.T) {
	p, honest := two(t)
	zero, ten, three := new(big.Rat), big.NewRat(10, 1), big.NewRat(3, 1)
	for name, spoil := range map[string]func(i *Interval){
		"A is 0": func(i *Interval) {
			i.High = Bound{Value: zero, Table: vector(1, 0, 10), Proof: Proof{Multipliers: vector(-1)}}
		},
		"A is 3 or more": func(i *Interval) {
			i.Low = Bound{Value: three, Table: vector(1, 3, 7), Proof: Proof{Multipliers: vector(-1, 1)}}
		},
		"A is 10": func(i *Interval) {
			i.Low = Bound{Value: ten, Table: vector(1, 10, 0), Proof: Proof{Multipliers: vector(-1, 1)}}
		},
		"multipliers over 0": func(i *Interval) { i.High.Proof.Multipliers = vector(0, 1) },
		"no multiplier":      func(i *Interval) { i.High.Proof.Multipliers = Vector{Numerators: map[int]*big.Int{0: nil}} },
		"a table over 0":     func(i *Interval) { i.High.Table = vector(0, 10, 0) },
		"a table over -1":    func(i *Interval) { i.High.Table = vector(-1, -10, 0) },
		"a table of nil":     func(i *Interval) { i.High.Table = Vector{Numerators: map[int]*big.Int{0: nil}} },
		"a ray over 0":       func(i *Interval) { i.High.Value, i.High.Ray = nil, vector(0, 1) },
		"a ray over -1":      func(i *Interval) { i.High.Value, i.High.Ray = nil, vector(-1, -1, 1) },
		"a ray of nil":       func(i *Interval) { i.High.Value, i.High.Ray = nil, Vector{Numerators: map[int]*big.Int{0: nil}} },
	} {
		i := honest
		i.Whole = false
		if spoil(&i); !errors.Is(p.Check(i), ErrProof) {
			t.Errorf("%s: %v", name, p.Check(i))
		}
	}
	if err := p.Check(honest); err != nil {
		t.Error(err)
	}
	if zero := (Interval{}); zero.Exact() || zero.String() != "unknown" || !errors.Is(p.Check(zero), ErrProof) {
		t.Errorf("the zero interval: %s, %v", zero, p.Check(zero))
	}
}

// A bound that is too wide is proved by any proof of a narrower one: its table must be refused.
func TestCheckRefusesTablesBeyondLimits(t *testing.T) {
	p, _ := two(t)
	p.Cells[0].Least, p.Cells[0].Most = 2, 8
	intervals, err := p.Bounds()
	if err != nil {
		t.Fatal(err)
	}
	honest := intervals[0]
	honest.Whole = false
	if got := honest.String(); got != "2 to 8" {
		t.Fatal(got)
	}
	for name, spoil := range map[string]func(i *Interval){
		"less than is known":   func(i *Interval) { i.Low.Value, i.Low.Table = big.NewRat(1, 1), vector(1, 1, 9) },
		"more than is known":   func(i *Interval) { i.High.Value, i.High.Table = big.NewRat(9, 1), vector(1, 9, 1) },
		"a negative number":    func(i *Interval) { i.High.Value, i.High.Table = big.NewRat(11, 1), vector(1, 11, -1) },
		"a ray beyond a limit": func(i *Interval) { i.High.Value, i.High.Ray = nil, vector(1, 1, -1) },
	} {
		i := honest
		if spoil(&i); !errors.Is(p.Check(i), ErrProof) {
			t.Errorf("%s: %v", name, p.Check(i))
		}
	}
	p.Sums, p.Cells[0].Least = nil, 0
	i := Interval{Low: Bound{Value: new(big.Rat)}, High: Bound{Ray: vector(1, 1)}}
	if err := p.Check(i); !errors.Is(err, ErrProof) {
		t.Errorf("a ray beyond a limit, without sums: %v", err)
	}
	if p.Cells[0].Most = 0; p.Check(i) != nil {
		t.Error(p.Check(i))
	}
}

// Only hidden cells have intervals, and only tables that make sense.
func TestCheckRefusesCells(t *testing.T) {
	shown := Publication{Cells: []Cell{{Name: "A", Value: 5}, {Name: "T", Value: 5}}, Sums: []Sum{{1, []int{0}}}}
	i := Interval{Low: Bound{Value: new(big.Rat), Table: vector(1)}, High: Bound{Table: vector(1), Ray: vector(1, 1)}}
	for _, cell := range []int{0, 1, 2, -1} {
		if i.Cell = cell; !errors.Is(shown.Check(i), ErrProof) {
			t.Errorf("cell %d: %v", cell, shown.Check(i))
		}
	}
	if err := (Publication{Sums: []Sum{{Total: 5}}}).Check(i); !errors.Is(err, ErrMalformed) {
		t.Errorf("a sum of no cells: %v", err)
	}
	free := Publication{Cells: []Cell{{Name: "A", Hidden: true}, {Name: "T", Value: 5}}}
	for name, ray := range map[string]Vector{"a shown cell": vector(1, 1, 1), "a cell that there is not": vector(1, 1, 0, 1)} {
		i.Cell, i.High.Ray = 0, ray
		if err := free.Check(i); !errors.Is(err, ErrProof) {
			t.Errorf("%s grows: %v", name, err)
		}
	}
	if i.High.Ray = vector(1, 1); free.Check(i) != nil {
		t.Error(free.Check(i))
	}
}

func TestBadTables(t *testing.T) {
	ways := []Way{Flat("sex", "all", "f", "m"), Flat("age", "all", "young", "old")}
	entries := func(change func([]Entry) []Entry) []Entry {
		return change([]Entry{
			{[]string{"f", "young"}, Cell{Hidden: true}}, {[]string{"f", "old"}, Cell{Hidden: true}}, {[]string{"f", "all"}, Cell{Value: 5}},
			{[]string{"m", "young"}, Cell{Hidden: true}}, {[]string{"m", "old"}, Cell{Hidden: true}}, {[]string{"m", "all"}, Cell{Value: 4}},
			{[]string{"all", "young"}, Cell{Value: 7}}, {[]string{"all", "old"}, Cell{Value: 2}}, {[]string{"all", "all"}, Cell{Value: 9}},
		})
	}
	for _, test := range []struct {
		name   string
		change func([]Entry) []Entry
		want   error
		says   string
	}{
		{"right", func(e []Entry) []Entry { return e }, nil, ""},
		{"totals do not add up", func(e []Entry) []Entry { e[8].Value = 10; return e }, ErrInconsistent, "(all, all) is 10, and its parts sum up to 9"},
		{"rows and columns differ", func(e []Entry) []Entry { e[8].Hidden, e[2].Value = true, 6; return e }, ErrInconsistent, "fit the totals"},
		{"negative total", func(e []Entry) []Entry { e[7].Value = -2; return e }, ErrMalformed, "(all, old) is -2; counts are not negative"},
		{"parts above the total", func(e []Entry) []Entry { e[0].Hidden, e[0].Value = false, 8; return e }, ErrInconsistent, "fit the totals"},
		{"missing total", func(e []Entry) []Entry { return e[:8] }, ErrMalformed, "the cell (all, all) is missing; enter it as hidden"},
		{"unknown code", func(e []Entry) []Entry { e[0].Codes = []string{"f", "middle"}; return e }, ErrMalformed, `age has no code "middle"`},
		{"twice", func(e []Entry) []Entry { return append(e, e[0]) }, ErrMalformed, "(f, young) is there twice"},
		{"too many codes", func(e []Entry) []Entry { e[0].Codes = []string{"f", "young", "x"}; return e }, ErrMalformed, "has 3 codes in a table of 2 ways"},
		{"too large", func(e []Entry) []Entry { e[8].Value = 1 << 41; return e }, ErrMalformed, "divide all numbers by a common unit"},
		{"limits crossed", func(e []Entry) []Entry { e[0].Least, e[0].Most = 3, 2; return e }, ErrMalformed, "known to be from 3 to 2"},
		{"limits too narrow", func(e []Entry) []Entry { e[0].Most, e[1].Most = 2, 2; return e }, ErrInconsistent, "fit the totals"},
	} {
		p, err := Cross(ways, entries(test.change))
		if err == nil {
			_, err = p.Bounds()
		}
		if !errors.Is(err, test.want) || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestBadWays(t *testing.T) {
	for _, w := range []Way{
		{Name: "two roots", Codes: []string{"a", "b"}},
		{Name: "circle", Codes: []string{"a", "b", "t"}, Parent: map[string]string{"a": "b", "b": "a"}},
		{Name: "orphan", Codes: []string{"a", "t"}, Parent: map[string]string{"a": "x"}},
		{Name: "twice", Codes: []string{"a", "a", "t"}, Parent: map[string]string{"a": "t"}},
	} {
		if _, err := Cross([]Way{w}, nil); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", w.Name, err)
		}
	}
	for _, sum := range []Sum{{9, []int{0}}, {0, nil}, {0, []int{1, 1}}, {0, []int{0}}} {
		if _, err := (Publication{Cells: make([]Cell, 2), Sums: []Sum{sum}}).Bounds(); !errors.Is(err, ErrMalformed) {
			t.Errorf("%v: %v", sum, err)
		}
	}
}

func TestNothingHidden(t *testing.T) {
	p := Publication{Cells: []Cell{{Value: 1}, {Value: 1}}, Sums: []Sum{{0, []int{1}}}}
	if intervals, err := p.Bounds(); err != nil || len(intervals) != 0 {
		t.Errorf("%v, %v", intervals, err)
	}
}

func random(rows, columns int, hidden float64, seed uint64) Publication {
	r := rand.New(rand.NewPCG(seed, 1))
	var a, b []string
	for i := range rows {
		a = append(a, fmt.Sprint("r", i))
	}
	for j := range columns {
		b = append(b, fmt.Sprint("c", j))
	}
	sum := map[string]int64{}
	var entries []Entry
	for _, x := range a {
		for _, y := range b {
			v := int64(r.ExpFloat64() * 20)
			entries = append(entries, Entry{[]string{x, y}, Cell{Value: v, Hidden: r.Float64() < hidden}})
			sum[x+",t"] += v
			sum["t,"+y] += v
			sum["t,t"] += v
		}
	}
	for k, v := range sum {
		entries = append(entries, Entry{strings.Split(k, ","), Cell{Value: v}})
	}
	p, err := Cross([]Way{Flat("rows", "t", a...), Flat("columns", "t", b...)}, entries)
	if err != nil {
		panic(err)
	}
	return p
}

// With all cells hidden, bounds are those of Frechet: max(0, row + column - total) and min(row, column).
func TestFrechet(t *testing.T) {
	p := random(12, 9, 1, 3)
	intervals, err := p.Bounds()
	if err != nil {
		t.Fatal(err)
	}
	total := map[string]int64{}
	for _, c := range p.Cells {
		total[c.Name] = c.Value
	}
	for _, i := range intervals {
		codes := strings.Split(strings.Trim(p.Cells[i.Cell].Name, "()"), ", ")
		row, column := total["("+codes[0]+", t)"], total["(t, "+codes[1]+")"]
		low, high := max(0, row+column-total["(t, t)"]), min(row, column)
		if i.Low.Value.Cmp(ratio(low)) != 0 || i.High.Value.Cmp(ratio(high)) != 0 {
			t.Errorf("%s: %s, want %d to %d", p.Cells[i.Cell].Name, i, low, high)
		}
	}
}

// A table of 50 by 50 cells is solved, with -short one of 30 by 30, exactly; [BenchmarkBounds] says how fast. Bounds panics if it is wrong.
func TestLargeTable(t *testing.T) {
	n := 50
	if testing.Short() {
		n = 30
	}
	for _, share := range []float64{1, 0.5, 0.05} {
		if _, err := random(n, n, share, 1).Bounds(); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkBounds(b *testing.B) {
	for _, share := range []float64{1, 0.05} {
		p := random(50, 50, share, 1)
		b.Run(fmt.Sprintf("50x50/hidden=%v", share), func(b *testing.B) {
			for b.Loop() {
				if _, err := p.Bounds(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
