package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	t.Parallel()
	for _, program := range []string{"dpkg-deb", "man", "tar"} {
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
	dist := filepath.Join(t.TempDir(), "dist")
	script := exec.Command("scripts/release.sh", dist)
	script.Dir = "../.."
	script.Env = append(os.Environ(), "TACIT_TEST_RUN_MAIN=1", "PROGRAM="+os.Args[0], "VERSION=9.8.7")
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

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
