package rewrite

import "tacit/policy"

// A Session is what the meaning of a statement depends on besides its text.
type Session struct {
	Catalog *Catalog
	Limits  policy.Limits
	// Resolve tells what an unqualified relation name means in the analyst's session now: her temporary schema and
	// search_path. ok is false if there is no such relation.
	Resolve func(name string) (table policy.TableName, ok bool, err error)
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
