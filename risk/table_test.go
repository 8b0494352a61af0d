package risk

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewTable(t *testing.T) {
	got, err := NewTable(3, [][]int64{{2, 1, 0}, {0, 0, 0}, {0, 1, 2}, {1, 0, 0}, {0, 0, 5}, {0, 1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	want := &Table{
		Labels: 3,
		Patterns: []Pattern{
			{Counts: []int64{2, 1}, Cells: 2},
			{Counts: []int64{1}, Cells: 2},
			{Counts: []int64{5}, Cells: 1},
		},
		Moments: []Moment{
			{Sum: 3, Squares: 5, Cross: 7},
			{Sum: 3, Squares: 3, Cross: 7},
			{Sum: 7, Squares: 29, Cross: 31},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	description := Description{
		Labels: 3, All: Group{5, 13}, Homogeneous: Group{3, 7}, Heterogeneous: Group{2, 6}, Unique: Group{2, 2},
		Smallest: 1, Largest: 5, Mean: 2.6,
	}
	if diff := cmp.Diff(description, got.Describe()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Description{Labels: 2}, (&Table{Labels: 2}).Describe()); diff != "" {
		t.Error(diff)
	}
}

func TestTablesThatAreWrong(t *testing.T) {
	for _, c := range []struct {
		labels int
		cells  [][]int64
		want   string
	}{
		{0, nil, "0 labels"},
		{1 << 45, nil, "35184372088832 labels"},
		{2, [][]int64{{1, 1}, {1}}, "cell 1 has 1 counts"},
		{2, [][]int64{{-1, 1}}, "a count of -1"},
		{1, [][]int64{{largestRecords + 1}}, "a count of 3000000001"},
		{1, [][]int64{{largestRecords}, {1}}, "more than 3000000000 records"},
		{2, [][]int64{{largestRecords, 1}}, "more than 3000000000 records"},
		{2, [][]int64{{largestRecords, 0}, {0, 1}}, "more than 3000000000 records"},
	} {
		if _, err := NewTable(c.labels, c.cells); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d labels, %v: %v, want %q", c.labels, c.cells, err, c.want)
		}
	}
	for _, c := range []struct {
		table Table
		want  string
	}{
		{Table{}, "0 labels"},
		{Table{Labels: largestLabels + 1}, "1048577 labels"},
		{Table{Labels: 2, Patterns: []Pattern{{[]int64{math.MaxInt64, math.MaxInt64}, 1}}}, "more than 3000000000 records"},
		{Table{Labels: 3, Patterns: []Pattern{{[]int64{math.MaxInt64, math.MaxInt64, 5}, 1}}}, "more than 3000000000 records"},
		{Table{Labels: 1, Patterns: []Pattern{{[]int64{2}, math.MaxInt64}}}, "more than 3000000000 records"},
		{Table{Labels: 1, Patterns: []Pattern{{[]int64{1}, largestRecords - 1}, {[]int64{2}, 1}}}, "more than 3000000000 records"},
		{Table{Labels: 2, Moments: make([]Moment, 3)}, "3 moments for 2 labels"},
		{Table{Labels: 2, Patterns: []Pattern{{nil, 1}}}, "pattern 0 has 0 counts"},
		{Table{Labels: 1, Patterns: []Pattern{{[]int64{2, 1}, 1}}}, "pattern 0 has 2 counts, must have 1 to 1"},
		{Table{Labels: 1, Patterns: []Pattern{{[]int64{2}, 1}, {[]int64{2}, 0}}}, "pattern 1 is of 0 cells"},
		{Table{Labels: 3, Patterns: []Pattern{{[]int64{2, 0}, 1}}}, "a count of 0"},
	} {
		if err := c.table.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.table, err, c.want)
		}
		if _, err := c.table.FitPoisson(NonEmpty); err == nil {
			t.Errorf("%+v: sizes are fitted", c.table)
		}
	}
	full := Table{Labels: 2, Patterns: []Pattern{{[]int64{2}, 2}, {[]int64{largestRecords - 5, 1}, 1}}}
	if err := full.Check(); err != nil {
		t.Errorf("%+v: %v", full, err)
	}
}

// The largest table there may be has moments that fit.
func TestMomentsOfTheLargestTable(t *testing.T) {
	table, err := NewTable(2, [][]int64{{largestRecords, 0}})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Moment{largestRecords, 9e18, 9e18}); table.Moments[0] != want {
		t.Errorf("moments %+v, want %+v", table.Moments[0], want)
	}
}

// Averages of a collapsed table are those of its cells, one by one, however they are grouped.
func TestAverages(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 5))
	for range 20 {
		labels := 1 + random.IntN(4)
		var cells [][]int64
		loose := &Table{Labels: labels}
		for range 60 {
			counts := make([]int64, labels)
			for k := range counts {
				counts[k] = random.Int64N(3) * random.Int64N(3)
			}
			cells = append(cells, counts)
			if p := patternOf(counts); len(p.Counts) > 0 {
				loose.Patterns = append(loose.Patterns, p)
			}
		}
		table, err := NewTable(labels, cells)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lawsOf(t, math.Exp(4*random.Float64()-2)) {
			s := l.law.Survival()
			for _, v := range Versions {
				checkAverage(t, l.name+" local", table.Local(s, v), cells, func(counts []int64, n int64) float64 { return byProducts(s, v, counts) })
				checkAverage(t, l.name+" expected", table.Expected(s, v), cells, func(counts []int64, n int64) float64 {
					p := make([]float64, labels)
					for k := range p {
						p[k] = float64(counts[k]) / float64(n)
					}
					return Expected(s, v, p, n)
				})
				one, other := table.Local(s, v), loose.Local(s, v)
				if !near(one.Unweighted, other.Unweighted, 1e-12) || !near(one.Weighted, other.Weighted, 1e-12) {
					t.Errorf("%s: collapsed %v, one by one %v", l.name, one, other)
				}
			}
		}
	}
	if got := (&Table{Labels: 2}).Local(AllNoise, Event); got != (Average{}) {
		t.Errorf("of no cells: %v", got)
	}
}

// patternOf is one cell.
func patternOf(counts []int64) Pattern {
	p := Pattern{Cells: 1}
	for _, count := range counts {
		if count > 0 {
			p.Counts = append(p.Counts, count)
		}
	}
	return p
}

func checkAverage(t *testing.T, what string, got Average, cells [][]int64, measure func(counts []int64, n int64) float64) {
	t.Helper()
	var number, records, unweighted, weighted float64
	for _, counts := range cells {
		var n int64
		for _, count := range counts {
			n += count
		}
		if n == 0 {
			continue
		}
		number++
		records += float64(n)
		unweighted += measure(counts, n)
		weighted += float64(n) * measure(counts, n)
	}
	if !near(got.Unweighted, unweighted/number, 1e-11) || !near(got.Weighted, weighted/records, 1e-11) {
		t.Errorf("%s: %v, want %v and %v", what, got, unweighted/number, weighted/records)
	}
}

// Without noise, what is left is the table's own: the asymptotes of the papers' curves.
func TestAsymptotesOfATable(t *testing.T) {
	table, err := NewTable(3, [][]int64{{4, 0, 0}, {0, 1, 0}, {2, 2, 0}, {1, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Local(NoNoise, Event); !near(got.Unweighted, 2./4, 1e-15) || !near(got.Weighted, 5./13, 1e-15) {
		t.Errorf("local: %v, want 2/4 and 5/13", got)
	}
	// sum p_k^n: 1, 1, 2/16 and (1 + 1 + 16)/256.
	alike := 2 + 2./16 + 18./256
	weighted := (5 + 4*2./16 + 4*18./256) / 13
	if got := table.Expected(NoNoise, Event); !near(got.Unweighted, alike/4, 1e-12) || !near(got.Weighted, weighted, 1e-12) {
		t.Errorf("expected: %v, want %v and %v", got, alike/4, weighted)
	}
	if got, want := table.Local(AllNoise, Event), (1+1+2+3)/4./8; !near(got.Unweighted, want, 1e-15) {
		t.Errorf("local, all noise: %v, want %v", got, want)
	}
}
