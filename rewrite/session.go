package rewrite

import (
	"slices"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/mask"
)

// A Catalog is a snapshot of what the server says of the protected tables. It is immutable; package release makes it.
type Catalog struct {
	// Version identifies the snapshot together with the policy: it changes when either does.
	Version string
	Tables  map[policy.TableName]*expr.Table
	// Public are the trusted tables that protected ones may be joined with.
	Public map[policy.TableName]*expr.PublicTable
	// Related are the other relations through which protected rows could be planned for, though not read: partitions, children and
	// parents of protected tables, and views on any of these. They cannot be mentioned at all.
	Related map[policy.TableName]bool
	// Computed are the values of expressions that the policy counts by, as the server finds them, by the canonical text of each.
	Computed map[policy.TableName]map[string]Computed
	// Masks stand for what the server withholds of its own catalog; nil: nothing.
	Masks *mask.Masks
	// Barrier is set while a check finds a hole in the separation of the roles.
	Barrier *Barrier

	watch watch // built by the first call of NeedsAnalysis
}

// Computed are the values of an expression, which are not to be changed.
type Computed struct {
	Values []pgvalue.Value
	// Unknown says why they are not known, where it is not that values of its columns are not declared.
	Unknown string
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

// exampleName is the first of the protected tables, as statements write it; "" if there are none.
func (c *Catalog) exampleName() string {
	first := ""
	for t := range c.Tables {
		if name := pgvalue.QuoteIdentifier(t.Schema) + "." + pgvalue.QuoteIdentifier(t.Name); first == "" || name < first {
			first = name
		}
	}
	return first
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

// A Session is what the meaning of a statement depends on besides its text.
type Session struct {
	Catalog *Catalog
	Limits  policy.Limits
	// Resolve tells what an unqualified relation name means in the analyst's session now: her temporary schema and
	// search_path. ok is false if there is no such relation.
	Resolve func(name string) (table policy.TableName, ok bool, err error)
	// Intervals tells whether the analyst wants the intervals of all counts that a statement shows, by tacit.intervals. Default: she does not.
	Intervals func() (bool, error)
	// Prepared says that the text is that of a Parse message: it may be planned later, when names mean something else.
	Prepared bool
	// Aborted says that the transaction block has failed. Then the server refuses whatever does not end the block, and nothing can
	// be resolved.
	Aborted bool
	// Executes says that the text, of several statements that mention no protected table, executes a prepared statement that does. Only
	// then is it read in full.
	Executes bool
	// ParamOIDs are the parameter types that a Parse message declares; nil for a simple query.
	ParamOIDs []uint32
}
