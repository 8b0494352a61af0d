package console

import (
	"os/exec"
	"strings"
	"testing"
)

// loggedInAs is an expression that says who is logged in.
const loggedInAs = "document.querySelector('.who span')?.textContent"

// logOut presses the button.
func (c *chromium) logOut() {
	c.t.Helper()
	c.value("document.querySelector('form.who button').focus()")
	c.key("Enter", 13)
	c.await("document.readyState === 'complete' && location.pathname === '/login' && document.querySelector('.who') === null")
}

// TestProviderInBrowser logs in at a provider of OpenID Connect by its link, as a steward and as an officer, and out again. Each lands on the overview of their
// role. Somebody whom the policy does not name does not.
func TestProviderInBrowser(t *testing.T) {
	if !*withBrowser {
		t.Skip("-browser is not given")
	}
	s := newPlayed(t)
	m := s.withProvider()
	c := startChromium(t)
	c.look(views[0])
	atProvider := func(then string) {
		t.Helper()
		c.open(s.server.URL + "/login")
		c.value("document.querySelector('a[href=\"/oidc/login\"]').focus()")
		c.key("Enter", 13)
		c.await("document.readyState === 'complete' && " + then)
	}
	c.open(s.server.URL + "/login")
	c.check(t, "nobody", "/login with a provider")
	m.QueueUser(stanThere)
	atProvider("location.pathname === '/' && document.querySelector('.who') !== null")
	if who := c.value(loggedInAs); who != "stan (steward)" {
		t.Errorf("logged in as %v", who)
	}
	c.open(s.server.URL + "/acts")
	if may := c.value("document.querySelector('form[action=\"/acts\"]') !== null"); may != true {
		t.Error("a steward has no form")
	}
	c.logOut()
	c.open(s.server.URL + "/acts")
	c.await("document.readyState === 'complete' && location.pathname === '/login'")
	m.QueueUser(olgaThere)
	atProvider("location.pathname === '/' && document.querySelector('.who') !== null")
	if who := c.value(loggedInAs); who != "olga (officer)" {
		t.Errorf("logged in as %v", who)
	}
	c.open(s.server.URL + "/acts")
	if may := c.value("document.querySelector('form[action=\"/acts\"]') === null && document.body.innerText.includes('Stewards act')"); may != true {
		t.Error("an officer has a form")
	}
	c.logOut()
	nobody := *stanThere
	nobody.Subject, nobody.Email = "7", "eve@example.org"
	m.QueueUser(&nobody)
	atProvider("document.body.innerText.includes('You could not be logged in')")
	c.check(t, "nobody", "/oidc/callback")
	if who := c.value(loggedInAs); who != nil {
		t.Errorf("logged in as %v", who)
	}
}

// TestShortlyInChromium is the short form of the tests in a browser: a steward logs in, looks at some pages, freezes a table, and logs out, without scripts and by the
// keyboard.
func TestShortlyInChromium(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("chromium is missing; scripts/install.sh test installs it")
	}
	s := newPlayed(t)
	c := startChromium(t)
	c.look(views[0])
	c.logIn(s.server.URL, "stan")
	for _, v := range []view{views[0], views[3]} {
		c.look(v)
		for _, path := range []string{"/", "/table/public/patients", "/questions", "/free", "/acts"} {
			c.open(s.server.URL + path)
			if found := c.value(faults); found != "" {
				t.Errorf("%s, %s:\n%v", path, v.name, found)
			}
		}
	}
	c.look(views[0])
	c.open(s.server.URL + "/acts?act=freeze&table=public.patients")
	c.fill(map[string]string{"reason": "the board meets first"})
	c.key("Enter", 13)
	c.await("document.readyState === 'complete' && location.pathname.startsWith('/acts/confirm/')")
	c.value("document.querySelector('form[action^=\"/acts/confirm/\"] button').focus()")
	c.key("Enter", 13)
	c.await("document.readyState === 'complete' && location.pathname.startsWith('/acts/entry/')")
	if e := s.acts()[0]; e.By != "stan" || e.Reason != "the board meets first" || e.Verdict != "frozen" {
		t.Errorf("the entry is %+v", e)
	}
	c.open(s.server.URL + "/")
	if text, _ := c.value("document.querySelector('main').innerText").(string); !strings.Contains(text, "the board meets first") {
		t.Errorf("the overview does not show the freeze:\n%s", text)
	}
	c.logOut()
}
