package console

import (
	"context"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

	"tacit/policy"
	"tacit/proxy"
)

// This file says who looks at a page. A session names a person and the password that they logged in with; both are looked up in the policy that is in
// force whenever a page is asked for. Start at current.

// A role says what somebody may see and do.
type role string

const (
	analyst role = "analyst"
	officer role = "officer"
	steward role = "steward"
)

// A person can log in.
type person struct {
	Name     string
	Role     role
	verifier string
	// email and subject are by which a provider names them; empty of those who have passwords.
	email, subject, provider string
}

// IsAnalyst says whether somebody sees only what concerns themselves.
func (p *person) IsAnalyst() bool { return p.Role == analyst }

// stamp changes when the person's role does, or what they log in by.
func (p *person) stamp() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{string(p.Role), p.verifier, p.email, p.subject, p.provider}, "\x00")))
	return hex.EncodeToString(sum[:])
}

// persons are those who can log in by a policy. Analysts do by the passwords that the proxy asks for, if it does.
func persons(p *policy.Policy) (all []person) {
	if p.Console == nil {
		return nil
	}
	provider := ""
	if o := p.Console.OIDC; o != nil {
		provider = o.Issuer + " " + o.ClientID
	}
	for _, o := range p.Console.Officers {
		all = append(all, person{o.Name, officer, o.Password, o.Email, o.Subject, provider})
	}
	for _, s := range p.Console.Stewards {
		all = append(all, person{s.Name, steward, s.Password, s.Email, s.Subject, provider})
	}
	for _, a := range p.Analysts {
		if p.Auth == policy.AuthSCRAM && a.Password != "" {
			all = append(all, person{Name: a.Name, Role: analyst, verifier: a.Password})
		}
	}
	return all
}

const (
	sessionLifetime = 12 * time.Hour
	sessionIdle     = 30 * time.Minute
	nameKey         = "name"
	stampKey        = "stamp"
	tokenKey        = "token"
)

func newSessions(store scs.Store, secure bool) *scs.SessionManager {
	s := scs.New()
	s.Store, s.HashTokenInStore = store, true
	s.Lifetime, s.IdleTimeout = sessionLifetime, sessionIdle
	s.Cookie.Name, s.Cookie.Secure = "tacit", secure
	if secure {
		s.Cookie.Name = "__Host-tacit" // which browsers take from this host alone, over TLS
	}
	s.Cookie.HttpOnly, s.Cookie.SameSite, s.Cookie.Path, s.Cookie.Persist = true, http.SameSiteStrictMode, "/", false
	return s
}

// current is who looks at the page; nil if nobody is logged in.
func (c *Console) current(ctx context.Context) *person {
	name := c.sessions.GetString(ctx, nameKey)
	if name == "" || c.ended.Contains(c.token(ctx)) {
		return nil
	}
	for _, p := range persons(c.Policy()) {
		if p.Name == name && subtle.ConstantTimeCompare([]byte(p.stamp()), []byte(c.sessions.GetString(ctx, stampKey))) == 1 {
			return &p
		}
	}
	return nil
}

// enter begins a session of a person, under an identity that nobody could have known before.
func (c *Console) enter(ctx context.Context, p *person) error {
	if err := c.sessions.Clear(ctx); err != nil {
		return err
	}
	if err := c.sessions.RenewToken(ctx); err != nil {
		return err
	}
	c.sessions.Put(ctx, nameKey, p.Name)
	c.sessions.Put(ctx, stampKey, p.stamp())
	c.sessions.Put(ctx, tokenKey, rand.Text())
	return nil
}

// isOwnForm says whether a form has the token of its session.
func (c *Console) isOwnForm(r *http.Request) bool {
	want := c.sessions.GetString(r.Context(), tokenKey)
	return want != "" && subtle.ConstantTimeCompare([]byte(want), []byte(r.PostFormValue("token"))) == 1
}

var errBusy = errors.New("too many passwords are being checked")

// check finds the person of a name and a password; nil if there is none. Whether the name is known shows neither in the answer nor in the time
// that it takes: as many rounds are computed as the strongest verifier has.
func (c *Console) check(ctx context.Context, name, password string) (*person, error) {
	select {
	case c.checking <- struct{}{}:
		defer func() { <-c.checking }()
	case <-time.After(requestTimeout):
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	all := slices.DeleteFunc(persons(c.Policy()), func(p person) bool { return p.verifier == "" })
	if len(all) == 0 {
		return nil, nil
	}
	asked, known, most := all[0], false, 0
	for _, p := range all {
		if p.Name == name {
			asked, known = p, true
		}
		most = max(most, proxy.Rounds(p.verifier))
	}
	matches := proxy.MatchesVerifier(asked.verifier, password)
	if rest := most - proxy.Rounds(asked.verifier); rest > 0 {
		if _, err := pbkdf2.Key(sha256.New, password, []byte(name), rest, sha256.Size); err != nil {
			return nil, err
		}
	}
	if !known || !matches {
		return nil, nil
	}
	return &asked, nil
}
