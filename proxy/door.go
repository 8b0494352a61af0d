package proxy

import (
	"context"

	"tacit/policy"
	"tacit/release"
	"tacit/rewrite"
)

// A Door is where protected rows are counted: a *release.Door. Its methods are called concurrently.
type Door interface {
	// Policy and Catalog are those in force now. Neither ever changes.
	Policy() *policy.Policy
	Catalog() *rewrite.Catalog
	// Answer returns the cells of each query, and what they cost. What the analyst may see of an error is the *rewrite.Refusal
	// that errors.As finds in it.
	Answer(ctx context.Context, ask release.Ask) ([]*rewrite.Cells, *release.Receipt, error)
	// Report returns the rows of each report, for this analyst, as cells of keys alone.
	Report(ctx context.Context, analyst string, reports []*rewrite.Report) ([]*rewrite.Cells, error)
	// Explain tells what Answer would charge, for free.
	Explain(ctx context.Context, ask release.Ask) (*release.Explanation, error)
	// Refused notes that a statement was refused before it came to the door.
	Refused(analyst, sql string, r *rewrite.Refusal)
}
