package chosen

import (
	"math"
	"strconv"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// TestFoundValuesAreWithin makes noisy counts by a value many times, finds percentiles and the mode by them, and compares their ranks with the bound that is
// stated. A bound that holds with probability 0.95 is broken more often than 0.05 + battery.Hoeffding(trials) with a probability of at most 1e-8, for
// each of twelve verdicts.
func TestFoundValuesAreWithin(t *testing.T) {
	const trials, size = 2000, 40
	truth := make([]int64, size)
	var all int64
	for i := range truth {
		truth[i] = int64(i*7%11) * 4
		all += truth[i]
	}
	for seed, c := range []mechanisms.Config{
		{Kind: policy.Geometric, Epsilon: 5e8}, {Kind: policy.Geometric, Epsilon: 2e9, KeepNegative: true}, {Kind: policy.Gaussian, Epsilon: 1e9, Delta: 1e12, KeepNegative: true},
	} {
		c.Adjacency, c.Sensitivity, c.PerCell, c.Random = policy.AddRemove, 1, 1, battery.Seeded(byte(seed))
		m, err := mechanisms.New(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, fraction := range []query.Fraction{{Of: 1, All: 2}, {Of: 1, All: 10}, {Of: 99, All: 100}, {}} {
			chosen := &Choice{Fraction: fraction}
			for i := range size {
				chosen.Grid = append(chosen.Grid, query.Value{Text: strconv.Itoa(i)})
			}
			within := chosen.FoundWithin95(m, 1)
			broken := 0
			for range trials {
				shown, err := m.Sanitize(mechanisms.Histogram{Counts: truth})
				if err != nil {
					t.Fatal(err)
				}
				var counts []cells.Placed
				for i, n := range shown.Counts {
					counts = append(counts, cells.Placed{Place: i, Count: n})
				}
				if chosen.isOff(truth, all, chosen.Find(counts)) > float64(within) {
					broken++
				}
			}
			if share := float64(broken) / trials; share > 0.05+battery.Hoeffding(trials) {
				t.Errorf("%s, %v: more than %d ranks off in %v of trials", c.Kind, fraction, within, share)
			}
		}
	}
}

// isOff is by how many ranks, or rows, a value is off.
func (c *Choice) isOff(truth []int64, all int64, v query.Value) float64 {
	place, err := strconv.Atoi(v.Text)
	if err != nil {
		return math.Inf(1)
	}
	var before, most int64
	for i, n := range truth {
		if i < place {
			before += n
		}
		most = max(most, n)
	}
	if c.IsMode() {
		return float64(most - truth[place])
	}
	rank := float64(all) * float64(c.Fraction.Of) / float64(c.Fraction.All)
	return max(0, float64(before)-rank, rank-float64(before+truth[place]))
}

// TestNoRowsHaveNoValue finds none where noisy counts tell of no rows.
func TestNoRowsHaveNoValue(t *testing.T) {
	for _, fraction := range []query.Fraction{{Of: 1, All: 2}, {}} {
		c := &Choice{Fraction: fraction, Grid: []query.Value{{Text: "1"}, {Text: "2"}, {Text: "3"}}}
		for _, counts := range [][]cells.Placed{nil, {{Place: 0}, {Place: 1}}, {{Place: 2, Count: 5}, {Place: 0, Count: -6}}} {
			if v := c.Find(counts); !v.Null {
				t.Errorf("%v: %v has the value %v", fraction, counts, v)
			}
		}
		if v := c.Find([]cells.Placed{{Place: 2, Count: 1}, {Place: 1, Count: 5}, {Place: 0, Count: -3}}); v.Text != "2" {
			t.Errorf("%v: %v", fraction, v)
		}
	}
}
