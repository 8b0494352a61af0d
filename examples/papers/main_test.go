package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tacit/examples/papers/internal/report"
)

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"no data", nil, "-data is missing"},
		{"no such directory", []string{"-data", filepath.Join(dir, "none")}, "none: no such directory"},
		{"a word", []string{"-data", dir, "all"}, `"all" is not understood`},
		{"an unknown part", []string{"-data", dir, "-only", "homogenity"}, `there is no part "homogenity"; the parts are homogeneity`},
		{"an unknown flag", []string{"-dir", dir}, "flag provided but not defined"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stderr bytes.Buffer
			if err := run(context.Background(), c.args, &stderr); !errors.Is(err, errUsage) {
				t.Errorf("error %v, want errUsage", err)
			}
			if !strings.Contains(stderr.String(), c.want) {
				t.Errorf("it says %q; want %q in it", stderr.String(), c.want)
			}
		})
	}
}

func TestWrongFolder(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	err := run(context.Background(), []string{"-data", t.TempDir(), "-out", out, "-only", "homogeneity"}, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "adult_train.csv: no such file") {
		t.Errorf("error %v; want the missing file in it", err)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Error("a run that failed left a directory")
	}
}

// A part is replaced by one that needs no data.
func TestRunWritesThePage(t *testing.T) {
	saved := parts
	defer func() { parts = saved }()
	parts = slices.Clone(parts[:1])
	parts[0].sections = func(context.Context, string) ([]report.Section, error) {
		return []report.Section{{ID: "a", Title: "A part", Source: "a paper", Rule: "Equal.",
			Rows: []report.Row{{What: "n", Published: "1", Regenerated: "1", Verdict: report.Same}}}}, nil
	}
	out := filepath.Join(t.TempDir(), "out")
	var stderr bytes.Buffer
	if err := run(context.Background(), []string{"-data", t.TempDir(), "-out", out}, &stderr); err != nil {
		t.Fatal(err)
	}
	if want := "1 come out the same, 0 within a stated tolerance, and 0 differ"; !strings.Contains(stderr.String(), want) || !strings.Contains(stderr.String(), filepath.Join(out, "index.html")) {
		t.Errorf("it says %q; want %q in it", stderr.String(), want)
	}
	page, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil || !strings.Contains(string(page), "A part") {
		t.Errorf("the page: %v", err)
	}
}
