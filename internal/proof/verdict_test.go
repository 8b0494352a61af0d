package proof

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/policy"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// grammarCatalog describes the protected tables of the grammar as a server would.
func grammarCatalog() *rewrite.Catalog {
	kinds := map[byte]query.Column{
		't': {TypeOID: 25, TypeName: "pg_catalog.text", Formatted: "text"},
		'i': {TypeOID: 23, TypeName: "pg_catalog.int4", Formatted: "integer"},
		'b': {TypeOID: 16, TypeName: "pg_catalog.bool", Formatted: "boolean"},
		'd': {TypeOID: 1082, TypeName: "pg_catalog.date", Formatted: "date"},
		'n': {TypeOID: 1700, TypeName: "pg_catalog.numeric", Formatted: "numeric"},
		's': {TypeOID: 1114, TypeName: "pg_catalog.timestamp", Formatted: "timestamp without time zone"},
	}
	domains := map[string][]string{"region": {"east", "north", "south", "west"}, "sex": {"F", "M"}, "age": {"0", "1", "2", "3"}}
	unlisted := []string{"name", "full_name", "member_id"}
	c := &rewrite.Catalog{Version: "1", Tables: make(map[policy.TableName]*query.Table), Related: make(map[policy.TableName]bool)}
	for i, r := range protectedTables {
		name := policy.TableName{Schema: "public", Name: r.name}
		if r.name == "adults" {
			c.Related[name] = true
			continue
		}
		table := &query.Table{Policy: &policy.Table{Name: name, Adjacency: policy.AddRemove}, Version: "1", OID: uint32(20000 + i)}
		for _, col := range r.columns {
			if slices.Contains(unlisted, col.name) {
				table.Unlisted = append(table.Unlisted, col.name)
				continue
			}
			described := kinds[col.kind]
			described.Name, described.Typmod, described.Domain = strings.Trim(col.name, `"`), -1, domains[col.name]
			table.Columns = append(table.Columns, described)
		}
		c.Tables[name] = table
	}
	return c
}

func grammarSession(c *rewrite.Catalog) *rewrite.Session {
	return &rewrite.Session{
		Catalog: c,
		Limits:  policy.Limits{StatementBytes: 1 << 20, Nesting: 500, Cells: 1000},
		Resolve: func(name string) (policy.TableName, bool, error) {
			t := policy.TableName{Schema: "public", Name: name}
			return t, slices.ContainsFunc(protectedTables, func(r relation) bool { return r.name == name }), nil
		},
	}
}

// countFunctions are those that count queries may call. Each is total and has no side effects.
var countFunctions = strings.Fields(`count trim_scale octet_length repeat unnest hashtextextended row_number dense_rank
	lower upper initcap reverse btrim ltrim rtrim length char_length character_length bit_length ascii left right substring substr replace translate
	strpos position starts_with split_part lpad rpad regexp_replace
	abs mod ceil ceiling floor round trunc sign width_bucket div
	timezone date_trunc date_bin to_timestamp to_char age date_part`)

// checkVerdict demands of a verdict what must hold whatever the statement is.
func checkVerdict(t *testing.T, sql string, s *rewrite.Session) rewrite.Verdict {
	t.Helper()
	v, err := rewrite.Analyze(sql, s)
	if err != nil {
		t.Fatal(err)
	}
	switch v := v.(type) {
	case *rewrite.Relay, *rewrite.Forget:
		if tree, err := pg.Parse(sql); err == nil {
			if name := mentioned(tree.ProtoReflect()); name != "" {
				t.Errorf("relayed, though it names %s:\n%s", name, sql)
			}
		}
	case *rewrite.Answer:
		checkAnswer(t, sql, v)
	case *rewrite.Refused:
		if r := v.Err; len(r.Code) != 5 || r.Message == "" || r.Position < 0 || r.Position > len(sql)+1 {
			t.Errorf("%+v:\n%s", r, sql)
		}
	}
	return v
}

func checkAnswer(t *testing.T, sql string, a *rewrite.Answer) {
	t.Helper()
	rest := a.Outer.WithParameters(a.Params + 1)
	tree, err := pg.Parse(rest)
	if err != nil {
		t.Errorf("%v in the rest\n%s\nof\n%s", err, rest, sql)
		return
	}
	if name := mentioned(tree.ProtoReflect()); name != "" {
		t.Errorf("the rest still names %s:\n%s\nof\n%s", name, rest, sql)
	}
	if len(a.Queries) == 0 && !strings.Contains(rest, "WHERE false)") { // a table without rows
		t.Errorf("answered without a count query:\n%s", sql)
	}
	for _, q := range a.Queries {
		bound, refusal := q.Bind(make([]query.Value, a.Params))
		if refusal != nil {
			continue
		}
		count, args := bound.CountSQL(bound.Counts)
		checkCurator(t, sql, count, args)
		for _, c := range bound.Counts {
			if c.Ordered != nil {
				count, args := bound.SampleSQL(c)
				checkCurator(t, sql, count, args)
			}
		}
	}
}

// checkCurator reads what the curator runs for a statement.
func checkCurator(t testing.TB, sql, count string, args []string) {
	tree, err := pg.Parse(count)
	if err != nil {
		t.Errorf("%v in the count query\n%s %q\nof\n%s", err, count, args, sql)
		return
	}
	if what := unsafe(tree.ProtoReflect()); what != "" {
		t.Errorf("%s in the count query\n%s %q\nof\n%s", what, count, args, sql)
	}
}

// mentioned finds a protected table that a tree names: with its schema, or without where no WITH query of the tree and no relation
// that it makes is called so.
func mentioned(tree protoreflect.Message) (name string) {
	hidden, locked := make(map[string]bool), make(map[*pg.RangeVar]bool)
	visit(tree, func(m protoreflect.Message) {
		switch v := m.Interface().(type) {
		case *pg.CommonTableExpr:
			hidden[v.GetCtename()] = true
		case *pg.IntoClause:
			hidden[v.GetRel().GetRelname()] = true
		case *pg.CreateStmt:
			hidden[v.GetRelation().GetRelname()] = true
		case *pg.ViewStmt:
			hidden[v.GetView().GetRelname()] = true
		case *pg.LockingClause: // FOR UPDATE OF names a FROM item
			for _, n := range v.GetLockedRels() {
				locked[n.GetRangeVar()] = true
			}
		}
	})
	visit(tree, func(m protoreflect.Message) {
		rv, ok := m.Interface().(*pg.RangeVar)
		if !ok || locked[rv] || !slices.ContainsFunc(protectedTables, func(r relation) bool { return r.name == rv.GetRelname() }) {
			return
		}
		if rv.GetSchemaname() == "public" || rv.GetSchemaname() == "" && !hidden[rv.GetRelname()] {
			name = rv.GetRelname()
		}
	})
	return name
}

// unsafe finds what must not be in a count query: names without their schema, functions that are not known to be total, and more
// than one SELECT of a table.
func unsafe(tree protoreflect.Message) (what string) {
	visit(tree, func(m protoreflect.Message) {
		switch v := m.Interface().(type) {
		case *pg.RangeVar:
			if v.GetSchemaname() == "" {
				what = "an unqualified relation " + v.GetRelname()
			}
		case *pg.FuncCall:
			names := names(v.GetFuncname())
			if len(names) != 2 || names[0] != "pg_catalog" || !slices.Contains(countFunctions, names[1]) {
				what = "function " + strings.Join(names, ".")
			}
		case *pg.A_Expr:
			if n := names(v.GetName()); (len(n) != 2 || n[0] != "pg_catalog") && v.GetKind() == pg.A_Expr_Kind_AEXPR_OP {
				what = "operator " + strings.Join(n, ".")
			}
		case *pg.TypeCast:
			if n := names(v.GetTypeName().GetNames()); len(n) != 2 || n[0] != "pg_catalog" {
				what = "type " + strings.Join(n, ".")
			}
		case *pg.LockingClause, *pg.RangeTableSample, *pg.InsertStmt, *pg.UpdateStmt, *pg.DeleteStmt, *pg.SQLValueFunction:
			what = string(m.Descriptor().Name())
		}
	})
	return what
}

func names(nodes []*pg.Node) (out []string) {
	for _, n := range nodes {
		out = append(out, n.GetString_().GetSval())
	}
	return out
}

// visit calls f with each node of a tree.
func visit(m protoreflect.Message, f func(protoreflect.Message)) {
	f(m)
	m.Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case field.Message() == nil:
		case field.IsList():
			for i := range v.List().Len() {
				visit(v.List().Get(i).Message(), f)
			}
		default:
			visit(v.Message(), f)
		}
		return true
	})
}

// TestVerdictsOnRandomStatements checks the verdicts on many statements of the grammar, and that each kind of verdict is among them.
func TestVerdictsOnRandomStatements(t *testing.T) {
	t.Parallel()
	statements := 5000
	if testing.Short() {
		statements /= 4
	}
	session := grammarSession(grammarCatalog())
	kinds := make(map[string]int)
	for r := range randomly(t, statements) {
		for _, sql := range newGrammar(randomBytes(r)).script() {
			switch v := checkVerdict(t, sql, session).(type) {
			case *rewrite.Answer:
				kinds["answer"]++
			case *rewrite.Relay:
				kinds["relay"]++
			case *rewrite.Refused:
				kinds[v.Err.Code]++
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Log(kinds)
	if kinds["answer"] < statements/20 || kinds["relay"] < statements/20 {
		t.Errorf("too few statements are answered or relayed: %v", kinds)
	}
	for _, kind := range []string{"answer", "relay", "42501", "0A000", "42601", "42803", "42703"} {
		if kinds[kind] == 0 {
			t.Errorf("no verdict %s", kind)
		}
	}
}

// FuzzVerdicts looks for statements of the grammar with a wrong verdict.
func FuzzVerdicts(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		f.Add(randomBytes(r))
	}
	session := grammarSession(grammarCatalog())
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > 2000 {
			return
		}
		for _, sql := range newGrammar(choices).script() {
			checkVerdict(t, sql, session)
		}
	})
}
