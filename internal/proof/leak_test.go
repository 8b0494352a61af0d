package proof

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/proxy"
)

// newLeakPair makes a pair of sites whose gateways answer with constants: then every byte that a client sees is the same for both, or
// something of the protected rows shows.
func newLeakPair(t testing.TB) (present, absent string) {
	t.Helper()
	with, without := newPair(t)
	var urls []string
	for _, s := range []*site{with, without} {
		var gateway proxy.Releaser = &constantGateway{Gateway: s.gateway, conn: connectCurator(s)}
		urls = append(urls, s.url(s.serve(gateway)))
		t.Cleanup(func() {
			if log := s.log.String(); strings.Contains(log, "level=ERROR") {
				t.Errorf("the proxy logged an error:\n%s", log)
			}
		})
	}
	return urls[0], urls[1]
}

// passing are names that differ from one session or database to the next.
var passing = regexp.MustCompile(`pg_(toast_)?temp_\d+|test_\d+`)

// runScript runs a script in a transaction and returns what is seen of it.
func runScript(c *client, script []string, protocol string) (seen []string) {
	c.query("BEGIN")
	for _, sql := range script {
		var replies []message
		if protocol == "simple" {
			replies = c.query(sql)
		} else {
			replies = c.exchange(1, extended(sql, parameters{}, nil)...)
		}
		seen = append(seen, sql)
		for _, line := range lines(replies) {
			seen = append(seen, passing.ReplaceAllString(line, "passing"))
		}
	}
	c.query("ROLLBACK")
	c.query("ROLLBACK")
	c.query("DISCARD ALL")
	return seen
}

// difference runs a script on both sites and says what is seen of it on one, and how the other differs.
func (p *pair) difference(script []string, protocol string) (present []string, diff string) {
	present = runScript(p.present, script, protocol)
	return present, cmp.Diff(runScript(p.absent, script, protocol), present)
}

// checkScript demands that a script shows the same on both sites, and that nothing about protected rows reaches the server.
func (p *pair) checkScript(script []string, protocol string) {
	p.t.Helper()
	text := strings.Join(script, "\n;\n")
	present, diff := p.difference(script, protocol)
	if diff != "" && !volatile.MatchString(text) {
		p.t.Errorf("the planted person shows, in the %s protocol, in\n%s\n(-absent +present):\n%s", protocol, text, diff)
	}
	for _, line := range present {
		switch {
		case !strings.HasPrefix(line, "E ") && !strings.HasPrefix(line, "! "):
		case reachedTheServer.MatchString(line), strings.Contains(line, " C=XX"), strings.Contains(line, " C=58"), line[0] == '!':
			p.t.Errorf("%s in the %s protocol:\n%s", line, protocol, text)
		}
	}
	if strings.Contains(strings.Join(present, "\n"), gone.String()) {
		p.connect()
	}
}

// TestNothingLeaks sends random statements to the pair of sites.
func TestNothingLeaks(t *testing.T) {
	present, absent := newLeakPair(t)
	p := newPairOf(t, present, absent)
	scripts, n := 1000, 0
	if testing.Short() {
		scripts = 75
	}
	for r := range randomly(t, scripts) {
		p.checkScript(newGrammar(randomBytes(r)).script(), protocols[n%len(protocols)])
		if n++; t.Failed() {
			break
		}
	}
	t.Logf("%d scripts", n)
}

// TestLeaksAreFound makes sure that random statements would show a leak: with true counts many of them differ.
func TestLeaksAreFound(t *testing.T) {
	with, without := newPair(t)
	p := newPairOf(t, with.url(with.serve(newExactGateway(with))), without.url(without.serve(newExactGateway(without))))
	r := rand.New(rand.NewPCG(1, 0))
	found, scripts := 0, 200
	if testing.Short() {
		scripts = 40
	}
	for range scripts {
		if _, diff := p.difference(newGrammar(randomBytes(r)).script(), "simple"); diff != "" {
			found++
		}
	}
	if found < scripts/20 {
		t.Errorf("only %d of %d scripts differ where counts are true", found, scripts)
	}
}

// leakSites tells the workers of FuzzLeaks where the proxies of the process that started them are.
const leakSites = "TACIT_LEAK_SITES"

// FuzzLeaks does the same with statements that the fuzzer chooses.
func FuzzLeaks(f *testing.F) {
	if fuzzing := flag.Lookup("test.fuzz"); fuzzing.Value.String() == "" {
		f.Skip("TestNothingLeaks sends such statements, unless the fuzzer is asked for")
	}
	if os.Getenv(leakSites) == "" {
		present, absent := newLeakPair(f)
		f.Setenv(leakSites, present+" "+absent)
	}
	var present, absent string
	fmt.Sscan(os.Getenv(leakSites), &present, &absent)
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		f.Add(randomBytes(r))
	}
	p := newPairOf(f, present, absent)
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > 1000 {
			return
		}
		p.t, p.present.t, p.absent.t = t, t, t
		p.checkScript(newGrammar(choices).script(), protocols[len(choices)%2])
	})
}
