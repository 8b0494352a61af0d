package pgerror

import "tacit/policy"

// A Refusal is the ErrorResponse that an analyst sees. It never holds data. It is an error.
type Refusal struct {
	Code     string // SQLSTATE
	Message  string
	Detail   string
	Hint     string
	Position int // 1-based character position in the analyst's text, 0 for none
	// Table is the first protected table that the statement names, for the log; zero if none was made out. Clients do not see it.
	Table policy.TableName
}

func (r *Refusal) Error() string { return r.Message }

// At gives a refusal a place, unless it has one. Until Analyze is done, Position is the byte offset plus one.
func At(loc int32, r *Refusal) *Refusal {
	if r != nil && r.Position == 0 && loc >= 0 {
		r.Position = int(loc) + 1
	}
	return r
}

// Place turns the byte offset that At noted into what the analyst counts.
func (r *Refusal) Place(sql string) {
	if r != nil && r.Position > 0 {
		r.Position = characters(sql, r.Position-1)
	}
}

// SQLSTATEs of refusals. Where PostgreSQL would refuse the statement too, the code and the message are its own.
const (
	CodeNotSupported    = "0A000"
	CodePrivilege       = "42501"
	CodeSyntax          = "42601"
	CodeLimit           = "54000"
	CodeTooComplex      = "54001"
	CodeUndefinedColumn = "42703"
	CodeUndefinedTable  = "42P01"
	CodeUndefinedOp     = "42883"
	CodeGrouping        = "42803"
	CodeAmbiguousColumn = "42702"
	CodeColumnReference = "42P10"
	CodeAmbiguousParam  = "42P08"
	CodeInvalidText     = "22P02"
	CodeOutOfRange      = "22003"
	CodeInvalidDatetime = "22007"
	CodeDatetimeRange   = "22008"
	CodeInvalidEncoding = "22021"
	CodeInvalidBinary   = "22P03"
	CodeInvalidValue    = "22023"
	CodeUndefinedObject = "42704"
)
