package rewrite

import (
	"slices"
	"strings"
	"testing"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/forbidden"
	"tacit/rewrite/internal/pgtree"
)

// FuzzAnalyze looks for crashes, for statements that are relayed although they name a protected table with its schema (no scoping
// can hide that), or although they do what is forbidden or run prepared statements, and for answers whose rest still names one.
func FuzzAnalyze(f *testing.F) {
	for _, path := range goldenFiles(f) {
		for _, c := range readGolden(f, path) {
			f.Add(c.sql)
		}
	}
	f.Fuzz(func(t *testing.T, sql string) {
		sql, _, _ = strings.Cut(sql, "\x00") // where a text ends in the protocol
		v, err := Analyze(sql, testSession())
		if err != nil {
			t.Fatal(err)
		}
		switch v := v.(type) {
		case *Relay, *Forget:
			if len(sql) > 10_000 {
				return
			}
			if tree, err := pg.Parse(sql); err == nil && (qualified(tree.ProtoReflect()) || mustBeSeen(tree, v)) {
				t.Errorf("relayed: %q", sql)
			}
		case *Masked:
			tree, err := pg.Parse(v.Text)
			if err != nil {
				t.Fatalf("%q: %v", v.Text, err)
			}
			same := Verdict(&Relay{})
			if v.Forget != nil {
				same = v.Forget
			}
			if qualified(tree.ProtoReflect()) || mustBeSeen(tree, same) {
				t.Errorf("%q becomes %q", sql, v.Text)
			}
		case *Answer:
			checkAnswer(t, sql, v)
		case *Script:
			if v.Sketch {
				full := testSession()
				full.Executes = true
				again, err := Analyze(sql, full)
				if err != nil {
					t.Fatal(err)
				}
				script, ok := again.(*Script)
				if !ok {
					return
				}
				v = script
			}
			for _, step := range v.Steps {
				if step.Answer != nil {
					checkAnswer(t, sql, step.Answer)
					continue
				}
				if tree, err := pg.Parse(step.Text); step.Err == nil && (err != nil || len(tree.GetStmts()) != 1 || qualified(tree.ProtoReflect())) {
					t.Errorf("%q leaves %q", sql, step.Text)
				}
			}
			tree, err := pg.Parse(v.Prologue.Text)
			if err != nil || len(tree.GetStmts()) != v.Prologue.Statements {
				t.Fatalf("%q: %v", v.Prologue.Text, err)
			}
			for _, stmt := range tree.GetStmts() {
				if stmt.GetStmt().GetTransactionStmt() == nil {
					t.Errorf("%q begins with %q", sql, v.Prologue.Text)
				}
			}
		case *Refused:
			if r := v.Err; r.Code == "" || r.Message == "" || r.Position < 0 {
				t.Errorf("%q: %+v", sql, r)
			}
		}
	})
}

// checkAnswer fails if what is sent to the server names a protected table.
func checkAnswer(t *testing.T, sql string, v *Answer) {
	for _, rest := range append([]string{v.Outer.WithParameters(v.Params + 1), v.Preflight.WithParameters(v.Params + 1)}, slices.Concat(v.Probes, v.Reads)...) {
		tree, err := pg.Parse(rest)
		if err != nil {
			t.Fatalf("%q: %v", rest, err)
		}
		if len(tree.GetStmts()) != 1 || qualified(tree.ProtoReflect()) {
			t.Errorf("%q leaves %q", sql, rest)
		}
	}
	for _, q := range v.Queries {
		if bound, refusal := q.Bind(sampleValues(v.ParamOIDs)); refusal == nil {
			bound.CountSQL(bound.Counts)
		}
	}
}

// mustBeSeen reports whether a verdict lets pass what is forbidden, or takes no notice of prepared statements.
func mustBeSeen(tree *pg.ParseResult, v Verdict) bool {
	for _, stmt := range tree.GetStmts() {
		if forbidden.Refuse(stmt) != nil || pgtree.First[*pg.ExecuteStmt](stmt.ProtoReflect()) != nil {
			return true
		}
		_, relayed := v.(*Relay)
		if relayed && (stmt.GetStmt().GetDeallocateStmt() != nil || stmt.GetStmt().GetDiscardStmt().GetTarget() == pg.DiscardMode_DISCARD_ALL) {
			return true
		}
	}
	return false
}

// qualified reports whether a tree names public.members or public.logins as a relation.
func qualified(m protoreflect.Message) bool {
	if rv, ok := m.Interface().(*pg.RangeVar); ok && rv.Schemaname == "public" && (rv.Relname == "members" || rv.Relname == "logins") {
		return true
	}
	found := false
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Message() == nil:
		case f.IsList():
			for i := range v.List().Len() {
				found = found || qualified(v.List().Get(i).Message())
			}
		default:
			found = found || qualified(v.Message())
		}
		return !found
	})
	return found
}
