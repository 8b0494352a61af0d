package rewrite

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/forbidden"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// refused is the verdict on a text that is refused.
func (a *analysis) refused(r *pgerror.Refusal) Verdict {
	if p := a.prologue(); p.Statements > 0 && !a.session.Prepared && !a.session.Aborted {
		return &Script{Prologue: p, Refused: r}
	}
	return &Refused{r}
}

// aborted is the verdict while the transaction block has failed: the server refuses a statement that does not end it without a look. A
// text that ends it and goes on is not sent, if it would then be planned; what names mean then cannot be asked now.
func (a *analysis) aborted(named bool) (Verdict, *pgerror.Refusal) {
	stmts := a.tree.GetStmts()
	if len(stmts) < 2 || a.session.Prepared {
		return &Relay{}, nil
	}
	refused := named || a.session.Catalog.Barrier != nil
	for _, stmt := range stmts {
		refused = refused || forbidden.Refuse(stmt) != nil || pgtree.First[*pg.ExecuteStmt](stmt.ProtoReflect()) != nil
	}
	if refused {
		return nil, transactionFailed.With()
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
		if !pgtree.OpensOrEnds(stmt.GetStmt().GetTransactionStmt()) {
			break
		}
		text, err := pg.Deparse(pgtree.OneStatement(stmt.GetStmt(), a.tree.GetVersion()))
		if err != nil {
			break
		}
		texts = append(texts, text)
	}
	return Prologue{Text: strings.Join(texts, "; "), Statements: len(texts)}
}

// script judges the statements of a text. readers is nil if none mentions a protected table.
func (a *analysis) script(readers []*referenceReader) (Verdict, *pgerror.Refusal) {
	if len(a.tree.GetStmts()) > maxSteps {
		return nil, stepsTooMany.With(maxSteps)
	}
	script := &Script{Prologue: a.prologue()}
	reader := &scriptReader{catalog: a.session.Catalog, settled: true, prepared: make(map[string]bool)}
	for i, raw := range a.tree.GetStmts() {
		place := a.start(raw)
		step := Step{Settled: reader.settled, Err: pgerror.At(place, reader.beside(raw))}
		mentions := readers != nil && readers[i].found()
		if reader.reverted && script.Reverts == nil && (mentions || pgtree.First[*pg.ExecuteStmt](raw.ProtoReflect()) != nil) {
			script.Reverts = afterTransaction.At(place)
		}
		reader.pass(raw.GetStmt())
		tree := pgtree.OneStatement(raw.GetStmt(), a.tree.GetVersion())
		if !mentions {
			if readers != nil {
				a.maskAll(tree, readers[i].relations)
			}
			a.plain(&step, tree, place)
			script.Steps = append(script.Steps, step)
			continue
		}
		part := &analysis{sql: a.sql, session: a.session, references: readers[i]}
		answer, refusal := part.answer(tree)
		if refusal != nil {
			return nil, refusal
		}
		step.Answer = answer
		if a.queries = append(a.queries, answer.Queries...); len(a.queries) > maxQueries {
			return nil, selectsTooMany.At(place, maxQueries)
		}
		script.Steps = append(script.Steps, step)
	}
	if len(a.queries) > 0 {
		if refusal := query.CheckAll(a.queries); refusal != nil {
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
		if e := pgtree.First[*pg.ExecuteStmt](raw.ProtoReflect()); e != nil {
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
	if e := pgtree.First[*pg.ExecuteStmt](copied.GetStmts()[0].ProtoReflect()); e != nil {
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
		step.Err = pgerror.At(place, refusal)
	}
}

// start is the place of a statement in the text.
func (a *analysis) start(raw *pg.RawStmt) int32 {
	start := raw.GetStmtLocation()
	return start + int32(len(a.sql[start:])-len(strings.TrimLeft(a.sql[start:], pgtree.WhiteSpace)))
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
func (r *scriptReader) beside(raw *pg.RawStmt) *pgerror.Refusal {
	if e := pgtree.First[*pg.ExecuteStmt](raw.ProtoReflect()); e != nil && (r.prepared[e.GetName()] || r.prepared[""]) {
		return executeBeside.With(e.GetName())
	}
	allowed := false
	switch v := raw.GetStmt().GetNode().(type) {
	case *pg.Node_SelectStmt, *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt, *pg.Node_MergeStmt,
		*pg.Node_TruncateStmt, *pg.Node_LockStmt, *pg.Node_CreateTableAsStmt, *pg.Node_CreateStmt, *pg.Node_ExplainStmt, *pg.Node_DeclareCursorStmt, *pg.Node_FetchStmt, *pg.Node_ClosePortalStmt,
		*pg.Node_PrepareStmt, *pg.Node_ExecuteStmt, *pg.Node_DeallocateStmt, *pg.Node_VariableShowStmt:
		allowed = true
	case *pg.Node_TransactionStmt:
		allowed = pgtree.OpensOrEnds(v.TransactionStmt)
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
		return statementBeside.With(pgtree.StatementName(raw.GetStmt()))
	case pgtree.CallsSetConfig(raw.ProtoReflect()):
		return setConfigBeside.With()
	}
	if name, ok := r.makesOrDrops(raw.ProtoReflect()); ok {
		return nameBeside.With(name)
	}
	return nil
}

// setsOther reports whether a SET or RESET leaves alone what names mean, who asks, and for what: that is found out once for a text.
func setsOther(v *pg.VariableSetStmt) bool {
	switch scan.LowerASCII(v.GetName()) {
	case "search_path", "role", "session_authorization", "tacit.fresh", "tacit.max_age", "tacit.intervals", "tacit.within":
		return false
	}
	return v.GetKind() != pg.VariableSetKind_VAR_RESET_ALL
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
			names = append(names, pgtree.Strings(o.GetList().GetItems())...)
		}
	}
	for _, name := range names {
		if r.catalog.hasName(name) {
			return name, true
		}
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		name, ok = r.makesOrDrops(child)
		return !ok
	})
	return name, ok
}

// pass notes what a statement does to those that follow.
func (r *scriptReader) pass(stmt *pg.Node) {
	switch v := stmt.GetNode().(type) {
	case *pg.Node_TransactionStmt:
		if pgtree.Reverts(v.TransactionStmt) {
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
	default: // no refusal in it
	case *Refused:
		v.Err.Place(sql)
	case *Execute:
		v.Err.Place(sql)
	case *Script:
		v.Refused.Place(sql)
		v.Reverts.Place(sql)
		for _, step := range v.Steps {
			step.Err.Place(sql)
			if step.Execute != nil {
				step.Execute.Err.Place(sql)
			}
		}
	}
}

// unprotected is the verdict on statements that mention no protected table.
func unprotected(tree *pg.ParseResult, a *analysis) (Verdict, *pgerror.Refusal) {
	var forget *Forget
	for _, stmt := range tree.GetStmts() {
		if e := pgtree.First[*pg.ExecuteStmt](stmt.ProtoReflect()); e != nil {
			if len(tree.GetStmts()) == 1 {
				return execute(tree, e), nil
			}
			switch {
			case a.session.Prepared:
				return &Relay{}, nil // the server refuses it as a whole
			case a.session.Executes:
				return a.script(nil)
			}
			return a.sketch(), nil
		}
		switch v := stmt.GetStmt().GetNode().(type) {
		case *pg.Node_DeallocateStmt:
			if forget == nil {
				forget = &Forget{Name: v.DeallocateStmt.GetName()}
			} else {
				forget.Name = ""
			}
		case *pg.Node_DiscardStmt:
			if v.DiscardStmt.GetTarget() == pg.DiscardMode_DISCARD_ALL {
				forget = &Forget{}
			}
		}
	}
	if forget != nil {
		return forget, nil
	}
	return &Relay{}, nil
}
