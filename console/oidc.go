package console

import (
	"crypto/rand"
	"errors"
	"net/http"

	"tacit/console/internal/openid"
	"tacit/policy"
)

// This file has stewards and officers log in by OpenID Connect. The browser goes to the provider with a state, and has a cookie by which the attempt is found
// when it comes back; each attempt is used once. What the provider says of somebody is compared with the policy, and nothing else of it is kept.
// Start at beginOIDC.

// maxLogins bounds the memory. The oldest attempts are forgotten.
const maxLogins = 10_000

type loginContent struct {
	Problem  string
	Provider string // empty: there is none
	Analysts bool   // can log in, too
}

// loginCookie is the one of an attempt. It is Lax, since the browser comes back from another site; the session's is Strict.
func (c *Console) loginCookie(value string, seconds int) *http.Cookie {
	cookie := &http.Cookie{Name: "tacit-login", Value: value, Path: "/", MaxAge: seconds, HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if c.Scheme() == "https" {
		cookie.Name, cookie.Secure = "__Host-tacit-login", true
	}
	return cookie
}

// oidc is the provider of the policy; nil if there is none.
func (c *Console) oidc() *policy.OIDC {
	if s := c.Policy().Console; s != nil {
		return s.OIDC
	}
	return nil
}

func (c *Console) beginOIDC(w http.ResponseWriter, r *http.Request) {
	o := c.oidc()
	if o == nil {
		c.showError(w, r, errNotFound)
		return
	}
	to, attempt, err := c.provider.Begin(o)
	if err != nil {
		c.Log.Warn("nobody can log in by OpenID Connect", "error", err)
		c.showLogin(w, http.StatusBadGateway, "The provider cannot be asked now. The log of the console says why.")
		return
	}
	id := rand.Text()
	c.logins.Add(id, attempt)
	http.SetCookie(w, c.loginCookie(id, int(openid.AttemptTime.Seconds())))
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// finishOIDC begins a session of whom the provider names. It leads to the first page by a page of its own: a redirection would still be one from another
// site, in which browsers leave a Strict cookie out.
func (c *Console) finishOIDC(w http.ResponseWriter, r *http.Request) {
	o := c.oidc()
	if o == nil {
		c.showError(w, r, errNotFound)
		return
	}
	attempt, found := openid.Attempt{}, false
	if cookie, err := r.Cookie(c.loginCookie("", 0).Name); err == nil {
		attempt, found = c.logins.Peek(cookie.Value)
		found = c.logins.Remove(cookie.Value) && found // one request alone removes it
	}
	http.SetCookie(w, c.loginCookie("", -1))
	if !found {
		c.showLogin(w, http.StatusForbidden, "This login was not begun in this browser, or it is over. Begin again.")
		return
	}
	identity, err := c.provider.Finish(r.Context(), o, attempt, r.URL.Query())
	if err == nil {
		var who *person
		if who, err = c.personOf(identity); err == nil {
			c.welcome(w, r, who)
			return
		}
	}
	c.Log.Warn("a login by OpenID Connect failed", "from", r.RemoteAddr, "error", err)
	c.showLogin(w, http.StatusForbidden, "You could not be logged in. The log of the console says why.")
}

var (
	errNobody = errors.New("the provider names somebody who is no steward or officer of the policy, or by an address that it has not verified")
	errTwo    = errors.New("the provider names one by the address and another by the subject")
)

// personOf is the one whom an identity names.
func (c *Console) personOf(identity openid.Identity) (who *person, err error) {
	for _, p := range persons(c.Policy()) {
		switch {
		case p.email != "" && p.email == identity.Email, p.subject != "" && p.subject == identity.Subject:
			if who != nil {
				return nil, errTwo
			}
			who = &p
		}
	}
	if who == nil {
		return nil, errNobody
	}
	return who, nil
}

// welcome begins a session.
func (c *Console) welcome(w http.ResponseWriter, r *http.Request, who *person) {
	if err := c.enter(r.Context(), who); err != nil {
		c.showError(w, r, err)
		return
	}
	c.Log.Info("somebody logged in at the console by OpenID Connect", "name", who.Name, "role", string(who.Role), "from", r.RemoteAddr)
	w.Header().Set("Refresh", "0; url=/")
	c.write(w, http.StatusOK, &frame{Title: "Welcome"}, "welcome", who.Name)
}
