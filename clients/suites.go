package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tacit/policy"
)

// A suite is the test suite of a driver's module, at the version that go.mod pins.
type suite struct {
	name   string
	module string
	site   siteOptions
	env    []string
}

var suites = []suite{
	{
		name: "pgx", module: "github.com/jackc/pgx/v5",
		// testsetup/postgresql_setup.sql
		site: siteOptions{database: "pgx_test", analyst: "pgx", auth: policy.AuthTrust, preparation: `
			CREATE EXTENSION hstore;
			CREATE EXTENSION ltree;
			CREATE DOMAIN uint64 AS numeric(20,0);
			CREATE ROLE " tricky, ' } "" \\ test user ";
		`},
		env: []string{"PGSSLMODE=disable", "PGX_TEST_DATABASE=sslmode=disable", "PGX_TEST_TCP_CONN_STRING=host=127.0.0.1 sslmode=disable"},
	},
	{name: "lib/pq", module: "github.com/lib/pq", site: pqSite, env: []string{"PGSSLMODE=disable"}},
	{
		name: "lib/pq with binary parameters", module: "github.com/lib/pq", site: pqSite,
		env: []string{"PGSSLMODE=disable", "PQTEST_BINARY_PARAMETERS=yes"},
	},
}

// pqSite has the names that the tests of lib/pq expect.
var pqSite = siteOptions{database: "pqgo", analyst: "pqgo", auth: policy.AuthTrust, preparation: "CREATE EXTENSION hstore;"}

// exceptionFiles hold the tests that pass on PostgreSQL and fail through the proxy, with the reasons: a file for each module, in
// which a line with # gives the reason of the tests that follow, each "PACKAGE TEST".
//
//go:embed exceptions/*.txt
var exceptionFiles embed.FS

var exceptionFileNames = map[string]string{
	"github.com/jackc/pgx/v5": "exceptions/pgx.txt",
	"github.com/lib/pq":       "exceptions/pq.txt",
}

// exceptions are reasons by test.
func (s suite) exceptions() (map[string]string, error) {
	text, err := exceptionFiles.ReadFile(exceptionFileNames[s.module])
	if err != nil {
		return nil, err
	}
	reasons, reason := make(map[string]string), ""
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimSpace(line); {
		case line == "":
		case line[0] == '#':
			reason = strings.TrimSpace(line[1:])
		case reason == "":
			return nil, fmt.Errorf("%s: %s has no reason", s.name, line)
		default:
			reasons[line] = reason
		}
	}
	return reasons, nil
}

func runSuites(ctx context.Context, names []string, details io.Writer) (ok bool, err error) {
	ok = true
	for _, s := range suites {
		if len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		same, err := s.compare(ctx, details)
		if err != nil {
			return false, fmt.Errorf("%s: %w", s.name, err)
		}
		ok = ok && same
	}
	return ok, nil
}

// compare runs the suite on PostgreSQL and through the proxy, and reports each difference that is not among the exceptions.
func (s suite) compare(ctx context.Context, details io.Writer) (ok bool, err error) {
	exceptions, err := s.exceptions()
	if err != nil {
		return false, err
	}
	source, version, err := s.source(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(source)) }()
	fmt.Printf("%s %s: its tests, on PostgreSQL itself ...\n", s.name, version)
	direct, err := s.run(ctx, source, false, details)
	if err != nil {
		return false, err
	}
	fmt.Printf("%s %s: ... and through the proxy\n", s.name, version)
	proxied, err := s.run(ctx, source, true, details)
	if err != nil {
		return false, err
	}
	found := differences(direct, proxied, exceptions)
	for _, d := range found {
		fmt.Println(" ", d)
	}
	fmt.Printf("%s %s: on PostgreSQL %s; through the proxy %s; %d known exceptions\n",
		s.name, version, summary(direct), summary(proxied), len(exceptions))
	return len(found) == 0, nil
}

// differences names each test that is worse through the proxy and no exception, and each exception that is none.
func differences(direct, proxied map[string]outcome, exceptions map[string]string) []string {
	var found []string
	excepted := make(map[string]bool)
	for _, test := range slices.Sorted(maps.Keys(direct)) {
		if direct[test] == failed || proxied[test] == direct[test] || implied(test, proxied) {
			continue
		}
		if exceptions[test] != "" {
			excepted[test] = true
			continue
		}
		found = append(found, fmt.Sprintf("%s: %s on PostgreSQL, but %s through the proxy", test, direct[test], cmp.Or(proxied[test], "not run")))
	}
	for _, test := range slices.Sorted(maps.Keys(exceptions)) {
		if !excepted[test] {
			found = append(found, test+": is listed as an exception, but is none")
		}
	}
	return found
}

// implied says whether the outcome of a test follows from that of another, which is reported itself: it has failed because a part of
// it has, or it did not run because the test of which it is a part failed before. That a package has failed does not say why its
// tests did not run: it may fail on PostgreSQL, too.
func implied(test string, outcomes map[string]outcome) bool {
	for other, o := range outcomes {
		if o == failed && (partOf(other, test) || outcomes[test] == "" && isTest(other) && partOf(test, other)) {
			return true
		}
	}
	return false
}

// isTest tells a test from a package.
func isTest(name string) bool { return strings.Contains(name, " ") }

// partOf says whether a test is a part of a whole: a subtest of a test, or a test of a package.
func partOf(part, whole string) bool {
	separator := " "
	if isTest(whole) {
		separator = "/"
	}
	return strings.HasPrefix(part, whole+separator)
}

// source copies the module's files, which the module cache holds read-only, to a new directory.
func (s suite) source(ctx context.Context) (dir, version string, err error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", s.module)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", "", err
	}
	var module struct{ Dir, Version string }
	if err := json.Unmarshal(out, &module); err != nil {
		return "", "", err
	}
	if dir, err = os.MkdirTemp("", "tacit-suite-"); err != nil {
		return "", "", err
	}
	return dir, module.Version, os.CopyFS(dir, os.DirFS(module.Dir))
}

// An outcome of a test; empty if it did not run.
type outcome string

const (
	passed  outcome = "pass"
	failed  outcome = "fail"
	skipped outcome = "skip"
)

// run runs the suite on a site of its own and returns the outcome of each test.
func (s suite) run(ctx context.Context, source string, throughProxy bool, details io.Writer) (outcomes map[string]outcome, err error) {
	site, err := startSite(ctx, s.site)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, site.stop()) }()
	port := strconv.Itoa(site.cluster.Port)
	if throughProxy {
		port = site.port
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-json", "-count=1", "-p=1", "-vet=off", "-timeout=5m", "./...")
	cmd.Dir = source
	cmd.Env = site.environment("localhost", port, append(s.env, "GOWORK=off", "GOFLAGS=-mod=mod")...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, details), &complaints
	var exit *exec.ExitError
	if err := cmd.Run(); ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	outcomes, err = s.readOutcomes(&out)
	if err == nil && len(outcomes) == 0 {
		err = fmt.Errorf("no test was run:\n%s", &complaints)
	}
	return outcomes, err
}

// temporary matches the directory of a test, which some subtests have in their names, and which is another one each time.
var temporary = regexp.MustCompile(`/(Test\w+?)\d{5,}/\d{3}/`)

// readOutcomes reads what go test -json prints. Packages are named within the module, and stand for themselves as tests: one
// whose tests end early fails.
func (s suite) readOutcomes(r io.Reader) (map[string]outcome, error) {
	outcomes := make(map[string]outcome)
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return outcomes, nil
		} else if err != nil {
			return nil, err
		}
		var event struct{ Action, Package, Test string }
		if json.Unmarshal(line, &event) != nil {
			continue // the compiler's, for example
		}
		name, err := filepath.Rel(s.module, event.Package)
		if err != nil {
			return nil, err
		}
		if event.Test != "" {
			name += " " + temporary.ReplaceAllString(event.Test, "/$1/")
		}
		switch o := outcome(event.Action); o {
		case passed, failed, skipped:
			outcomes[name] = o
		}
	}
}

func summary(outcomes map[string]outcome) string {
	n := make(map[outcome]int)
	for _, o := range outcomes {
		n[o]++
	}
	return fmt.Sprintf("%d pass, %d fail, %d are skipped", n[passed], n[failed], n[skipped])
}
