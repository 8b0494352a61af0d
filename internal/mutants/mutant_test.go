package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Each kind of change is made once, in its place, and nothing else of the file is changed.
func TestMutants(t *testing.T) {
	const text = `package p

const none = 1 + 2

func f(a, b int, ok bool) int {
	if ok {
		g("x")
	}
	if a < b {
		return 7
	}
	return a - b
}
`
	path := filepath.Join(t.TempDir(), "p.go")
	writeFile(t, path, text)
	mutants, err := mutantsOf([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range mutants {
		got = append(got, m.String()[len(path):])
		if !parses(m.text) || string(m.text) == text {
			t.Errorf("%v is no other program:\n%s", m, m.text)
		}
	}
	want := []string{
		`:6: "ok" becomes "!(ok)"`,
		`:7: "g(\"x\")" becomes "{}"`,
		`:9: "<" becomes "<="`,
		`:9: "<" becomes ">="`,
		`:10: "7" becomes "8"`,
		`:12: "-" becomes "+"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A mutant is judged by tests that read it and not the file in the tree.
func TestVerdicts(t *testing.T) {
	directory := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module p\n\ngo 1.26\n",
		"p.go":      "package p\n\n// F adds.\nfunc F(a, b int) int { return a + b }\n\n// G adds, too.\nfunc G(a, b int) int { return a + b }\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tif F(2, 3) != 5 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		writeFile(t, filepath.Join(directory, name), text)
	}
	t.Chdir(directory)
	mutants, err := mutantsOf([]string{"p.go"})
	if err != nil || len(mutants) != 2 {
		t.Fatalf("%v, %v", mutants, err)
	}
	broken := mutants[0]
	broken.text = []byte("package p\n\nfunc F(")
	for _, c := range []struct {
		m    mutant
		want verdict
	}{{mutants[0], killed}, {mutants[1], survived}, {broken, invalid}} {
		if got, err := newJudge(limitOfTest, 0).verdict(t.Context(), c.m); err != nil || got != c.want {
			t.Errorf("%v: %q, %v instead of %q", c.m, got, err, c.want)
		}
	}
	writeFile(t, "fails_test.go", "package p\n\nimport \"testing\"\n\nfunc TestG(t *testing.T) { t.Fail() }\n")
	if got, err := newJudge(limitOfTest, 0).verdict(t.Context(), mutants[1]); err == nil {
		t.Errorf("by tests that always fail it is %q", got)
	}
}

// What is above a package comes first, if it needs the package at all, and then what imports the fewest.
func TestImporters(t *testing.T) {
	imports := map[string][]string{
		"a/b/c": nil,
		"a/b/d": {"a/b/c"},
		"a/b":   {"a/b/d", "fmt", "os"},
		"a":     {"a/b", "a/b/c", "fmt", "os"},
		"a/e":   {"a/b/c", "fmt"},
		"f":     {"a/b/c"},
		"g":     {"f"},
		"a/b/h": nil,
	}
	directory := t.TempDir()
	for path, list := range imports {
		var text strings.Builder
		fmt.Fprintf(&text, "package %s\n", filepath.Base(path))
		for _, other := range list {
			if _, own := imports[other]; own {
				other = "m/" + other
			}
			fmt.Fprintf(&text, "import _ %q\n", other)
		}
		writeFile(t, filepath.Join(directory, path, "p.go"), text.String())
		writeFile(t, filepath.Join(directory, path, "p_test.go"), "package "+filepath.Base(path)+"\n")
	}
	writeFile(t, filepath.Join(directory, "go.mod"), "module m\n\ngo 1.26\n")
	t.Chdir(directory)
	all := []string{"m/a/b", "m/a", "m/a/b/d", "m/f", "m/a/e"}
	for number := range len(all) + 2 {
		got, err := importersOf(t.Context(), "./a/b/c", number)
		if want := all[:min(number, len(all))]; err != nil || !slices.Equal(got, want) {
			t.Errorf("%d: %q, %v, want %q", number, got, err, want)
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// limitOfTest is longer than tests of two functions take on any machine.
const limitOfTest = 10 * time.Minute

func parses(text []byte) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
	return err == nil
}
