package rewrite

import (
	"fmt"
	"runtime"
	"sort"
	"strings"
	"testing"

	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
)

// alternating nests a condition under AND and OR, atom being one more of a number.
func alternating(inner string, levels int, atom string) string {
	var b strings.Builder
	b.WriteString(rep("(", levels) + inner)
	for i := range levels {
		fmt.Fprintf(&b, ") %s "+atom, []string{"AND", "OR"}[i%2], i)
	}
	return b.String()
}

func atoms(format string, n int, separator string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(list, separator)
}

// costly are shapes of conditions whose meaning, taken apart carelessly, is far larger than their text, or is gone through once for
// each level.
var costly = map[string]func(levels int) string{
	"IS NOT TRUE of OR":   func(n int) string { return rep("(", n) + atoms("score=%d", 500, " OR ") + rep(") IS NOT TRUE", n) },
	"IS NOT FALSE of AND": func(n int) string { return rep("(", n) + atoms("score<>%d", 500, " AND ") + rep(") IS NOT FALSE", n) },
	"IS UNKNOWN":          func(n int) string { return rep("(", n) + atoms("score=%d", 500, " OR ") + rep(") IS UNKNOWN", n) },
	"IS NOT UNKNOWN": func(n int) string {
		return rep("(", n) + atoms("score=%d", 500, " OR ") + rep(" OR active) IS NOT UNKNOWN", n)
	},
	"IS UNKNOWN of one": func(n int) string { return rep("((", n) + "active" + rep(") OR level = 1) IS UNKNOWN", n) },
	"NOT IS NOT TRUE":   func(n int) string { return rep("NOT (", n) + atoms("score=%d", 500, " OR ") + rep(" IS NOT TRUE)", n) },
	"AND and OR":        func(n int) string { return alternating(atoms("score<%d", 4000, " OR "), n, "weight=%d") },
	"a long constant":   func(n int) string { return alternating("city = '"+rep("x", 500_000)+"'", n, "weight=%d") },
	"a read constant": func(n int) string {
		return rep("(", n) + "city = '" + rep("x", 500_000) + "'" + rep(" OR active) IS UNKNOWN", n)
	},
	"a read array": func(n int) string {
		return rep("(", n) + "city = ANY ('{" + rep("x", 500_000) + "}')" + rep(" OR active) IS UNKNOWN", n)
	},
	"conditions as values":  func(n int) string { return rep("(", n) + "score = 1" + rep(") = active", n) },
	"conditions as numbers": func(n int) string { return rep("(", n/2) + "score = 1" + rep(")::int = level", n/2) },
	"cases": func(n int) string {
		return rep("CASE WHEN level = 1 THEN ", n/2) + "score" + rep(" ELSE 1 END", n/2) + " > 0"
	},
	"coalesces":      func(n int) string { return rep("coalesce(", n/2) + "city" + rep(", plan)", n/2) + " = 'x'" },
	"concatenations": func(n int) string { return "city" + rep(" || plan", n) + " = 'x'" },
	"falling away": func(n int) string {
		return alternating(atoms("score<%d", 4000, " AND "), n, "id IS NULL AND weight=%d")
	},
	"a list falling away": func(n int) string {
		return alternating("score IN ("+atoms("%d", 4000, ",")+")", n, "id IS NULL AND weight=%d")
	},
	"falling away as OR": func(n int) string {
		return alternating(atoms("score<%d", 4000, " OR "), n, "id IS NOT NULL AND weight=%d")
	},
}

// TestCost shows that a condition that nests as deep as the scan allows is answered or refused without allocating more than a few
// times maxConstantBytes.
func TestCost(t *testing.T) {
	for name, shape := range costly {
		statement := func(n int) string { return "SELECT count(*) FROM members WHERE " + shape(n) }
		levels := sort.Search(2*testLimits.Nesting, func(n int) bool {
			_, refusal := scan.CheckText(statement(n), testLimits, true)
			return refusal != nil
		}) - 1
		sql := statement(levels)
		var v Verdict
		allocated := allocation(func() {
			v = analyze(t, sql)
			if a, ok := v.(*Answer); ok {
				exercise(t, a)
			}
		})
		if allocated > 300<<20 {
			t.Errorf("%s: %d levels, %d bytes: %d MB allocated", name, levels, len(sql), allocated>>20)
		}
		if r := refusalOf(v); r != nil && r.Code != pgerror.CodeLimit {
			t.Errorf("%s: %s", name, describeRefusal(r))
		}
	}
}

func allocation(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// exercise makes all texts of a statement without parameters.
func exercise(t *testing.T, a *Answer) {
	t.Helper()
	for _, q := range a.Queries {
		bound, refusal := q.Bind(nil)
		if refusal != nil {
			t.Fatal(refusal)
		}
		for _, c := range bound.Counts {
			bound.Question(c)
		}
		bound.CountSQL(bound.Counts)
		bound.DomainSQL(make([][]pgvalue.Value, len(bound.Keys)))
	}
}

// TestSizes shows what is refused for the size of its conditions, and what is not.
func TestSizes(t *testing.T) {
	in := func(n int) string { return "birth_year IN (" + atoms("%d", n, ",") + ")" }
	for name, c := range map[string]struct {
		sql  string
		code string // empty: answered
	}{
		"a list":           {"SELECT count(*) FROM members WHERE " + in(40_000), ""},
		"a flat OR":        {"SELECT count(*) FROM members WHERE " + atoms("birth_year=%d", 20_000, " OR "), ""},
		"a tower of tests": {"SELECT count(*) FROM members WHERE " + rep("(", 160) + atoms("score=%d", 100, " OR ") + rep(") IS NOT TRUE", 160), ""},
		"doubled":          {"SELECT count(*) FROM members WHERE " + rep("(", 8) + "active" + rep(" OR level = 1) IS UNKNOWN OR active", 8), ""},
		"doubled too often": {
			"SELECT count(*) FROM members WHERE " + rep("(", 40) + "active" + rep(" OR level = 1) IS UNKNOWN AND active", 40), pgerror.CodeLimit,
		},
		"repeated by questions": {"SELECT count(*)" + atoms(", count(*) FILTER (WHERE level = %d)", 20, "") + " FROM members WHERE " + in(4000), pgerror.CodeLimit},
		"filters":               {"SELECT count(*)" + atoms(", count(*) FILTER (WHERE level = %d)", 100, "") + " FROM members WHERE " + in(400), ""},
		"too many filters":      {"SELECT count(*)" + atoms(", count(*) FILTER (WHERE level = %d)", 201, "") + " FROM members", pgerror.CodeLimit},
		"patterns":              {"SELECT count(*) FROM members WHERE " + atoms("plan LIKE '%%%d"+rep("_x", 450)+"'", 5, " OR "), ""},
		"long patterns":         {"SELECT count(*) FROM members WHERE " + atoms("plan LIKE '%%%d"+rep("_x", 450)+"'", 6, " OR "), pgerror.CodeLimit},
		"long texts to find":    {"SELECT count(*) FROM members WHERE " + atoms("strpos(plan, '%d"+rep("x", 900)+"') = 1", 6, " OR "), pgerror.CodeLimit},
		"texts to find":         {"SELECT CASE" + rep(" WHEN city LIKE '%abc%' THEN 'abc'", 50) + " END, count(*) FROM members GROUP BY 1", ""},
		"functions of texts":    {"SELECT count(*) FROM members WHERE " + atoms("upper(trim(city)) = 'X%d'", 15, " OR ") + " OR " + atoms("substr(city, %d, 3) || coalesce(plan, '') = 'x'", 15, " OR "), ""},
		"many SELECTs":          {atoms("SELECT count(*) FROM members WHERE id = %d", 150, " UNION ALL "), ""},
		"too many SELECTs":      {"SELECT " + atoms("(SELECT count(*) FROM members WHERE id = %d)", 201, ", "), pgerror.CodeLimit},
	} {
		v := analyze(t, c.sql)
		refusal := refusalOf(v)
		if refusal == nil && c.code != "" || refusal != nil && (refusal.Code != c.code || !strings.ContainsAny(refusal.Message, "0123456789")) {
			t.Errorf("%s: %.300s", name, describe(v))
		}
	}
}

// TestLongTexts shows which functions are too much work for a row of which the texts may be long. It counts what is admitted, and fails if it does not depend
// on how long the texts can be that functions are applied to: city is a text of 65,536 bytes at most, plan one of 40.
func TestLongTexts(t *testing.T) {
	long := "replace(replace(lpad(id::text, 100, 'a'), 'a', '" + rep("a", 100) + "'), 'a', '" + rep("a", 26) + "')" // 1 MB at most
	nested := func(call, text string, n int) string { return rep(call+"(", n) + text + rep(")", n) + " = 'x'" }
	for name, c := range map[string]struct {
		where   func(n int) string
		answers int // the most of them that are answered, of 240
	}{
		"reverse of a long text":        {func(n int) string { return nested("reverse", long, n) }, 2},
		"reverse of a stored text":      {func(n int) string { return nested("reverse", "city", n) }, 45},
		"reverse of a short text":       {func(n int) string { return atoms("reverse(plan) = '%d'", n, " OR ") }, 240},
		"upper":                         {func(n int) string { return atoms("upper(city) LIKE '%d'", n, " OR ") }, 31},
		"LIKE in a long text":           {func(n int) string { return atoms(long+" LIKE '%%b%d'", n, " OR ") }, 3},
		"LIKE with a long pattern":      {func(n int) string { return atoms("city LIKE '%%%d"+rep("a", 900)+"b'", n, " OR ") }, 0},
		"LIKE in a stored text":         {func(n int) string { return atoms("city LIKE '%%%d_'", n, " OR ") }, 47},
		"LIKE at the beginning":         {func(n int) string { return atoms("city LIKE '%d%%'", n, " OR ") }, 240},
		"ILIKE":                         {func(n int) string { return atoms("city ILIKE '%%a%d'", n, " OR ") }, 21},
		"translate":                     {func(n int) string { return atoms("translate(city, '%d"+rep("a", 90)+"', 'b') = 'x'", n, " OR ") }, 0},
		"replace":                       {func(n int) string { return atoms("replace(city, 'a', '%d') = 'x'", n, " OR ") }, 20},
		"trim":                          {func(n int) string { return atoms("trim(both '%d"+rep("a", 90)+"' from city) = 'x'", n, " OR ") }, 1},
		"strpos":                        {func(n int) string { return atoms("strpos(city, '%d"+rep("a", 90)+"') = 1", n, " OR ") }, 7},
		"split_part":                    {func(n int) string { return atoms("split_part(city, '%d"+rep("a", 90)+"', 2) = 'x'", n, " OR ") }, 6},
		"a plain regular expression":    {func(n int) string { return atoms("city ~ '^(flu|asthma)%d'", n, " OR ") }, 58},
		"one of many states":            {func(n int) string { return atoms("city ~ '%da[ab]{99}c'", n, " OR ") }, 0},
		"one that is long to compile":   {func(n int) string { return atoms("plan ~ '%d(?:x{100}){60}'", n, " OR ") }, 3},
		"replaced at each place":        {func(n int) string { return atoms("regexp_replace(city, '[aeiou]', '%d', 'g') = 'x'", n, " OR ") }, 15},
		"replaced after all ahead":      {func(n int) string { return atoms("regexp_replace(city, '\\s+$', '%d', 'g') = 'x'", n, " OR ") }, 1},
		"products of decimals":          {func(n int) string { return atoms("ratio * (ratio + %d) > 0", n, " OR ") }, 7},
		"products of declared decimals": {func(n int) string { return atoms("salary * (salary + %d) > 0", n, " OR ") }, 240},
		"the beginning of a text":       {func(n int) string { return atoms("left(city, 100) ILIKE '%%influenza%d%%'", n, " OR ") }, 186},
		"the same of many states": {func(n int) string {
			return atoms("regexp_replace(city, '[ab](?:[ab]*a[ab]{20}c)?', '%d', 'g') = 'x'", n, " OR ")
		}, 0},
		"elements of an array":      {func(n int) string { return atoms("'a%d' = ANY (tags)", n, " OR ") }, 47},
		"texts of a row":            {func(n int) string { return atoms("(city = plan OR id = %d) IS UNKNOWN", n, " OR ") }, 240},
		"what is computed again":    {func(n int) string { return rep("(", n) + "city LIKE '%abc%'" + rep(" OR level = 1) IS UNKNOWN", n) }, 5},
		"what is computed for each": {func(n int) string { return rep("coalesce(reverse(", n) + "city" + rep("), plan)", n) + " = 'x'" }, 4},
		"concatenation":             {func(n int) string { return "city" + rep(" || plan", n) + " = 'x'" }, 240},
		"results of CASE": {func(n int) string {
			return "CASE" + atoms(" WHEN city LIKE '%%ab%d%%' THEN %[1]d", n, "") + " ELSE 0 END = 1"
		}, 46},
	} {
		answered := sort.Search(240, func(n int) bool {
			refusal := refusalOf(analyze(t, "SELECT count(*) FROM members WHERE "+c.where(n+1)))
			if refusal != nil && refusal.Code != pgerror.CodeLimit {
				t.Fatalf("%s: %s", name, describeRefusal(refusal))
			}
			return refusal != nil
		})
		if answered != c.answers {
			t.Errorf("%s: %d are answered, not %d", name, answered, c.answers)
		}
	}
}

// TestArraySizes gives arrays as parameters, whose size is known at Bind alone, and is shared by the queries of a statement.
func TestArraySizes(t *testing.T) {
	array := func(n int) []pgvalue.Value { return []pgvalue.Value{{Text: "{" + atoms("%d", n, ",") + "}"}} }
	for _, c := range []struct {
		queries, elements int
		refused           bool
	}{{1, 40_000, false}, {1, 50_001, true}, {100, 400, false}, {100, 600, true}} {
		sql := "SELECT " + atoms("(SELECT count(*) FROM members WHERE birth_year = ANY ($1) AND id = %d)", c.queries, ", ")
		a, ok := analyze(t, sql).(*Answer)
		if !ok {
			t.Fatalf("%d queries are not answered", c.queries)
		}
		_, refusal := a.Queries[c.queries-1].Bind(array(c.elements))
		if (refusal != nil) != c.refused || refusal != nil && refusal.Code != pgerror.CodeLimit {
			t.Errorf("%d queries, %d elements: %v", c.queries, c.elements, refusal)
		}
	}
}
