package proxy

import (
	"context"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// A Releaser is where protected rows are counted: a *release.Gateway. Its methods are called concurrently.
type Releaser interface {
	// Policy and Catalog are those in force now. Neither ever changes.
	Policy() *policy.Policy
	Catalog() *rewrite.Catalog
	// Answer returns the cells of each query, and what they cost. What the analyst may see of an error is the *pgerror.Refusal
	// that errors.As finds in it.
	Answer(ctx context.Context, ask release.Request) ([]*query.Cells, *release.Receipt, error)
	// Recall is Answer for what costs nothing. If ok is false, nothing was done.
	Recall(ctx context.Context, ask release.Request) (cells []*query.Cells, receipt *release.Receipt, ok bool)
	// Report returns the rows of each report, for this analyst, as cells of keys alone.
	Report(ctx context.Context, analyst string, reports []*rewrite.Report) ([]*query.Cells, error)
	// Explain tells what Answer would charge, for free.
	Explain(ctx context.Context, ask release.Request) (*release.Explanation, error)
	// Look makes sure that Catalog is of the server as it is now, as far as that is found out by a check of what has changed. While moment is
	// the same, nobody had committed anything on the server when the last check was made, some milliseconds ago, and the server had not read its
	// settings again. The error is that of ctx.
	Look(ctx context.Context) (moment uint64, err error)
	// LastLook is what Look returned last, if that still serves. It does not wait.
	LastLook() (moment uint64, serves bool)
	// Refused notes that a statement was refused without being asked of the Releaser.
	Refused(analyst, sql string, id accountant.Request, r *pgerror.Refusal)
}
