package release

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/audited"
	"tacit/release/internal/live"
	"tacit/release/internal/noisy"
	"tacit/release/internal/reply"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// A Config says what a Gateway is made of.
type Config struct {
	Policy *policy.Policy // Required.
	Random io.Reader      // Required: crypto/rand.Reader, or a seeded source in tests. It is read by one goroutine at a time.
	// Clock dates what is charged and recorded, and tells how old answers are. Default: the ledger's own.
	Clock func() time.Time
	// LookFor is how long a look at the catalog serves the statements that come after it. Default 0: each statement waits for a look.
	LookFor time.Duration
}

// A Gateway answers the count queries of all analysts. Its methods may be called concurrently.
type Gateway struct {
	monitor *live.Monitor
	noisy   *noisy.Answerer
	audited *audited.Answerer
	sizes   releaseSizes
}

// Open connects the curator, checks that the roles are separate, reads the catalog and opens the ledger. Roles that are not
// separate (a *SeparationError), a catalog that cannot be read, and a table of another kind than its answers in the ledger (a *KindError)
// are errors. A ledger that cannot be used is not: protected
// tables are refused until [Gateway.Refresh] can open it, and other statements go on.
func Open(ctx context.Context, c Config) (*Gateway, error) {
	if c.Policy == nil || c.Random == nil {
		return nil, errors.New("release: Config.Policy and Config.Random are required")
	}
	m, err := live.Open(ctx, c.Policy, c.Random, c.Clock)
	if err != nil {
		return nil, err
	}
	m.LookFor = c.LookFor
	return &Gateway{monitor: m, noisy: noisy.New(m), audited: audited.New(m)}, nil
}

// Close gives back the curator's connections and the ledger.
func (g *Gateway) Close() error { return g.monitor.Close() }

// Reload puts another policy in force for statements that come from now on. If it cannot be put in force the old one stays,
// and the error says why. The addresses, the upstream and the ledger cannot change while the proxy runs.
func (g *Gateway) Reload(ctx context.Context, p *policy.Policy) error {
	return g.monitor.Reload(ctx, p)
}

// Refresh checks the separation of the roles again, reads the catalog anew, and opens the ledger if it cannot be used. It is to be
// called every minute or so: what a superuser changed since then is found here. After an error protected tables are closed until a
// later Refresh succeeds. If the server could not be asked, they stay as they are, and close by themselves when no Refresh has succeeded for some
// minutes: Closed tells which.
func (g *Gateway) Refresh(ctx context.Context) error { return g.monitor.Refresh(ctx) }

// Look makes sure that what is refused is so by the catalog as it is now: it checks the separation of the roles again if something has
// changed since the last check. It is cheap if nothing has. The error is ctx's. While the number is the same, nobody had committed anything
// on the server when the last look was made, and the server had not read its settings again.
func (g *Gateway) Look(ctx context.Context) (moment uint64, err error) { return g.monitor.Look(ctx) }

// LastLook is what Look returned last, if that still serves.
func (g *Gateway) LastLook() (moment uint64, serves bool) { return g.monitor.LastLook() }

// Looked is sent to after a Look has closed or opened protected tables.
func (g *Gateway) Looked() <-chan struct{} { return g.monitor.Looked() }

// Closed says why protected tables are closed: what the last check found, that none could be made for too long, or why the ledger cannot be used.
func (g *Gateway) Closed() error { return g.monitor.Closed() }

// Policy returns the policy in force.
func (g *Gateway) Policy() *policy.Policy { return g.monitor.Current().Policy }

// Catalog returns the newest snapshot of the protected tables.
func (g *Gateway) Catalog() *rewrite.Catalog { return g.monitor.Current().Catalog }

// LedgerError says why the ledger cannot be used, nil if it can.
func (g *Gateway) LedgerError() error { return g.monitor.LedgerError() }

// LedgerIdentity is what no other ledger has, and all proxies of this one see; "" while it cannot be used.
func (g *Gateway) LedgerIdentity() string { return g.monitor.LedgerIdentity() }

// LedgerWarnings are what the steward should know of where the ledger is kept, though it can be used.
func (g *Gateway) LedgerWarnings() []string { return g.monitor.LedgerWarnings() }

// Unsealed are the audited tables of the policy in force that have no epoch, so that their counts are refused. Without a ledger that can
// be read it is all of them.
func (g *Gateway) Unsealed(ctx context.Context) []policy.TableName {
	s, l, _ := g.monitor.Present()
	if l == nil {
		return live.Unsealed(ctx, s.Policy, nil)
	}
	return live.Unsealed(ctx, s.Policy, l)
}

// OtherAdjacency are the tables of the policy in force that were counted under another adjacency, so that further counts of them are refused.
// Without a ledger that can be read it is none.
func (g *Gateway) OtherAdjacency(ctx context.Context) []policy.TableName {
	s, l, _ := g.monitor.Present()
	if l == nil {
		return nil
	}
	return live.OtherAdjacency(ctx, s.Policy, l.Reader)
}

// Refused notes in the log that an analyst's statement was refused before it came here.
func (g *Gateway) Refused(analyst, sql string, id accountant.Request, r *pgerror.Refusal) {
	g.monitor.Note(ledger.Event{Analyst: analyst, Table: r.Table, Verdict: ledger.Refused, SQL: sql, Request: id, SQLState: r.Code, Reason: r.Message})
}

// Answer returns the sanitized cells of each query of a statement, and what they cost. Equal questions in one statement are
// one release. If errors.As finds a *pgerror.Refusal in the error, that is what the analyst may see; the rest is for
// the operator's log. The context ends a count early, which stays charged.
func (g *Gateway) Answer(ctx context.Context, request reply.Request) ([]*query.Cells, *reply.Receipt, error) {
	if len(request.Queries) == 0 {
		return nil, nil, errors.New("release: internal error: a statement without a count query")
	}
	ctx, end := g.begin(ctx, request)
	defer end()
	cells, receipt, err := g.answerFrom(ctx, request, g.answer)
	var refusal *pgerror.Refusal
	if errors.As(err, &refusal) {
		g.monitor.Note(ledger.Event{
			Analyst: request.Analyst, Table: request.Queries[0].Table.Policy.Name, Verdict: ledger.Refused, SQL: request.SQL, SQLState: refusal.Code,
			Request: request.ID, Reason: refusal.Message,
		})
	}
	return cells, receipt, err
}

// Recall is Answer for a statement that costs nothing: ok is false if anything of it must be counted, or is refused, or is about an audited
// table. Then nothing was done, and Answer says the rest.
func (g *Gateway) Recall(ctx context.Context, request reply.Request) (cells []*query.Cells, receipt *reply.Receipt, ok bool) {
	if slices.ContainsFunc(request.Queries, reply.Audited) {
		return nil, nil, false
	}
	ctx, end := g.begin(ctx, request)
	defer end()
	cells, receipt, err := g.answerFrom(ctx, request, func(ctx context.Context, part reply.Request) ([]*query.Cells, *reply.Receipt, error) {
		recalled, r, ok, err := g.noisy.Recall(ctx, part)
		if err == nil && !ok {
			err = errNotRecorded
		}
		return recalled, r, err
	})
	return cells, receipt, err == nil
}

// begin says for whom the work under a context is done, and has it take its memory out of the budget until end is called.
func (g *Gateway) begin(ctx context.Context, request reply.Request) (_ context.Context, end func()) {
	return g.monitor.Memory.Begin(curator.For(ctx, request.Analyst))
}

var errNotRecorded = errors.New("release: the ledger has no answer")

// An answerer answers the queries of a statement that count.
type answerer func(context.Context, reply.Request) ([]*query.Cells, *reply.Receipt, error)

// answerFrom answers the queries that count, and those that show values of keys alone. What is refused of these is refused before anything is charged.
func (g *Gateway) answerFrom(ctx context.Context, request reply.Request, answer answerer) ([]*query.Cells, *reply.Receipt, error) {
	if err := g.monitor.CheckConstants(ctx, request.Queries); err != nil {
		return nil, nil, err
	}
	cells, receipt := make([]*query.Cells, len(request.Queries)), &reply.Receipt{}
	lists, err := g.list(ctx, request, cells)
	if err != nil {
		return nil, nil, err
	}
	if part, places := request.CountedPart(); len(places) > 0 {
		counted, r, err := answer(ctx, part)
		if err != nil {
			return nil, nil, err
		}
		receipt = r
		for i, place := range places {
			cells[place] = counted[i]
		}
	}
	receipt.Lists = lists
	return cells, receipt, nil
}

// list answers the queries that show values of keys alone.
func (g *Gateway) list(ctx context.Context, request reply.Request, cells []*query.Cells) (lists []reply.List, err error) {
	for i, q := range request.Queries {
		if !q.Lists() {
			continue
		}
		if cells[i], err = g.noisy.List(ctx, request.Analyst, q); err != nil {
			return nil, err
		}
		lists = append(lists, reply.ListOf(q))
	}
	return lists, nil
}

// answer answers the queries about audited tables and the others each in their own way. What is refused of either is refused before
// anything is charged, as far as that can be known.
func (g *Gateway) answer(ctx context.Context, request reply.Request) ([]*query.Cells, *reply.Receipt, error) {
	audit, err := g.audited.Begin(request)
	if err != nil {
		return nil, nil, err
	}
	if audit == nil {
		return g.noisy.Answer(ctx, request)
	}
	unlock, err := audit.Lock(ctx)
	if err != nil {
		return nil, nil, errors.Join(reply.RefuseCancelled.With(), err)
	}
	defer unlock()
	if err := audit.Prepare(ctx); err != nil {
		return nil, nil, err
	}
	cells, receipt := make([]*query.Cells, len(request.Queries)), &reply.Receipt{}
	if part, places := request.SanitizedPart(); len(places) > 0 {
		shown, r, err := g.noisy.Answer(ctx, part)
		if err != nil {
			return nil, nil, err
		}
		receipt = r
		if r.Charged() {
			audit.OtherPartCharged()
		}
		for i, place := range places {
			cells[place] = shown[i]
		}
	}
	if err := audit.Answer(ctx); err != nil {
		if audit.HasCharged() {
			err = reply.PartlyCharged(err)
		}
		return nil, nil, err
	}
	if err := audit.Receipt(context.WithoutCancel(ctx), receipt); err != nil {
		return nil, nil, errors.Join(reply.RefuseLedger.With(), err)
	}
	audit.Show(cells)
	return cells, receipt, nil
}

// Explain tells what Answer would charge, from the policy, the declared domains and the ledger. It charges nothing, and reads no
// protected table. Errors are as those of Answer.
func (g *Gateway) Explain(ctx context.Context, request reply.Request) (*reply.Explanation, error) {
	if len(request.Queries) == 0 {
		return nil, errors.New("release: internal error: a statement without a count query")
	}
	ctx, end := g.begin(ctx, request)
	defer end()
	err := g.monitor.CheckConstants(ctx, request.Queries)
	if err != nil {
		return nil, err
	}
	e := &reply.Explanation{}
	if e.Lists, err = g.list(ctx, request, make([]*query.Cells, len(request.Queries))); err != nil {
		return nil, err
	}
	if request, _ = request.CountedPart(); len(request.Queries) == 0 {
		return e, nil
	}
	audit, err := g.audited.Begin(request)
	if err != nil {
		return nil, err
	}
	if audit != nil {
		if e.Audits, err = audit.Explain(ctx); err != nil {
			return nil, err
		}
		if request, _ = request.SanitizedPart(); len(request.Queries) == 0 {
			return e, nil
		}
	}
	return e, g.noisy.Explain(ctx, request, e)
}
