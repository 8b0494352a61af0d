package document

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tacit/policy/internal/nesting"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
)

// minimal is a policy of one table.
const minimal = "tables:\n  public.t:\n    columns:\n      a: {values: [x]}\n"

// read returns what is wrong with a text.
func read(data []byte) error {
	var d Decoder
	if d.Read(data); len(d.Errors) > 0 {
		return d.Errors
	}
	return nil
}

// deep are texts that go down one level for each repetition, if they are read at all.
var deep = map[string]func(levels int) string{
	"lists":            func(n int) string { return strings.Repeat("[", n) },
	"closed lists":     func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) },
	"mappings":         func(n int) string { return strings.Repeat("{", n) },
	"keys of mappings": func(n int) string { return strings.Repeat("{a: ", n) },
	"keys in lists":    func(n int) string { return strings.Repeat("[a: ", n) },
	"mapping keys":     func(n int) string { return strings.Repeat("? ", n) },
	"keys in brackets": func(n int) string { return strings.Repeat("[? ", n) },
	"entries":          func(n int) string { return strings.Repeat("- ", n) },
	"entries of lists": func(n int) string { return strings.Repeat("- [", n) },
	"keys on a line":   func(n int) string { return strings.Repeat("a: ", n) },
	"anchored keys":    func(n int) string { return strings.Repeat("a: &a ", n) },
	"merge keys":       func(n int) string { return strings.Repeat("<<: ", n) },
	"lists on lines":   func(n int) string { return strings.Repeat("[\n", n) },
	"with comments":    func(n int) string { return strings.Repeat("[ # ]\n", n) },
	"with strings":     func(n int) string { return strings.Repeat("[\"]\",']',", n) },
	"indented keys":    func(n int) string { return indented(n, "a:") },
	"indented entries": func(n int) string { return indented(n, "-") },
	"entries in keys":  func(n int) string { return "a:\n" + indented(n, "- a:") },
	"after a key":      func(n int) string { return minimal + "x: " + strings.Repeat("[", n) },
}

// ofUnusable are those of deep whose levels no policy may have, however few: that is what is wrong with them.
var ofUnusable = []string{"mapping keys", "keys in brackets", "anchored keys", "merge keys"}

func indented(levels int, text string) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", i*(len(text)+1)/2), text)
	}
	return b.String()
}

// A policy that is nested deeply is refused before the parser sees it: 100,000 brackets took it to 15 GB. What it takes is a few hundred
// bytes for each byte of the file.
func TestDeepPolicies(t *testing.T) {
	for name, text := range deep {
		t.Run(name, func(t *testing.T) {
			many := 100_000
			if strings.HasPrefix(name, "indented") || name == "entries in keys" {
				many = 700 // whose indentation is as long as a file may be
			}
			data := []byte(text(many))
			if len(data) > MaxFileBytes {
				t.Fatalf("%d bytes: another bound refuses them", len(data))
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := read(data)
			runtime.ReadMemStats(&after)
			problem := "the nesting is deeper than 100 levels"
			if slices.Contains(ofUnusable, name) {
				problem = "anchors, aliases, tags, merge keys and block text are not supported"
			}
			if err == nil || !strings.Contains(err.Error(), problem) {
				t.Errorf("%v, not: %s", err, problem)
			}
			if used, most := after.TotalAlloc-before.TotalAlloc, uint64(1000*len(data)); used > most {
				t.Errorf("%d bytes were allocated for a file of %d", used, len(data))
			}
			if err := read([]byte(text(30))); err != nil && strings.Contains(err.Error(), "deeper than 100") {
				t.Errorf("30 levels: %v", err)
			}
		})
	}
}

// A policy of very many keys is refused, since the parser copies its list of tokens for each. Values in brackets are not keys.
func TestLongPolicies(t *testing.T) {
	for _, text := range []string{"a:\n", "- a\n", "[]\n"} {
		err := read([]byte(strings.Repeat(text, maxStructure+1)))
		if err == nil || !strings.Contains(err.Error(), "there are more than 50000 keys and entries") {
			t.Errorf("%q: %v", text, err)
		}
	}
	values := strings.TrimSuffix(strings.Repeat("v, ", 100_000), ", ")
	if _, err := parseYAML([]byte("values: [" + values + "]")); err != nil {
		t.Errorf("100,000 values: %v", err)
	}
}

// Anchors, tags and the like hold what follows them, in whatever column. No policy may have them.
func TestUnusablePolicies(t *testing.T) {
	many := 100_000
	if testing.Short() {
		many = 20_000
	}
	for _, text := range []string{"&a ", "!a ", "*a ", "- !a\na:\n", "a: !\n", "- - *\n0:\n", "a: |\n", "---\n", "%\n"} {
		err := read([]byte(strings.Repeat(text, many)))
		if err == nil || !strings.Contains(err.Error(), "anchors, aliases, tags, merge keys and block text are not supported") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Good policies are read, whatever stands in their strings and comments, and however long they are.
func TestNestingOfGoodPolicies(t *testing.T) {
	brackets := strings.Repeat("[{", 500)
	var columns strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&columns, "      c%d: {values: [a, b]}\n", i)
	}
	var dashes strings.Builder
	for range 500 {
		dashes.WriteString("          -\n            - a # b\n          - # c\n            - b\n")
	}
	if _, err := parseYAML([]byte("x:\n" + dashes.String())); err != nil {
		t.Errorf("entries whose values stand on the next line: %v", err)
	}
	for name, text := range map[string]string{
		"comments":      strings.ReplaceAll(minimal, "\n", " # "+brackets+"\n"),
		"more columns":  strings.Replace(minimal, "    columns:\n", "    columns:\n"+columns.String(), 1),
		"quoted values": strings.Replace(minimal, "    columns:\n", "    columns:\n      x: {values: [\""+brackets+"\", '-"+brackets+"', \"\\\"[\", '''{', \"- - -\"]}\n", 1),
	} {
		if text == minimal {
			t.Fatalf("%s: nothing was replaced", name)
		}
		if err := read([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, filepath.Join("..", "..", "..", "examples", "quickstart", "policy.yaml")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if depth := deepest(string(text)); depth > 12 {
			t.Errorf("%s is taken to be %d deep", path, depth)
		}
	}
}

// deepest is how deep a text is taken to be.
func deepest(text string) int {
	var n nesting.Nesting
	depth := 0
	for _, t := range lexer.Tokenize(text) {
		n.Add(t)
		depth = max(depth, n.Depth()+n.Held())
	}
	return depth
}

// FuzzNesting compares what the tokens are taken for with what the parser makes of them: that is never deeper.
func FuzzNesting(f *testing.F) {
	f.Add(minimal)
	for _, text := range deep {
		f.Add(text(3))
		f.Add(text(30))
	}
	f.Add("- a: b\n  c: d\n- e\n")
	f.Add("a: !a\n-\na: &a\n- &b\n- c\n")
	f.Add("a:\n  \x1e a #- \n:")
	f.Add("- #\n0:")
	f.Add("a:\n  a:\n    a: !\na:\n  a:\n    a:")
	f.Add("a:\n- b:\n  - c: [d, {e: f}, [g]]\n  h: i\nj: {k: {l: m}, n: o}\n")
	f.Fuzz(func(t *testing.T, text string) {
		var bounded *Error
		if _, err := parseYAML([]byte(text)); errors.As(err, &bounded) {
			return
		}
		file, err := parser.ParseBytes([]byte(text), 0, parser.AllowDuplicateMapKey())
		if err != nil {
			return
		}
		for _, document := range file.Docs {
			if taken := deepest(text); collections(document.Body) > taken {
				t.Errorf("%d levels, taken for %d", collections(document.Body), taken)
			}
		}
	})
}

// collections is how many nodes that hold others are around the innermost one.
func collections(n ast.Node) int {
	var inner []ast.Node
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, value := range n.Values {
			inner = append(inner, value.Key, value.Value)
		}
	case *ast.MappingValueNode:
		inner = []ast.Node{n.Key, n.Value}
	case *ast.SequenceNode:
		inner = n.Values
	case *ast.AnchorNode:
		inner = []ast.Node{n.Value}
	case *ast.TagNode:
		inner = []ast.Node{n.Value}
	case *ast.MappingKeyNode:
		inner = []ast.Node{n.Value}
	default:
		return 0
	}
	deepest := 0
	for _, node := range inner {
		deepest = max(deepest, collections(node))
	}
	return deepest + 1
}
