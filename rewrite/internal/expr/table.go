package expr

import (
	"math/big"

	"tacit/policy"
	"tacit/rewrite/internal/pgvalue"
)

// Audited reports whether counts of the table are released or suppressed by an auditor.
func (t *Table) Audited() bool { return t.Private != "" }

// PrivateColumn is the private attribute of an audited table. Its domain is declared.
func (t *Table) PrivateColumn() *Column { return t.Column(t.Private) }

// PublicColumns are all columns of an audited table but the private one, in the policy's order. Their values are public facts.
func (t *Table) PublicColumns() []*Column {
	var public []*Column
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Name != t.Private {
			public = append(public, c)
		}
	}
	return public
}

// A Table is a protected table as the server describes it, restricted to the policy's columns.
type Table struct {
	Policy *policy.Table
	// Version is that of the catalog: what was made of another version's Table does not fit this one.
	Version string
	// Person is nil if each row is a person.
	Person *Person
	// Private is the column of the private attribute, whose domain is declared, of a table whose counts an auditor decides about; else "".
	Private string
	OID     uint32
	// Year is the one in which the catalog was read; 0 if unknown. Sums of ages until the present day are made between what ages can be in it.
	Year    int
	Columns []Column // those of the policy, in the policy's order; the private one last if the policy does not list it
	// Unlisted are the names of the table's other columns, so that a refusal can tell "not listed" from "does not exist".
	Unlisted []string
	// Present are those of them that are NULL in no row: to count one is to count rows.
	Present []string
}

// A Column is a listed column of a protected table.
type Column struct {
	Name      string
	TypeOID   uint32
	TypeName  string // without modifier, qualified: pg_catalog.varchar
	Typmod    int32  // -1: none
	Formatted string // format_type(oid, typmod): character varying(12)
	NotNull   bool
	// Collation is the column's collation, qualified and quoted, if it is not the database's default one; else "".
	Collation string
	// EnumName is the qualified name of the column's enum type, if analysts may name it; nil if not, and of other types. TypeOID is pgvalue.Enum then.
	EnumName []string
	// Domain is the declared domain as canonical text values in the order in which cells are shown, without NULL; for a
	// Range, too, every value is listed. nil: unknown. A nullable column has NULL besides, as its last key.
	Domain []string
	// Range is a declared range whose values are not listed, so that Domain is nil; nil if there is none.
	Range *ValueRange
	// Step is what neighbouring values of a declared range are apart; nil if that is not declared.
	Step *big.Rat
	// Until is the last day of Domain or Range if that ends at the present day, as a date; else "". Questions name the day, see query.BoundQuery; what
	// is computed of the column is so for later days, too.
	Until string
	// DropOutside leaves rows out of sums whose value is beyond the declared range; otherwise they count as its end.
	DropOutside bool
	// declaration remembers what Domain declares, which of a long domain takes a while; nil: it is found out each time.
	declaration *declaration

	// computation says how the value is computed; nil if it is stored.
	computation *computation
	// joined is the public table, or the second protected one, whose column it is; nil for the (first) protected table's own.
	Joined *Join
	// Aggregate is set if the column is a PersonAggregate.
	Aggregate *BoundAggregate
}

// Public reports whether the column is one of a public table.
func (c *Column) Public() bool { return c.Joined != nil && c.Joined.Protected == nil }

// DeclaredValues are those of Domain, and NULL where the column is nullable.
func (c *Column) DeclaredValues() []pgvalue.Value {
	values := make([]pgvalue.Value, 0, len(c.Domain)+1)
	for _, text := range c.Domain {
		values = append(values, pgvalue.Value{Text: text})
	}
	if !c.NotNull {
		values = append(values, pgvalue.Value{Null: true})
	}
	return values
}

// Column returns a listed column, nil if there is none of the name.
func (t *Table) Column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// A Person says how persons are told apart in a table in which one may have several rows, and for how much each of them counts.
// CheckPerson must have accepted the column.
type Person struct {
	// Column holds the person. It need not be one of the table's listed columns; then statements can say count(DISTINCT column) and
	// count(column), and nothing else of it.
	Column Column
	// Rows and Groups bound what one person contributes to a count, see bounded.
	Rows, Groups int
	// Unique says that each person has one row, by a unique key of the table, so that the bounds leave out nothing.
	Unique bool
}

// Usable reports whether the column can be a key.
func (c *Column) Usable() bool { return pgvalue.CanBeKey(c.TypeOID) }

// Countable reports whether conditions, keys or sums can be computed of the column.
func (c *Column) Countable() bool {
	return c.Usable() || c.TypeOID == pgvalue.Interval || pgvalue.IsStructured(c.TypeOID)
}
