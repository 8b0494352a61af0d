package rewrite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/policy"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/scan"
)

// deep are the shapes that make a parser or a tree walker recurse; each is about n levels deep.
var deep = map[string]func(n int) string{
	"parentheses":   func(n int) string { return "SELECT " + rep("(", n) + "1" + rep(")", n) },
	"sub-selects":   func(n int) string { return "SELECT " + rep("(SELECT ", n) + "1" + rep(")", n) },
	"FROM":          func(n int) string { return "SELECT * FROM " + rep("(SELECT * FROM ", n) + "x" + rep(") q", n) },
	"WITH":          func(n int) string { return rep("WITH a AS (", n) + "SELECT 1" + rep(") SELECT 1", n) },
	"EXISTS":        func(n int) string { return "SELECT " + rep("EXISTS (SELECT 1 WHERE ", n) + "a" + rep(")", n) },
	"plus":          func(n int) string { return "SELECT 1" + rep("+1", n) },
	"minus signs":   func(n int) string { return "SELECT " + rep("- ", n) + "a" },
	"operators":     func(n int) string { return "SELECT a" + rep("||a", n) },
	"OPERATOR":      func(n int) string { return "SELECT a" + rep(" OPERATOR(pg_catalog.+) a", n) },
	"NOT":           func(n int) string { return "SELECT " + rep("NOT ", n) + "a" },
	"column BY":     func(n int) string { return "SELECT by" + rep("+by", n) },
	"column VALUES": func(n int) string { return "SELECT values" + rep("+values", n) },
	"type BY":       func(n int) string { return "SELECT a" + rep("::by", n) },
	"minus BY":      func(n int) string { return "SELECT " + rep("- by ", n) + "- 1" },
	"WITHIN GROUP":  func(n int) string { return "SELECT 1" + rep("+f(1) WITHIN GROUP (ORDER BY a)", n) },
	"casts":         func(n int) string { return "SELECT a" + rep("::a", n) },
	"COLLATE":       func(n int) string { return "SELECT a" + rep(" COLLATE x", n) },
	"AT TIME ZONE":  func(n int) string { return "SELECT a" + rep(" AT TIME ZONE x", n) },
	"IS NULL":       func(n int) string { return "SELECT a" + rep(" IS NULL", n) },
	"ISNULL":        func(n int) string { return "SELECT a" + rep(" ISNULL", n) },
	"CASE":          func(n int) string { return "SELECT " + rep("CASE WHEN a THEN ", n) + "1" + rep(" END", n) },
	"CASE a.end":    func(n int) string { return "SELECT " + rep("CASE WHEN a.end THEN ", n) + "1" + rep(" END", n) },
	"UNION":         func(n int) string { return "SELECT 1" + rep(" UNION SELECT 1", n) },
	"JOIN":          func(n int) string { return "SELECT 1 FROM a" + rep(" JOIN a USING (x)", n) },
	"JOIN on right": func(n int) string { return "SELECT 1 FROM " + rep("a JOIN ", n) + "a" + rep(" ON true AND true", n) },
	"arrays":        func(n int) string { return "SELECT ARRAY" + rep("[", n) + "1" + rep("]", n) },
	"functions":     func(n int) string { return "SELECT " + rep("f(", n) + "1" + rep(")", n) },
	"rows":          func(n int) string { return "SELECT " + rep("ROW(", n) + "1" + rep(")", n) },
	"IN":            func(n int) string { return "SELECT " + rep("a IN (", n) + "a" + rep(")", n) },
	"BETWEEN NOT":   func(n int) string { return "SELECT " + rep("a BETWEEN 1 AND NOT ", n) + "a" },
	"left first":    func(n int) string { return "SELECT " + rep("(", n/2) + "1" + rep(") + 1 + 1", n/2) },
	"comments":      func(n int) string { return "SELECT " + rep("/*", n) + rep("*/", n) + " 1" },
	"XML":           func(n int) string { return "SELECT " + rep("xmlelement(name a, ", n) + "1" + rep(")", n) },
	"mixed": func(n int) string {
		return "SELECT " + rep("NOT (a + CASE WHEN b THEN c[(", n/5) + "1" + rep(")] END)", n/5)
	},
	"after strings": func(n int) string {
		return `SELECT '\', E'\'', E'a'` + "\n'\\'', $$ ' $$, $a$ $$ ' $a$, \"'\", 1" + rep("+1", n)
	},
}

func rep(s string, n int) string { return strings.Repeat(s, n) }

// TestDepth shows that every deep shape is refused before the C parser sees it, and that 100 levels of it are not.
func TestDepth(t *testing.T) {
	limits := policy.Limits{StatementBytes: 1 << 24, Nesting: 500}
	for name, shape := range deep {
		if _, refusal := scan.CheckText(shape(100), limits, true); refusal != nil {
			t.Errorf("%s: 100 levels: %v", name, refusal)
		}
		for _, n := range []int{1200, 100_000} {
			if _, refusal := scan.CheckText(shape(n), limits, true); refusal == nil {
				t.Errorf("%s: %d levels are let through", name, n)
			}
		}
	}
}

// deepChild marks the child process of TestParserSurvivesTheBound.
const deepChild = "TACIT_TEST_DEEP"

// TestParserSurvivesTheBound parses, prints and walks the deepest texts that any policy lets through, in a process of its own: if
// the C parser overflowed its stack, there would be no error to catch.
func TestParserSurvivesTheBound(t *testing.T) {
	if os.Getenv(deepChild) != "" {
		for name, shape := range deep {
			sql := deepest(shape)
			tree, err := pg.Parse(sql)
			if err != nil {
				t.Errorf("%s: %d bytes: %v", name, len(sql), err)
				continue
			}
			if _, err := pg.Deparse(tree); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			pgtree.ClearLocations(tree.ProtoReflect())
		}
		return
	}
	if testing.Short() {
		t.Skip("takes seconds")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestParserSurvivesTheBound$")
	cmd.Env = append(os.Environ(), deepChild+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// maxNesting is the highest limit that a policy can set.
const maxNesting = 1000

// deepest is the deepest text of a shape that passes under the highest nesting limit.
func deepest(shape func(int) string) string {
	passes := func(n int) bool {
		_, refusal := scan.CheckText(shape(n), policy.Limits{StatementBytes: 1 << 24, Nesting: maxNesting}, true)
		return refusal == nil
	}
	low, high := 10, 4*maxNesting
	for low+1 < high {
		if n := (low + high) / 2; passes(n) {
			low = n
		} else {
			high = n
		}
	}
	return shape(low)
}

// TestWide shows that what is long and flat is let through: lists, AND and OR, and the contents of strings.
func TestWide(t *testing.T) {
	for name, sql := range map[string]string{
		"select list": "SELECT 1" + rep(", a + b * c", 5000),
		"AND":         "SELECT a" + rep(" AND NOT b = c + 1", 5000),
		"OR":          "SELECT a" + rep(" OR a IS NULL", 5000),
		"IN":          "SELECT a IN (1" + rep(",1", 20000) + ")",
		"VALUES":      "INSERT INTO t VALUES (1)" + rep(",(-1)", 10000),
		"CASE":        "SELECT 1" + rep(", CASE WHEN a = 1 THEN b ELSE c END", 2000),
		"statements":  rep("SELECT 1 FROM a JOIN b USING (c);", 5000),
		"string":      "SELECT '" + rep("((((+", 10000) + "'",
		"escapes":     `SELECT E'` + rep(`\'(`, 10000) + "'",
		"dollars":     "SELECT $x$" + rep("(' $$ ", 10000) + "$x$",
		"identifier":  `SELECT "` + rep("((((+", 10000) + `"`,
		"comment":     "SELECT 1 /* " + rep("((((+", 10000) + " */ -- " + rep("(", 1000),
	} {
		if _, refusal := scan.CheckText(sql, testLimits, true); refusal != nil {
			t.Errorf("%s: %v", name, refusal)
		}
	}
}

func TestTextLimits(t *testing.T) {
	for _, c := range []struct{ sql, code string }{
		{rep("members ", 200_000), "54000"},
		{"SELECT 1" + rep(",1", 60_000) + " FROM members", "54000"},
		{"SELECT '\xff' FROM members", "22021"},
		{"SELECT 'a\x00' FROM members", "22021"},
		{"SELECT 1 FROM members WHERE " + rep("(", 600) + "true" + rep(")", 600), "54001"},
	} {
		r := refusalOf(analyze(t, c.sql))
		if r == nil || r.Code != c.code {
			t.Errorf("%.40q...: %v, want %s", c.sql, r, c.code)
		}
	}
	if _, ok := analyze(t, "SELECT "+rep("(", 100_000)+"1").(*Relay); !ok {
		t.Error("a deep statement that names no protected table is not relayed")
	}
}

// TestOddNumbers lists numbers that PostgreSQL 13 to 17 do not all read alike, and others.
func TestOddNumbers(t *testing.T) {
	for sql, want := range map[string]int{
		"SELECT 1_000": 8, "SELECT 0x1F": 8, "SELECT 1a": 8, "SELECT 1.5e": 10, "SELECT $1a": 9, "SELECT 0b1, 2": 8, "SELECT 1e5x": 10,
		"SELECT 1, 1.5, .5, 1., 1e5, 1E+5, 1.5e-3, a1_0, $1, '1_0', 1.5::int": -1, "SELECT 1FROM t": 8, "SELECT 1e+": 8,
	} {
		if got, _ := scan.CheckText(sql, testLimits, true); got != want {
			t.Errorf("%s: %d, want %d", sql, got, want)
		}
	}
}

// TestWordsLikeTheParser compares the words that the scanner finds, on which it depends what is relayed unread, with those of
// PostgreSQL's own scanner, in random texts of what opens and closes strings, names and comments.
func TestWordsLikeTheParser(t *testing.T) {
	fragments := []string{"'", "''", `\'`, `"`, `""`, `\`, "E'", "e'", "N'", "B'01'", "x'", "U&'", "$$", "$a$", "$b$", "$1", "$", "--", "/*", "*/", "/", "*", "\n", "\r", " ", "\t", ";", ".", ",", "(", ")", "[", "]",
		"::", ":=", "do", "role", "SET", "a$b$", "ö", "_x", "1", "1.5", "1e5", ".5", "..", "+", "-", "@-", "||", "=", "<>", "!", "~", "#", "?", "e", "u", "&", "AND", "'\n'", "'  \n  '", "'a'", `"b"`}
	r := rand.New(rand.NewPCG(9, 10))
	compared := 0
	for range 60_000 {
		var text strings.Builder
		for range 1 + r.IntN(12) {
			text.WriteString(fragments[r.IntN(len(fragments))])
		}
		sql := text.String()
		scanned, err := pg.Scan(sql)
		if err != nil {
			continue
		}
		compared++
		var want, got []string
		for _, token := range scanned.GetTokens() {
			if word := sql[token.GetStart():token.GetEnd()]; isWord(token) && token.GetToken() != pg.Token_NCHAR { // the N of N'a'
				want = append(want, fmt.Sprint(token.GetStart(), " ", word))
			}
		}
		s := scan.Scanner{SQL: sql, Limit: len(sql)}
		for s.Pos < len(sql) {
			start := s.Pos
			if token := s.Next(); token.Kind == scan.WordToken || token.Kind == scan.QuotedToken {
				got = append(got, fmt.Sprint(start, " ", token.Text))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q instead of %q", sql, got, want)
		}
	}
	if compared < 10_000 {
		t.Errorf("only %d texts were compared", compared)
	}
}

// isWord reports whether a token is a key word or an identifier.
func isWord(t *pg.ScanToken) bool {
	return t.GetToken() == pg.Token_IDENT || t.GetToken() == pg.Token_UIDENT || t.GetKeywordKind() != pg.KeywordKind_NO_KEYWORD
}
