package rewrite

import "tacit/policy"

// A Verdict is what is to be done with an analyst's statement: one of *Relay, *Masked, *Refusal, *Answer, *Execute, *Forget and
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

// A Refusal is the ErrorResponse that an analyst sees. It never holds data. It is an error.
type Refusal struct {
	Code     string // SQLSTATE
	Message  string
	Detail   string
	Hint     string
	Position int // 1-based character position in the analyst's text, 0 for none
}

// Execute runs a prepared statement by SQL: EXECUTE name(arguments), also in CREATE TABLE AS. If the name is not that of a protected
// statement, the very same bytes are to be relayed, whatever Err says.
type Execute struct {
	Name string
	// Args are the values of the arguments, valid if Err is nil.
	Args []Value
	// Explain is set if the EXECUTE is to be explained.
	Explain *Explain
	// Nothing says that the counts in it do not matter: CREATE TABLE AS EXECUTE ... WITH NO DATA.
	Nothing bool
	// Err says why the statement is not usable for a protected one (arguments that are not constants, say).
	Err *Refusal

	// before and after are the statement as printed from the tree, around further arguments.
	before, after string
}

// Answer replaces protected sub-selects by sanitized cells, and reports by their rows.
type Answer struct {
	// Queries are the count queries, one for each protected sub-select, in the order of their appearance.
	Queries []*CountQuery
	// Reports are the reports that the statement reads. Their rows are cells of keys alone, which Rest takes behind those of Queries.
	Reports []*Report
	// Rest is the analyst's statement with relations of cells in place of the protected sub-selects.
	Rest Rest
	// Params is how many parameters the analyst's statement has: the larger of the highest $n and the number declared.
	Params int
	// ParamOIDs has Params types: those declared, then those inferred for parameters in a protected sub-select;
	// 0 where the server is to infer it.
	ParamOIDs []uint32
	// Prepare is the name of the statement if the text is a SQL PREPARE (whose parameters are then Params), else "".
	// With Prepare, Rest is the whole PREPARE statement with its parameter types (the analyst's, then the arrays').
	Prepare string
	// Explain is set if the statement is to be explained: then Rest is what stood behind EXPLAIN, and never runs.
	Explain *Explain
	// Inline says that the server takes no parameters in the statement, so that the arrays can only be constants in its text: a COPY.
	Inline bool
	// Nothing says that the statement has no rows whatever the counts are, so that they need not be asked: LIMIT 0, WITH NO DATA.
	Nothing bool
	// Cursor says that the statement is a DECLARE.
	Cursor bool
	// Rehearsal is what the server can parse to find slips before anything is charged: Rest, or of a COPY its query.
	Rehearsal Rest
	// Trial are statements to be run before anything is charged. Together they have no effect; the server refuses one of them if it
	// would refuse Rest for what stands around its query: the options of a COPY, the name and the time of a DECLARE.
	Trial []string
	// Names are the unqualified relation names that Analyze asked Session.Resolve about, with the answers.
	Names []Resolution

	fixed  []*fixed
	probes []probe
}

// A Resolution is what an unqualified relation name meant when the statement was analysed.
type Resolution struct {
	Name  string
	Table policy.TableName // zero: no such relation
}

// A Value is a parameter's value in text form.
type Value struct {
	Text string
	Null bool
	// TypeOID is the type of a constant that is an argument of EXECUTE, and is to be converted to the parameter's type; 0 for text
	// that the parameter's type reads, and for what is in no parameter.
	TypeOID uint32
}

func (*Relay) verdict()   {}
func (*Masked) verdict()  {}
func (*Forget) verdict()  {}
func (*Refusal) verdict() {}
func (*Answer) verdict()  {}
func (*Execute) verdict() {}
func (*Script) verdict()  {}

func (r *Refusal) Error() string { return r.Message }
