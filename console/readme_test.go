package console

import (
	"flag"
	"path/filepath"
	"testing"
)

var (
	demoAddress  = flag.String("demo", "", "the `address` of the pages of a running demo, of which TestReadmePictures takes the README's pictures")
	demoPassword = flag.String("password", "", "the steward's `password` there")
)

// TestReadmePictures takes the pictures of the README. `make demo` prints the address and the password:
//
//	go test ./console -run TestReadmePictures -demo http://127.0.0.1:PORT -password PASSWORD
func TestReadmePictures(t *testing.T) {
	if *demoAddress == "" {
		t.Skip("-demo is not given")
	}
	c := startChromium(t)
	c.look(view{"readme", "light", 1000, 540})
	c.logInWith(*demoAddress, "steward", *demoPassword)
	c.part(filepath.Join("..", "docs", "console-overview.png"), 1000, 540)
	c.open(*demoAddress + "/whatif?table=public.titanic&key=sex&key=age&key=survived&kind=geometric&epsilon=0.5&rows=2200")
	c.value("document.querySelector('main form[method=post]').requestSubmit()")
	c.await("document.readyState === 'complete' && location.pathname.endsWith('/result') && document.querySelector('main h2') !== null")
	c.part(filepath.Join("..", "docs", "console-whatif.png"), 1000, 540)
}

// part is a picture of the upper part of a page.
func (c *chromium) part(file string, width, height int) {
	c.t.Helper()
	c.shoot(file, map[string]any{"clip": map[string]any{"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
}
