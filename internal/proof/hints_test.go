package proof

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tacit/internal/battery"
)

// A hint that holds a statement is good for something only if the statement is answered, and if the answer is near the truth. Refusals are
// forms (package pgerror) whose statement is the field Instead; so each form that has one is found in the sources, and tried.

// A hintCase is a statement that is refused by a form with a statement, and how near the truth the answer of that is.
type hintCase struct {
	form, sql string
	// relative is how far from the answer of the refused statement itself the answer of the other may be: a sum from the sum. Zero has the
	// counts of the statement compared with the true counts, by the error that the notice states.
	relative float64
	report   bool // the answer is no count
	share    bool // both are asked with tacit.within = '2%'
	same     bool // the counts answer the refused statement
}

var hintCases = []hintCase{
	{form: "refuseShare", sql: "SELECT count(*) FROM patients WHERE age > 40", share: true}, // before others ask how many there are
	{form: "rowsRead", sql: "SELECT * FROM patients"},
	{form: "rowsRead", sql: "SELECT DISTINCT ON (id) id, income FROM patients"},
	{form: "rowsRead", sql: "SELECT DISTINCT ON (patient_id) * FROM visits ORDER BY patient_id, admitted"},
	{form: "rowsRead", sql: "SELECT DISTINCT ON (patient_id, ward) patient_id, ward, cost FROM visits"},
	{form: "rowsRead", sql: "SELECT grade, salary FROM staff"},
	{form: "rowsRead", sql: "SELECT age, income, height FROM patients AS p WHERE sex = 'F' LIMIT 5"},
	{form: "groupsRead", sql: "SELECT sex, region FROM patients WHERE age > 40 GROUP BY sex, region"},
	{form: "groupsRead", sql: "SELECT grade FROM staff GROUP BY grade"},
	{form: "tableUsed", sql: "DELETE FROM patients"},
	{form: "reportUsed", sql: "DELETE FROM tacit.budget", report: true},
	{form: "nothingMeasured", sql: "SELECT tacit.low(3)", report: true},
	{form: "ungrouped", sql: "SELECT region, sex, count(*) FROM patients GROUP BY region"},
	{form: "ungrouped", sql: "SELECT income, count(*) FROM patients"},
	{form: "ungroupedOuter", sql: "SELECT (SELECT patients.sex || n FROM mine LIMIT 1), count(*) FROM patients GROUP BY region"},
	{form: "aggregateUnknown", sql: "SELECT max(income) FROM patients"},
	{form: "aggregateUnknown", sql: "SELECT ward, string_agg(ward, ',') FROM visits GROUP BY ward"},
	// The 99th percentile of ages is that of a rank within 13 of thousands, by the bound that a draw passes twice over with a probability below 1e-6.
	{form: "extremeRefused", sql: "SELECT max(age) FROM patients", relative: 0.1},
	{form: "extremeRefused", sql: "SELECT max(height) FROM patients AS p", relative: 0.1},
	{form: "aggregateForm", sql: "SELECT sum(DISTINCT age) FROM patients"},
	// What the noise adds is of an order of a thousandth, so that a third is passed by chance with a probability below 1e-15.
	{form: "unboundedColumn", sql: "SELECT sum(income) FROM patients", relative: 1. / 3},
	{form: "unboundedColumn", sql: "SELECT avg(income) FROM patients", relative: 1. / 3},
	{form: "unboundedColumn", sql: "SELECT avg(weight) FROM patients", relative: 1. / 3},
	{form: "unboundedColumn", sql: "SELECT sum(cost) FROM visits", relative: 1. / 3},
	{form: "unboundedColumn", sql: "SELECT avg(cost) FROM visits", relative: 1. / 3},
	{form: "personKey", sql: "SELECT patient_id, count(*) FROM visits GROUP BY patient_id"},
	{form: "personKey", sql: "SELECT ward, n FROM (SELECT ward, patient_id, count(*) AS n FROM visits GROUP BY ward, patient_id) AS c WHERE n > 1"},
	{form: "joinRefused", sql: "SELECT count(*) FROM patients JOIN mine USING (region)"},
	{form: "undeclaredBeside", sql: "SELECT m.n, count(p.sex) FROM mine AS m LEFT JOIN patients AS p ON p.income = m.n GROUP BY m.n"},
	{form: "joinWithoutPersons", sql: "SELECT count(*) FROM patients AS p JOIN visits AS v ON p.region = v.ward"},
	{form: "subselectProtected", sql: "SELECT count(*) FROM patients WHERE age > 40 AND EXISTS (SELECT FROM visits WHERE ward = 'A')"},
	{form: "subselectProtected", sql: "SELECT sex, count(*) FROM patients WHERE sex IN (SELECT ward FROM visits) GROUP BY sex"},
	{form: "personAggregate", sql: "SELECT n, count(*) FROM (SELECT patient_id, string_agg(ward, '') AS n FROM visits GROUP BY patient_id) AS t GROUP BY n"},
	{form: "personUngrouped", sql: "SELECT ward, count(*) FROM (SELECT patient_id, ward FROM visits GROUP BY patient_id) AS t GROUP BY ward"},
	{form: "personsGrouped", sql: "SELECT n, count(*) FROM (SELECT patient_id AS ward, count(*) AS n FROM visits GROUP BY ward) AS t GROUP BY n"},
	{form: "rowsCompared", sql: "SELECT count(*) FROM visits AS v WHERE EXISTS (SELECT FROM visits AS w WHERE w.patient_id = v.patient_id AND w.admitted > v.discharged)"},
	{form: "personMissing", sql: "SELECT count(*) FROM patients WHERE id NOT IN (SELECT patient_id FROM visits)", same: true},
}

// margin is by how much more than the 95% bound of its notice a count may be off. Of two-sided geometric noise that is passed with
// probability 0.05^8 < 4e-11; there are fewer than 20,000 counts, so that the test fails by chance with a probability below 1e-6.
const margin = 8

var (
	statementInHint = regexp.MustCompile(`: ((?:SELECT|CREATE) .*)$`)
	statedError     = regexp.MustCompile(`within ±(\d+)`)
)

func TestHintsAreAnswered(t *testing.T) {
	for i, d := range []struct {
		patients int
		spread   float64
	}{{4000, 0.7}, {20_000, 0.5}, {20_000, 1}} {
		if testing.Short() && i > 0 {
			break
		}
		t.Run(fmt.Sprintf("%d patients, spread %v", d.patients, d.spread), func(t *testing.T) {
			s := &site{t: t, files: "testdata/hints", random: battery.Seeded(byte(i))}
			s.fill(fmt.Sprintf("CALL fill(%d, %v)", d.patients, d.spread), "hints/schema.sql")
			s.establish()
			on := &hinted{connect(t, s.url(s.serve(s.gateway))), connect(t, cluster.URL("postgres", s.database))}
			for _, c := range hintCases {
				on.check(t, c)
			}
		})
	}
}

// TestTyposAreCorrected sends misspelt names: inside of a count the proxy suggests what is meant, as PostgreSQL does outside of it.
func TestTyposAreCorrected(t *testing.T) {
	s := &site{t: t, files: "testdata/hints"}
	s.fill("", "hints/schema.sql")
	s.establish()
	on := connect(t, s.url(s.serve(s.gateway)))
	for _, c := range []struct{ sql, code, message, hint string }{
		{"SELECT regoin, count(*) FROM patients GROUP BY regoin", "42703", `column "regoin" does not exist`, `Perhaps you meant to reference the column "patients.region".`},
		{"SELECT count(*) FROM patients AS p WHERE p.agee > 40", "42703", "column p.agee does not exist", `Perhaps you meant to reference the column "p.age".`},
		{"SELECT count(*) FROM patients JOIN regions USING (region) WHERE contry = 'A'", "42703", `column "contry" does not exist`, `Perhaps you meant to reference the column "regions.country".`},
		{"SELECT count(*) FROM patients AS p WHERE patients.age > 40", "42P01", `invalid reference to FROM-clause entry for table "patients"`, `Perhaps you meant to reference the table alias "p".`},
		{"SELECT count(*) FROM patients WHERE lowr(region) = 'east'", "0A000", "function lowr is not supported on protected tables", "Perhaps you meant lower."},
		{"SELECT count(*) FROM patients WHERE nothing > 40", "42703", `column "nothing" does not exist`, "Usable columns are region,"},
		{"SELECT count(*) FROM patients WHERE nam = 'x'", "42703", `column "nam" does not exist`, "Usable columns are region,"}, // name is not the policy's
		{"SELECT tacit.hihg(count(*)) FROM patients", "42883", "function tacit.hihg does not exist", "Perhaps you meant tacit.high."},
		{"SELECT * FROM tacit.budgt", "42P01", `relation "tacit.budgt" does not exist`, "Perhaps you meant tacit.budget."},
		// PostgreSQL's own.
		{"SELECT regoin, n FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) AS c", "42703", `column "regoin" does not exist`, `Perhaps you meant to reference the column "c.region".`},
		{"SELECT regoin FROM regions", "42703", `column "regoin" does not exist`, `Perhaps you meant to reference the column "regions.region".`},
		{"SELECT count(*) FROM patiens", "42P01", `relation "patiens" does not exist`, ""},
		{"SELECT lowr(region), n FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) AS c", "42883", "function lowr(text) does not exist", "No function matches"},
	} {
		e, failed := failure(on.query(c.sql))
		if !failed || e.field('C') != c.code || e.field('M') != c.message || !strings.HasPrefix(e.field('H'), c.hint) {
			t.Errorf("%s\n%s, where %q and the hint %q are expected", c.sql, e, c.message, c.hint)
		}
	}
}

// hinted has a session through the proxy, and one of PostgreSQL itself.
type hinted struct{ proxied, direct *client }

// check follows the hint of a refused statement.
func (on *hinted) check(t *testing.T, c hintCase) {
	if c.share {
		on.proxied.query("SET tacit.within = '2%'")
		defer on.proxied.query("RESET tacit.within")
	}
	refused, failed := failure(on.proxied.query(c.sql))
	if !failed {
		t.Errorf("%s\nis answered", c.sql)
		return
	}
	found := statementInHint.FindStringSubmatch(refused.field('H'))
	if found == nil {
		t.Errorf("%s\nhas no statement in its hint: %s", c.sql, refused.fields())
		return
	}
	hint := found[1]
	replies := on.proxied.query(hint)
	if e, failed := failure(replies); failed {
		t.Errorf("%s\nhas the hint\n%s\nwhich is refused: %s", c.sql, hint, e.fields())
		return
	}
	switch {
	case c.report:
		on.proxied.query("DROP TABLE kept")
	case c.relative > 0:
		got, want := number(rows(replies)[0][0]), number(rows(on.direct.query(c.sql))[0][0])
		t.Logf("%s: %v, by the hint %v", c.sql, want, got)
		if !(math.Abs(got-want) <= c.relative*math.Abs(want)) {
			t.Errorf("%s\nis %v; its hint\n%s\ngives %v", c.sql, want, hint, got)
		}
	default:
		truth := hint
		if c.same {
			truth = c.sql
		}
		compareCounts(t, hint, replies, on.direct.query(truth))
	}
}

// compareCounts compares rows whose last column is a count. Those of values that are not declared may be missing below the threshold, but
// not all of them.
func compareCounts(t *testing.T, hint string, replies, truth []message) {
	bound := 0.
	for _, m := range replies {
		if m.kind == 'N' {
			if found := statedError.FindStringSubmatch(m.field('M')); found != nil {
				bound = max(bound, number([]byte(found[1])))
			}
		}
	}
	want := make(map[string]float64)
	for _, row := range rows(truth) {
		want[fmt.Sprintf("%q", row[:len(row)-1])] = number(row[len(row)-1])
	}
	shown := rows(replies)
	if bound == 0 || len(shown) == 0 {
		t.Errorf("%s\nsays no error, or shows no counts", hint)
	}
	for _, row := range shown {
		key := fmt.Sprintf("%q", row[:len(row)-1])
		if got := number(row[len(row)-1]); math.Abs(got-want[key]) > margin*bound {
			t.Errorf("%s\ncounts %v for %s, where the truth is %v and the error is said to be %v", hint, got, key, want[key], bound)
		}
	}
}

func rows(replies []message) (rows [][][]byte) {
	for _, m := range replies {
		if m.kind == 'D' {
			rows = append(rows, m.row())
		}
	}
	return rows
}

// number is NaN for what is none, which is near nothing.
func number(text []byte) float64 {
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// TestEveryHintIsTried finds the forms with statements in the sources. A statement anywhere else in a hint would not be tried.
func TestEveryHintIsTried(t *testing.T) {
	tried := make(map[string]bool)
	for _, c := range hintCases {
		tried[c.form] = true
	}
	whole := regexp.MustCompile(`(^|[^(])\b(SELECT|CREATE TABLE)\b.*\bFROM\b`)
	found := 0
	inspect := func(f *ast.File, files *token.FileSet) {
		var name string
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				name = n.Names[0].Name
			case *ast.KeyValueExpr:
				switch key, _ := n.Key.(*ast.Ident); {
				case key == nil:
				case key.Name == "Instead":
					if found++; !tried[name] {
						t.Errorf("%s: the hint of %s has a statement that no case tries", files.Position(n.Pos()), name)
					}
					return false
				case key.Name == "Hint":
					if text := literals(n.Value); whole.MatchString(text) {
						t.Errorf("%s: a statement stands in a hint, and not in Instead: %s", files.Position(n.Pos()), text)
					}
				}
			}
			return true
		})
	}
	for _, dir := range []string{"rewrite", "release", "proxy"} {
		err := filepath.WalkDir(filepath.Join("../..", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, path, nil, 0)
			if err == nil {
				inspect(f, files)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 10 {
		t.Errorf("only %d hints with statements are found", found)
	}
}

// literals are the constant texts in an expression.
func literals(e ast.Expr) string {
	var b strings.Builder
	ast.Inspect(e, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			text, _ := strconv.Unquote(l.Value)
			b.WriteString(text)
		}
		return true
	})
	return b.String()
}
