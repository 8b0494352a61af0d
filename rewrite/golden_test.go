package rewrite

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// A golden file is a list of cases divided by blank lines. A case is a comment of lines that begin with #, the statement up
// to a line ----, and the verdict.
type goldenCase struct{ comment, sql, verdict string }

func readGolden(t testing.TB, path string) []goldenCase {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	for _, block := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
		var c goldenCase
		for strings.HasPrefix(block, "#") {
			line, rest, _ := strings.Cut(block, "\n")
			c.comment += line + "\n"
			block = rest
		}
		c.sql, c.verdict, _ = strings.Cut(block, "\n----")
		if c.sql != "" {
			c.verdict = strings.Trim(c.verdict, "\n") + "\n"
			cases = append(cases, c)
		}
	}
	return cases
}

func writeGolden(t *testing.T, path string, cases []goldenCase) {
	t.Helper()
	var b strings.Builder
	for i, c := range cases {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(c.comment + c.sql + "\n----\n" + c.verdict)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func goldenFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	return files
}

func TestGolden(t *testing.T) {
	for _, path := range goldenFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			cases := readGolden(t, path)
			for i, c := range cases {
				session := testSession()
				if strings.Contains(c.comment, "SET tacit.intervals = on") {
					session.Intervals = func() (bool, error) { return true, nil }
				}
				v, err := Analyze(c.sql, session)
				if err != nil {
					t.Fatal(err)
				}
				got := describe(v)
				if diff := cmp.Diff(c.verdict, got); diff != "" && !*update {
					t.Errorf("%s\n(-want +got):\n%s", c.sql, diff)
				}
				cases[i].verdict = got
			}
			if *update {
				writeGolden(t, path, cases)
			}
		})
	}
}
