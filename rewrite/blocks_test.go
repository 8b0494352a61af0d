package rewrite

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tacit/policy"
	"tacit/rewrite/internal/pgvalue"
)

// A division is a way to divide the members, and the same as an expression of the server's: the block of a row.
type division struct {
	blocks policy.Blocks
	block  string
}

// ofRange is the block of a value of which the server makes name, if it is from first to last.
func ofRange(value, first, last, name string) string {
	return fmt.Sprintf("CASE WHEN %[1]s IS NULL THEN 'NULL' WHEN %[1]s >= %[2]s AND %[1]s < %[3]s THEN %[4]s ELSE 'outside' END", value, first, last, name)
}

func ofValues(value string, values ...string) string {
	return fmt.Sprintf("CASE WHEN %[1]s IS NULL THEN 'NULL' WHEN %[1]s IN (%[2]s) THEN quote_literal(%[1]s) ELSE 'outside' END", value, strings.Join(values, ", "))
}

func divisions() []division {
	january := policy.Domain{Range: &policy.Range{First: 18262, Last: 18293, Dates: true}} // 2020-01-01 to 2020-02-01
	years := policy.Domain{Range: &policy.Range{First: 1980, Last: 1991}}
	small := policy.Domain{Range: &policy.Range{First: -7, Last: 12}}
	const utc = "(paid AT TIME ZONE 'UTC')"
	return []division{
		{policy.Blocks{Column: "joined", By: policy.ByMonth, Domain: january}, ofRange("joined", "'2020-01-01'", "'2020-02-02'", "to_char(joined, 'YYYY-MM')")},
		{policy.Blocks{Column: "joined", By: policy.ByYear, Domain: january}, ofRange("joined", "'2020-01-01'", "'2020-02-02'", "to_char(joined, 'YYYY')")},
		{policy.Blocks{Column: "seen", By: policy.ByDay, Domain: january}, ofRange("seen", "'2020-01-01'", "'2020-02-02'", "to_char(seen, 'YYYY-MM-DD')")},
		{policy.Blocks{Column: "paid", By: policy.ByDay, Domain: january}, ofRange(utc, "'2020-01-01'", "'2020-02-02'", "to_char("+utc+", 'YYYY-MM-DD')")},
		{policy.Blocks{Column: "birth_year", By: policy.ByValue, Domain: years}, ofRange("birth_year", "1980", "1992", "birth_year::text")},
		{policy.Blocks{Column: "level", By: policy.ByWidth, Width: 5, Domain: small},
			ofRange("level", "-7", "13", "(floor(level / 5.0) * 5)::text || '..' || (floor(level / 5.0) * 5 + 4)::text")},
		{policy.Blocks{Column: "score", By: policy.ByValue, Domain: small}, ofRange("score", "-7", "13", "floor(score)::int::text")},
		{policy.Blocks{Column: "ratio", By: policy.ByValue, Domain: small}, ofRange("ratio", "-7", "13", "floor(ratio)::int::text")},
		{policy.Blocks{Column: "city", By: policy.ByValue, Domain: policy.Domain{Values: []string{"Oslo", "Rome", "O'slo"}}}, ofValues("city", "'Oslo'", "'Rome'", "'O''slo'")},
		{policy.Blocks{Column: "code", By: policy.ByValue, Domain: policy.Domain{Values: []string{"a", "ab"}}}, ofValues("code::text", "'a'", "'ab'")},
		{policy.Blocks{Column: "active", By: policy.ByValue, Domain: policy.Domain{Values: []string{"true"}}}, ofValues("active::text", "'true'")},
		{policy.Blocks{Column: "salary", By: policy.ByValue, Domain: policy.Domain{Values: []string{"1.50", "1000"}}},
			"CASE WHEN salary IS NULL THEN 'NULL' WHEN salary = 1.5 THEN '''1.50''' WHEN salary = 1000 THEN '''1000''' ELSE 'outside' END"},
		{policy.Blocks{Column: "seen", By: policy.ByValue, Domain: policy.Domain{Values: []string{"2020-01-31", "infinity"}}},
			"CASE WHEN seen IS NULL THEN 'NULL' WHEN seen = '2020-01-31' THEN '''2020-01-31''' WHEN seen = 'infinity' THEN '''infinity''' ELSE 'outside' END"},
	}
}

// TestBlocksHoldAllRows compares the blocks of random counts with those of the rows that are counted, as the server finds them: none
// may be missing, or a row would be counted that is not charged. It fails if a row before or behind the declared values, of no value or of
// an infinite one is forgotten, and if a bound is taken for the day or number beside it.
func TestBlocksHoldAllRows(t *testing.T) {
	server := newTwin(t)
	server.exec(trapRows)
	r := rand.New(rand.NewPCG(15, 16))
	tries := 160
	if testing.Short() {
		tries = 40
	}
	for _, d := range divisions() {
		name := fmt.Sprintf("%s by %s", d.blocks.Column, d.blocks.By)
		g := &conditions{r, []string{pgvalue.QuoteIdentifier(d.blocks.Column), pgvalue.QuoteIdentifier(d.blocks.Column), "level"}, pairs[3:5]}
		named := 0
		for range tries {
			where, filter := g.condition(g.IntN(3)), g.condition(g.IntN(2))
			a, ok := analyze(t, fmt.Sprintf("SELECT plan, count(*) FILTER (WHERE %s) FROM members WHERE %s GROUP BY plan", filter, where)).(*Answer)
			if !ok {
				continue
			}
			a.Queries[0].Table.Policy.Blocks = &d.blocks
			q, refusal := a.Queries[0].Bind(nil)
			if refusal != nil {
				t.Fatal(refusal)
			}
			blocks := q.Blocks(q.Counts[0])
			if blocks == nil {
				continue
			}
			named++
			for _, row := range server.query(fmt.Sprintf("SELECT DISTINCT %s FROM members WHERE (%s) AND (%s)", d.block, where, filter), nil) {
				if !slices.Contains(blocks, string(row[0])) {
					t.Errorf("%s: of WHERE %s and FILTER %s a row is in block %s, and charged are %v", name, where, filter, row[0], blocks)
				}
			}
			if sorted := slices.Sorted(slices.Values(blocks)); len(slices.Compact(sorted)) != len(blocks) {
				t.Errorf("%s: blocks twice among %v", name, blocks)
			}
			for _, b := range blocks {
				if !slices.Contains(d.blocks.All(), b) {
					t.Errorf("%s: no block is %s", name, b)
				}
			}
		}
		if named < tries*15/160 {
			t.Errorf("%s: blocks are named for %d counts only", name, named)
		}
	}
}

// TestBlocksOfKnownConditions fails if a charge names more blocks than it must.
func TestBlocksOfKnownConditions(t *testing.T) {
	first, second := int64(18262), int64(18627) // 2020-01-01 and 2020-12-31
	months := &policy.Blocks{Column: "joined", By: policy.ByMonth, Domain: policy.Domain{Range: &policy.Range{First: first, Last: second, Dates: true}}}
	seen := &policy.Blocks{Column: "seen", By: policy.ByMonth, Domain: months.Domain}
	days := &policy.Blocks{Column: "joined", By: policy.ByDay, Domain: policy.Domain{Range: &policy.Range{First: first, Last: first + 1, Dates: true, Today: true}}}
	cities := &policy.Blocks{Column: "city", By: policy.ByValue, Domain: policy.Domain{Values: []string{"Oslo", "Rome", "Bern"}}}
	for _, test := range []struct {
		blocks    *policy.Blocks
		condition string
		want      string
	}{
		{months, "joined >= '2020-03-01' AND joined < '2020-05-01'", "[2020-03 2020-04]"},
		{months, "joined > '2020-02-29' AND joined <= '2020-04-30'", "[2020-03 2020-04]"},
		{months, "joined BETWEEN '2020-03-31' AND '2020-04-01' OR joined IN ('2020-04-02', '2020-04-03', '2020-12-31')", "[2020-03 2020-04 2020-12]"},
		{months, "joined >= '2020-11-30'", "[2020-11 2020-12 outside]"},
		{months, "joined < '2020-01-01'", "[outside]"},
		{months, "joined = 'infinity' OR joined IS NULL", "[outside NULL]"},
		{months, "joined IS NULL", "[NULL]"},
		{months, "joined < '2020-02-01'::timestamp AND joined >= '2020-01-01'", "[2020-01]"},
		{months, "extract(month FROM joined) = 3", "[]"},
		{months, "date_trunc('month', joined) = '2020-03-01'", "[2020-03]"},
		{months, "date_trunc('quarter', joined) = '2020-04-01'", "[2020-04 2020-05 2020-06]"},
		{months, "extract(year FROM joined) = 2020 AND joined < '2020-02-01'", "[2020-01]"},
		{seen, "date_trunc('month', seen) BETWEEN '2020-02-01' AND '2020-03-31'", "[2020-02 2020-03]"},
		{seen, "seen::date = '2020-02-29'", "[2020-02]"},
		{months, "joined IS NOT NULL", "[]"},
		{months, "joined = '2020-03-01' AND joined = '2020-04-01'", "[]"},
		{seen, "seen > '2020-02-29' AND seen < '2020-04-01'", "[2020-02 2020-03]"},
		{seen, "seen >= '2020-03-01' AND seen <= '2020-04-01'", "[2020-03 2020-04]"},
		{days, "joined = '2020-01-01'", "[2020-01-01]"},
		{days, "joined <= '2020-01-02'", "[2020-01-01 2020-01-02 outside]"},
		{days, "joined BETWEEN '2020-01-01' AND '2020-01-02'", "[2020-01-01 2020-01-02]"},
		{days, "joined < '2020-01-01' OR joined IS NULL", "[outside NULL]"},
		{days, "joined >= '2020-01-02'", "[]"}, // tomorrow a row of tomorrow will be in a block of its own
		{days, "joined = '2020-01-03'", "[]"},
		{days, "joined = '2020-01-03' OR joined IS NULL", "[]"},
		{days, "joined = 'infinity' OR joined = '2020-01-01'", "[]"},
		{cities, "city = 'Oslo'", "['Oslo']"},
		{cities, "city IN ('Oslo', 'Ulm')", "['Oslo' outside]"},
		{cities, "city NOT IN ('Oslo', 'Ulm')", "['Bern' 'Rome' outside]"},
		{cities, "city IS DISTINCT FROM 'Oslo'", "['Bern' 'Rome' outside NULL]"},
		{cities, "lower(city) = 'oslo'", "[]"},
		{nil, "city = 'Oslo'", "[]"},
		{&policy.Blocks{Column: "city", By: policy.ByMonth, Domain: months.Domain}, "city = 'Oslo'", "[]"},
		{&policy.Blocks{Column: "gone", By: policy.ByMonth, Domain: months.Domain}, "city = 'Oslo'", "[]"},
		{&policy.Blocks{Column: "active", By: policy.ByValue, Domain: policy.Domain{Values: []string{"perhaps"}}}, "active", "[]"},
	} {
		a, ok := analyze(t, "SELECT count(*) FROM members WHERE "+test.condition).(*Answer)
		if !ok {
			t.Errorf("%s: not answered", test.condition)
			continue
		}
		a.Queries[0].Table.Policy.Blocks = test.blocks
		q, refusal := a.Queries[0].Bind(nil)
		if refusal != nil {
			t.Fatal(refusal)
		}
		blocks := q.Blocks(q.Counts[0])
		if got := fmt.Sprint(blocks); got != test.want || (blocks == nil) != (test.want == "[]") {
			t.Errorf("%s: blocks %s, want %s", test.condition, got, test.want)
		}
	}
}
