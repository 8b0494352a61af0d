package architecture

import (
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents are the pages whose names in backticks are looked up, and how many names each has at least.
var documents = map[string]int{"docs/architecture.md": 100, "CONTRIBUTING.md": 40}

// plainWords are words in backticks that are neither paths nor names of this module.
var plainWords = []string{"-seed"}

var (
	fence     = regexp.MustCompile("(?ms)^```.*?^```$")
	backticks = regexp.MustCompile("`([^`\n]+)`")
	aName     = regexp.MustCompile(`^[a-z]\w*(\.\w+){1,2}$`)
)

// Names in the documents for engineers are those of the code.
func TestDocumentNames(t *testing.T) {
	d := newDictionary(t)
	for page, least := range documents {
		found := 0
		for _, match := range backticks.FindAllStringSubmatch(fence.ReplaceAllString(readPage(t, page), ""), -1) {
			found++
			if problem := d.problem(match[1]); problem != "" {
				t.Errorf("%s: `%s`: %s", page, match[1], problem)
			}
		}
		if found < least {
			t.Errorf("%s: only %d names were found", page, found)
		}
	}
	for _, word := range plainWords {
		if !d.used[word] {
			t.Errorf("%q is listed in plainWords and stands in no document", word)
		}
	}
}

// The list of packages in docs/architecture.md is that of layers, in its order.
func TestDocumentPackages(t *testing.T) {
	_, list, _ := strings.Cut(readPage(t, "docs/architecture.md"), "\n```packages\n")
	list, _, _ = strings.Cut(list, "\n```\n")
	var listed, want []string
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			t.Fatalf("%q does not say what the package is for", line)
		}
		listed = append(listed, fields[0])
	}
	for _, layer := range layers {
		want = append(want, layer.dir)
	}
	if !slices.Equal(listed, want) {
		t.Errorf("docs/architecture.md lists the packages\n%s\nlayers lists\n%s", strings.Join(listed, "\n"), strings.Join(want, "\n"))
	}
}

func readPage(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A dictionary knows what a word in backticks may mean.
type dictionary struct {
	packages map[string][]*types.Package // by name, and by the last element of the path; those of tests, too
	bases    map[string]bool             // names of Go files, without directories
	makefile string
	used     map[string]bool // of plainWords
}

func newDictionary(t *testing.T) *dictionary {
	t.Helper()
	d := &dictionary{packages: map[string][]*types.Package{}, bases: map[string]bool{}, makefile: readPage(t, "Makefile"), used: map[string]bool{}}
	for _, p := range typedPackages(t) {
		d.packages[p.Types.Name()] = append(d.packages[p.Types.Name()], p.Types)
		if last := path.Base(p.PkgPath); last != p.Types.Name() {
			d.packages[last] = append(d.packages[last], p.Types)
		}
	}
	for _, f := range goFiles(t) {
		d.bases[path.Base(f.path)] = true
	}
	return d
}

// problem says what is wrong with a word; empty if nothing is. The name of a package may stand alone.
func (d *dictionary) problem(word string) string {
	target, isMake := strings.CutPrefix(word, "make ")
	command, isTest := strings.CutPrefix(word, "go test ")
	switch {
	case slices.Contains(plainWords, word):
		d.used[word] = true
		return ""
	case isMake:
		return d.makeProblem(strings.Fields(target))
	case isTest:
		return testProblem(strings.Fields(command))
	case strings.Contains(word, "/"), slices.Contains([]string{".go", ".md", ".sql"}, path.Ext(word)):
		return d.pathProblem(word)
	case aName.MatchString(word):
		return d.nameProblem(strings.Split(word, "."))
	case d.packages[word] != nil:
		return ""
	}
	return "it is no path and no name of the module; list it in plainWords, or leave the backticks out"
}

// makeProblem looks at a target and the variables that are set for it.
func (d *dictionary) makeProblem(words []string) string {
	if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(words[0]) + `:`).MatchString(d.makefile) {
		return "the Makefile has no such target"
	}
	for _, word := range words[1:] {
		if name, _, ok := strings.Cut(word, "="); !ok || !strings.Contains(d.makefile, "$("+name+")") {
			return "the Makefile knows no " + word
		}
	}
	return ""
}

// testProblem looks at the directory, the test and the flags of a go test.
func testProblem(words []string) string {
	dir := filepath.Join(root, words[0])
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		return "there are no tests in " + words[0]
	}
	var source strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err.Error()
		}
		source.Write(text)
	}
	for i, word := range words[1:] {
		flag, isFlag := strings.CutPrefix(word, "-")
		switch {
		case words[i] == "-run" && !strings.Contains(source.String(), "func "+word+"(t "):
			return "there is no test " + word
		case isFlag && flag != "run" && !strings.Contains(source.String(), `("`+flag+`"`):
			return "its tests have no flag " + word
		}
	}
	return ""
}

// pathProblem looks for a file or directory. One that is yet to be written has NAME in its name, and its directory is looked for.
func (d *dictionary) pathProblem(word string) string {
	if strings.HasPrefix(word, ".cache/") || !strings.Contains(word, "/") && d.bases[word] { // what make puts there, not all of it in each tree
		return ""
	}
	if strings.Contains(path.Base(word), "NAME") {
		word = path.Dir(word)
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(word))); err != nil {
		return "there is no such file or directory"
	}
	return ""
}

// nameProblem looks for a package's name, or a type's field or method.
func (d *dictionary) nameProblem(parts []string) string {
	candidates := d.packages[parts[0]]
	if len(candidates) == 0 {
		return "no package has this name"
	}
	for _, p := range candidates {
		object := p.Scope().Lookup(parts[1])
		if object == nil {
			continue
		}
		if len(parts) == 2 {
			return ""
		}
		if _, ok := object.(*types.TypeName); !ok {
			continue
		}
		if member, _, _ := types.LookupFieldOrMethod(object.Type(), true, p, parts[2]); member != nil {
			return ""
		}
	}
	return "the package has no such name"
}
