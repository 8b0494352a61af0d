package microdata

import (
	"errors"
	"io"
	"math"
	"math/big"
	"slices"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

func newDPSwapping(t testing.TB, e policy.Epsilon, columns ...Column) *DPSwapping {
	t.Helper()
	m, err := NewDPSwapping(DPSwappingConfig{Columns: columns, Epsilon: e, Random: battery.Seeded(3)})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRandomisedResponse compares frequencies with gamma and (1-gamma)/(nQ-1), for every combination a row may have.
func TestRandomisedResponse(t *testing.T) {
	columns := []Column{quasiOf(nullableOf(category("a", 2))), category("b", 2), quasiOf(number("c", -1, 0))}
	m := newDPSwapping(t, perEpsilon, columns...)
	if m.domain != 6 {
		t.Fatalf("%d combinations", m.domain)
	}
	gamma := math.E / (math.E + 5)
	for number := range uint64(6) {
		own := []Cell{0, 1, 0}
		m.decode(own, number)
		observed, probabilities := make([]int, 6), slices.Repeat([]float64{(1 - gamma) / 5}, 6)
		probabilities[number] = gamma
		for range 20_000 {
			row := slices.Clone(own)
			if err := m.Row(row); err != nil {
				t.Fatal(err)
			}
			got, err := m.encode(row)
			if err != nil || row[1] != 1 {
				t.Fatalf("%v became %v: %v", own, row, err)
			}
			observed[got]++
		}
		chiSquared(t, observed, probabilities)
	}
}

// TestRandomisedResponseIsPrivate enumerates two rows: the joint distribution moves by exp(epsilon) at most if one is replaced.
func TestRandomisedResponseIsPrivate(t *testing.T) {
	gamma := math.E / (math.E + 5)
	rows := func(a, b int64) map[[2]int64]float64 {
		one := func(own int64) map[int64]float64 {
			p := map[int64]float64{}
			for v := range int64(6) {
				p[v] = (1 - gamma) / 5
			}
			p[own] = gamma
			return p
		}
		return pairOf(one(a), one(b))
	}
	if d := hockeyStick(1, rows(0, 3), rows(0, 5)); d > 1e-12 {
		t.Errorf("delta is %v", d)
	}
	if d := hockeyStick(0.99, rows(0, 3), rows(0, 5)); d < 1e-4 {
		t.Errorf("epsilon is not tight: delta is %v at 0.99", d)
	}
}

// TestLargeDomains: nothing is enumerated, and gamma stays right where a row nearly always moves or nearly always stays.
func TestLargeDomains(t *testing.T) {
	wide := quasiOf(number("a", 0, maxValues-1))
	m := newDPSwapping(t, 20*perEpsilon, wide, quasiOf(category("b", 1<<9)))
	if m.domain != (1<<31-1)<<9 {
		t.Fatalf("%d combinations", m.domain)
	}
	kept := 0
	for range 1_000_000 {
		row := []Cell{17, 4}
		if err := m.Row(row); err != nil {
			t.Fatal(err)
		}
		if row[0] == 17 && row[1] == 4 {
			kept++
		}
	}
	gamma := math.Exp(20) / (math.Exp(20) + float64(m.domain-1))
	chiSquared(t, []int{kept, 1_000_000 - kept}, []float64{gamma, 1 - gamma})
	if _, err := NewDPSwapping(DPSwappingConfig{Columns: []Column{wide, quasiOf(number("b", 0, 1<<30)), quasiOf(category("c", 4))}, Epsilon: 1, Random: battery.Seeded(0)}); err == nil {
		t.Error("2^63 combinations are accepted")
	}
	one := newDPSwapping(t, perEpsilon, quasiOf(category("a", 1)))
	if row := []Cell{0}; one.Row(row) != nil || row[0] != 0 {
		t.Error("the only combination there is was changed")
	}
}

func TestExpBounds(t *testing.T) {
	for _, e := range []policy.Epsilon{1, half, perEpsilon - 1, perEpsilon, perEpsilon + 1, 7 * perEpsilon, 43_210_987_654, math.MaxInt64} {
		for _, places := range []uint{1, 63, 200} {
			low, high := expBounds(e, places)
			width := new(big.Int).Sub(high, low)
			if width.Sign() <= 0 || width.Cmp(big.NewInt(2)) > 0 {
				t.Errorf("exp(-%v): %v to %v", e, low, high)
			}
			// The exponential by another series: exp(-e) = 1/(sum of e^k/k!).
			if e > 50*perEpsilon {
				continue
			}
			x := new(big.Float).SetPrec(600).Quo(big.NewFloat(float64(e)).SetPrec(600), big.NewFloat(perEpsilon).SetPrec(600))
			sum, term := big.NewFloat(1).SetPrec(600), big.NewFloat(1).SetPrec(600)
			for k := 1; k < 600; k++ {
				term.Quo(term.Mul(term, x), new(big.Float).SetPrec(600).SetInt64(int64(k)))
				sum.Add(sum, term)
			}
			want := new(big.Float).SetPrec(600).Quo(new(big.Float).SetMantExp(big.NewFloat(1), int(places)), sum)
			if new(big.Float).SetInt(low).Cmp(want) > 0 || new(big.Float).SetInt(high).Cmp(want) < 0 {
				t.Errorf("exp(-%v) 2^%d = %v is not between %v and %v", e, places, want, low, high)
			}
		}
	}
}

func TestRowRefusals(t *testing.T) {
	m := newDPSwapping(t, perEpsilon, quasiOf(category("a", 2)), category("b", 2))
	for _, row := range [][]Cell{{0}, {2, 0}, {Null, 0}, {0, 0, 0}} {
		was := slices.Clone(row)
		if err := m.Row(row); err == nil || !slices.Equal(row, was) {
			t.Errorf("%v became %v: %v", was, row, err)
		}
	}
	m.random = sampling.NewBits(io.LimitReader(battery.Seeded(1), 80))
	for range 100 {
		row := []Cell{1, 1}
		if err := m.Row(row); err != nil {
			if !errors.Is(err, sampling.ErrRandomness) || !slices.Equal(row, []Cell{1, 1}) {
				t.Errorf("without randomness the row is %v: %v", row, err)
			}
			return
		}
	}
	t.Error("no randomness is missed")
}
