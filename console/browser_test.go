package console

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tacit/policy"
	"tacit/release/acts"
)

var (
	withBrowser = flag.Bool("browser", false, "click through the pages in Debian's chromium; make clients does")
	pictures    = flag.String("pictures", "", "keep pictures of all pages in this `directory`")
	axeFile     = flag.String("axe", "../.cache/clients/axe/node_modules/axe-core/axe.min.js", "axe-core's `file`; clients/npm.sh axe installs it, as its package-lock.json says")
)

// A chromium is a headless browser, spoken to in its DevTools protocol by a pipe: https://chromedevtools.github.io/devtools-protocol.
type chromium struct {
	t       testing.TB
	in      io.Writer
	out     *bufio.Reader
	session string
	last    int
	axeText string
	scripts bool // whether pages run theirs
}

// runScripts has pages run their scripts, and lets them use the clipboard.
func (c *chromium) runScripts() {
	c.t.Helper()
	c.scripts = true
	c.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": false}, nil)
	c.call("Page.bringToFront", nil, nil)
	c.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
}

// key presses a key where the focus is.
func (c *chromium) key(name string, code int) {
	c.t.Helper()
	text := map[string]string{"Enter": "\r", "Space": " "}[name]
	for _, kind := range []string{"keyDown", "keyUp"} {
		c.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": name, "code": name, "text": text, "windowsVirtualKeyCode": code}, nil)
	}
}

// startChromium starts one whose pages run no scripts, as those of careful people do.
func startChromium(t testing.TB) *chromium {
	t.Helper()
	toBrowser, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run", "--disable-dev-shm-usage",
		"--disable-background-networking", "--hide-scrollbars", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser} // descriptors 3 and 4
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toBrowser.Close()
	fromBrowser.Close()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // with its children, of which it has many
		_ = cmd.Wait()
		in.Close()
		out.Close()
	})
	c := &chromium{t: t, in: in, out: bufio.NewReader(out)}
	var target struct{ TargetId string }
	c.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionId string }
	c.call("Target.attachToTarget", map[string]any{"targetId": target.TargetId, "flatten": true}, &attached)
	c.session = attached.SessionId
	c.call("Page.enable", nil, nil)
	c.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	return c
}

type message struct {
	ID     int             `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params any             `json:"params,omitempty"`
	To     string          `json:"sessionId,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

func (c *chromium) read() (m message) {
	c.t.Helper()
	text, err := c.out.ReadBytes(0)
	if err == nil {
		err = json.Unmarshal(text[:len(text)-1], &m)
	}
	if err != nil {
		c.t.Fatalf("chromium: %v", err)
	}
	return m
}

func (c *chromium) call(method string, params, result any) {
	c.t.Helper()
	if refused := c.tried(method, params, result); refused != "" {
		c.t.Fatalf("%s: %s", method, refused)
	}
}

// tried is call, and returns what the browser says of a call that it refuses.
func (c *chromium) tried(method string, params, result any) (refused string) {
	c.t.Helper()
	c.last++
	text, err := json.Marshal(message{ID: c.last, Method: method, Params: params, To: c.session})
	if err == nil {
		_, err = c.in.Write(append(text, 0))
	}
	if err != nil {
		c.t.Fatal(err)
	}
	for {
		m := c.read()
		if m.ID != c.last {
			continue
		}
		if m.Error != nil {
			return string(m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				c.t.Fatal(err)
			}
		}
		return ""
	}
}

// value evaluates an expression on the page, beside its scripts.
func (c *chromium) value(expression string) any {
	c.t.Helper()
	value, refused := c.evaluated(expression)
	if refused != "" {
		c.t.Fatalf("%s: %s", expression, refused)
	}
	return value
}

// evaluated is value, and returns what the browser says where it evaluates nothing.
func (c *chromium) evaluated(expression string) (value any, refused string) {
	c.t.Helper()
	var result struct {
		Result           struct{ Value any }
		ExceptionDetails any
	}
	refused = c.tried("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &result)
	if result.ExceptionDetails != nil {
		c.t.Fatalf("%s: %v", expression, result.ExceptionDetails)
	}
	return result.Result.Value, refused
}

// await waits until an expression holds on the page. While the browser leaves one page for another it may evaluate nothing.
func (c *chromium) await(expression string) {
	c.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		value, refused := c.evaluated(expression)
		switch {
		case value == true:
			return
		case refused != "" && !strings.Contains(refused, "navigated or closed"):
			c.t.Fatalf("%s: %s", expression, refused)
		case time.Now().After(deadline):
			c.t.Fatalf("%s does not come true on %v\n%.2000v", expression, c.value("location.href"), c.value("document.querySelector('main')?.innerText"))
		}
	}
}

func (c *chromium) open(url string) {
	c.t.Helper()
	c.call("Page.navigate", map[string]any{"url": url}, nil)
	c.await("document.readyState === 'complete' && location.href !== 'about:blank'")
}

// logIn types into the form and presses its button.
func (c *chromium) logIn(base, name string) {
	c.t.Helper()
	c.logInWith(base, name, passwordOf(name))
}

func (c *chromium) logInWith(base, name, password string) {
	c.t.Helper()
	c.open(base + "/login")
	for field, text := range map[string]string{"name": name, "password": password} {
		c.value(fmt.Sprintf("document.getElementById(%q).focus()", field))
		c.call("Input.insertText", map[string]any{"text": text}, nil)
	}
	c.key("Enter", 13)
	c.await("document.readyState === 'complete' && document.querySelector('.who span') !== null")
}

// A view is how a page is looked at.
type view struct {
	name, scheme  string
	width, height int
}

var views = []view{{"wide-light", "light", 1280, 800}, {"wide-dark", "dark", 1280, 800}, {"narrow-light", "light", 390, 844}, {"narrow-dark", "dark", 390, 844}}

func (c *chromium) look(v view) {
	c.t.Helper()
	c.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": v.width, "height": v.height, "deviceScaleFactor": 1, "mobile": v.width < 500}, nil)
	c.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": v.scheme}}}, nil)
}

func (c *chromium) picture(file string) {
	c.t.Helper()
	c.shoot(file, map[string]any{"captureBeyondViewport": true})
}

func (c *chromium) shoot(file string, how map[string]any) {
	c.t.Helper()
	var shot struct{ Data string }
	c.call("Page.captureScreenshot", how, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// faults is an expression that lists what is wrong with a page for those who do not see it, or have no mouse.
const faults = `(() => {
	const found = [];
	if (!document.documentElement.lang) found.push('no language');
	if (!document.title) found.push('no title');
	if (document.querySelectorAll('h1').length !== 1) found.push('not one h1');
	for (const e of document.querySelectorAll('input:not([type=hidden]), select, textarea'))
		if (!e.labels || e.labels.length === 0) found.push('no label: ' + e.outerHTML);
	for (const e of document.querySelectorAll('th')) if (!e.scope) found.push('no scope: ' + e.outerHTML);
	for (const e of document.querySelectorAll('img')) if (!e.alt) found.push('no alt: ' + e.outerHTML);
	for (const e of document.querySelectorAll('svg')) if (!e.getAttribute('aria-label')) found.push('no name: ' + e.outerHTML);
	for (const e of document.querySelectorAll('a, button')) if (!e.textContent.trim()) found.push('no text: ' + e.outerHTML);
	for (const e of document.querySelectorAll('script:not([src="/console.js"]), style, iframe, object, embed, [style], [onclick]')) found.push('not allowed: ' + e.outerHTML);
	const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
	if (new Set(ids).size !== ids.length) found.push('an id twice');
	if (document.documentElement.scrollWidth > window.innerWidth) found.push('wider than the window: ' + document.documentElement.scrollWidth);
	for (const i of document.images) if (!i.complete || i.naturalWidth === 0) found.push('a picture is not shown: ' + i.src);
	const light = (text) => { const c = text.match(/[\d.]+/g).map(Number); if (c.length > 3 && c[3] === 0) return null;
		const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	for (const e of document.querySelectorAll('body *')) {
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || e.disabled || e.className === 'skip' || !e.getClientRects().length) continue;
		let ground = null;
		for (let p = e; p && ground === null; p = p.parentElement) ground = light(getComputedStyle(p).backgroundColor);
		const text = light(getComputedStyle(e).color), [a, b] = [Math.max(text, ground ?? 1), Math.min(text, ground ?? 1)];
		if ((a + 0.05) / (b + 0.05) < 4.5) found.push('contrast ' + ((a + 0.05) / (b + 0.05)).toFixed(2) + ': ' + e.outerHTML.slice(0, 80));
	}
	return found.slice(0, 5).join('\n');
})()`

// TestInBrowser logs in as each kind of person, goes to every page, and verifies the ledger, in a browser that runs no scripts. Every page can be read
// on a phone and at a desk, light and dark.
func TestInBrowser(t *testing.T) {
	if !*withBrowser {
		t.Skip("-browser is not given")
	}
	s := newPlayed(t)
	s.playBlocks()
	for _, name := range []string{"olga", "ana"} {
		c := startChromium(t)
		c.look(views[0])
		c.open(s.server.URL + "/login")
		c.check(t, name, "/login")
		c.value(`document.querySelector('main').insertAdjacentHTML('beforeend', '<input><b id="main" aria-hidden="x"></b>')`)
		if found := c.axe(); !strings.Contains(found, "label: ") || !strings.Contains(found, "aria-valid-attr-value: ") {
			t.Errorf("axe-core does not find a planted field without a label, and a wrong attribute; it finds %q", found)
		}
		c.logIn(s.server.URL, name)
		for path, forAll := range everyPage {
			if name == "ana" && !forAll || strings.HasSuffix(path, ".svg") || strings.Contains(path, ".csv") || strings.Contains(path, ".json") {
				continue
			}
			c.open(s.server.URL + path)
			c.await("document.readyState === 'complete' && !document.body.innerText.includes('This page loads itself again')") // or it would, while it is looked at
			c.check(t, name, path)
		}
		if name == "ana" {
			c.open(s.server.URL + "/requests?table=public.patients")
			c.check(t, name, "/requests")
			c.fill(map[string]string{"epsilon": "1", "reason": "the study of spring needs one more question about regions"})
			c.press("form.fields")
			c.await("document.readyState === 'complete' && document.body.innerText.includes('none yet')")
			c.check(t, name, "/requests made")
		}
		if name == "olga" {
			c.open(s.server.URL + "/table/public/admissions")
			c.check(t, name, "/table/public/admissions")
			for _, form := range []string{"/assess?table=public.patients&key=sex&key=tens+of+age&epsilon=0.1,1", "/whatif?table=public.patients&key=region&key=sex&epsilon=0.5&values=8"} {
				c.open(s.server.URL + form)
				c.value("document.querySelector('main form[method=post]').requestSubmit()")
				c.await("document.readyState === 'complete' && location.pathname.endsWith('/result') && document.querySelector('main h2') !== null")
				c.check(t, name, "/result"+form[:7])
			}
			c.open(s.server.URL + "/ledger")
			c.value("document.querySelector('main form button').focus()")
			c.value("document.querySelector('main form').requestSubmit()")
			c.await("document.readyState === 'complete' && document.body.innerText.includes('Sound:')")
			c.check(t, name, "/ledger verified")
		}
	}
}

// TestActsInBrowser has a steward answer a request and freeze a table, without scripts.
func TestActsInBrowser(t *testing.T) {
	if !*withBrowser {
		t.Skip("-browser is not given")
	}
	s := newPlayed(t)
	if r := s.as("bob").asks("table", "public.visits", "epsilon", "0.5"); r.StatusCode != 303 {
		t.Fatalf("a request: status %d", r.StatusCode)
	}
	c := startChromium(t)
	c.look(views[0])
	c.logIn(s.server.URL, "stan")
	c.open(s.server.URL + "/acts")
	c.check(t, "stan", "/acts with a request")
	c.value("[...document.querySelectorAll('a')].find(a => a.textContent === 'Grant' && a.href.includes('asked=')).click()")
	c.await("document.readyState === 'complete' && document.getElementById('epsilon')?.value === '0.5'")
	c.check(t, "stan", "/acts grant")
	c.fill(map[string]string{"reason": "the board agreed on 3 March"})
	c.press("form.fields")
	c.await("document.readyState === 'complete' && document.body.innerText.includes('Do it')")
	c.check(t, "stan", "/acts confirm")
	c.press("form[action^='/acts/confirm/']")
	c.await("document.readyState === 'complete' && location.pathname.startsWith('/acts/entry/')")
	c.check(t, "stan", "/acts entry")
	c.open(s.server.URL + "/whatif?table=public.patients&key=region&key=sex&epsilon=0.5&values=8")
	c.press("form[method=post]")
	c.await("document.readyState === 'complete' && document.getElementById('decided') !== null")
	c.check(t, "stan", "/whatif decide")
	c.fill(map[string]string{"decided": "epsilon 0.5 from January", "reason": "an error of 4 does for the annual report"})
	c.press("form[action='/whatif/decide']")
	c.await("document.readyState === 'complete' && document.body.innerText.includes('Do it')")
	c.check(t, "stan", "/acts confirm decision")
	c.press("form[action^='/acts/confirm/']")
	c.await("document.readyState === 'complete' && location.pathname.startsWith('/acts/entry/')")
	c.check(t, "stan", "/acts entry decision")
	c.open(s.server.URL + "/acts?act=decline")
	c.check(t, "stan", "/acts decline")
	c.open(s.server.URL + "/acts?act=thaw&table=public.visits")
	c.check(t, "stan", "/acts thaw")
}

// TestPublishInBrowser has a steward publish, without scripts: the form, the preview, and the page of what came of it.
func TestPublishInBrowser(t *testing.T) {
	if !*withBrowser {
		t.Skip("-browser is not given")
	}
	s := newPlayedWithData(t)
	s.console.jobs.perform = func(_ *acts.Act, _ context.Context, _ *policy.Policy, told func(string)) ([][2]string, error) {
		told("reading")
		told("writing")
		return [][2]string{{"published", "open.patients, of public.patients"}, {"rows", "2000 published"}, {"charged", "epsilon 0.5"}}, nil
	}
	c := startChromium(t)
	c.look(views[0])
	c.logIn(s.server.URL, "stan")
	c.open(s.server.URL + "/acts?act=seal")
	c.check(t, "stan", "/acts seal")
	c.open(s.server.URL + "/acts?act=publish&publication=open.patients")
	c.check(t, "stan", "/acts publish")
	c.fill(map[string]string{"reason": "the open data of spring"})
	c.press("form.fields")
	c.await("document.readyState === 'complete' && document.body.innerText.includes('Do it')")
	c.check(t, "stan", "/acts confirm publish")
	c.press("form[action^='/acts/confirm/']")
	c.await("document.readyState === 'complete' && document.body.innerText.includes('It is done.')")
	c.check(t, "stan", "/acts job")
}

// fill types into fields.
func (c *chromium) fill(fields map[string]string) {
	c.t.Helper()
	for field, text := range fields {
		c.value(fmt.Sprintf("document.getElementById(%q).select()", field))
		c.call("Input.insertText", map[string]any{"text": text}, nil)
	}
}

// press sends a form as its button does.
func (c *chromium) press(form string) {
	c.t.Helper()
	c.value(fmt.Sprintf("document.querySelector(%q).requestSubmit()", "main "+form))
}

// check looks at a page in all views.
func (c *chromium) check(t *testing.T, name, path string) {
	t.Helper()
	for _, v := range views {
		c.look(v)
		if found := c.value(faults); found != "" {
			t.Errorf("%s as %s, %s:\n%v", path, name, v.name, found)
		}
		if found := c.axe(); found != "" {
			t.Errorf("%s as %s, %s: axe-core finds\n%s", path, name, v.name, found)
		}
		if *pictures != "" {
			file := strings.NewReplacer("/", "-", "?", "-", "%", "", "&", "-", "=", "-", " ", "-").Replace(name + path)
			c.picture(filepath.Join(*pictures, file+"-"+v.name+".png"))
		}
	}
	c.look(views[0])
}
