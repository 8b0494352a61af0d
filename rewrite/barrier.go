package rewrite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/policy"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
)

// This file refuses what a hole in the separation of the roles would let through: the server would not deny it. The invariant: behind a
// barrier every statement is read, and what is not known to be harmless is refused. Names are compared without the search path: what has
// the name of something refused is refused. Start at Barrier.refuse.

// A Barrier says what is refused while a check finds that analysts could reach protected rows otherwise than by answers. It never changes.
type Barrier struct {
	// Closed refuses every relation that is not one of the system's catalogs.
	Closed bool
	// Computing refuses every statement that computes anything: the server calls what was found without being told to by a name.
	Computing bool
	// Relations cannot be named, Written cannot be written to.
	Relations, Written map[policy.TableName]bool
	// Words cannot be used as names of functions, operators, types or columns: a column's name can call a function.
	Words map[string]bool
}

// barrierMark stands in the version of a catalog before what identifies its barrier.
const barrierMark = " behind "

// Behind is the catalog with another barrier, or without one, and has another version.
func (c *Catalog) Behind(b *Barrier) *Catalog {
	version, _, _ := strings.Cut(c.Version, barrierMark)
	if b != nil {
		version += barrierMark + b.digest()
	}
	return &Catalog{Version: version, Tables: c.Tables, Public: c.Public, Related: c.Related, Masks: c.Masks, Barrier: b}
}

// digest identifies what is refused.
func (b *Barrier) digest() string {
	listed := func(names map[policy.TableName]bool) []string {
		var list []string
		for name := range names {
			list = append(list, name.String())
		}
		slices.Sort(list)
		return list
	}
	text, err := json.Marshal([]any{b.Closed, b.Computing, listed(b.Relations), listed(b.Written), slices.Sorted(maps.Keys(b.Words))})
	if err != nil {
		panic("rewrite: internal error: " + err.Error()) // strings and lists of them alone
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// RefusesMore reports whether behind the catalog something is refused that was not behind another.
func (c *Catalog) RefusesMore(than *Catalog) bool {
	now, before := c.Barrier, than.Barrier
	switch {
	case now == nil:
		return false
	case before == nil:
		return true
	}
	return now.Closed && !before.Closed || now.Computing && !before.Computing ||
		!within(now.Relations, before.Relations) || !within(now.Written, before.Written) || !within(now.Words, before.Words)
}

func within[K comparable](part, whole map[K]bool) bool {
	for k := range part {
		if !whole[k] {
			return false
		}
	}
	return true
}

// refuseBehind refuses a statement that the barrier does not let through.
func (a *analysis) refuseBehind(stmt *pg.RawStmt) *pgerror.Refusal {
	b := a.session.Catalog.Barrier
	if !readable(stmt.GetStmt()) || b.Computing && computes(stmt.GetStmt()) {
		return refuseBehindBarrier(pgtree.StatementName(stmt.GetStmt()))
	}
	for s := range pgtree.Nodes[*pg.String](stmt.ProtoReflect()) {
		if b.Words[s.GetSval()] {
			return refuseBehindBarrier(s.GetSval())
		}
	}
	var relations, targets []*pg.RangeVar
	w := pgtree.NameWalker{
		Relation: func(v *pg.RangeVar) { relations = append(relations, v) },
		Target:   func(v *pg.RangeVar) { targets = append(targets, v) },
		Object:   func([]string) {},
	}
	w.Statement(stmt)
	if copied := stmt.GetStmt().GetCopyStmt(); copied.GetIsFrom() {
		targets = append(targets, copied.GetRelation())
	}
	if v := stmt.GetStmt().GetTruncateStmt(); v != nil {
		for _, n := range v.GetRelations() {
			targets = append(targets, n.GetRangeVar())
		}
	}
	for _, v := range targets {
		if hasName(b.Written, v) {
			return pgerror.At(v.GetLocation(), refuseBehindBarrier(writtenAs(v)))
		}
	}
	for _, v := range relations {
		if (hasName(b.Relations, v) || b.Closed && !a.isCatalog(v)) && !a.isProtected(v) {
			return pgerror.At(v.GetLocation(), refuseBehindBarrier(writtenAs(v)))
		}
	}
	return nil
}

// hasName reports whether a name may mean one of the tables. The schema of a session's temporary tables has two names, of which pg_temp is one.
func hasName(tables map[policy.TableName]bool, v *pg.RangeVar) bool {
	if v.GetSchemaname() != "" && !strings.HasPrefix(v.GetSchemaname(), "pg_temp") {
		return tables[policy.TableName{Schema: v.GetSchemaname(), Name: v.GetRelname()}]
	}
	for t := range tables {
		if t.Name == v.GetRelname() {
			return true
		}
	}
	return false
}

// isCatalog reports whether a name means a relation of pg_catalog or of the information schema.
func (a *analysis) isCatalog(v *pg.RangeVar) bool {
	switch v.GetSchemaname() {
	case pgtree.SystemSchema, "information_schema":
		return true
	case "":
		return a.isSystem(v.GetRelname())
	}
	return false
}

// isProtected reports whether a name means a protected table, whose counts are refused in their own words.
func (a *analysis) isProtected(v *pg.RangeVar) bool {
	if a.err != nil {
		return false
	}
	r := newReferenceReader(a.session)
	table := r.lookup(v.GetSchemaname(), v.GetRelname())
	a.err = r.err
	return table != nil
}

// readable reports whether a statement shows what it runs, reads and writes. Behind a barrier the others are refused: those that make
// code or a name for something, and those that run what was prepared, declared or defined before.
func readable(n *pg.Node) bool {
	switch v := n.GetNode().(type) {
	case *pg.Node_SelectStmt, *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt, *pg.Node_MergeStmt, *pg.Node_TruncateStmt,
		*pg.Node_CreateStmt, *pg.Node_DropStmt, *pg.Node_LockStmt,
		*pg.Node_ExplainStmt, *pg.Node_PrepareStmt, *pg.Node_DeallocateStmt, *pg.Node_DeclareCursorStmt, *pg.Node_ClosePortalStmt,
		*pg.Node_TransactionStmt, *pg.Node_VariableSetStmt, *pg.Node_VariableShowStmt, *pg.Node_ConstraintsSetStmt, *pg.Node_DiscardStmt,
		*pg.Node_ListenStmt, *pg.Node_UnlistenStmt:
		return pgtree.First[*pg.ExecuteStmt](n.ProtoReflect()) == nil
	case *pg.Node_CreateTableAsStmt:
		return v.CreateTableAsStmt.GetObjtype() == pg.ObjectType_OBJECT_TABLE && v.CreateTableAsStmt.GetQuery().GetExecuteStmt() == nil
	case *pg.Node_CopyStmt:
		return v.CopyStmt.GetFilename() == "" && !v.CopyStmt.GetIsProgram()
	}
	return false
}

// computes reports whether a statement may evaluate an expression, read a value or show one. In a transaction that began behind a barrier
// nothing is left for its end.
func computes(n *pg.Node) bool {
	switch n.GetNode().(type) {
	case *pg.Node_TransactionStmt, *pg.Node_VariableSetStmt, *pg.Node_VariableShowStmt, *pg.Node_DeallocateStmt, *pg.Node_ClosePortalStmt,
		*pg.Node_DiscardStmt, *pg.Node_UnlistenStmt:
		return false
	}
	return true
}

const (
	holeDetail = "A check found that analysts could reach protected rows otherwise than by answers."
	holeHint   = "Ask the steward of the database to run tacit check. It is allowed again as soon as the hole is closed."
)

// refuseBehindBarrier refuses a kind of statement, or a name.
func refuseBehindBarrier(what string) *pgerror.Refusal {
	return &pgerror.Refusal{
		Code: pgerror.CodePrivilege, Message: fmt.Sprintf("%s is refused while the roles are not separate", what), Detail: holeDetail, Hint: holeHint,
	}
}

// RefuseBefore refuses what was prepared, declared or begun in a session before a barrier was set up.
func RefuseBefore() *pgerror.Refusal {
	return &pgerror.Refusal{
		Code: pgerror.CodePrivilege, Message: "what was begun, prepared or declared before the roles ceased to be separate is refused",
		Detail: holeDetail, Hint: holeHint,
	}
}
