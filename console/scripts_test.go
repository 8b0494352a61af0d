package console

import (
	"net/url"
	"strings"
	"testing"
)

// TestScriptsInBrowser uses what pages have besides, in a browser that runs their script: a button copies a statement, and a slider goes over the points of an
// assessment, both by the keyboard. Text of an analyst does not become a script.
func TestScriptsInBrowser(t *testing.T) {
	if !*withBrowser {
		t.Skip("-browser is not given")
	}
	s := newPlayed(t)
	c := startChromium(t)
	c.runScripts()
	c.look(views[0])
	c.call("Browser.grantPermissions", map[string]any{"permissions": []string{"clipboardReadWrite", "clipboardSanitizedWrite"}, "origin": s.server.URL}, nil)
	c.logIn(s.server.URL, "ana")
	c.open(s.server.URL + "/free?text=" + url.QueryEscape("age = 390"))
	c.check(t, "ana", "/free with scripts")
	c.value("document.querySelector('.copying button').focus()")
	c.key("Enter", 13)
	c.await("document.querySelector('.copying [role=status]').textContent !== ''")
	if said := c.value("document.querySelector('.copying [role=status]').textContent"); said != "Copied." {
		t.Errorf("the button says %v", said)
	}
	if copied := c.text("navigator.clipboard.readText()"); copied != "SELECT sex, count(*) FROM public.patients WHERE (age = 390) GROUP BY sex;" {
		t.Errorf("copied: %q", copied)
	}
	c.open(s.server.URL + "/free?table=public.patients&text=script")
	if hostile := c.value("document.scripts.length + document.querySelectorAll('main img, main script').length"); hostile != 1.0 {
		t.Errorf("the page has %v scripts and pictures", hostile)
	}

	c = startChromium(t)
	c.runScripts()
	c.look(views[0])
	c.logIn(s.server.URL, "olga")
	c.open(s.server.URL + "/assess?table=public.patients&key=sex&key=tens+of+age&epsilon=0.1,1")
	c.press("form[method=post]")
	c.await("document.readyState === 'complete' && document.querySelector('.slide input') !== null")
	c.check(t, "olga", "/assess with scripts")
	const shown = "document.querySelector('.slide dd').textContent + '|' + document.querySelector('tr.chosen th').textContent.trim().replace(/\\s+/g, ' ')"
	c.value("document.querySelector('.slide input').focus()")
	seen := make(map[string]bool)
	c.key("Home", 36)
	for range 4 {
		text, _ := c.value(shown).(string)
		at, inTable, _ := strings.Cut(text, "|")
		if at == "" || at != inTable || seen[at] {
			t.Errorf("the slider shows %q, after %v", text, seen)
		}
		seen[at] = true
		c.key("ArrowRight", 39)
	}
	if text, _ := c.value("document.querySelector('.slide input').getAttribute('aria-valuetext')").(string); !strings.HasPrefix(text, "Epsilon 0.") {
		t.Errorf("a screen reader hears %q", text)
	}
}

// text awaits what an expression promises.
func (c *chromium) text(expression string) string {
	c.t.Helper()
	var result struct {
		Result           struct{ Value string }
		ExceptionDetails any
	}
	c.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &result)
	if result.ExceptionDetails != nil {
		c.t.Fatalf("%s: %v", expression, result.ExceptionDetails)
	}
	return result.Result.Value
}
