package rewrite

import (
	"fmt"
	"strings"

	"tacit/policy"
)

// SQLSTATEs of refusals. Where PostgreSQL would refuse the statement too, the code and the message are its own.
const (
	codeNotSupported    = "0A000"
	codePrivilege       = "42501"
	codeSyntax          = "42601"
	codeLimit           = "54000"
	codeTooComplex      = "54001"
	codeUndefinedColumn = "42703"
	codeUndefinedTable  = "42P01"
	codeUndefinedOp     = "42883"
	codeGrouping        = "42803"
	codeAmbiguousColumn = "42702"
	codeColumnReference = "42P10"
	codeAmbiguousParam  = "42P08"
	codeInvalidText     = "22P02"
	codeOutOfRange      = "22003"
	codeInvalidDatetime = "22007"
	codeDatetimeRange   = "22008"
	codeInvalidEncoding = "22021"
	codeInvalidBinary   = "22P03"
	codeInvalidValue    = "22023"
	codeUndefinedObject = "42704"
)

const operatorHint = "No operator matches the given name and argument types. You might need to add explicit type casts."

func notSupported(message, hint string) *Refusal {
	return &Refusal{Code: codeNotSupported, Message: message, Hint: hint}
}

// An example is a question that would be answered, for hints: SELECT class, count(*) FROM people GROUP BY class.
type example struct {
	table *Table
	name  string   // as the analyst wrote it
	keys  []string // columns that she asked for, if any is listed
}

// statement never names a column that cannot be a key.
func (e example) statement() string { return e.counting("") }

// counting is the example with a name for the counts.
func (e example) counting(as string) string {
	if as != "" {
		as = " AS " + as
	}
	keys := e.keys
	if len(keys) == 0 {
		keys = e.table.defaultKey()
	}
	quoted := make([]string, len(keys))
	for i, k := range keys {
		quoted[i] = quoteIdentifier(k)
	}
	list := strings.Join(quoted, ", ")
	if list == "" {
		return "SELECT count(*)" + as + " FROM " + e.name
	}
	return fmt.Sprintf("SELECT %s, count(*)%s FROM %s GROUP BY %s", list, as, e.name, list)
}

// defaultKey is the first column of a declared domain, else the first that can be a key. It is never the private one.
func (t *Table) defaultKey() []string {
	var keys []string
	for i := range t.Columns {
		c := &t.Columns[i]
		if !c.usable() || c.Name == t.Private {
			continue
		}
		if c.Domain != nil {
			return []string{c.Name}
		}
		keys = append(keys, c.Name)
	}
	return keys[:min(len(keys), 1)]
}

func (c *Column) usable() bool { return familyOf(c.TypeOID) != otherFamily }

// listed names the columns that statements may use.
func (t *Table) listed() string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = quoteIdentifier(c.Name)
	}
	if t.Person != nil && t.column(t.Person.Column.Name) == nil {
		column := quoteIdentifier(t.Person.Column.Name)
		names = append(names, column+" in count(DISTINCT "+column+")")
	}
	return strings.Join(names, ", ")
}

func refuseRows(e example) *Refusal {
	return &Refusal{
		Code:    codePrivilege,
		Message: fmt.Sprintf("rows of protected table %s cannot be read", e.name),
		Detail:  "Only counts of its rows, in total or by groups, are answered.",
		Hint:    "Ask for counts instead, for example: " + e.statement(),
	}
}

func refuseUse(name policy.TableName, use string) *Refusal {
	return &Refusal{
		Code:    codePrivilege,
		Message: fmt.Sprintf("%s is not allowed on protected table %s", use, name),
		Hint:    fmt.Sprintf("Ask for counts in a SELECT, for example: SELECT count(*) FROM %s", name),
	}
}

// quoteIdentifier quotes a name where SQL needs it, as policy does for the names of tables.
func quoteIdentifier(name string) string {
	quoted := policy.TableName{Schema: "x", Name: name}.String()
	return strings.TrimPrefix(quoted, "x.")
}

// alwaysQuoted quotes a name for the SQL that this package makes.
func alwaysQuoted(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
