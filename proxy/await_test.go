package proxy

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"tacit/release"
)

// waitingFor has the releaser wait at the next count, and returns its context.
func (r *rig) waitingFor(ask func()) context.Context {
	waiting := make(chan struct{})
	r.releaser.look(func(d *fakeReleaser) { d.wait = waiting })
	ask()
	select {
	case <-waiting:
	case <-time.After(patience):
		r.t.Fatal("nobody waits for a count")
	}
	var ctx context.Context
	r.releaser.look(func(d *fakeReleaser) { ctx = d.waiting })
	return ctx
}

// A client that goes away while its count is waited for is noticed, though nobody reads from it, and though it sent something that was not read.
func TestVanishedClient(t *testing.T) {
	for name, then := range map[string][]byte{"silent": nil, "with a statement": encode(simpleQuery("SELECT 1"))} {
		t.Run(name, func(t *testing.T) {
			p, r := newPeer(t)
			ctx := r.waitingFor(func() { p.send(encode(simpleQuery(byRegion))) })
			p.send(then)
			p.conn.Close()
			select {
			case <-ctx.Done():
			case <-time.After(patience):
				t.Fatal("nobody noticed that the client is gone")
			}
			if cause := context.Cause(ctx); !errors.Is(cause, release.ErrGone) {
				t.Errorf("the count ended because of %v", cause)
			}
		})
	}
}

// The analyst's own limit ends her wait, and not the count. The next statement is answered meanwhile. A limit that is reset is none.
func TestStatementTimeout(t *testing.T) {
	p, r := newPeer(t)
	p.talk(1, simpleQuery("SET statement_timeout = '2s'"))
	ctx := r.waitingFor(func() { p.send(encode(simpleQuery(byRegion))) })
	if got := p.until('Z', 1); !strings.Contains(got[0], "C=57014 M=canceling statement due to statement timeout D=A count that had begun is charged and goes on") {
		t.Errorf("got %q", got)
	}
	if cause := context.Cause(ctx); !errors.Is(cause, release.ErrUnawaited) {
		t.Errorf("the count was told of %v", cause)
	}
	p.talk(1, simpleQuery("SET statement_timeout = 0"))
	ctx = r.waitingFor(func() { p.send(encode(simpleQuery(byRegion))) })
	if _, limited := ctx.Deadline(); limited || ctx.Err() != nil {
		t.Error("a count has a limit that was taken back")
	}
	r.proxy.Close()
	<-ctx.Done()
}

// What is not charged does not go on when nobody waits for it.
func TestStatementTimeoutOfRecall(t *testing.T) {
	p, r := newPeer(t)
	r.releaser.look(func(d *fakeReleaser) { d.recalling = func(ctx context.Context) { <-ctx.Done() } })
	p.talk(1, simpleQuery("SET statement_timeout = '2s'"))
	p.send(encode(simpleQuery(byRegion)))
	if got := p.until('Z', 1); !strings.Contains(got[0], "C=57014 M=canceling statement due to statement timeout D=Nothing was charged.") {
		t.Errorf("got %q", got)
	}
	r.asked(t, 0)
}

func TestTimeoutOf(t *testing.T) {
	for setting, want := range map[string]time.Duration{
		"0": 0, "7": 7 * time.Millisecond, "100ms": 100 * time.Millisecond, "2s": 2 * time.Second, "90min": 90 * time.Minute, "3h": 3 * time.Hour, "24d": 576 * time.Hour,
		"": 0, "soon": 0,
	} {
		if got := timeoutOf(setting); got != want {
			t.Errorf("%q is %v, want %v", setting, got, want)
		}
	}
}
