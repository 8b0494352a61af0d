package attack

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// brute finds the bounds of whole tables by trying all of them, up to a largest value.
func brute(p Publication, largest int64) map[int][2]int64 {
	var hidden []int
	values := make([]int64, len(p.Cells))
	for i, c := range p.Cells {
		if values[i] = c.Value; c.Hidden {
			hidden = append(hidden, i)
		}
	}
	fits := func() bool {
		for _, s := range p.Sums {
			rest := values[s.Total]
			for _, part := range s.Parts {
				rest -= values[part]
			}
			if rest != 0 {
				return false
			}
		}
		return true
	}
	found := map[int][2]int64{}
	var try func(k int)
	try = func(k int) {
		if k < len(hidden) {
			c := p.Cells[hidden[k]]
			most := largest
			if c.Most > 0 {
				most = c.Most
			}
			for v := c.Least; v <= most; v++ {
				values[hidden[k]] = v
				try(k + 1)
			}
			return
		}
		if !fits() {
			return
		}
		for _, cell := range hidden {
			v, b := values[cell], found[cell]
			if _, ok := found[cell]; !ok {
				b = [2]int64{v, v}
			}
			found[cell] = [2]int64{min(v, b[0]), max(v, b[1])}
		}
	}
	try(0)
	return found
}

// cube draws a table with ways of two codes each, but three in the first, and hides some of its cells, totals as well.
func cube(r *rand.Rand, ways, most int) Publication {
	var all []Way
	for w := range ways {
		codes := []string{"a", "b"}
		if w == 0 {
			codes = append(codes, "c")
		}
		all = append(all, Flat(fmt.Sprint("way", w), "t", codes...))
	}
	var entries []Entry
	var fill func(codes []string) int64
	fill = func(codes []string) int64 {
		w := len(codes)
		if w == ways {
			v := int64(r.IntN(most + 1))
			entries = append(entries, Entry{append([]string(nil), codes...), Cell{Value: v}})
			return v
		}
		for _, code := range all[w].Codes {
			fill(append(codes[:w:w], code))
		}
		return 0
	}
	fill(nil)
	// Totals are sums of the inner cells, way by way.
	value := map[string]int64{}
	for _, e := range entries {
		inner := true
		for _, code := range e.Codes {
			inner = inner && code != "t"
		}
		if !inner {
			continue
		}
		for mask := range 1 << ways {
			codes := append([]string(nil), e.Codes...)
			for w := range ways {
				if mask>>w&1 == 1 {
					codes[w] = "t"
				}
			}
			value[key(codes)] += e.Value
		}
	}
	hidden := 0
	for i, e := range entries {
		entries[i].Value = value[key(e.Codes)]
		if entries[i].Value <= int64(most) && r.Float64() < 0.5 && hidden < 8 {
			entries[i].Hidden = true
			hidden++
			if r.IntN(4) == 0 {
				entries[i].Most = entries[i].Value + int64(r.IntN(2))
			}
			if r.IntN(4) == 0 {
				entries[i].Least = max(0, entries[i].Value-int64(r.IntN(2)))
			}
		}
	}
	p, err := Cross(all, entries)
	if err != nil {
		panic(err)
	}
	return p
}

// Bounds by linear programs are those of enumeration where whole tables attain them, and hold those of enumeration elsewhere.
func TestAgainstEnumeration(t *testing.T) {
	const largest = 4
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		ways := 2 + int(seed%2)
		p := cube(r, ways, 2)
		want := brute(p, largest)
		intervals, err := p.Bounds()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(intervals) != len(want) {
			t.Fatalf("seed %d: %d intervals, want %d", seed, len(intervals), len(want))
		}
		for _, i := range intervals {
			w := want[i.Cell]
			low := i.Low.Value.Cmp(ratio(w[0]))
			high := 1 // no limit
			if i.High.Value != nil {
				high = i.High.Value.Cmp(ratio(w[1]))
			}
			// Enumeration ends at largest, where bounds may go on.
			exact := low == 0 && (high == 0 || high > 0 && w[1] == largest)
			if low > 0 || high < 0 || !exact && (i.Whole || ways == 2) {
				t.Errorf("seed %d, %s: %s, want %d to %d", seed, p.Cells[i.Cell].Name, i, w[0], w[1])
			}
		}
	}
}
