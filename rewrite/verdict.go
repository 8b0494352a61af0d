package rewrite

import (
	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// A Verdict is what is to be done with an analyst's statement: one of *Relay, *Masked, *Refused, *Answer, *Execute, *Forget and
// *Script. It is immutable, and so may serve several sessions at once.
type Verdict interface{ verdict() }

// Relay forwards the very same bytes: the statement mentions no protected relation and nothing the proxy must know.
type Relay struct{}

// Masked forwards another text: the statements ask for parts of the system's catalog that are withheld from analysts, and the text
// asks for NULL and the like in their place. Its parameters and results are those of the analyst's own text.
type Masked struct {
	Text string
	// Forget, if not nil, is what the text does besides.
	Forget *Forget
}

// Forget forwards the very same bytes, and when the server has completed the statement, prepared statements are gone:
// DEALLOCATE name, DEALLOCATE ALL, DISCARD ALL.
type Forget struct {
	Name string // empty: all
}

// Refused says that the analyst is answered by an error, and the server sees nothing of the statement.
type Refused struct{ Err *pgerror.Refusal }

// Execute runs a prepared statement by SQL: EXECUTE name(arguments), also in CREATE TABLE AS. If the name is not that of a protected
// statement, the very same bytes are to be relayed, whatever Err says.
type Execute struct {
	Name string
	// Args are the values of the arguments, valid if Err is nil.
	Args []pgvalue.Value
	// Explain is set if the EXECUTE is to be explained.
	Explain *Explain
	// Nothing says that the counts in it do not matter: CREATE TABLE AS EXECUTE ... WITH NO DATA.
	Nothing bool
	// Err says why the statement is not usable for a protected one (arguments that are not constants, say).
	Err *pgerror.Refusal

	// alone is the statement as printed from the tree; before and after are the same around further arguments.
	alone, before, after string
}

// Answer replaces protected sub-selects by sanitized cells, and reports by their rows.
type Answer struct {
	// Queries are the count queries, one for each protected sub-select, in the order of their appearance.
	Queries []*query.CountQuery
	// Reports are the reports that the statement reads. Their rows are cells of keys alone, which Outer takes behind those of Queries.
	Reports []*Report
	// Outer is the analyst's statement with relations of cells in place of the protected sub-selects.
	Outer OuterQuery
	// Params is how many parameters the analyst's statement has: the larger of the highest $n and the number declared.
	Params int
	// ParamOIDs has Params types: those declared, then those inferred for parameters in a protected sub-select;
	// 0 where the server is to infer it.
	ParamOIDs []uint32
	// Prepare is the name of the statement if the text is a SQL PREPARE (whose parameters are then Params), else "".
	// With Prepare, Outer is the whole PREPARE statement with its parameter types (the analyst's, then the arrays').
	Prepare string
	// Explain is set if the statement is to be explained: then Outer is what stood behind EXPLAIN, and never runs.
	Explain *Explain
	// Inline says that the server takes no parameters in the statement, so that the arrays can only be constants in its text: a COPY.
	Inline bool
	// Nothing says that the statement has no rows whatever the counts are, so that they need not be asked: LIMIT 0, WITH NO DATA.
	Nothing bool
	// Cursor says that the statement is a DECLARE.
	Cursor bool
	// Preflight is what the server can parse to find slips before anything is charged: Outer, or of a COPY its query.
	Preflight OuterQuery
	// Probes are statements to be run before anything is charged. Together they have no effect; the server refuses one of them if it
	// would refuse Outer for what stands around its query: the options of a COPY, the name and the time of a DECLARE.
	Probes []string
	// Reads are statements that yield nothing, and that the server refuses if the analyst may not read a public table in Outer, which
	// it would find after the charge only.
	Reads []string
	// Plain says that Outer does nothing but show columns of its cells, and constants: it has no effect on the session. Lasting says that its
	// result is the same, too, whenever the cells are.
	Plain, Lasting bool
	// Names are the unqualified relation names that Analyze asked Session.Resolve about, with the answers.
	Names []Resolution

	fixed []*expr.Fixed
	// serverChecks have constants that PostgreSQL would look at only when it reaches a row: a regular expression, the name of a time zone.
	serverChecks []*expr.Call
}

// A Resolution is what an unqualified relation name meant when the statement was analysed.
type Resolution struct {
	Name  string
	Table policy.TableName // zero: no such relation
}

func (*Relay) verdict() {}

func (*Masked) verdict() {}

func (*Forget) verdict() {}

func (*Refused) verdict() {}

func (*Answer) verdict() {}

func (*Execute) verdict() {}

func (*Script) verdict() {}

// NoCells are cells of the queries' shape for an answer of which nothing will be seen.
func (a *Answer) NoCells() []*query.Cells {
	cells := make([]*query.Cells, len(a.Queries))
	for i, q := range a.Queries {
		cells[i] = &query.Cells{Keys: make([][]pgvalue.Value, len(q.Keys)), Counts: make([][]int64, q.Columns())}
	}
	for _, r := range a.Reports {
		cells = append(cells, &query.Cells{Keys: make([][]pgvalue.Value, len(r.Columns))})
	}
	return cells
}

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
	Refused *pgerror.Refusal
	Steps   []Step
	// Reverts, if not nil, is why the text cannot run in a transaction block that was open before: to end it could change what
	// names mean.
	Reverts *pgerror.Refusal
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
	Err *pgerror.Refusal
	// Settled says that nothing before the statement changes how the server parses it.
	Settled bool
}
