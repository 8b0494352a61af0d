package openid

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/golang-jwt/jwt/v5"

	"tacit/policy"
)

// A forger is a provider whose ID tokens say what a test wants.
type forger struct {
	*httptest.Server
	key      *rsa.PrivateKey
	discover func(map[string]any) // changes what it says of itself
	claims   func(jwt.MapClaims)  // and its tokens
	sign     func(jwt.MapClaims) string
	asked    url.Values // the last request for a token
}

func newForger(t *testing.T) *forger {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	f := &forger{key: key}
	f.sign = func(c jwt.MapClaims) string { return signed(t, f.key, jwt.SigningMethodRS256, c) }
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, value any) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(value); err != nil {
			t.Error(err)
		}
	}
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		about := map[string]any{
			"issuer": f.URL, "authorization_endpoint": f.URL + "/authorize", "token_endpoint": f.URL + "/token", "jwks_uri": f.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256", "none"},
		}
		if f.discover != nil {
			f.discover(about)
		}
		answer(w, about)
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		e := []byte{1, 0, 1}
		answer(w, map[string]any{"keys": []any{map[string]string{
			"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "k", "n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()), "e": base64.RawURLEncoding.EncodeToString(e),
		}}})
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		f.asked = r.PostForm
		claims := jwt.MapClaims{
			"iss": f.URL, "aud": "tacit", "sub": "s-1", "email": "stan@example.org", "email_verified": true, "nonce": r.PostFormValue("code"),
			"iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(),
		}
		if f.claims != nil {
			f.claims(claims)
		}
		answer(w, map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": f.sign(claims)})
	})
	f.Server = httptest.NewServer(mux)
	t.Cleanup(f.Close)
	return f
}

func signed(t *testing.T, key any, method jwt.SigningMethod, claims jwt.MapClaims) string {
	token := jwt.NewWithClaims(method, claims)
	token.Header["kid"] = "k"
	text, err := token.SignedString(key)
	if err != nil {
		t.Error(err)
	}
	return text
}

func (f *forger) policy(t *testing.T) *policy.OIDC {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("the secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return &policy.OIDC{Issuer: f.URL, ClientID: "tacit", SecretFile: file, Redirect: "http://127.0.0.1:6480" + policy.OIDCPath}
}

// logIn begins an attempt and finishes it. The forger's code is the nonce of the attempt, which it puts into its token.
func logIn(t *testing.T, c *Client, o *policy.OIDC) (Identity, error) {
	t.Helper()
	to, attempt, err := c.Begin(o)
	if err != nil {
		return Identity{}, err
	}
	return c.Finish(t.Context(), o, attempt, answerTo(t, to))
}

func answerTo(t *testing.T, to string) url.Values {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	return url.Values{"state": {u.Query().Get("state")}, "code": {u.Query().Get("nonce")}}
}

// Only a token that the provider signed for this client, in answer to this attempt, names somebody.
func TestTokens(t *testing.T) {
	f := newForger(t)
	o := f.policy(t)
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	set := func(key string, value any) func(jwt.MapClaims) { return func(c jwt.MapClaims) { c[key] = value } }
	unset := func(key string) func(jwt.MapClaims) { return func(c jwt.MapClaims) { delete(c, key) } }
	rs256 := f.sign
	for name, c := range map[string]struct {
		claims func(jwt.MapClaims)
		sign   func(jwt.MapClaims) string
		want   Identity // zero: refused
	}{
		"as it should be":             {nil, nil, Identity{"s-1", "stan@example.org"}},
		"not verified":                {set("email_verified", false), nil, Identity{Subject: "s-1"}},
		"verified as a text":          {set("email_verified", "true"), nil, Identity{}},
		"nothing about verification":  {unset("email_verified"), nil, Identity{Subject: "s-1"}},
		"no address":                  {unset("email"), nil, Identity{Subject: "s-1"}},
		"several audiences, this one": {func(c jwt.MapClaims) { c["aud"], c["azp"] = []string{"tacit", "other"}, "tacit" }, nil, Identity{"s-1", "stan@example.org"}},
		"another issuer":              {set("iss", "https://evil.example"), nil, Identity{}},
		"another audience":            {set("aud", "other"), nil, Identity{}},
		"several audiences":           {set("aud", []string{"tacit", "other"}), nil, Identity{}},
		"another party":               {set("azp", "other"), nil, Identity{}},
		"expired":                     {set("exp", time.Now().Add(-time.Second).Unix()), nil, Identity{}},
		"no end":                      {unset("exp"), nil, Identity{}},
		"not yet":                     {set("nbf", time.Now().Add(time.Hour).Unix()), nil, Identity{}},
		"another nonce":               {set("nonce", "x"), nil, Identity{}},
		"no nonce":                    {unset("nonce"), nil, Identity{}},
		"nobody":                      {set("sub", ""), nil, Identity{}},
		"another key":                 {nil, func(c jwt.MapClaims) string { return signed(t, other, jwt.SigningMethodRS256, c) }, Identity{}},
		"no signature": {nil, func(c jwt.MapClaims) string {
			return signed(t, jwt.UnsafeAllowNoneSignatureType, jwt.SigningMethodNone, c)
		}, Identity{}},
		"the public key as a secret": {nil, func(c jwt.MapClaims) string { return signed(t, f.key.N.Bytes(), jwt.SigningMethodHS256, c) }, Identity{}},
		"cut short":                  {nil, func(c jwt.MapClaims) string { return rs256(c)[:40] }, Identity{}},
		"none":                       {nil, func(jwt.MapClaims) string { return "" }, Identity{}},
	} {
		f.claims, f.sign = c.claims, rs256
		if c.sign != nil {
			f.sign = c.sign
		}
		got, err := logIn(t, &Client{Context: context.Background()}, o)
		if got != c.want || (err != nil) != (c.want == Identity{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// An answer counts for the attempt that it is to, from its provider, in time. The code is exchanged with the secret, the verifier and the policy's address.
func TestAttempts(t *testing.T) {
	f := newForger(t)
	o := f.policy(t)
	at := time.Now()
	c := &Client{Context: context.Background(), Now: func() time.Time { return at }}
	to, attempt, err := c.Begin(o)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if !strings.HasPrefix(to, f.URL+"/authorize?") || q.Get("redirect_uri") != o.Redirect || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" ||
		len(q.Get("code_challenge")) != 43 || len(q.Get("state")) < 26 || len(q.Get("nonce")) < 26 || q.Get("client_id") != "tacit" || q.Get("scope") != "openid email" {
		t.Errorf("the browser is sent to %s", to)
	}
	_, second, err := c.Begin(o)
	if err != nil || second.State == attempt.State || second.nonce == attempt.nonce || second.verifier == attempt.verifier {
		t.Errorf("two attempts are alike: %v", err)
	}
	right := answerTo(t, to)
	with := func(key, value string) url.Values {
		changed := url.Values{key: {value}}
		for k, v := range right {
			if k != key {
				changed[k] = v
			}
		}
		return changed
	}
	for name, query := range map[string]url.Values{
		"no state": with("state", ""), "another state": with("state", second.State), "an error": with("error", "access_denied"), "another issuer": with("iss", "https://evil.example"),
	} {
		f.asked = nil
		if got, err := c.Finish(t.Context(), o, attempt, query); err == nil || f.asked != nil {
			t.Errorf("%s: %+v, and the code was sent: %v", name, got, f.asked)
		}
	}
	if got, err := c.Finish(t.Context(), o, Attempt{Made: at}, url.Values{"state": {""}}); err == nil {
		t.Errorf("an attempt that was not made: %+v", got)
	}
	if got, err := c.Finish(t.Context(), o, attempt, right); err != nil || got.Subject != "s-1" {
		t.Errorf("%+v, %v", got, err)
	}
	if f.asked.Get("code_verifier") != attempt.verifier || f.asked.Get("redirect_uri") != o.Redirect || f.asked.Get("grant_type") != "authorization_code" {
		t.Errorf("the code is exchanged with %v", f.asked)
	}
	at = at.Add(AttemptTime + time.Second)
	if got, err := c.Finish(t.Context(), o, attempt, right); err == nil {
		t.Errorf("too late: %+v", got)
	}
}

// A provider that says it is another one, or sends secrets elsewhere in clear, is not asked.
func TestDiscovery(t *testing.T) {
	for name, change := range map[string]func(map[string]any){
		"another issuer":   func(about map[string]any) { about["issuer"] = "https://evil.example" },
		"no address":       func(about map[string]any) { about["token_endpoint"] = "" },
		"no URL":           func(about map[string]any) { about["authorization_endpoint"] = "javascript:alert(1)" },
		"another protocol": func(about map[string]any) { about["authorization_endpoint"] = "ftp://127.0.0.1/x" },
		"no keys":          func(about map[string]any) { delete(about, "jwks_uri") },
		"keys by another":  func(about map[string]any) { about["jwks_uri"] = "ftp://127.0.0.1/keys" },
	} {
		f := newForger(t)
		f.discover = change
		if to, _, err := (&Client{Context: context.Background()}).Begin(f.policy(t)); err == nil {
			t.Errorf("%s: the browser is sent to %s", name, to)
		}
	}
	f := newForger(t)
	o := f.policy(t)
	o.SecretFile += ".none"
	if _, _, err := (&Client{Context: context.Background()}).Begin(o); err == nil {
		t.Error("there is no secret")
	}
	const issuer = "https://login.example.org"
	for field, clear := range map[string]bool{"": false, "authorization_endpoint": true, "token_endpoint": true, "jwks_uri": true} {
		addresses := map[string]string{"authorization_endpoint": issuer + "/a", "token_endpoint": issuer + "/t", "jwks_uri": issuer + "/k"}
		if clear {
			addresses[field] = "http://login.example.org/x"
		}
		if err := checkAddresses(issuer, providerOf(t, issuer, addresses)); (err != nil) != clear {
			t.Errorf("%q in clear: %v", field, err)
		}
	}
}

// providerOf is a provider whose document has these addresses.
func providerOf(t *testing.T, issuer string, addresses map[string]string) *oidc.Provider {
	t.Helper()
	addresses["issuer"] = issuer
	body, err := json.Marshal(addresses)
	if err != nil {
		t.Fatal(err)
	}
	answers := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		header := http.Header{"Content-Type": {"application/json"}}
		return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(bytes.NewReader(body))}, nil
	})}
	provider, err := oidc.NewProvider(oidc.ClientContext(t.Context(), answers), issuer)
	if err != nil {
		t.Fatal(err)
	}
	return provider
}

// A roundTrip answers requests without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (r roundTrip) RoundTrip(q *http.Request) (*http.Response, error) { return r(q) }
