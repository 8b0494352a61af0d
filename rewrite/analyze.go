package rewrite

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"github.com/pganalyze/pg_query_go/v6/parser"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Analyze says what is to be done with a text that an analyst sends: a simple query, or the query of a Parse message. It
// returns an error only if Session.Resolve failed.
//
// A text of several statements is relayed if none of them concerns a protected table. If one does, or is an EXECUTE, the verdict
// is a *Script.
func Analyze(sql string, s *Session) (Verdict, error) {
	if !Mentions(sql, s.Catalog) {
		return &Relay{}, nil
	}
	a := &analysis{sql: sql, session: s, guarded: guards(sql, s.Catalog)}
	verdict, refusal := a.analyze()
	if a.err != nil {
		return nil, a.err
	}
	if refusal != nil {
		if stmts := a.tree.GetStmts(); len(stmts) == 1 && refusal.Code != codeLimit {
			at(statementLocation(sql, stmts[0]), refusal) // what is about the statement as a whole
		}
		verdict = a.refused(refusal)
	}
	placeRefusals(sql, verdict)
	return verdict, nil
}

// An analysis is the work on one text.
type analysis struct {
	sql      string
	written  map[string]bool // the names in column references
	session  *Session
	tree     *pg.ParseResult // nil before the text was parsed
	mentions *mentionReader
	params   *parameters
	printer  *printer
	queries  []*CountQuery
	// shown are the reports that were replaced, each once.
	shown []*Report
	// guarded says that the text may concern a protected table or what else is forbidden. Any other text is read for comfort only,
	// and relayed if it cannot be read.
	guarded bool
	err     error
}

func (a *analysis) analyze() (Verdict, *Refusal) {
	named := namesProtected(a.sql, a.session.Catalog)
	oddNumber, refusal := checkText(a.sql, a.session.Limits, named)
	if refusal != nil {
		return a.unread(refusal)
	}
	tree, err := pg.Parse(a.sql)
	if err != nil {
		return a.unread(refuseSyntax(a.sql, err))
	}
	a.tree = tree
	stmts := tree.GetStmts()
	if a.session.Aborted {
		return a.aborted(named)
	}
	for _, stmt := range stmts {
		if refusal := forbidden(stmt); refusal != nil {
			return nil, at(statementLocation(a.sql, stmt), refusal)
		}
	}
	readers, refusal := a.readMentions(named || aids(a.sql, a.session.Catalog))
	if a.err != nil || refusal != nil {
		return nil, refusal
	}
	found := slices.ContainsFunc(readers, (*mentionReader).found)
	switch {
	case len(stmts) > 1 && a.session.Prepared && found:
		return nil, &Refusal{Code: codeSyntax, Message: "cannot insert multiple commands into a prepared statement"}
	case !found:
		var relations []*pg.RangeVar
		for _, r := range readers {
			relations = append(relations, r.relations...)
		}
		verdict, refusal := unprotected(tree, a)
		return a.masked(tree, verdict, relations), refusal
	case oddNumber >= 0:
		return nil, at(int32(oddNumber), notSupported("this way to write a number is not supported beside a protected table", "Use decimal digits alone."))
	case len(stmts) > 1:
		return a.script(readers)
	}
	a.mentions = readers[0]
	answer, refusal := a.answer(tree)
	if refusal != nil {
		return nil, refusal
	}
	if refusal := checkAll(a.queries); refusal != nil {
		return nil, refusal
	}
	return answer, nil
}

// readMentions reads the mentions of each statement, and refuses what cannot be allowed in any.
func (a *analysis) readMentions(named bool) ([]*mentionReader, *Refusal) {
	stmts := a.tree.GetStmts()
	readers := make([]*mentionReader, len(stmts))
	var names []Resolution // each is asked about once
	for i, stmt := range stmts {
		r := newMentionReader(a.session)
		readers[i] = r
		if !named {
			continue
		}
		r.names = names
		r.statement(stmt)
		if a.err = r.err; a.err != nil {
			return nil, nil
		}
		names = r.names
		if refusal := r.refuse(a.session.Prepared || len(stmts) > 1 || hasPrepare(stmts)); refusal != nil {
			return nil, refusal
		}
	}
	return readers, nil
}

// unread is the verdict on a text that cannot be read.
func (a *analysis) unread(refusal *Refusal) (Verdict, *Refusal) {
	if !a.guarded {
		return &Relay{}, nil
	}
	return nil, refusal
}

// hasPrepare reports whether one of the statements is a PREPARE.
func hasPrepare(stmts []*pg.RawStmt) bool {
	return slices.ContainsFunc(stmts, func(s *pg.RawStmt) bool { return s.GetStmt().GetPrepareStmt() != nil })
}

// refuseSyntax is for a text that must be seen and that our parser cannot read, though the server's might.
func refuseSyntax(sql string, err error) *Refusal {
	r := &Refusal{Code: codeSyntax, Message: strings.ToValidUTF8(err.Error(), "\uFFFD")}
	var syntax *parser.Error
	if errors.As(err, &syntax) && syntax.Cursorpos > 0 {
		r.Position = byteOffset(sql, syntax.Cursorpos) + 1
	}
	return r
}

// unprotected is the verdict on statements that mention no protected table.
func unprotected(tree *pg.ParseResult, a *analysis) (Verdict, *Refusal) {
	var forget *Forget
	for _, stmt := range tree.GetStmts() {
		if e := findExecute(stmt.ProtoReflect()); e != nil {
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

// answer makes an Answer of a statement that mentions protected tables, or refuses it.
func (a *analysis) answer(tree *pg.ParseResult) (*Answer, *Refusal) {
	raw := tree.GetStmts()[0]
	answer := &Answer{Nothing: yieldsNothing(raw.GetStmt())}
	if v := raw.GetStmt().GetExplainStmt(); v != nil {
		var refusal *Refusal
		if answer.Explain, refusal = readExplain(v); refusal != nil {
			return nil, refusal
		}
		raw.Stmt = v.GetQuery()
	}
	if refusal := a.checkKind(raw.GetStmt()); refusal != nil {
		if a.mentions.first == nil {
			refusal = a.mentions.refuseReports()
		}
		return nil, refusal
	}
	if refusal := checkNodes(raw.ProtoReflect()); refusal != nil {
		return nil, refusal
	}
	declared := a.session.ParamOIDs
	prepare := raw.GetStmt().GetPrepareStmt()
	if prepare != nil {
		declared = declaredTypes(prepare)
	}
	a.params = newParameters(declared)
	for range maxQueries {
		if !a.inlineWith(raw.ProtoReflect()) {
			break
		}
		a.mentions = a.mentions.again(raw)
	}
	if refusal := a.params.see(raw.ProtoReflect(), oidUnspecified); refusal != nil {
		return nil, refusal
	}
	if v := raw.GetStmt().GetCopyStmt(); v != nil {
		if len(a.params.uses) > 0 {
			use := a.params.uses[0].ref
			return nil, at(use.GetLocation(), &Refusal{Code: "42P02", Message: fmt.Sprintf("there is no parameter $%d", use.GetNumber())})
		}
		modernOptions(v)
	}
	a.written = make(map[string]bool)
	noteColumns(raw.ProtoReflect(), a.written)
	a.printer = newPrinter()
	if refusal := a.replaceReports(raw); refusal != nil {
		return nil, refusal
	}
	if refusal := a.replaceSelects(raw.ProtoReflect()); refusal != nil {
		return nil, refusal
	}
	if refusal := a.leftOver(); refusal != nil {
		return nil, refusal
	}
	if refusal := a.params.agree(); refusal != nil {
		return nil, refusal
	}
	a.numberReports()
	a.maskAll(tree, a.mentions.relations)
	answer.Queries, answer.Reports, answer.Names = a.queries, a.shown, a.mentions.names
	answer.Params, answer.ParamOIDs = a.params.highest, a.params.oids()
	answer.fixed, answer.probes = a.params.fixed, a.params.probes
	if prepare != nil {
		answer.Prepare = prepare.GetName()
		declareTypes(prepare, answer.ParamOIDs, a.printer.arrays)
	}
	rest, refusal := a.printer.print(tree)
	if refusal != nil {
		return nil, refusal
	}
	answer.Rest, answer.Rehearsal = *rest, *rest
	if refusal := a.try(answer, tree); refusal != nil {
		return nil, refusal
	}
	return answer, nil
}

// try finds what the server can be asked before anything is charged, of the kinds of statements that it does not analyse as a whole.
func (a *analysis) try(answer *Answer, tree *pg.ParseResult) *Refusal {
	var err error
	switch v := tree.GetStmts()[0].GetStmt().GetNode().(type) {
	case *pg.Node_DeclareCursorStmt:
		if answer.Explain != nil {
			break
		}
		answer.Cursor = true
		answer.Trial, err = cursorTrial(v.DeclareCursorStmt, tree.GetVersion())
	case *pg.Node_CopyStmt:
		answer.Inline = true
		rehearsal, refusal := a.printer.print(oneStatement(v.CopyStmt.GetQuery(), tree.GetVersion()))
		if refusal != nil {
			return refusal
		}
		answer.Rehearsal = *rehearsal
		answer.Trial = make([]string, 1)
		answer.Trial[0], err = copyTrial(v.CopyStmt, tree.GetVersion())
	}
	if err != nil {
		return refuseUnprintable()
	}
	return nil
}

// checkKind allows the statements in which sub-selects are replaced.
func (a *analysis) checkKind(stmt *pg.Node) *Refusal {
	const itself = "Send the SELECT itself; a question that was answered is free to ask again."
	switch v := stmt.GetNode().(type) {
	case *pg.Node_SelectStmt, *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt, *pg.Node_PrepareStmt,
		*pg.Node_DeclareCursorStmt, *pg.Node_CreateTableAsStmt: // no materialized view, see forbidden
		return nil
	case *pg.Node_CopyStmt:
		switch {
		case v.CopyStmt.GetQuery() == nil:
		case v.CopyStmt.GetIsProgram() || v.CopyStmt.GetFilename() != "":
			return notSupported("COPY of a query about a protected table to a file or program of the server is not supported",
				`Use COPY ... TO STDOUT, or psql's \copy.`)
		default:
			return nil
		}
	case *pg.Node_ViewStmt:
		return notSupported("views of protected tables are not supported", itself)
	case *pg.Node_MergeStmt:
		return notSupported("MERGE with a protected table is not supported", "Use INSERT ... SELECT or UPDATE ... FROM.")
	case *pg.Node_RuleStmt:
		return notSupported("rules about protected tables are not supported", itself)
	}
	if a.mentions.first == nil {
		return a.mentions.refuseReports()
	}
	return at(a.firstMention(), refuseUse(a.mentions.first.Policy.Name, statementName(stmt)))
}

// firstMention is the place of the first protected table that is named as a relation, -1 if there is none.
func (a *analysis) firstMention() int32 {
	first := int32(-1)
	for rv := range a.mentions.tables {
		if first < 0 || rv.GetLocation() < first {
			first = rv.GetLocation()
		}
	}
	return first
}

// statementNames are the kinds of statements whose node is not called as they are.
var statementNames = map[string]string{
	"Create": "CREATE TABLE", "Index": "CREATE INDEX", "CreateTrig": "CREATE TRIGGER", "CreateStats": "CREATE STATISTICS",
	"CreateSeq": "CREATE SEQUENCE", "AlterSeq": "ALTER SEQUENCE", "Rename": "ALTER ... RENAME", "AlterObjectSchema": "ALTER ... SET SCHEMA",
	"AlterOwner": "ALTER ... OWNER", "RefreshMatView": "REFRESH MATERIALIZED VIEW", "SecLabel": "SECURITY LABEL",
	"AlterObjectDepends": "ALTER ... DEPENDS ON EXTENSION", "VariableSet": "this SET", "Transaction": "PREPARE TRANSACTION",
}

// statementName turns AlterTableStmt into ALTER TABLE.
func statementName(stmt *pg.Node) string {
	if v := stmt.GetVacuumStmt(); v != nil && !v.GetIsVacuumcmd() {
		return "ANALYZE"
	}
	name := strings.TrimSuffix(string(inner(stmt.ProtoReflect()).Descriptor().Name()), "Stmt")
	if known, ok := statementNames[name]; ok {
		return known
	}
	var b strings.Builder
	for i, c := range name {
		if i > 0 && 'A' <= c && c <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return strings.ToUpper(b.String())
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

func checkNodes(m protoreflect.Message) (refusal *Refusal) {
	if name := m.Descriptor().Name(); !knownNodes[name] {
		refusal = notSupported(fmt.Sprintf("this syntax (%s) is not supported in a statement about a protected table", name),
			"Keep the counts in a table of your own, and go on from there: CREATE TABLE ... AS SELECT ...")
		if f := m.Descriptor().Fields().ByName("location"); f != nil {
			refusal = at(int32(m.Get(f).Int()), refusal)
		}
		return refusal
	}
	children(m, func(child protoreflect.Message) bool {
		refusal = checkNodes(child)
		return refusal == nil
	})
	return refusal
}

// replaceSelects replaces each SELECT from a protected table, from the outside in.
func (a *analysis) replaceSelects(m protoreflect.Message) (refusal *Refusal) {
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
			return at(rv.GetLocation(), notSupported("LATERAL is not supported around a protected table", "Leave out LATERAL."))
		}
	}
	children(m, func(child protoreflect.Message) bool {
		refusal = a.replaceSelects(child)
		return refusal == nil
	})
	return refusal
}

// noteColumns collects the names in column references.
func noteColumns(m protoreflect.Message, names map[string]bool) {
	if ref, ok := m.Interface().(*pg.ColumnRef); ok {
		for _, name := range stringsOf(ref.GetFields()) {
			names[name] = true
		}
		return
	}
	children(m, func(child protoreflect.Message) bool {
		noteColumns(child, names)
		return true
	})
}

func (a *analysis) protectedWithin(m protoreflect.Message) (found *pg.RangeVar) {
	if v, ok := m.Interface().(*pg.RangeVar); ok && a.mentions.tables[v] != nil {
		return v
	}
	children(m, func(child protoreflect.Message) bool {
		found = a.protectedWithin(child)
		return found == nil
	})
	return found
}

func (a *analysis) replaceSelect(sel *pg.SelectStmt) *Refusal {
	if !slices.ContainsFunc(sel.GetFromClause(), a.readsRows) {
		return nil
	}
	loc := fromLocation(sel.GetFromClause())
	tables := maps.Clone(a.mentions.tables)
	source, refusal := a.readFrom(sel)
	if refusal != nil {
		return at(loc, refusal)
	}
	if len(sel.GetLockingClause()) > 0 {
		return at(loc, &Refusal{
			Code:    codePrivilege,
			Message: fmt.Sprintf("rows of protected table %s cannot be locked", source.written),
			Hint:    "Leave out FOR UPDATE or FOR SHARE.",
		})
	}
	reader := &selectReader{sel: sel, source: source, params: a.params, tables: tables, written: a.written}
	query, refusal := reader.read()
	if refusal != nil {
		return refusal
	}
	number := len(a.queries)
	if number == maxQueries {
		return at(loc, refuseTooManyQueries())
	}
	a.queries = append(a.queries, query)
	reader.substitute(query, func(array Array) *pg.Node {
		array.Query = number
		return a.printer.array(array)
	})
	return nil
}

// maxQueries bounds the protected SELECTs of one text.
const maxQueries = 200

func refuseTooManyQueries() *Refusal {
	return &Refusal{Code: codeLimit, Message: fmt.Sprintf("a statement has more than %d SELECTs from protected tables", maxQueries)}
}

// leftOver refuses mentions that no count query accounts for.
func (a *analysis) leftOver() *Refusal {
	var left []*pg.RangeVar
	for rv := range a.mentions.tables {
		left = append(left, rv)
	}
	if len(left) > 0 {
		slices.SortFunc(left, func(x, y *pg.RangeVar) int { return int(x.GetLocation() - y.GetLocation()) })
		t := a.mentions.tables[left[0]]
		if a.mentions.targets[left[0]] {
			return at(left[0].GetLocation(), refuseUse(t.Policy.Name, "INSERT, UPDATE or DELETE"))
		}
		return at(left[0].GetLocation(), refuseRows(example{t, writtenAs(left[0]), nil}))
	}
	if len(a.mentions.others) > 0 {
		return refuseUse(a.mentions.others[0].Policy.Name, "the use of its row type")
	}
	return nil
}
