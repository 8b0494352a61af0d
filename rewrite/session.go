package rewrite

import "tacit/policy"

// A Session is what the meaning of a statement depends on besides its text.
type Session struct {
	Catalog *Catalog
	Limits  policy.Limits
	// Resolve tells what an unqualified relation name means in the analyst's session now: her temporary schema and
	// search_path. ok is false if there is no such relation.
	Resolve func(name string) (table policy.TableName, ok bool, err error)
	// ParamOIDs are the parameter types that a Parse message declares; nil for a simple query.
	ParamOIDs []uint32
}
