package rewrite

import (
	"slices"

	"tacit/policy"
)

// A Catalog is a snapshot of what the server says of the protected tables. It is immutable; package release makes it.
type Catalog struct {
	// Version identifies the snapshot together with the policy: it changes when either does.
	Version string
	Tables  map[policy.TableName]*Table
	// Public are the trusted tables that protected ones may be joined with.
	Public map[policy.TableName]*PublicTable
	// Related are the other relations through which protected rows could be planned for, though not read: partitions, children and
	// parents of protected tables, and views on any of these. They cannot be mentioned at all.
	Related map[policy.TableName]bool
	// Masks stand for what the server withholds of its own catalog; nil: nothing.
	Masks *Masks

	watch watch // built by the first call of Mentions
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
	Columns []Column // those of the policy, in the policy's order; the private one last if the policy does not list it
	// Unlisted are the names of the table's other columns, so that a refusal can tell "not listed" from "does not exist".
	Unlisted []string
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
	// Domain is the declared domain as canonical text values in the order in which cells are shown, without NULL; for a
	// Range, too, every value is listed. nil: unknown. A nullable column has NULL besides, as its last key.
	Domain []string

	// computation says how the value is computed; nil if it is stored.
	computation *computation
	// joined is the public table, or the second protected one, whose column it is; nil for the (first) protected table's own.
	joined *join
}

// public reports whether the column is one of a public table.
func (c *Column) public() bool { return c.joined != nil && c.joined.protected == nil }

// column returns a listed column, nil if there is none of the name.
func (t *Table) column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// names are those of the protected tables and of the relations that belong to them, without their schemas.
func (c *Catalog) names() []string {
	var names []string
	for t := range c.Tables {
		names = append(names, t.Name)
	}
	for t := range c.Related {
		names = append(names, t.Name)
	}
	return names
}

// hasName reports whether one of them has this name.
func (c *Catalog) hasName(name string) bool { return slices.Contains(c.names(), name) }

// ProtectsMore reports whether the catalog has protected tables, or relations of them, that another has not.
func (c *Catalog) ProtectsMore(than *Catalog) bool {
	for name := range c.Tables {
		if than.Tables[name] == nil {
			return true
		}
	}
	for name := range c.Related {
		if !than.Related[name] && than.Tables[name] == nil {
			return true
		}
	}
	return false
}

// hasPublic reports whether a public table has this name.
func (c *Catalog) hasPublic(name string) bool {
	for t := range c.Public {
		if t.Name == name {
			return true
		}
	}
	return false
}
