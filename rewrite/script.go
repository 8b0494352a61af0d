package rewrite

import (
	"fmt"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Script is a text of several statements, of which some concern protected tables or may be EXECUTE of prepared statements that do. All
// of them are judged, and answered, before the first one runs; so beside them stand only statements that cannot change what a name
// means. If it turns out that no step is protected, the very same bytes are to be relayed.
type Script struct {
	// Sketch says that Steps have no more than the names of prepared statements, since no table is mentioned. If one of them is that of
	// a protected statement, the text is to be analysed again with Session.Executes.
	Sketch bool
	// Prologue is what the text begins with, if it does, and can run although the rest is refused: statements that open or end
	// transactions and subtransactions. So a refusal finds the transaction as the server's own error would.
	Prologue Prologue
	// Refused, if not nil, is why the text cannot run, whatever Steps say.
	Refused *Refusal
	Steps   []Step
	// Reverts, if not nil, is why the text cannot run in a transaction block that was open before: to end it could change what
	// names mean.
	Reverts *Refusal
}

// A Prologue is a text of so many statements.
type Prologue struct {
	Text       string
	Statements int
}

// A Step is one statement of a script.
type Step struct {
	Answer  *Answer  // of a statement about protected tables
	Execute *Execute // of an EXECUTE
	Forget  *Forget  // of a DEALLOCATE
	// Text is the statement as printed from the tree, if it is none of an Answer.
	Text string
	// Err says why the statement cannot stand in the same text as protected ones.
	Err *Refusal
	// Settled says that nothing before the statement changes how the server parses it.
	Settled bool
}

// refused is the verdict on a text that is refused.
func (a *analysis) refused(r *Refusal) Verdict {
	if p := a.prologue(); p.Statements > 0 && !a.session.Prepared && !a.session.Aborted {
		return &Script{Prologue: p, Refused: r}
	}
	return r
}

// aborted is the verdict while the transaction block has failed: the server refuses a statement that does not end it without a look. A
// text that ends it and goes on is not sent, if it would then be planned; what names mean then cannot be asked now.
func (a *analysis) aborted(named bool) (Verdict, *Refusal) {
	stmts := a.tree.GetStmts()
	if len(stmts) < 2 || a.session.Prepared {
		return &Relay{}, nil
	}
	refused := named
	for _, stmt := range stmts {
		refused = refused || forbidden(stmt) != nil || findExecute(stmt.ProtoReflect()) != nil
	}
	if refused {
		return nil, &Refusal{
			Code: "25P02", Message: "current transaction is aborted, commands ignored until end of transaction block",
			Hint: "End the transaction block by a ROLLBACK of its own, then send the other statements.",
		}
	}
	return unprotected(a.tree, a)
}

// prologue prints the statements with which a text of several begins, as far as they only open or end transactions.
func (a *analysis) prologue() (p Prologue) {
	stmts := a.tree.GetStmts()
	if len(stmts) < 2 || len(stmts) > maxSteps {
		return p
	}
	var texts []string
	for _, stmt := range stmts {
		if !opensOrEnds(stmt.GetStmt().GetTransactionStmt()) {
			break
		}
		text, err := pg.Deparse(oneStatement(stmt.GetStmt(), a.tree.GetVersion()))
		if err != nil {
			break
		}
		texts = append(texts, text)
	}
	return Prologue{Text: strings.Join(texts, "; "), Statements: len(texts)}
}

// opensOrEnds reports whether a statement opens or ends a transaction or a subtransaction, and is none of the two phases of a commit.
func opensOrEnds(v *pg.TransactionStmt) bool {
	switch v.GetKind() {
	case pg.TransactionStmtKind_TRANS_STMT_BEGIN, pg.TransactionStmtKind_TRANS_STMT_START, pg.TransactionStmtKind_TRANS_STMT_SAVEPOINT,
		pg.TransactionStmtKind_TRANS_STMT_RELEASE:
		return true
	}
	return reverts(v)
}

// reverts reports whether a statement undoes what was set or made before it.
func reverts(v *pg.TransactionStmt) bool {
	switch v.GetKind() {
	case pg.TransactionStmtKind_TRANS_STMT_COMMIT, pg.TransactionStmtKind_TRANS_STMT_ROLLBACK, pg.TransactionStmtKind_TRANS_STMT_ROLLBACK_TO:
		return true
	}
	return false
}

// script judges the statements of a text. readers is nil if none mentions a protected table.
func (a *analysis) script(readers []*mentionReader) (Verdict, *Refusal) {
	if len(a.tree.GetStmts()) > maxSteps {
		return nil, &Refusal{
			Code: codeLimit, Message: fmt.Sprintf("a text has more than %d statements, and one about a protected table", maxSteps),
			Hint: "Send the statement about the protected table as one of its own.",
		}
	}
	script := &Script{Prologue: a.prologue()}
	reader := &scriptReader{catalog: a.session.Catalog, settled: true, prepared: make(map[string]bool)}
	for i, raw := range a.tree.GetStmts() {
		place := a.start(raw)
		step := Step{Settled: reader.settled, Err: at(place, reader.beside(raw))}
		mentions := readers != nil && readers[i].found()
		if reader.reverted && script.Reverts == nil && (mentions || findExecute(raw.ProtoReflect()) != nil) {
			script.Reverts = at(place, notSupported("a statement about a protected table cannot follow the end of a transaction in one text",
				"Send it as a statement of its own."))
		}
		reader.pass(raw.GetStmt())
		tree := oneStatement(raw.GetStmt(), a.tree.GetVersion())
		if !mentions {
			if readers != nil {
				a.maskAll(tree, readers[i].relations)
			}
			a.plain(&step, tree, place)
			script.Steps = append(script.Steps, step)
			continue
		}
		part := &analysis{sql: a.sql, session: a.session, mentions: readers[i]}
		answer, refusal := part.answer(tree)
		if refusal != nil {
			return nil, refusal
		}
		step.Answer = answer
		if a.queries = append(a.queries, answer.Queries...); len(a.queries) > maxQueries {
			return nil, at(place, refuseTooManyQueries())
		}
		script.Steps = append(script.Steps, step)
	}
	if len(a.queries) > 0 {
		if refusal := checkAll(a.queries); refusal != nil {
			return nil, refusal
		}
	}
	return script, nil
}

// sketch notes which prepared statements a text executes and forgets.
func (a *analysis) sketch() *Script {
	script := &Script{Sketch: true}
	for _, raw := range a.tree.GetStmts() {
		step := Step{}
		if e := findExecute(raw.ProtoReflect()); e != nil {
			step.Execute = &Execute{Name: e.GetName()}
		}
		if v := raw.GetStmt().GetDeallocateStmt(); v != nil {
			step.Forget = &Forget{Name: v.GetName()}
		}
		script.Steps = append(script.Steps, step)
	}
	return script
}

// maxSteps bounds the statements of a text that is read in full.
const maxSteps = 1000

// plain reads a statement that mentions no protected table.
func (a *analysis) plain(step *Step, tree *pg.ParseResult, place int32) {
	copied := proto.Clone(tree).(*pg.ParseResult)
	if e := findExecute(copied.GetStmts()[0].ProtoReflect()); e != nil {
		step.Execute = execute(copied, e)
	}
	if v := tree.GetStmts()[0].GetStmt().GetDeallocateStmt(); v != nil {
		step.Forget = &Forget{Name: v.GetName()}
	}
	rest, refusal := newPrinter().print(tree)
	switch {
	case refusal == nil:
		step.Text = rest.WithLiterals(nil)
	case step.Err == nil:
		step.Err = at(place, refusal)
	}
}

// start is the place of a statement in the text.
func (a *analysis) start(raw *pg.RawStmt) int32 {
	start := raw.GetStmtLocation()
	return start + int32(len(a.sql[start:])-len(strings.TrimLeft(a.sql[start:], whiteSpace)))
}

// A scriptReader reads the statements of a text in their order.
type scriptReader struct {
	catalog *Catalog
	// settled: nothing so far changes how what follows is parsed.
	settled bool
	// reverted: a transaction or a part of it has ended.
	reverted bool
	// prepared are the names of statements that were prepared or deallocated; the empty one stands for all.
	prepared map[string]bool
}

// beside refuses a statement that could change what a name in another statement of the text means, and whatever is not known not to.
func (r *scriptReader) beside(raw *pg.RawStmt) *Refusal {
	if e := findExecute(raw.ProtoReflect()); e != nil && (r.prepared[e.GetName()] || r.prepared[""]) {
		return notSupported(fmt.Sprintf("prepared statement %q cannot be prepared or deallocated and executed in one text", e.GetName()),
			"Send EXECUTE as a statement of its own.")
	}
	allowed := false
	switch v := raw.GetStmt().GetNode().(type) {
	case *pg.Node_SelectStmt, *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt, *pg.Node_MergeStmt,
		*pg.Node_TruncateStmt, *pg.Node_LockStmt, *pg.Node_CreateTableAsStmt, *pg.Node_CreateStmt, *pg.Node_ExplainStmt, *pg.Node_DeclareCursorStmt, *pg.Node_FetchStmt, *pg.Node_ClosePortalStmt,
		*pg.Node_PrepareStmt, *pg.Node_ExecuteStmt, *pg.Node_DeallocateStmt, *pg.Node_VariableShowStmt:
		allowed = true
	case *pg.Node_TransactionStmt:
		allowed = opensOrEnds(v.TransactionStmt)
	case *pg.Node_VariableSetStmt:
		allowed = setsOther(v.VariableSetStmt)
	case *pg.Node_CopyStmt:
		allowed = !v.CopyStmt.GetIsFrom() && v.CopyStmt.GetFilename() == ""
	case *pg.Node_DropStmt:
		switch v.DropStmt.GetRemoveType() {
		case pg.ObjectType_OBJECT_TABLE, pg.ObjectType_OBJECT_VIEW, pg.ObjectType_OBJECT_INDEX, pg.ObjectType_OBJECT_SEQUENCE:
			allowed = true
		}
	}
	switch {
	case !allowed:
		return notSupported(statementName(raw.GetStmt())+" cannot be sent in one text with a statement about a protected table",
			"Send it as a statement of its own.")
	case callsSetConfig(raw.ProtoReflect()):
		return notSupported("set_config cannot be used in one text with a statement about a protected table", "Use SET, or send it as a statement of its own.")
	}
	if name, ok := r.makesOrDrops(raw.ProtoReflect()); ok {
		return notSupported(fmt.Sprintf("relation %q has the name of a protected table and cannot be created or dropped in one text with a statement about one", name),
			"Send it as a statement of its own, or use another name.")
	}
	return nil
}

// setsOther reports whether a SET or RESET leaves alone what names mean, who asks, and for what: that is found out once for a text.
func setsOther(v *pg.VariableSetStmt) bool {
	switch lowerASCII(v.GetName()) {
	case "search_path", "role", "session_authorization", "tacit.fresh":
		return false
	}
	return v.GetKind() != pg.VariableSetKind_VAR_RESET_ALL
}

func callsSetConfig(m protoreflect.Message) bool {
	if v, ok := m.Interface().(*pg.FuncCall); ok {
		if name, _ := functionName(v); name == "set_config" {
			return true
		}
	}
	found := false
	children(m, func(child protoreflect.Message) bool {
		found = callsSetConfig(child)
		return !found
	})
	return found
}

// makesOrDrops finds a relation that a statement creates or drops and that has the name of a protected one.
func (r *scriptReader) makesOrDrops(m protoreflect.Message) (name string, ok bool) {
	var names []string
	switch v := m.Interface().(type) {
	case *pg.IntoClause:
		names = []string{v.GetRel().GetRelname()}
	case *pg.CreateStmt:
		names = []string{v.GetRelation().GetRelname()}
	case *pg.DropStmt:
		for _, o := range v.GetObjects() {
			names = append(names, stringsOf(o.GetList().GetItems())...)
		}
	}
	for _, name := range names {
		if r.catalog.hasName(name) {
			return name, true
		}
	}
	children(m, func(child protoreflect.Message) bool {
		name, ok = r.makesOrDrops(child)
		return !ok
	})
	return name, ok
}

// pass notes what a statement does to those that follow.
func (r *scriptReader) pass(stmt *pg.Node) {
	switch v := stmt.GetNode().(type) {
	case *pg.Node_TransactionStmt:
		if reverts(v.TransactionStmt) {
			r.reverted, r.settled = true, false
		}
	case *pg.Node_PrepareStmt:
		r.prepared[v.PrepareStmt.GetName()] = true
	case *pg.Node_DeallocateStmt:
		r.prepared[v.DeallocateStmt.GetName()] = true
	case *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt, *pg.Node_MergeStmt, *pg.Node_TruncateStmt, *pg.Node_LockStmt,
		*pg.Node_VariableShowStmt, *pg.Node_FetchStmt, *pg.Node_ClosePortalStmt, *pg.Node_DeclareCursorStmt, *pg.Node_CopyStmt, *pg.Node_ExplainStmt:
	case *pg.Node_SelectStmt:
		if v.SelectStmt.GetIntoClause() != nil {
			r.settled = false
		}
	default:
		r.settled = false
	}
}

// placeRefusals turns the byte offsets of a verdict's refusals into what the analyst counts.
func placeRefusals(sql string, v Verdict) {
	switch v := v.(type) {
	case *Refusal:
		v.place(sql)
	case *Execute:
		v.Err.place(sql)
	case *Script:
		v.Refused.place(sql)
		v.Reverts.place(sql)
		for _, step := range v.Steps {
			step.Err.place(sql)
			if step.Execute != nil {
				step.Execute.Err.place(sql)
			}
		}
	}
}

func (r *Refusal) place(sql string) {
	if r != nil && r.Position > 0 {
		r.Position = characters(sql, r.Position-1)
	}
}
