package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"reflect"
	"syscall"
	"time"

	"tacit/proxy"
	"tacit/release"
	"tacit/release/curator"
)

// This file keeps a running proxy's view of the server, the ledger and the policy up to date, and logs when protected tables close and open. Start
// at watch.

// refreshEvery is how often a running proxy checks again that the roles are separate.
// lookEvery is how often it looks whether the ledger can still be used, and tries to open closed tables again: a server that was restarted, or a disk
// that was full, is not to cost a minute.
const (
	refreshEvery = time.Minute
	lookEvery    = 2 * time.Second
)

// A watched gateway says whether protected tables are open.
type watched interface {
	Refresh(context.Context) error
	LedgerError() error
	Closed() error
}

// A watcher remembers what was last found.
type watcher struct {
	gateway watched
	log     *slog.Logger
	closed  error // why tables were closed when that was last looked at
	// unmade is why the last check could not be made, nil if it could.
	unmade    error
	refreshed time.Time
}

// watch keeps the gateway's view of the server and of the policy file up to date. It calls reloaded when it has read the file again.
func watch(ctx context.Context, gateway *release.Gateway, front *proxy.Proxy, path string, reloaded func(), log *slog.Logger) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	w := &watcher{gateway: gateway, log: log, closed: gateway.LedgerError(), refreshed: time.Now()}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangup:
			reload(ctx, gateway, front, path, log)
			reloaded()
		case <-gateway.Looked():
			w.report(ctx)
		case now := <-tick.C:
			if w.look(ctx, now) {
				renew(front, log)
			}
		}
	}
}

// look refreshes the gateway if it is time for that, or if something is amiss. It reports whether it did.
func (w *watcher) look(ctx context.Context, now time.Time) (refreshed bool) {
	if w.gateway.LedgerError() != nil {
		w.report(ctx)
	}
	if w.closed == nil && w.unmade == nil && now.Sub(w.refreshed) < refreshEvery {
		return false
	}
	w.refreshed = now
	err := w.gateway.Refresh(ctx)
	if w.report(ctx); w.closed == nil && err != nil && w.unmade == nil && ctx.Err() == nil {
		w.log.Warn("the separation of the roles could not be checked; protected tables stay open for some minutes", "error", err)
	}
	w.unmade = err
	return true
}

// report logs when protected tables have been closed or opened.
func (w *watcher) report(ctx context.Context) {
	w.closed = reportClosed(ctx, w.gateway.Closed(), w.closed, w.log)
}

// reportClosed says why protected tables are closed, when that is otherwise than before, and returns it.
func reportClosed(ctx context.Context, err, before error, log *slog.Logger) error {
	found := findingsOf(err)
	switch {
	case ctx.Err() != nil:
	case err == nil && before != nil:
		log.Info("protected tables are open again")
	case err == nil, before != nil && (found != nil || before.Error() == err.Error()) && reflect.DeepEqual(found, findingsOf(before)):
	default:
		log.Error("protected tables are closed", "error", err)
		for _, f := range found {
			log.Error("not separate", "severity", f.Severity, "what", f.What, "detail", f.Detail, "remedy", f.Remedy)
		}
	}
	return err
}

// findingsOf are those of a *SeparationError, none of another error.
func findingsOf(err error) []curator.Finding {
	var separation *curator.SeparationError
	if errors.As(err, &separation) {
		return separation.Findings
	}
	return nil
}
