package console

import (
	"context"
	"embed"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/internal/limited"
	"tacit/policy"
)

// This file says which pages there are and what is true of all of them: their headers, who may see them, and what becomes of errors. Start at routes.

//go:embed assets
var assets embed.FS

// A visit is a request of somebody who is logged in.
type visit struct {
	*Console
	w      http.ResponseWriter
	r      *http.Request
	person *person
	policy *policy.Policy
	ledger *ledger.Reader
	now    time.Time
	status int // of the answer; 0: OK
}

// A page is what a template shows.
type page struct {
	template, title string
	content         any
}

// A maker makes a page. One that has written its answer itself returns nil.
type maker func(*visit) (*page, error)

// routes are the pages by who may see them.
func (c *Console) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /style.css", asset("style.css", "text/css; charset=utf-8"))
	mux.HandleFunc("GET /console.js", asset("console.js", "text/javascript; charset=utf-8"))
	mux.HandleFunc("GET /login", c.loginPage)
	mux.HandleFunc("POST /login", c.login)
	mux.HandleFunc("GET /oidc/login", c.beginOIDC)
	mux.HandleFunc("GET "+policy.OIDCPath, c.finishOIDC)
	for path, make := range map[string]maker{
		"GET /{$}":                              (*visit).overview,
		"GET /table/{schema}/{table}":           (*visit).table,
		"GET /questions":                        (*visit).questions,
		"GET /questions.csv":                    (*visit).exportCSV,
		"GET /questions.json":                   (*visit).exportJSON,
		"GET /refused":                          (*visit).refused,
		"GET /free":                             (*visit).free,
		"GET /connect":                          (*visit).connect,
		"POST /logout":                          (*visit).logout,
		"GET /table/{schema}/{table}/curve.svg": onlyReaders((*visit).curve),
		"GET /ledger":                           onlyReaders((*visit).ledgerPage),
		"POST /ledger/verify":                   onlyReaders((*visit).verify),
		"GET /report":                           onlyReaders((*visit).report),
	} {
		mux.Handle(path, c.page(make))
	}
	c.actRoutes(mux)
	c.assessRoutes(mux)
	c.tablesRoutes(mux)
	mux.Handle("GET /zone", c.page((*visit).zonePage))
	mux.Handle("POST /zone", c.page((*visit).setZone))
	mux.Handle("GET /advise", c.page(onlyReaders((*visit).advise)))
	mux.Handle("/", c.page(func(*visit) (*page, error) { return nil, errNotFound }))
	return mux
}

// onlyReaders keeps analysts out.
func onlyReaders(make maker) maker {
	return func(v *visit) (*page, error) {
		if v.person.IsAnalyst() {
			return nil, errNotYours
		}
		return make(v)
	}
}

// Handler serves all pages.
func (c *Console) Handler() http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.showError(w, r, errElsewhere)
	}))
	return c.guarded(limited.Whole(c.sessions.LoadAndSave(protection.Handler(c.routes())), maxBodyBytes))
}

// contentPolicy lets pages have this package's style sheet, script and pictures, and nothing else: no script in a page, no frame, no form that goes elsewhere.
const contentPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// guarded sets the headers of every answer, and refuses requests that no page of this console makes.
func (c *Console) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Frame-Options", "DENY")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Robots-Tag", "noindex")
		if c.Scheme() == "http" && !limited.IsThisMachine(r.Host) {
			// Another name for this address may be that of a page elsewhere, which a browser would take for the same site (DNS rebinding).
			http.Error(w, "without TLS the console is reached as localhost or 127.0.0.1", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// A refusal is an error that whoever asked may see.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

var (
	errNotFound  = &refusal{http.StatusNotFound, "There is no such page."}
	errNotYours  = &refusal{http.StatusForbidden, "This page is for stewards and officers."}
	errElsewhere = &refusal{http.StatusForbidden, "This request came from another site, and was refused."}
	errOldForm   = &refusal{http.StatusForbidden, "This form is of another session. Load the page again."}
	errManyFiles = &refusal{http.StatusTooManyRequests, "Two exports are running already, or one of yours. Try again when it has ended."}
)

func badRequest(text string) error { return &refusal{http.StatusBadRequest, text} }

// page shows a page to somebody who is logged in, and the login to others.
func (c *Console) page(make maker) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := c.current(r.Context())
		if who == nil {
			// The login says nothing of which pages there are, and leads to the first one.
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		limited.Keep(r.Context())
		if r.Method == http.MethodPost && !c.isOwnForm(r) {
			c.showError(w, r, errOldForm)
			return
		}
		v := &visit{Console: c, w: w, r: r, person: who, policy: c.Policy().On(c.Now()), now: c.Now().UTC()}
		if err := v.show(make); err != nil {
			c.showError(w, r, err)
		}
	})
}

// withoutLedger are the paths of pages that are shown whatever is wrong with the ledger.
var withoutLedger = map[string]bool{"/connect": true, "/logout": true, "/zone": true}

func (v *visit) show(make maker) error {
	if !withoutLedger[v.r.URL.Path] {
		if every := v.policy.AnswerEvery; every > 0 && v.person.IsAnalyst() {
			// Who looks again and again would see when a count ended. What is shown stands at multiples of this time.
			if err := v.until(v.r.Context(), time.Now().Truncate(every).Add(every)); err != nil {
				return err
			}
		}
		l, err := v.source.open(v.r.Context(), v.policy.Ledger)
		if err != nil {
			return err
		}
		v.ledger = l
		if _, err := v.sums.CatchUp(v.r.Context(), l); err != nil {
			return v.unreadable(err)
		}
	}
	p, err := make(v)
	if err != nil {
		return v.unreadable(err)
	}
	if p == nil {
		return nil
	}
	return v.render(p)
}

// unreadable has a ledger that could not be read opened anew for the next page.
func (v *visit) unreadable(err error) error {
	if errors.Is(err, accountant.ErrUnavailable) {
		v.source.forget(v.ledger)
	}
	return err
}

// showError says what went wrong. Of faults that are the steward's to mend, analysts are told only that there is one.
func (c *Console) showError(w http.ResponseWriter, r *http.Request, err error) {
	status, text := http.StatusInternalServerError, "The page could not be made. The log of the console says why."
	var known *refusal
	who := c.current(r.Context())
	switch {
	case r.Context().Err() != nil:
		return // nobody waits for it
	case errors.As(err, &known):
		status, text = known.status, known.text
	case errors.Is(err, accountant.ErrUnavailable):
		status, text = http.StatusServiceUnavailable, "The ledger cannot be read now. A steward can see why."
		if who != nil && !who.IsAnalyst() {
			text = err.Error()
		}
		fallthrough
	default:
		c.Log.Warn("a page of the console could not be made", "path", r.URL.Path, "error", err)
	}
	c.write(w, status, &frame{Title: http.StatusText(status), Person: who, Token: c.token(r.Context())}, "error", text)
}

func (c *Console) token(ctx context.Context) string { return c.sessions.GetString(ctx, tokenKey) }

// asset serves an embedded file.
func asset(name, kind string) http.HandlerFunc {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("console: internal error: " + err.Error())
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(text) // nobody is left to be told
	}
}

func (c *Console) loginPage(w http.ResponseWriter, r *http.Request) {
	if c.current(r.Context()) != nil {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	c.showLogin(w, http.StatusOK, "")
}

func (c *Console) showLogin(w http.ResponseWriter, status int, problem string) {
	content := loginContent{Problem: problem, Analysts: slices.ContainsFunc(persons(c.Policy()), func(p person) bool { return p.IsAnalyst() })}
	if s := c.Policy().Console; s != nil && s.OIDC != nil {
		content.Provider = s.OIDC.Issuer
	}
	c.write(w, status, &frame{Title: "Log in"}, "login", content)
}

// login checks a name and a password. Who is logged in goes to the first page, wherever they came from.
func (c *Console) login(w http.ResponseWriter, r *http.Request) {
	name, password := r.PostFormValue("name"), r.PostFormValue("password")
	if wait := c.attempts.take(name, r.RemoteAddr); wait > 0 {
		seconds := int(math.Ceil(wait.Seconds()))
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		c.Log.Debug("too many logins were tried at the console", "from", r.RemoteAddr)
		c.showLogin(w, http.StatusTooManyRequests, "Too many logins were tried. Wait "+strconv.Itoa(seconds)+" seconds.")
		return
	}
	who, err := c.check(r.Context(), name, password)
	switch {
	case err != nil:
		c.showError(w, r, err)
		return
	case who == nil:
		c.Log.Warn("a login at the console failed", "from", r.RemoteAddr)
		c.showLogin(w, http.StatusUnauthorized, "The name or the password is wrong.")
		return
	}
	c.attempts.giveBack(name, r.RemoteAddr)
	if err := c.enter(r.Context(), who); err != nil {
		c.showError(w, r, err)
		return
	}
	c.Log.Info("somebody logged in at the console", "name", who.Name, "role", string(who.Role), "from", r.RemoteAddr)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (v *visit) logout() (*page, error) {
	v.ended.Add(v.token(v.r.Context()), struct{}{})
	if err := v.sessions.Destroy(v.r.Context()); err != nil {
		return nil, err
	}
	http.Redirect(v.w, v.r, "/login", http.StatusSeeOther)
	return nil, nil
}
