package proxy

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/accountant"
	"tacit/internal/stopwatch"
	"tacit/policy"
	"tacit/proxy/internal/fingerprints"
	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/repeats"
	"tacit/proxy/internal/wire"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// This file is the interceptor of statements and its ways to deal with the message at hand: let it through, send something else in its
// place, refuse it. The invariant: each message ends in exactly one call of the relay's Relay, Replace or Skip, whose request has all
// effects of the message on what is remembered. Start at interceptor, then messages.go.

// An interceptor decides, in one session, about the messages that hold statements or names of them. Its methods are called by the
// goroutine that reads from the client; what other goroutines call says so.
type interceptor struct {
	ctx      context.Context // of the session
	analyst  string
	releaser Releaser
	verdicts *verdicts
	replies  *replies
	log      *slog.Logger
	// closed writes lines that come again and again, and observer and fingerprints are for what is told of statements. All sessions share them.
	closed       *repeats.Log
	shared       *slog.Logger
	observer     Observer
	lately       *lately
	fingerprints *fingerprints.Cache
	inbound      *relay.Inbound
	statements   *statements
	pending      pendingCount

	// privateName is the beginning of the names of the proxy's own statements and portals on the server; roundTrips counts them.
	privateName string
	roundTrips  int

	// watch measures the statement at hand, and spoken counts those that were observed.
	watch  *stopwatch.Watch
	spoken int
	// remembers is set when the first statement of the session is to be remembered. Before that most messages need not be read.
	remembers bool
	// portals that hold a statement whose execution has an effect on others, or a command tag of its own.
	portals map[string]*statement
	// prologue is what runs of the Query at hand although the rest is refused.
	prologue rewrite.Prologue
	// asked says that the server was asked for the message at hand; quiet, that notices are not wanted; fresh, that counts are to be
	// asked anew; intervals, that they are to be shown beside counts.
	asked, quiet, fresh, intervals bool
	// answers are those of the last statements.
	answers answers
	// timeout is how long she waits for an answer, 0 for as long as it takes.
	timeout time.Duration
	// clientGone says whether the client has left, nil if that cannot be known while nobody reads from it; leave ends the session.
	clientGone func() bool
	leave      func(cause error)
	until      func(context.Context, time.Time) error // waits
	// maxAge is how old answers may be, 0 for any age, and within how exact counts are to be, 0 for as they are; zone is where times are read, nil if it is not known.
	maxAge time.Duration
	within query.Exactness
	zone   *time.Location
	// catalog is that under which the statements of the session were last judged; nil before the first.
	catalog *rewrite.Catalog
	// current says that catalog was brought up to date for the message at hand.
	current bool

	// known is what the server said last of the session, for knownFor, and executed counts the messages that can have changed it since. harmless says that
	// the message at hand cannot. moment is that of the last Look, and looked says that it was made for the message at hand.
	known            knowledge
	knownFor         time.Duration
	executed, moment uint64
	harmless, looked bool
	// held is a Bind, with what follows it, that may be answered without the server.
	held *heldBind
	// boundPlain says that the unnamed portal holds a statement whose execution is harmless.
	boundPlain bool
	// request is the protected statement at hand, none until it is asked for.
	request accountant.Request
	// unnamed says that the server may have an unnamed prepared statement.
	unnamed bool
}

// limits are those in force now.
func (in *interceptor) limits() policy.Limits { return in.releaser.Policy().Limits }

// requestID is that of the protected statement at hand, until its end is told (conclude).
func (in *interceptor) requestID() accountant.Request {
	if in.request == (accountant.Request{}) {
		in.request = accountant.NewRequest()
	}
	return in.request
}

// refused notes a refusal that the releaser does not know of.
func (in *interceptor) refused(text string, r *pgerror.Refusal) {
	in.releaser.Refused(in.analyst, text, in.requestID(), r)
	in.conclude(text, Refused, nil, r)
}

// unknownVerdict refuses a statement whose verdict this package does not know.
func (in *interceptor) unknownVerdict(v rewrite.Verdict) *pgerror.Refusal {
	in.log.Error("unknown verdict", "verdict", fmt.Sprintf("%T", v))
	return errInternal
}

// ownName is a new name for a statement and a portal of the proxy's own.
func (in *interceptor) ownName() string {
	in.roundTrips++
	return fmt.Sprintf("%s:%d", in.privateName, in.roundTrips)
}

// tracks says whether a name must be looked up or kept track of.
func (in *interceptor) tracks(name string) bool { return in.remembers && in.statements.tracks(name) }

// tooManyStatements says whether no further statement can be remembered.
func (in *interceptor) tooManyStatements() bool { return in.statements.full(in.portals) }

// lookUp returns the statement of a name, nil if it is none that is remembered. It waits until the server has confirmed it.
func (in *interceptor) lookUp(name string) (*statement, error) {
	if !in.remembers {
		return nil, nil
	}
	st, unconfirmed := in.statements.get(name)
	if unconfirmed {
		if err := in.inbound.Drain(); err != nil {
			return nil, err
		}
		st, _ = in.statements.get(name)
	}
	return st, nil
}

// affecting adds effects, if any, to a handling, which may be nil, and marks the session as one that remembers statements.
func (in *interceptor) affecting(how *relay.Handling, effects ...*effect) *relay.Handling {
	if len(effects) == 0 {
		return how
	}
	changed := relay.Handling{}
	if how != nil {
		changed = *how
	}
	in.remembers = true
	changed.Done = in.statements.begin(effects)
	return &changed
}

// affectingQuery is affecting for a Query, each of which drops the unnamed statement.
func (in *interceptor) affectingQuery(how *relay.Handling, effects ...*effect) *relay.Handling {
	if in.tracks("") {
		effects = append(effects, &effect{always: true})
	}
	return in.affecting(how, effects...)
}

// affectingParse is affecting for a Parse. becomes is what its statement is to be remembered as, if at all.
func (in *interceptor) affectingParse(how *relay.Handling, name string, becomes *statement) *relay.Handling {
	if becomes == nil && !in.tracks(name) {
		return how
	}
	return in.affecting(how, &effect{name: name, becomes: becomes, always: name == ""})
}

// relayQuery lets a Query through.
func (in *interceptor) relayQuery(effects ...*effect) error {
	return in.inbound.Relay(relay.QueryRequest, in.affectingQuery(nil, effects...))
}

// relayParse lets a Parse through.
func (in *interceptor) relayParse(name string, becomes *statement) error {
	return in.inbound.Relay(relay.ParseRequest, in.affectingParse(nil, name, becomes))
}

// replaceQuery sends another text in place of the Query at hand.
func (in *interceptor) replaceQuery(how *relay.Handling, text string, effects ...*effect) error {
	message, ok := wire.TryAppend(nil, &pgproto3.Query{String: text})
	if !ok {
		return in.refuse(relay.QueryRequest, errTooLarge)
	}
	return in.inbound.Replace(relay.QueryRequest, in.affectingQuery(how, effects...), message)
}

// replaceParse sends another Parse in place of the one at hand.
func (in *interceptor) replaceParse(how *relay.Handling, m pgproto3.Parse, becomes *statement) error {
	message, ok := wire.TryAppend(nil, &m)
	if !ok {
		return in.refuse(relay.ParseRequest, errTooLarge)
	}
	return in.inbound.Replace(relay.ParseRequest, in.affectingParse(how, m.Name, becomes), message)
}

// refuse makes the server fail in place of the message at hand, and shows the client our error in place of the server's.
func (in *interceptor) refuse(kind relay.RequestKind, r *pgerror.Refusal) error {
	return in.substitute(kind, refusing(r))
}

// substitute sends what must fail in place of the message at hand.
func (in *interceptor) substitute(kind relay.RequestKind, how *relay.Handling) error {
	if err := in.sendHeld(nil); err != nil {
		return err
	}
	if kind != relay.QueryRequest {
		message := wire.Append(nil, &pgproto3.Parse{Name: in.privateName, Query: refusedText})
		return in.inbound.Replace(relay.ParseRequest, how, message)
	}
	text := refusedText
	if p := in.prologue; p.Statements > 0 {
		how.Prologue, text = p.Statements, p.Text+"; "+refusedText
	}
	return in.inbound.Replace(kind, in.affectingQuery(how), wire.Append(nil, &pgproto3.Query{String: text}))
}

// refuseOr turns a refusal into the end of the message at hand; other errors go on.
func (in *interceptor) refuseOr(kind relay.RequestKind, err error) error {
	var r *pgerror.Refusal
	if errors.As(err, &r) {
		return in.refuse(kind, r)
	}
	return err
}

// failOr makes a round trip that the server has failed the failure of the message at hand; other errors go on.
func (in *interceptor) failOr(kind relay.RequestKind, err error) error {
	var f relay.ServerError
	switch {
	case !errors.As(err, &f):
		return err
	case f.Response != nil:
		return in.substitute(kind, &relay.Handling{Error: f.Response})
	case kind == relay.QueryRequest: // which has a ReadyForQuery although the pipeline before it has failed
		return in.inbound.Replace(relay.SyncRequest, nil, wire.Sync)
	}
	return relay.ErrSkipped
}

// skipOr leaves the message at hand out if the server would skip it; other errors go on.
func (in *interceptor) skipOr(err error) error {
	if errors.Is(err, relay.ErrSkipped) {
		return in.inbound.Skip()
	}
	return err
}

// drain waits until the server has replied to everything before, so that it can be asked for what concerns the message at hand.
func (in *interceptor) drain() error {
	in.asked = false
	return in.inbound.Drain()
}
