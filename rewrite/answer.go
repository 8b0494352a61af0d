package rewrite

import (
	"maps"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/interval"
	"tacit/rewrite/internal/norows"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// answer makes an Answer of a statement that mentions protected tables, or refuses it.
func (a *analysis) answer(tree *pg.ParseResult) (*Answer, *pgerror.Refusal) {
	raw := tree.GetStmts()[0]
	answer := &Answer{Nothing: pgtree.YieldsNothing(raw.GetStmt())}
	if v := raw.GetStmt().GetExplainStmt(); v != nil {
		var refusal *pgerror.Refusal
		if answer.Explain, refusal = readExplain(v); refusal != nil {
			return nil, refusal
		}
		raw.Stmt = v.GetQuery()
	}
	if refusal := a.checkKind(raw.GetStmt()); refusal != nil {
		if a.references.first == nil {
			refusal = a.references.refuseReports()
		}
		return nil, refusal
	}
	if refusal := checkNodes(raw.ProtoReflect()); refusal != nil {
		return nil, refusal
	}
	a.expectParameters(raw)
	if refusal := a.simplify(raw); refusal != nil {
		return nil, refusal
	}
	if refusal := a.replace(raw); a.err != nil || refusal != nil {
		return nil, refusal
	}
	a.numberReports()
	a.maskAll(tree, a.references.relations)
	if refusal := a.printAnswer(answer, tree); refusal != nil {
		return nil, refusal
	}
	return answer, nil
}

// expectParameters begins to read the types of the statement's parameters, of which some are declared.
func (a *analysis) expectParameters(raw *pg.RawStmt) {
	declared := a.session.ParamOIDs
	if prepare := raw.GetStmt().GetPrepareStmt(); prepare != nil {
		declared = declaredTypes(prepare)
	}
	a.params = newParameters(declared)
	a.params.ownSelect, a.withNames = a.ownSelect, pgtree.WithNames(raw.ProtoReflect())
	a.params.ofPersons, a.params.valueOf = a.ofPersons, a.valueOf
}

// simplify turns what a statement is made of into what is read here: it puts WITH queries where they are used, empty relations where no row can
// come out, and joins of counts in the place of outer joins.
func (a *analysis) simplify(raw *pg.RawStmt) *pgerror.Refusal {
	for range maxQueries {
		if !a.inlineWith(raw.ProtoReflect()) {
			break
		}
		a.references = a.references.again(raw)
	}
	norows.Replace(raw.ProtoReflect(), a.references.tables)
	if refusal := a.countFirst(raw); refusal != nil {
		return refusal
	}
	if refusal := a.params.see(raw.ProtoReflect(), pgvalue.Unspecified); refusal != nil {
		return refusal
	}
	if v := raw.GetStmt().GetCopyStmt(); v != nil {
		if len(a.params.uses) > 0 {
			use := a.params.uses[0].ref
			return parameterUnknown.At(use.GetLocation(), use.GetNumber())
		}
		pgtree.ModernOptions(v)
	}
	return nil
}

// replace puts relations of cells in the place of the protected SELECTs, and of reports. Nothing may be left over of what was named.
func (a *analysis) replace(raw *pg.RawStmt) *pgerror.Refusal {
	a.written = make(map[string]bool)
	noteColumns(raw.ProtoReflect(), a.written)
	a.printer = newPrinter()
	a.outermost = pgtree.OutermostSelect(raw.GetStmt())
	if refusal := a.pushIntervals(raw); a.err != nil || refusal != nil {
		return refusal
	}
	if refusal := a.replaceReports(raw); refusal != nil {
		return refusal
	}
	a.noteMentions()
	if refusal := a.replaceSelects(raw.ProtoReflect()); refusal != nil {
		return refusal
	}
	if refusal := interval.RefuseLeft(raw.ProtoReflect()); refusal != nil {
		return refusal
	}
	if refusal := a.leftOver(raw.ProtoReflect()); refusal != nil {
		return refusal
	}
	return a.params.agree()
}

// printAnswer fills in an answer whose statement is as it will be sent.
func (a *analysis) printAnswer(answer *Answer, tree *pg.ParseResult) *pgerror.Refusal {
	answer.Queries, answer.Reports, answer.Names = a.queries, a.shown, a.references.names
	answer.Params, answer.ParamOIDs = a.params.highest, a.params.oids()
	answer.fixed, answer.serverChecks = a.params.fixed, a.params.serverChecks
	for i, c := range answer.serverChecks {
		c.Told = len(answer.fixed) + i + 1
	}
	prepare := tree.GetStmts()[0].GetStmt().GetPrepareStmt()
	if prepare != nil {
		answer.Prepare = prepare.GetName()
		declareTypes(prepare, answer.ParamOIDs, a.printer.arrays)
	}
	rest, refusal := a.printer.print(tree)
	if refusal != nil {
		return refusal
	}
	answer.Outer, answer.Preflight, answer.Reads = *rest, *rest, a.publicReads(tree)
	if refusal := a.try(answer, tree); refusal != nil {
		return refusal
	}
	if prepare == nil && answer.Explain == nil && !answer.HasConstants() && len(answer.Reports) == 0 && len(answer.Queries) > 0 {
		answer.Plain, answer.Lasting = pgtree.Plain(tree.GetStmts()[0].GetStmt())
	}
	return nil
}

// publicReads has a statement for each public table that the analyst's own session is to read.
func (a *analysis) publicReads(tree *pg.ParseResult) (reads []string) {
	for rv := range pgtree.Nodes[*pg.RangeVar](tree.ProtoReflect()) {
		if t := a.references.publics[rv]; t != nil && !a.references.targets[rv] {
			read := "SELECT FROM " + pgvalue.AlwaysQuoted(t.Name.Schema) + "." + pgvalue.AlwaysQuoted(t.Name.Name) + " LIMIT 0"
			if !slices.Contains(reads, read) {
				reads = append(reads, read)
			}
		}
	}
	return reads
}

// try finds what the server can be asked before anything is charged, of the kinds of statements that it does not analyse as a whole.
func (a *analysis) try(answer *Answer, tree *pg.ParseResult) *pgerror.Refusal {
	var err error
	switch v := tree.GetStmts()[0].GetStmt().GetNode().(type) {
	case *pg.Node_DeclareCursorStmt:
		if answer.Explain != nil {
			break
		}
		answer.Cursor = true
		answer.Probes = []string{"", "CLOSE " + pgvalue.AlwaysQuoted(v.DeclareCursorStmt.GetPortalname())}
		answer.Probes[0], err = pgtree.CursorProbe(v.DeclareCursorStmt, tree.GetVersion())
	case *pg.Node_CopyStmt:
		answer.Inline = true
		preflight, refusal := a.printer.print(pgtree.OneStatement(v.CopyStmt.GetQuery(), tree.GetVersion()))
		if refusal != nil {
			return refusal
		}
		answer.Preflight = *preflight
		answer.Probes = make([]string, 1)
		answer.Probes[0], err = pgtree.CopyProbe(v.CopyStmt, tree.GetVersion())
	}
	if err != nil {
		return unprintable.With()
	}
	return nil
}

// checkKind allows the statements in which sub-selects are replaced.
func (a *analysis) checkKind(stmt *pg.Node) *pgerror.Refusal {
	switch v := stmt.GetNode().(type) {
	case *pg.Node_SelectStmt, *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt, *pg.Node_PrepareStmt,
		*pg.Node_DeclareCursorStmt, *pg.Node_CreateTableAsStmt: // no materialized view, see package forbidden
		return nil
	case *pg.Node_CopyStmt:
		switch {
		case v.CopyStmt.GetQuery() == nil:
		case v.CopyStmt.GetIsProgram() || v.CopyStmt.GetFilename() != "":
			return copyToServer.With()
		default:
			return nil
		}
	case *pg.Node_ViewStmt:
		return viewRefused.With()
	case *pg.Node_MergeStmt:
		return mergeRefused.With()
	case *pg.Node_RuleStmt:
		return ruleRefused.With()
	}
	if a.references.first == nil {
		return a.references.refuseReports()
	}
	return pgerror.At(a.firstReference(), tableUsed.With(pgtree.StatementName(stmt), a.references.first.Policy.Name))
}

// knownNodes are the kinds of nodes that a statement about a protected table may be made of: those of PostgreSQL 13's queries,
// and SEARCH, CYCLE and JOIN USING aliases. Later syntax is refused, since an older server could read it as something else.
var knownNodes = func() map[protoreflect.Name]bool {
	nodes := make(map[protoreflect.Name]bool)
	for _, n := range strings.Fields(`A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star Alias BitString BoolExpr Boolean
		BooleanTest CTECycleClause CTESearchClause CaseExpr CaseWhen CoalesceExpr CollateClause ColumnRef CommonTableExpr
		CopyStmt CreateTableAsStmt CurrentOfExpr DeclareCursorStmt DefElem DeleteStmt Float FuncCall GroupingFunc GroupingSet
		IndexElem InferClause InsertStmt
		Integer IntoClause JoinExpr List LockingClause MinMaxExpr MultiAssignRef NamedArgExpr Node NullTest OnConflictClause
		ParamRef PrepareStmt RangeFunction RangeSubselect RangeTableSample RangeVar RawStmt ResTarget RowExpr SQLValueFunction
		SelectStmt SetToDefault SortBy String SubLink TypeCast TypeName UpdateStmt WindowDef WithClause XmlExpr XmlSerialize`) {
		nodes[protoreflect.Name(n)] = true
	}
	return nodes
}()

func checkNodes(m protoreflect.Message) (refusal *pgerror.Refusal) {
	if name := m.Descriptor().Name(); !knownNodes[name] {
		refusal = syntaxRefused.With(name)
		if f := m.Descriptor().Fields().ByName("location"); f != nil {
			refusal = pgerror.At(int32(m.Get(f).Int()), refusal)
		}
		return refusal
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		refusal = checkNodes(child)
		return refusal == nil
	})
	return refusal
}

// replaceSelects replaces each SELECT from a protected table, from the outside in.
func (a *analysis) replaceSelects(m protoreflect.Message) (refusal *pgerror.Refusal) {
	switch v := m.Interface().(type) {
	case *pg.SelectStmt:
		if refusal := a.replaceSelect(v); refusal != nil {
			return refusal
		}
	case *pg.RangeSubselect:
		if !v.GetLateral() {
			break
		}
		if rv := a.protectedWithin(m); rv != nil {
			return lateralRefused.At(rv.GetLocation())
		}
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		refusal = a.replaceSelects(child)
		return refusal == nil
	})
	return refusal
}

// pushIntervals brings calls of tacit.low and the like to the counts that they are about, and adds such calls if the session wants them of
// all counts that it shows.
func (a *analysis) pushIntervals(raw *pg.RawStmt) (refusal *pgerror.Refusal) {
	counts := func(sel *pg.SelectStmt) bool { return slices.ContainsFunc(sel.GetFromClause(), a.readsRows) }
	if shown := pgtree.ShownSelect(raw.GetStmt()); shown != nil && a.session.Intervals != nil && len(a.references.tables) > 0 {
		on, err := a.session.Intervals()
		if a.err = err; err != nil {
			return nil
		}
		if on {
			interval.AddIntervals(raw.ProtoReflect(), shown, counts)
		}
	}
	return interval.Push(raw.ProtoReflect(), counts, a.written)
}

// noteColumns collects the names in column references.
func noteColumns(m protoreflect.Message, names map[string]bool) {
	for ref := range pgtree.Nodes[*pg.ColumnRef](m) {
		for _, name := range pgtree.Strings(ref.GetFields()) {
			names[name] = true
		}
	}
}

func (a *analysis) replaceSelect(sel *pg.SelectStmt) *pgerror.Refusal {
	if !slices.ContainsFunc(sel.GetFromClause(), a.readsRows) {
		return nil
	}
	loc := pgtree.FromLocation(sel.GetFromClause())
	tables := maps.Clone(a.references.tables)
	source, refusal := a.readFrom(sel, new(int))
	if refusal != nil {
		return pgerror.At(loc, refusal)
	}
	if len(sel.GetLockingClause()) > 0 {
		return pgerror.At(loc, rowsLocked.With(source.written))
	}
	number := len(a.queries)
	reader := &selectReader{sel: sel, source: source, params: a.params, tables: tables, written: a.written, outermost: a.outermost}
	reader.array = func(array Array) *pg.Node {
		array.Query = number
		return a.printer.array(array)
	}
	query, refusal := reader.read()
	if refusal != nil {
		return refusal
	}
	if number == maxQueries {
		return selectsTooMany.At(loc, maxQueries)
	}
	if query.Beside = a.beside[sel]; query.Beside != nil {
		query.Beside.Undeclared = undeclaredBeside.At(loc, source.table.Policy.Name)
	}
	a.queries = append(a.queries, query)
	reader.substitute(query)
	return nil
}

// maxQueries bounds the protected SELECTs of one text.
const maxQueries = 200

// leftOver refuses mentions that no count query accounts for. Those that stand in the statement no more are no matter: a sub-select by persons is a
// part of a key that cells took the place of.
func (a *analysis) leftOver(m protoreflect.Message) *pgerror.Refusal {
	var left []*pg.RangeVar
	for rv := range pgtree.Nodes[*pg.RangeVar](m) {
		if t := a.readWithin[rv]; t != nil {
			a.references.tables[rv] = t
		}
		if a.references.tables[rv] != nil {
			left = append(left, rv)
		}
	}
	if len(left) > 0 {
		slices.SortFunc(left, func(x, y *pg.RangeVar) int { return int(x.GetLocation() - y.GetLocation()) })
		t := a.references.tables[left[0]]
		if a.references.targets[left[0]] {
			return pgerror.At(left[0].GetLocation(), tableUsed.With("INSERT, UPDATE or DELETE", t.Policy.Name))
		}
		return pgerror.At(left[0].GetLocation(), refuseRows(example{t, writtenAs(left[0]), nil}))
	}
	if len(a.references.others) > 0 {
		return tableUsed.With("the use of its row type", a.references.others[0].Policy.Name)
	}
	return nil
}
