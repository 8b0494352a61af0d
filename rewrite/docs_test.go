package rewrite

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

func readDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// documentedBlocks are the blocks of docs/analyst.md that list functions and casts.
func documentedBlocks(t *testing.T) (functions, casts string) {
	t.Helper()
	_, section, _ := strings.Cut(readDoc(t, "analyst.md"), "### Functions, operators and casts")
	blocks := regexp.MustCompile("(?s)```text\n(.*?)```").FindAllStringSubmatch(section, 2)
	if len(blocks) != 2 {
		t.Fatal("docs/analyst.md lists no functions and casts")
	}
	return blocks[0][1], blocks[1][1]
}

func TestDocumentedFunctions(t *testing.T) {
	functions, _ := documentedBlocks(t)
	var documented []string
	for line := range strings.Lines(functions) {
		fields := strings.Fields(line)
		if !strings.HasPrefix(line, " ") {
			fields = fields[1:] // what they are about
		}
		documented = append(documented, fields...)
	}
	var listed []string
	for name, overloads := range expr.FunctionList {
		possible := slices.ContainsFunc(overloads, func(f expr.Overload) bool { return f.SQL != "" })
		if possible && !strings.HasPrefix(name, "NOT ") {
			listed = append(listed, name)
		}
	}
	slices.Sort(documented)
	slices.Sort(listed)
	if diff := cmp.Diff(listed, documented); diff != "" {
		t.Errorf("docs/analyst.md lists other functions than functionList (-code +docs):\n%s", diff)
	}
}

func TestDocumentedCasts(t *testing.T) {
	_, casts := documentedBlocks(t)
	written := map[string]string{"varchar": "character varying", "char": "character", "timestamp": "timestamp without time zone"}
	types := func(list string) (names []string) {
		for name := range strings.SplitSeq(list, ",") {
			name = strings.TrimSpace(name)
			if full, ok := written[name]; ok {
				name = full
			}
			names = append(names, name)
		}
		return names
	}
	var documented []string
	for rule := range strings.FieldsFuncSeq(casts, func(c rune) bool { return c == '\n' || c == ';' }) {
		from, to, _ := strings.Cut(rule, "->")
		for _, a := range types(from) {
			for _, b := range types(to) {
				if a != b {
					documented = append(documented, a+" -> "+b)
				}
			}
		}
	}
	var listed []string
	for _, f := range expr.CastList {
		if f.Args[0] != f.Result {
			listed = append(listed, pgvalue.ShownType(f.Args[0])+" -> "+pgvalue.ShownType(f.Result))
		}
	}
	slices.Sort(documented)
	slices.Sort(listed)
	if diff := cmp.Diff(listed, documented); diff != "" {
		t.Errorf("docs/analyst.md lists other casts than castList (-code +docs):\n%s", diff)
	}
}

// documentedTables are those that the examples are about.
func documentedTables() *Catalog {
	patients, visits, regions, carriers := tableNamed("patients"), tableNamed("visits"), tableNamed("regions"), tableNamed("carriers")
	column := func(name string, oid pgvalue.OID, domain ...string) expr.Column {
		return expr.Column{Name: name, TypeOID: oid, TypeName: pgvalue.TypeName(oid), Typmod: -1, Formatted: pgvalue.ShownType(oid), NotNull: true, Domain: domain}
	}
	region := column("region", pgvalue.Text, "east", "north", "south", "west")
	return &Catalog{Version: "1", Tables: map[policy.TableName]*expr.Table{
		patients: {Policy: &policy.Table{Name: patients, Mechanism: policy.Mechanism{Kind: policy.Geometric}}, OID: 16385, Columns: []expr.Column{
			column("sex", pgvalue.Text, "F", "M"), region, column("age", pgvalue.Int4, "0", "120"), column("admitted", pgvalue.Date),
			column("arrived", pgvalue.Timestamptz), column("weight", pgvalue.Numeric), column("diagnosis", pgvalue.Text), column("insured", pgvalue.Bool),
			column("mood", pgvalue.Enum, "bad", "good"),
		}, Person: &expr.Person{Column: column("patient_id", pgvalue.Int4), Rows: 1, Groups: 1, Unique: true}, Unlisted: []string{"patient_id"}},
		visits: {Policy: &policy.Table{Name: visits, Mechanism: policy.Mechanism{Kind: policy.Geometric}}, OID: 16386, Columns: []expr.Column{column("ward", pgvalue.Text, "A", "B", "C"), column("admitted", pgvalue.Timestamp)},
			Person: &expr.Person{Column: column("patient_id", pgvalue.Int4), Rows: 4, Groups: 2}, Unlisted: []string{"patient_id"}},
		carriers: {Policy: &policy.Table{Name: carriers}, OID: 16388, Private: "has_gene", Columns: []expr.Column{
			column("hair", pgvalue.Text), column("eye", pgvalue.Text), column("age", pgvalue.Int4), column("has_gene", pgvalue.Bool, "f", "t"),
		}},
	}, Public: map[policy.TableName]*expr.PublicTable{
		regions: {Name: regions, OID: 16387, Unique: [][]string{{"region"}}, Columns: []expr.Column{
			region, column("country", pgvalue.Text), column("name", pgvalue.Text),
		}},
	}}
}

// TestDocumentedExamples demands that what the documentation says can be asked is answered.
func TestDocumentedExamples(t *testing.T) {
	catalog := documentedTables()
	session := &Session{Catalog: catalog, Limits: testLimits, Resolve: func(name string) (policy.TableName, bool, error) {
		table := tableNamed(name)
		return table, catalog.Tables[table] != nil || catalog.Public[table] != nil, nil
	}}
	inline := regexp.MustCompile("`((?:SELECT|EXPLAIN|CREATE TABLE|INSERT|COPY|WITH)[ (][^`]*)`")
	block := regexp.MustCompile("(?s)```sql\n(.*?)```")
	comment := regexp.MustCompile("--.*")
	message := regexp.MustCompile("(?m)^- `.*")
	for _, name := range []string{"errors.md", "analyst.md"} {
		text := message.ReplaceAllString(readDoc(t, name), "")
		var examples []string
		for _, m := range inline.FindAllStringSubmatch(text, -1) {
			examples = append(examples, m[1])
		}
		for _, m := range block.FindAllStringSubmatch(text, -1) {
			examples = append(examples, strings.Split(comment.ReplaceAllString(m[1], ""), ";")...)
		}
		answered := 0
		for _, sql := range examples {
			if strings.Contains(sql, "...") || !strings.Contains(sql, "SELECT") {
				continue
			}
			verdict, err := Analyze(sql, session)
			if _, ok := verdict.(*Answer); err != nil || !ok {
				t.Errorf("docs/%s has an example that is not answered: %s\n%s", name, sql, describe(verdict))
			}
			answered++
		}
		if answered < 5 {
			t.Errorf("docs/%s has only %d examples", name, answered)
		}
	}
}

// TestDocumentedReports finds in docs/analyst.md the columns that the proxy's relations have, and no others.
func TestDocumentedReports(t *testing.T) {
	text := readDoc(t, "analyst.md")
	domains := []string{"values", "values_from", "range", "unknown"}
	for name, report := range reports {
		_, row, ok := strings.Cut(text, "\n| `tacit."+name+"` | ")
		row, _, _ = strings.Cut(row, "\n")
		if !ok {
			t.Errorf("docs/analyst.md has no tacit.%s", name)
		}
		var documented, columns []string
		for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row, -1) {
			if !slices.Contains(domains, m[1]) {
				documented = append(documented, m[1])
			}
		}
		for _, c := range report.Columns {
			columns = append(columns, c.Name)
		}
		slices.Sort(documented)
		slices.Sort(columns)
		if diff := cmp.Diff(columns, documented); diff != "" {
			t.Errorf("tacit.%s (-code +docs):\n%s", name, diff)
		}
	}
}
