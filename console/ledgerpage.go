package console

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"tacit/accountant/ledger"
	"tacit/policy"
)

type ledgerContent struct {
	ledger.Overview
	Kind     string
	Proxies  []proxyRow
	Mismatch string
	Guard    string
	Errors   []loggedError
	Proof    proofView
	Token    string // of the form that begins one
}

type proxyRow struct {
	ledger.ProxySeen
	Alive, Ended bool // it was seen just now, or said that it ends
}

// aliveWithin is how long ago a process that lives was seen at most: it says so every few seconds while it has charges, and not otherwise.
const aliveWithin = 30 * time.Second

func (v *visit) ledgerPage() (*page, error) {
	o, err := v.ledger.Overview(v.r.Context())
	if err != nil {
		return nil, err
	}
	content := ledgerContent{Overview: o, Kind: "SQLite", Proof: v.proof.view(), Token: v.token(v.r.Context())}
	if v.policy.Ledger.Postgres != "" {
		content.Kind = "PostgreSQL"
	}
	for _, p := range o.Proxies {
		content.Proxies = append(content.Proxies, proxyRow{p, v.now.Sub(p.Seen) < aliveWithin, p.Seen.Unix() <= 0})
	}
	guarded, err := v.ledger.Guarded()
	switch {
	case err != nil:
		content.Guard = "cannot be read: " + err.Error()
	case guarded == 0:
		content.Guard = "none is readable here: an older state of the ledger would not be noticed by this console"
	default:
		content.Guard = fmt.Sprintf("remembers entry %s, and the ledger has it", thousands(guarded))
	}
	content.Errors = v.errors.newest()
	if err := v.ledger.HeadMismatch(v.r.Context()); err != nil {
		content.Mismatch = err.Error()
		content.Guard = "contradicts the ledger, see above"
	}
	if content.Proof.Running {
		v.w.Header().Set("Refresh", "2")
	}
	return &page{"ledger", "Ledger", content}, nil
}

// A verification is the last one that was asked for. There is one at a time.
type verification struct {
	mu   sync.Mutex // protects last
	last proofView
}

// A proofView is how far a verification has come, and what it found.
type proofView struct {
	Running     bool
	Done, Total int64
	By          string
	Began, At   time.Time
	Found       *ledger.Verification
	Failure     string // why it could not be made
}

func (p *verification) view() proofView {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

func (p *verification) set(change func(*proofView)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.last)
}

// problems are how many the last one found.
func (p *verification) problems() int {
	if found := p.view().Found; found != nil {
		return len(found.Problems)
	}
	return 0
}

// verify begins a verification, unless one is running.
func (v *visit) verify() (*page, error) {
	begun := false
	v.proof.set(func(p *proofView) {
		if begun = !p.Running; begun {
			*p = proofView{Running: true, By: v.person.Name, Began: v.now, Found: p.Found, At: p.At}
		}
	})
	if begun {
		location := v.policy.Ledger
		v.background(func(ctx context.Context) { v.proof.run(ctx, location, v.Now) })
	}
	http.Redirect(v.w, v.r, "/ledger", http.StatusSeeOther)
	return nil, nil
}

// run verifies by a connection of its own, so that pages need not wait.
func (p *verification) run(ctx context.Context, location policy.LedgerLocation, now func() time.Time) {
	failure := "it was broken off"
	var found *ledger.Verification
	defer func() {
		p.set(func(shown *proofView) {
			shown.Running, shown.Failure = false, failure
			if found != nil {
				shown.Found, shown.At = found, now().UTC()
			}
		})
	}()
	l, err := ledger.OpenReadOnly(ctx, location)
	if err != nil {
		failure = err.Error()
		return
	}
	defer l.Close()
	found, err = l.Verify(ctx, func(done, total int64) {
		p.set(func(shown *proofView) { shown.Done, shown.Total = done, total })
	})
	failure = ""
	if err != nil {
		failure = fmt.Sprint(err)
	}
}
