package rewrite

import (
	"errors"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"github.com/pganalyze/pg_query_go/v6/parser"

	"tacit/policy"
	"tacit/rewrite/internal/forbidden"
	"tacit/rewrite/internal/interval"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// Analyze says what is to be done with a text that an analyst sends: a simple query, or the query of a Parse message. It
// returns an error only if Session.Resolve failed.
//
// A text of several statements is relayed if none of them concerns a protected table. If one does, or is an EXECUTE, the verdict
// is a *Script.
func Analyze(sql string, s *Session) (Verdict, error) {
	if !NeedsAnalysis(sql, s.Catalog) {
		return &Relay{}, nil
	}
	a := &analysis{sql: sql, session: s, guarded: guards(sql, s.Catalog)}
	verdict, refusal := a.analyze()
	if a.err != nil {
		return nil, a.err
	}
	if refusal != nil {
		if stmts := a.tree.GetStmts(); len(stmts) == 1 && refusal.Code != pgerror.CodeLimit {
			pgerror.At(pgtree.StatementLocation(sql, stmts[0]), refusal) // what is about the statement as a whole
		}
		refusal.Table = a.about
		verdict = a.refused(refusal)
	}
	placeRefusals(sql, verdict)
	return verdict, nil
}

// CountBy is a count of all rows of a table by keys that the steward has written: quoted columns, or expressions. An error is for the steward.
func CountBy(catalog *Catalog, limits policy.Limits, table policy.TableName, keys []string) (*query.BoundQuery, error) {
	sql := "SELECT pg_catalog.count(*) FROM " + table.String()
	for i, key := range keys {
		sql += []string{" GROUP BY (", ", ("}[min(i, 1)] + key + "\n)"
	}
	verdict, err := Analyze(sql, &Session{Catalog: catalog, Limits: limits})
	if err != nil {
		return nil, err
	}
	if refused, ok := verdict.(*Refused); ok {
		return nil, refused.Err
	}
	answer, ok := verdict.(*Answer)
	if !ok || len(answer.Queries) != 1 {
		return nil, errors.New("it is no count of a protected table")
	}
	if answer.HasConstants() {
		return nil, errors.New("it has constants that the server evaluates anew for each session")
	}
	q, refusal := answer.Queries[0].Bind(nil)
	if refusal != nil {
		return nil, refusal
	}
	shape, ok := q.CountShape(q.Counts[0])
	if !ok || len(q.Keys) != len(keys) || len(q.KeyOrder()) != len(keys) {
		return nil, errors.New("no other counts follow from one of its columns")
	}
	if q.Totals || len(q.Counts) != 1 || len(shape.Where)+len(shape.Filter) > 0 {
		return nil, errors.New("it says more than what rows are counted by")
	}
	return q, nil
}

// Fingerprint is the same for statements that differ in constants alone, and tells nothing of these. It is empty for a text that Analyze does not read.
func Fingerprint(sql string, limits policy.Limits) string {
	if _, refusal := scan.CheckText(sql, limits, true); refusal != nil {
		return ""
	}
	fingerprint, err := pg.Fingerprint(sql)
	if err != nil {
		return ""
	}
	return fingerprint
}

func (a *analysis) analyze() (Verdict, *pgerror.Refusal) {
	named := namesProtected(a.sql, a.session.Catalog)
	oddNumber, refusal := scan.CheckText(a.sql, a.session.Limits, named)
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
	if refusal := a.refuseStatements(stmts); a.err != nil || refusal != nil {
		return nil, refusal
	}
	readers, refusal := a.readReferences(named || hints(a.sql, a.session.Catalog))
	if a.err != nil || refusal != nil {
		return nil, refusal
	}
	for i, r := range readers {
		if r.found() {
			continue
		}
		if refusal := interval.RefuseIn(stmts[i].ProtoReflect(), a.session.Catalog.exampleName()); refusal != nil {
			return nil, refusal
		}
	}
	found := slices.ContainsFunc(readers, (*referenceReader).found)
	switch {
	case len(stmts) > 1 && a.session.Prepared && found:
		return nil, multiplePrepared.With()
	case !found:
		var relations []*pg.RangeVar
		for _, r := range readers {
			relations = append(relations, r.relations...)
		}
		verdict, refusal := unprotected(tree, a)
		return a.masked(tree, verdict, relations), refusal
	case oddNumber >= 0:
		return nil, numberRefused.At(int32(oddNumber))
	case len(stmts) > 1:
		return a.script(readers)
	}
	a.references = readers[0]
	answer, refusal := a.answer(tree)
	if refusal != nil {
		return nil, refusal
	}
	if refusal := query.CheckAll(a.queries); refusal != nil {
		return nil, refusal
	}
	return answer, nil
}

// refuseStatements refuses what is forbidden whatever it names, and what a barrier does not let through.
func (a *analysis) refuseStatements(stmts []*pg.RawStmt) *pgerror.Refusal {
	for _, stmt := range stmts {
		if refusal := forbidden.Refuse(stmt); refusal != nil {
			return pgerror.At(pgtree.StatementLocation(a.sql, stmt), refusal)
		}
	}
	if a.session.Catalog.Barrier == nil {
		return nil
	}
	for _, stmt := range stmts {
		if refusal := a.refuseBehind(stmt); a.err != nil || refusal != nil {
			return refusal
		}
	}
	return nil
}

// readReferences reads the mentions of each statement, and refuses what cannot be allowed in any.
func (a *analysis) readReferences(named bool) ([]*referenceReader, *pgerror.Refusal) {
	stmts := a.tree.GetStmts()
	readers := make([]*referenceReader, len(stmts))
	var names []Resolution // each is asked about once
	for i, stmt := range stmts {
		r := newReferenceReader(a.session)
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
		a.noteTable(r)
		if refusal := r.refuse(a.session.Prepared || len(stmts) > 1 || hasPrepare(stmts)); refusal != nil {
			return nil, refusal
		}
	}
	return readers, nil
}

// unread is the verdict on a text that cannot be read.
func (a *analysis) unread(refusal *pgerror.Refusal) (Verdict, *pgerror.Refusal) {
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
func refuseSyntax(sql string, err error) *pgerror.Refusal {
	r := &pgerror.Refusal{Code: pgerror.CodeSyntax, Message: strings.ToValidUTF8(err.Error(), "\uFFFD")}
	var syntax *parser.Error
	if errors.As(err, &syntax) && syntax.Cursorpos > 0 {
		r.Position = pgerror.ByteOffset(sql, syntax.Cursorpos) + 1
	}
	return r
}
