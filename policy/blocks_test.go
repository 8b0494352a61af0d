package policy

import (
	"fmt"
	"slices"
	"testing"
)

func dates(first, last int64) Domain {
	return Domain{Range: &Range{First: first, Last: last, Dates: true}}
}

// TestEveryNumberIsInOneBlock walks through ranges, and beyond their ends: Of a number is among Between any bounds around it and
// among no others. It fails if a block is left out at the end of a month or at a negative number, or if two blocks have one name.
func TestEveryNumberIsInOneBlock(t *testing.T) {
	for _, b := range []*Blocks{
		{By: ByDay, Domain: dates(-40, 40)},
		{By: ByMonth, Domain: dates(-400, 800)},
		{By: ByMonth, Domain: dates(18321, 18321)}, // 2020-02-29
		{By: ByYear, Domain: dates(-800, 1500)},
		{By: ByValue, Domain: Domain{Range: &Range{First: -20, Last: 20}}},
		{By: ByWidth, Width: 7, Domain: Domain{Range: &Range{First: -20, Last: 20}}},
		{By: ByWidth, Width: 100, Domain: Domain{Range: &Range{First: -20, Last: 20}}},
	} {
		r := b.Domain.Range
		all := b.All()
		if n := len(all); all[n-1] != OutsideBlock || all[n-2] != NullBlock || len(slices.Compact(slices.Sorted(slices.Values(all)))) != n {
			t.Errorf("%v: all blocks are %v", b, all)
		}
		for n := r.First - 3; n <= r.Last+3; n++ {
			block := b.Of(n)
			if (block == OutsideBlock) != (n < r.First || n > r.Last) || !slices.Contains(all, block) {
				t.Errorf("%v: %d is in block %s", b, n, block)
			}
			if within := b.Between(n, n); block != OutsideBlock && !slices.Equal(within, []string{block}) || block == OutsideBlock && within != nil {
				t.Errorf("%v: %d is in block %s, and between itself are %v", b, n, block, within)
			}
			var want []string
			for m := n; m <= n+45; m++ {
				if other := b.Of(m); other != OutsideBlock && !slices.Contains(want, other) {
					want = append(want, other)
				}
			}
			if got := b.Between(n, n+45); !slices.Equal(got, want) {
				t.Errorf("%v: from %d to %d are %v, want %v", b, n, n+45, got, want)
			}
		}
	}
}

// TestPartitionTellsDivisionsApart fails if charges could be looked up under a division by which they were not made.
func TestPartitionTellsDivisionsApart(t *testing.T) {
	integers := Domain{Range: &Range{First: 0, Last: 9}}
	different := []*Blocks{
		{Column: "a", By: ByMonth, Domain: dates(0, 9)},
		{Column: "b", By: ByMonth, Domain: dates(0, 9)},
		{Column: "a", By: ByYear, Domain: dates(0, 9)},
		{Column: "a", By: ByMonth, Domain: dates(0, 10)},
		{Column: "a", By: ByMonth, Domain: dates(1, 9)},
		{Column: "a", By: ByValue, Domain: integers},
		{Column: "a", By: ByWidth, Width: 2, Domain: integers},
		{Column: "a", By: ByWidth, Width: 3, Domain: integers},
		{Column: "a", By: ByValue, Domain: Domain{Values: []string{"x", "y"}}},
		{Column: "a", By: ByValue, Domain: Domain{Values: []string{"x", "y", "z"}}},
		{Column: "a", By: ByValue, Domain: Domain{Values: []string{"x', 'y"}}},
		{Column: "a", By: ByValue, Domain: Domain{Values: []string{`x" "y`}}},
	}
	seen := make(map[string]bool)
	for _, b := range different {
		if p := b.Partition(); seen[p] {
			t.Errorf("twice: %s", p)
		} else {
			seen[p] = true
		}
	}
	reordered := &Blocks{Column: "a", By: ByValue, Domain: Domain{Values: []string{"y", "x"}}}
	if !seen[reordered.Partition()] {
		t.Error("the order of values makes another partition")
	}
}

func TestParseBlocks(t *testing.T) {
	for _, test := range []struct{ columns, blocks, partition, all string }{
		{"at: {range: [2019-12-31, 2020-02-01]}", "{column: at, by: month}", "at by month from 2019-12-31 to 2020-02-01", "[2019-12 2020-01 2020-02 NULL outside]"},
		{"at: {range: [2019-12-31, 2020-02-01]}", "{column: at, by: year}", "at by year from 2019-12-31 to 2020-02-01", "[2019 2020 NULL outside]"},
		{"Age y: {range: [-1, 12]}", "{column: Age y, by: 10}", `"Age y" by 10 from -1 to 12`, "[-10..-1 0..9 10..19 NULL outside]"},
		{"n: {range: [1, 3]}", "{column: n, by: value}", "n by value from 1 to 3", "[1 2 3 NULL outside]"},
		{"s: {values: [F, it's]}", "{column: s, by: value}", "s by value of 2 values 807b8e74512b089102da20d7c7a6a56e9da91b5d185fdfa5e462b89d805ff41b", "['F' 'it''s' NULL outside]"},
	} {
		text := edited(t, budgetLine+"\n    columns:\n      "+sexLine, fmt.Sprintf("budget: {epsilon: 10, blocks: %s}\n    columns:\n      %s", test.blocks, test.columns))
		p, err := Parse("policy.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", test.blocks, err)
			continue
		}
		b := p.Tables[0].Blocks
		if got := b.Partition(); got != test.partition {
			t.Errorf("%s: partition %s, want %s", test.blocks, got, test.partition)
		}
		if got := fmt.Sprint(b.All()); got != test.all {
			t.Errorf("%s: blocks %s, want %s", test.blocks, got, test.all)
		}
	}
}
