package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"
)

// A case is an entry of a file under testdata: comments, then statements of one session, divided by a line with a semicolon
// alone. The last one is what the case is about. Cases are divided by blank lines. A comment that begins with #: is a directive:
//
//	#: refused           the proxy does not answer it
//	#: error             PostgreSQL refuses it, too
//	#: differs           it is answered otherwise than by PostgreSQL, as the comment says
//	#: ties              its ORDER BY leaves the order of some rows open
//	#: params int4 5, text x    values of its parameters, with their types; \N is NULL
//	#: untyped           it is refused where its parameters come without their types
//	#: keys 2            so many of its columns, the first ones, are no counts
//	#: unchanged         no planted person changes what is counted
//	#: masked            it may be answered, with masked values
//	#: message Q         it is the body of a message of that type, a Go string
//	#: startup           it is the body of a startup message on a connection of its own
//	#: bytes             it is sent as it is
type testCase struct {
	path     string
	line     int
	comments []string
	steps    []string
}

func (c *testCase) last() string { return c.steps[len(c.steps)-1] }

func (c *testCase) String() string { return fmt.Sprintf("%s:%d", filepath.Base(c.path), c.line) }

// directive returns what follows the name of a directive.
func (c *testCase) directive(name string) (value string, ok bool) {
	for _, line := range c.comments {
		if rest, found := strings.CutPrefix(line, "#: "+name); found && (rest == "" || rest[0] == ' ') {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

func readCases(t testing.TB, pattern string) []*testCase {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: no files: %v", pattern, err)
	}
	var cases []*testCase
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, parseCases(path, string(data))...)
	}
	return cases
}

func parseCases(path, text string) []*testCase {
	var cases []*testCase
	line := 1
	for _, block := range strings.Split(text, "\n\n") {
		c := &testCase{path: path, line: line + strings.Count(block, "\n") - strings.Count(strings.TrimLeft(block, "\n"), "\n")}
		line += strings.Count(block, "\n") + 2
		block = strings.Trim(block, "\n")
		for strings.HasPrefix(block, "#") {
			comment, rest, _ := strings.Cut(block, "\n")
			c.comments, block = append(c.comments, comment), rest
		}
		if block != "" {
			c.steps = strings.Split(block, "\n;\n")
		}
		if block != "" || len(c.comments) > 0 {
			cases = append(cases, c)
		}
	}
	return cases
}

// writeCases writes the cases of one file back. Those without statements are remarks.
func writeCases(t testing.TB, path string, cases []*testCase) {
	t.Helper()
	var blocks []string
	for _, c := range cases {
		if c.path == path {
			parts := append([]string{}, c.comments...)
			if len(c.steps) > 0 {
				parts = append(parts, strings.Join(c.steps, "\n;\n"))
			}
			blocks = append(blocks, strings.Join(parts, "\n"))
		}
	}
	if err := os.WriteFile(path, []byte(strings.Join(blocks, "\n\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// mark adds or removes a directive without a value.
func (c *testCase) mark(name string, on bool) {
	var kept []string
	for _, line := range c.comments {
		if line != "#: "+name {
			kept = append(kept, line)
		}
	}
	if on {
		kept = append(kept, "#: "+name)
	}
	c.comments = kept
}

// readGolden reads the statements of the golden files of package rewrite.
func readGolden(t testing.TB) []*testCase {
	t.Helper()
	paths, err := filepath.Glob("../../rewrite/testdata/*.sql")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	var cases []*testCase
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range parseCases(path, string(data)) {
			if len(c.steps) > 0 {
				sql, _, _ := strings.Cut("\n"+c.steps[0], "\n----")
				if c.steps = []string{strings.TrimPrefix(sql, "\n")}; c.steps[0] != "" {
					cases = append(cases, c)
				}
			}
		}
	}
	return cases
}

// types are those that a directive may give a parameter.
var types = pgtype.NewMap()

// parameters are the values of a case's parameters. Form 0 is what a driver sends that leaves types to the server: text of no
// type. Form 1 is what one sends that knows the types: binary, with them.
func (c *testCase) parameters(t testing.TB, form int) parameters {
	t.Helper()
	list, ok := c.directive("params")
	if !ok {
		return parameters{}
	}
	var p parameters
	for _, part := range strings.Split(list, ", ") {
		name, text, _ := strings.Cut(strings.TrimSpace(part), " ")
		kind, ok := types.TypeForName(name)
		if !ok {
			t.Fatalf("%v: type %q", c, name)
		}
		value, format := []byte(text), int16(pgtype.TextFormatCode)
		if text == `\N` {
			value = nil
		} else if form == 1 {
			var parsed any
			if err := types.Scan(kind.OID, pgtype.TextFormatCode, value, &parsed); err != nil {
				t.Fatalf("%v: %q: %v", c, part, err)
			}
			if binary, err := types.Encode(kind.OID, pgtype.BinaryFormatCode, parsed, []byte{}); err == nil { // infinity stays text
				value, format = binary, pgtype.BinaryFormatCode
			}
		}
		p.values = append(p.values, value)
		if form == 1 {
			p.oids, p.formats = append(p.oids, kind.OID), append(p.formats, format)
		}
	}
	return p
}
