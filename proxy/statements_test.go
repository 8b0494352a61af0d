package proxy

import (
	"fmt"
	"strings"
	"testing"

	"tacit/proxy/internal/relay"
)

// What a session is remembered for is bounded: statements, those under way, and those that only a portal holds.
func TestStatementsAreBounded(t *testing.T) {
	r := newRig(t, nil)
	long := byRegion + " -- " + strings.Repeat("x", maxStatementsText/8)
	for name, one := range map[string]func(i int) messages{
		"parsed": func(i int) messages { return messages{parse(fmt.Sprint("s", i), long)} },
		"prepared when executed": func(i int) messages {
			return messages{parse("", fmt.Sprintf("PREPARE s%d AS %s", i, long)), bind("", ""), executeUpTo("", 0)}
		},
		"held by portals": func(i int) messages {
			return messages{parse("", fmt.Sprintf("PREPARE s AS %s -- %d", long, i)), bind(fmt.Sprint("p", i), "")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := connectAs(t, r.address.String(), "ana", r.database)
			var sent messages
			for i := range 16 {
				sent = append(sent, one(i)...)
			}
			got := p.talk(1, append(sent, sync_)...)
			if line := got[len(got)-2]; !strings.HasPrefix(line, "E V=ERROR C=54000 M=more than") {
				t.Errorf("got %q", line)
			}
			if n := strings.Count(strings.Join(got, ""), `1 "`); n < 7 || n > 8 {
				t.Errorf("%d statements of an eighth of the bound were taken", n)
			}
			if n := r.releaser.answered(); n != 0 {
				t.Errorf("the releaser was asked %d times", n)
			}
		})
	}
}

// Text counts as long as the server has not confirmed its statement, and once when many things hold it.
func TestStatementsText(t *testing.T) {
	s := newStatements()
	half := &statement{sql: strings.Repeat("x", maxStatementsText/2)}
	portals := map[string]*statement{"p": half, "q": half}
	done := s.begin([]*effect{{name: "s", becomes: half}})
	if !s.full(portals) {
		t.Error("a statement under way does not count")
	}
	done(0, relay.Succeeded)
	if s.full(portals) {
		t.Error("a statement with a name and two portals counts more than once")
	}
	s.begin([]*effect{{name: "t", becomes: half}})(0, relay.Failed)
	if s.full(portals) {
		t.Error("a statement that failed counts")
	}
}
