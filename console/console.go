package console

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/alexedwards/scs/v2/memstore"
	lru "github.com/hashicorp/golang-lru/v2"

	"tacit/console/internal/openid"
	"tacit/console/internal/sums"
	"tacit/internal/limited"
	"tacit/internal/stopwatch"
	"tacit/policy"
	"tacit/proxy/encryption"
	"tacit/release"
)

// A Config says what a console shows.
type Config struct {
	// Policy is the one in force. Required. It has a section console.
	Policy func() *policy.Policy
	// Encryption is that of the proxy, from which pages have their certificate. Required.
	Encryption func() *encryption.Server
	// Closed says why protected tables are closed; nil if a console beside a proxy cannot know.
	Closed func() error
	// Answered are the last answers of an analyst, the newest first; nil if a console beside a proxy cannot know.
	Answered func(analyst string) []release.Told
	// Log is required.
	Log *slog.Logger
	// Now is time.Now unless said otherwise.
	Now func() time.Time
}

// A Console serves pages. Close ends what it does in the background.
type Console struct {
	Config
	sessions                *scs.SessionManager
	kept                    *memstore.MemStore
	attempts                *attempts
	checking                chan struct{} // has room for as many passwords as are checked at once
	exports, analystExports chan struct{} // and for as many exports of officers, and of analysts
	exporting               sync.Map      // names of those whose exports run
	// ended has the tokens of sessions that were logged out. A request that was under way then would store its session again.
	ended *lru.Cache[string, struct{}]

	inspections inspections
	advised     advised
	// pending are acts that wait for their stewards' word, and writing has room for the one that is written.
	pending *lru.Cache[string, *pendingAct]
	writing chan struct{}
	jobs    jobs
	asking  chan struct{} // has room for one analyst who waits to write

	// provider is asked who somebody is, and logins are attempts that are under way there, by the cookies of their browsers.
	provider openid.Client
	logins   *lru.Cache[string, openid.Attempt]

	source   openedLedger
	errors   *lastErrors
	sums     sums.Sums
	released releasedLately
	slow     slowFacts
	proof    verification

	until func(context.Context, time.Time) error // waits

	ending context.Context
	end    context.CancelFunc
	tasks  sync.WaitGroup
}

// Limits of the server. A client that is slow loses its connection, and sooner where others need its place.
const (
	headerTimeout  = 5 * time.Second
	requestTimeout = 15 * time.Second
	answerTimeout  = 30 * time.Second
	idleTimeout    = time.Minute
	maxHeaderBytes = 16 << 10
	maxBodyBytes   = 16 << 10
	maxConnections = 200
	maxEnded       = 100_000 // more logouts than there can be while a request is under way
)

// New makes a console.
func New(c Config) (*Console, error) {
	if c.Policy == nil || c.Encryption == nil || c.Log == nil {
		return nil, errors.New("console: a policy, an encryption and a log are required")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	var kept *lastErrors
	c.Log, kept = errorsOf(c.Log)
	console := &Console{Config: c, errors: kept, until: stopwatch.WaitUntil, attempts: newAttempts(c.Now), checking: make(chan struct{}, 2), exports: make(chan struct{}, 2), analystExports: make(chan struct{}, 2)}
	var err error
	if console.ended, err = lru.New[string, struct{}](maxEnded); err != nil {
		return nil, err
	}
	if console.pending, err = lru.New[string, *pendingAct](maxPending); err != nil {
		return nil, err
	}
	if console.inspections.last, err = lru.New[string, *inspection](keptInspections); err != nil {
		return nil, err
	}
	if console.jobs, err = newJobs(); err != nil {
		return nil, err
	}
	if console.logins, err = lru.New[string, openid.Attempt](maxLogins); err != nil {
		return nil, err
	}
	console.writing, console.asking = make(chan struct{}, 1), make(chan struct{}, 1)
	console.ending, console.end = context.WithCancel(context.Background())
	console.provider.Context, console.provider.Now = console.ending, c.Now
	console.kept = memstore.NewWithCleanupInterval(time.Minute)
	console.sessions = newSessions(console.kept, c.Encryption().ForPages() != nil)
	return console, nil
}

// Close ends sessions and background work, and closes the ledger.
func (c *Console) Close() {
	c.end()
	c.tasks.Wait()
	c.kept.StopCleanup()
	c.source.close()
}

// Scheme is https with a certificate, and http without.
func (c *Console) Scheme() string {
	if c.Encryption().ForPages() != nil {
		return "https"
	}
	return "http"
}

// Serve serves pages until ctx ends.
func (c *Console) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: c.Handler(), ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout, WriteTimeout: answerTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeaderBytes, ErrorLog: slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return c.ending },
	}
	limited.Watch(server)
	listener = limited.New(listener, maxConnections)
	if c.Encryption().ForPages() != nil {
		listener = tls.NewListener(listener, &tls.Config{
			MinVersion: tls.VersionTLS12,
			GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
				if config := c.Encryption().ForPages(); config != nil {
					return config, nil
				}
				return nil, errors.New("the policy has no certificate any more")
			},
		})
	}
	stopped := context.AfterFunc(ctx, func() { server.Close() })
	defer stopped()
	c.background(func(ctx context.Context) { c.readAhead(ctx) })
	err := server.Serve(listener)
	if ctx.Err() != nil && errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// background runs work until it is done or the console ends. Its faults are logged, and end nothing else.
func (c *Console) background(work func(context.Context)) {
	c.tasks.Go(func() {
		defer func() {
			if fault := recover(); fault != nil {
				c.Log.Error("the console's work in the background failed", "error", fmt.Sprint(fault))
			}
		}()
		work(c.ending)
	})
}

// readAhead brings the sums up to date, so that the first page need not.
func (c *Console) readAhead(ctx context.Context) {
	for more := true; more && ctx.Err() == nil; {
		l, err := c.source.open(ctx, c.Policy().Ledger)
		if err != nil {
			return
		}
		if more, err = c.sums.CatchUp(ctx, l); err != nil {
			return
		}
		if !more {
			_, _ = c.released.newest(ctx, l) // an error shows on the page
		}
	}
}
