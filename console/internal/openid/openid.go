package openid

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"tacit/policy"
)

// A Client asks providers. The zero value is one, but for Context.
type Client struct {
	// Context ends its requests for the provider's keys. Required.
	Context context.Context
	// Now is time.Now unless said otherwise.
	Now func() time.Time

	mu       sync.Mutex // protects what follows
	provider *oidc.Provider
	of       string // the provider's issuer
	failed   time.Time
	failure  error
}

// An Attempt is what the browser that began a login has to bring back. It is used once.
type Attempt struct {
	State, nonce, verifier string
	Made                   time.Time
}

// An Identity is whom a provider names.
type Identity struct {
	Subject string
	// Email is empty if the provider has not verified it.
	Email string
}

const (
	// requestTime bounds each request to the provider.
	requestTime = 10 * time.Second
	// retryAfter is how long a provider that could not be read is not asked again.
	retryAfter = 5 * time.Second
	// AttemptTime is how long a login may take.
	AttemptTime = 10 * time.Minute
	// maxSecret is longer than a client's secret.
	maxSecret = 4096
)

// asking follows no redirection: the policy says which host is asked.
var asking = &http.Client{Timeout: requestTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (c *Client) now() time.Time {
	if c.Now != nil {
		return c.Now()
	}
	return time.Now()
}

// Begin is where a browser goes to log in, and what it has to bring back.
func (c *Client) Begin(o *policy.OIDC) (to string, attempt Attempt, err error) {
	config, _, err := c.config(o)
	if err != nil {
		return "", Attempt{}, err
	}
	attempt = Attempt{State: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier(), Made: c.now()}
	return config.AuthCodeURL(attempt.State, oidc.Nonce(attempt.nonce), oauth2.S256ChallengeOption(attempt.verifier)), attempt, nil
}

// Finish is whom the provider names in answer to an attempt. query is what the browser brought.
func (c *Client) Finish(ctx context.Context, o *policy.OIDC, attempt Attempt, query url.Values) (Identity, error) {
	if subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(attempt.State)) != 1 || attempt.State == "" {
		return Identity{}, errors.New("the answer is not to this attempt")
	}
	if c.now().Sub(attempt.Made) > AttemptTime {
		return Identity{}, errors.New("the attempt took too long")
	}
	if code := query.Get("error"); code != "" {
		return Identity{}, fmt.Errorf("the provider says %q", code)
	}
	if issuer := query.Get("iss"); issuer != "" && issuer != o.Issuer { // RFC 9207
		return Identity{}, errors.New("another provider answered")
	}
	config, provider, err := c.config(o)
	if err != nil {
		return Identity{}, err
	}
	token, err := config.Exchange(oidc.ClientContext(ctx, asking), query.Get("code"), oauth2.VerifierOption(attempt.verifier))
	if err != nil {
		return Identity{}, fmt.Errorf("the code was not exchanged: %w", err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return Identity{}, errors.New("the provider gave no ID token")
	}
	checked, err := provider.Verifier(&oidc.Config{ClientID: o.ClientID, Now: c.now}).Verify(ctx, raw)
	if err != nil {
		return Identity{}, err
	}
	return identityOf(checked, o.ClientID, attempt.nonce)
}

// identityOf checks what the library leaves to its callers.
func identityOf(token *oidc.IDToken, client, nonce string) (Identity, error) {
	var claims struct {
		Email    string `json:"email"`
		Verified bool   `json:"email_verified"`
		Party    string `json:"azp"`
	}
	if err := token.Claims(&claims); err != nil {
		return Identity{}, err
	}
	switch {
	case subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(nonce)) != 1:
		return Identity{}, errors.New("the ID token is not of this attempt")
	case len(token.Audience) != 1 && claims.Party != client, claims.Party != "" && claims.Party != client:
		return Identity{}, errors.New("the ID token is for another client")
	case token.Subject == "":
		return Identity{}, errors.New("the ID token names nobody")
	}
	found := Identity{Subject: token.Subject}
	if claims.Verified {
		found.Email = claims.Email
	}
	return found, nil
}

// config is how the provider is asked. The secret is read again each time, so that it can be renewed.
func (c *Client) config(o *policy.OIDC) (*oauth2.Config, *oidc.Provider, error) {
	provider, err := c.discover(o.Issuer)
	if err != nil {
		return nil, nil, fmt.Errorf("the provider %s cannot be asked: %w", o.Issuer, err)
	}
	secret, err := os.ReadFile(o.SecretFile)
	if err != nil {
		return nil, nil, err
	}
	if len(secret) > maxSecret {
		return nil, nil, fmt.Errorf("%s is too large for a secret", o.SecretFile)
	}
	return &oauth2.Config{
		ClientID: o.ClientID, ClientSecret: strings.TrimSpace(string(secret)), Endpoint: provider.Endpoint(), RedirectURL: o.Redirect, Scopes: []string{oidc.ScopeOpenID, "email"},
	}, provider, nil
}

// discover reads what a provider says of itself, once.
func (c *Client) discover(issuer string) (*oidc.Provider, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == issuer && c.provider != nil {
		return c.provider, nil
	}
	if c.of == issuer && c.failure != nil && time.Since(c.failed) < retryAfter {
		return nil, c.failure
	}
	c.of, c.failed = issuer, time.Now()
	c.provider, c.failure = oidc.NewProvider(oidc.ClientContext(c.Context, asking), issuer)
	if c.failure == nil {
		c.failure = checkAddresses(issuer, c.provider)
	}
	if c.failure != nil {
		c.provider = nil
	}
	return c.provider, c.failure
}

// checkAddresses refuses a provider by HTTPS that sends browsers or secrets to an address without, or has its keys there: who answers in its place could sign
// ID tokens.
func checkAddresses(issuer string, provider *oidc.Provider) error {
	var about struct {
		Keys string `json:"jwks_uri"`
	}
	if err := provider.Claims(&about); err != nil {
		return err
	}
	e := provider.Endpoint()
	return sameScheme(issuer, e.AuthURL, e.TokenURL, about.Keys)
}

func sameScheme(issuer string, addresses ...string) error {
	scheme, _, _ := strings.Cut(issuer, ":")
	for _, address := range addresses {
		if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != scheme && u.Scheme != "https" {
			return fmt.Errorf("its address %q is not of the scheme %s", address, scheme)
		}
	}
	return nil
}
