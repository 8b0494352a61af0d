package main

import (
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestRelease makes a release of this program, and wants in the .deb what the manual lists, of which manual pages render and no file is missing.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("nfpm and cyclonedx-gomod are compiled, which takes a minute")
	}
	needReleaseTools(t, "dpkg-deb", "rpm", "man")
	t.Parallel()
	dist := makeRelease(t, "9.8.7")
	wantDependencies(t, dist)

	_, documented, _ := strings.Cut(readText(t, "../../docs/operations.md"), "\nThe packages install\n")
	documented, _, _ = strings.Cut(documented, "\n\n**")
	root := rootCommand()
	root.InitDefaultCompletionCmd()
	var want []string
	for _, m := range regexp.MustCompile("`(/[^`]+)`").FindAllStringSubmatch(documented, -1) {
		if path := strings.TrimSuffix(m[1], "*.1.gz"); path != m[1] {
			for _, command := range pages(root) {
				want = append(want, path+command+".1.gz")
			}
		} else {
			want = append(want, m[1])
		}
	}
	slices.Sort(want)
	unpacked := t.TempDir()
	if out, err := exec.Command("dpkg-deb", "-x", only(t, dist, "tacit_9.8.7_*.deb"), unpacked).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var got []string
	err := filepath.WalkDir(unpacked, func(path string, entry os.DirEntry, err error) error {
		if err == nil && (!entry.IsDir() || path == unpacked+"/etc/tacit") {
			got = append(got, strings.TrimPrefix(path, unpacked))
		}
		return err
	})
	if slices.Sort(got); err != nil || !slices.Equal(got, want) {
		t.Errorf("the .deb has\n%v, %v\nand docs/operations.md says\n%v", got, err, want)
	}
	for _, path := range got {
		if strings.HasSuffix(path, ".1.gz") {
			man := exec.Command("man", "--warnings", "-l", unpacked+path)
			man.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "MANPAGER=cat")
			if out, err := man.CombinedOutput(); err != nil || !strings.Contains(string(out), "SYNOPSIS") || strings.Contains(string(out), "warning") {
				t.Errorf("%s: %v\n%s", path, err, out)
			}
		}
	}
	only(t, dist, "tacit-9.8.7-1.*.rpm")
	only(t, dist, "tacit-9.8.7-linux-*.tar.gz")
	var bill struct {
		Components []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(readText(t, only(t, dist, "*.cdx.json"))), &bill); err != nil {
		t.Error(err)
	}
	named := func(name string) bool {
		return slices.ContainsFunc(bill.Components, func(c struct{ Name string }) bool { return c.Name == name })
	}
	if !named("github.com/pganalyze/pg_query_go/v6") || !named("std") {
		t.Errorf("the bill of materials leaves out the parser, or Go's library: %v", bill.Components)
	}
	check := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = dist
	if out, err := check.CombinedOutput(); err != nil || strings.Count(string(out), ": OK\n") != 4 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestInstall clones this repository, gives its commit a tag, and installs the program from the clone as README says: it knows its version and its commit.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("all packages are compiled again, which takes a minute")
	}
	t.Parallel()
	const command = "go install ./cmd/tacit"
	if !strings.Contains(readText(t, "../../README.md"), "`"+command+"`") {
		t.Errorf("README says nothing of %s", command)
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOBIN="+dir+"/bin", "GOFLAGS=-buildvcs=auto", "CGO_ENABLED=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(root + "/.git"); err != nil {
		t.Skip(err)
	}
	run("git", "-c", "safe.directory=*", "clone", "--quiet", "--no-tags", root, dir+"/clone")
	dir += "/clone"
	run("git", "tag", "v1.2.3")
	run(strings.Fields(command)...)
	want := fmt.Sprintf("tacit 1.2.3 (%.12s), %s %s/%s", run("git", "rev-parse", "HEAD"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if got := run(dir+"/bin/tacit", "version"); got != want {
		t.Errorf("the program says %s, want %s", got, want)
	}
}

// needReleaseTools skips a test where a program is missing, or where the Go programs that make packages cannot be had.
func needReleaseTools(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range append(programs, "tar", "readelf") {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	for line := range strings.Lines(readText(t, "../../scripts/release.sh")) {
		if _, tool, ok := strings.Cut(strings.TrimSpace(line), "=github.com/"); ok {
			if out, err := exec.Command("go", "run", "github.com/"+tool, "--help").CombinedOutput(); err != nil && !strings.Contains(string(out), "FLAGS") {
				t.Skipf("%s cannot be had here: %s", tool, out)
			}
		}
	}
}

// makeRelease makes a release of this program under a version.
func makeRelease(t *testing.T, version string) string {
	t.Helper()
	dist := filepath.Join(t.TempDir(), "dist")
	script := exec.Command("scripts/release.sh", dist)
	script.Dir = "../.."
	script.Env = append(os.Environ(), "TACIT_TEST_RUN_MAIN=1", "PROGRAM="+os.Args[0], "VERSION="+version)
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dist
}

// wantDependencies wants packages that need the C library in the version of the youngest function that the program takes from it, and what makes accounts.
func wantDependencies(t *testing.T, dist string) {
	t.Helper()
	program, err := elf.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	symbols, err := program.ImportedSymbols()
	if err != nil {
		t.Fatal(err)
	}
	youngest := 0
	for _, s := range symbols {
		var minor int
		if n, _ := fmt.Sscanf(s.Version, "GLIBC_2.%d", &minor); n == 1 {
			youngest = max(youngest, minor)
		}
	}
	deb, err := exec.Command("dpkg-deb", "--field", only(t, dist, "*.deb"), "Depends").CombinedOutput()
	if want := fmt.Sprintf("libc6 (>= 2.%d), passwd\n", youngest); err != nil || string(deb) != want {
		t.Errorf("the .deb needs %q (%v), want %q", deb, err, want)
	}
	rpm, err := exec.Command("rpm", "--query", "--requires", "--package", only(t, dist, "*.rpm")).CombinedOutput()
	needed := strings.Fields(string(rpm))
	if want := []string{fmt.Sprintf("libc.so.6(GLIBC_2.%d)(64bit)", youngest), "shadow-utils"}; err != nil || !slices.Equal(needed, want) {
		t.Errorf("the .rpm needs %q (%v), want %q", needed, err, want)
	}
}

// only is the one file of a pattern.
func only(t *testing.T, dir, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v, %v", pattern, found, err)
	}
	return found[0]
}

// pages are the names of the manual's pages.
func pages(c *cobra.Command) []string {
	names := []string{strings.ReplaceAll(c.CommandPath(), " ", "-")}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, pages(sub)...)
		}
	}
	return names
}
