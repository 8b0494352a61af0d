package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"tacit/policy"
)

// A fakeWatched is a gateway whose ledger fails, and heals when it is refreshed after that became possible.
type fakeWatched struct {
	ledger, heals, check, closed error
	refreshed                    int
}

func (g *fakeWatched) Refresh(context.Context) error {
	g.refreshed++
	g.ledger = g.heals
	return g.check
}
func (g *fakeWatched) LedgerError() error { return g.ledger }
func (g *fakeWatched) Closed() error {
	if g.closed != nil {
		return g.closed
	}
	return g.ledger
}

// lines are the messages of a log, without their attributes.
func lines(out *bytes.Buffer) (messages []string) {
	for line := range strings.Lines(out.String()) {
		_, message, _ := strings.Cut(line, "msg=")
		message, _, _ = strings.Cut(strings.TrimPrefix(message, `"`), `"`)
		messages = append(messages, message)
	}
	out.Reset()
	return messages
}

// The watcher notices at its next look that the ledger cannot be used, tries at each to open it again, and logs both once.
func TestWatcherOfLedger(t *testing.T) {
	var out bytes.Buffer
	g, now := &fakeWatched{}, time.Now()
	w := &watcher{gateway: g, log: newLogger(&out, policy.Operations{}, false), refreshed: now}
	look := func(want int, logged ...string) {
		t.Helper()
		now = now.Add(lookEvery)
		w.look(context.Background(), now)
		if g.refreshed != want {
			t.Errorf("refreshed %d times, want %d", g.refreshed, want)
		}
		if got := strings.Join(lines(&out), "; "); got != strings.Join(logged, "; ") {
			t.Errorf("logged %q, want %q", got, logged)
		}
	}
	look(0)
	g.ledger, g.heals = errors.New("the disk is full"), errors.New("the disk is full")
	look(1, "protected tables are closed")
	look(2)
	g.heals = nil
	look(3, "protected tables are open again")
	look(3)
	g.ledger = errors.New("it was replaced")
	look(4, "protected tables are closed", "protected tables are open again")
	now = now.Add(refreshEvery)
	look(5)
}

// A check that cannot be made is logged once, tried again at the next look, and closes nothing by itself.
func TestWatcherOfServer(t *testing.T) {
	var out bytes.Buffer
	g, now := &fakeWatched{check: errors.New("no connection")}, time.Now()
	w := &watcher{gateway: g, log: newLogger(&out, policy.Operations{}, false), refreshed: now}
	for range 3 {
		w.look(context.Background(), now.Add(refreshEvery))
	}
	if got := lines(&out); len(got) != 1 || !strings.HasPrefix(got[0], "the separation of the roles could not be checked") || g.refreshed != 3 {
		t.Errorf("refreshed %d times, and logged %q", g.refreshed, got)
	}
	g.closed = errors.New("for too long")
	w.look(context.Background(), now.Add(refreshEvery))
	g.closed, g.check = nil, nil
	w.look(context.Background(), now.Add(refreshEvery))
	if got := strings.Join(lines(&out), "; "); got != "protected tables are closed; protected tables are open again" {
		t.Errorf("logged %q", got)
	}
}
