package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadReport(t *testing.T) {
	got := readReport("noise\nversion: 1.2, libpq 15\nok: a\nok: b: with a colon\nfailed: c: error: d\nanswer: x=1 y=2\nokay\n")
	want := report{version: "1.2, libpq 15", passed: 2, failed: []string{"c: error: d"}, answer: "x=1 y=2"}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(report{})); diff != "" {
		t.Error(diff)
	}
}

func TestLacking(t *testing.T) {
	all := tool{needs: []string{"here", "away", "main.go", "./nowhere/file", "../clients/main.go"}}
	if diff := cmp.Diff([]string{"away", "main.go", "./nowhere/file"}, all.lacking([]string{"away", "other", "main.go"})); diff != "" {
		t.Error(diff)
	}
}

// A package under another name than scripts/install.sh uses would never be found missing.
func TestNeedsAreInstalled(t *testing.T) {
	script, err := os.ReadFile("../scripts/install.sh")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.FieldsFunc(string(script), func(r rune) bool { return strings.ContainsRune(" \n\"", r) })
	for _, tool := range tools {
		for _, need := range tool.needs {
			if !strings.Contains(need, "/") && !slices.Contains(words, need) {
				t.Errorf("%s needs %s, which scripts/install.sh does not install", tool.name, need)
			}
		}
	}
}

func TestReadOutcomes(t *testing.T) {
	const events = `{"Action":"start","Package":"example.org/m/v5"}
{"Action":"run","Package":"example.org/m/v5","Test":"TestA"}
not JSON
{"Action":"output","Package":"example.org/m/v5","Test":"TestA","Output":"fail"}
{"Action":"fail","Package":"example.org/m/v5","Test":"TestA/b"}
{"Action":"fail","Package":"example.org/m/v5"}
{"Action":"skip","Package":"example.org/m/v5/sub","Test":"TestB"}
{"Action":"pass","Package":"example.org/m/v5/sub"}
{"Action":"pass","Package":"example.org/m/v5/sub","Test":"TestC/file='/tmp/TestC2288434520/001/x.conf'_a=20240101"}
`
	got, err := suite{module: "example.org/m/v5"}.readOutcomes(strings.NewReader(events))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]outcome{". TestA/b": failed, ".": failed, "sub TestB": skipped, "sub": passed, "sub TestC/file='/tmp/TestC/x.conf'_a=20240101": passed}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		name            string
		direct, proxied map[string]outcome
		exceptions      map[string]string
		want            []string
	}{
		{
			"a failure that PostgreSQL has, too", map[string]outcome{". A": failed}, map[string]outcome{". A": failed}, nil, nil,
		}, {
			"a failure of a part", map[string]outcome{"p": passed, "p A": passed, "p A/b": passed},
			map[string]outcome{"p": failed, "p A": failed, "p A/b": failed}, nil,
			[]string{"p A/b: pass on PostgreSQL, but fail through the proxy"},
		}, {
			"an exception", map[string]outcome{"p A": passed}, map[string]outcome{"p A": failed}, map[string]string{"p A": "why"}, nil,
		}, {
			"a part that did not run because the whole failed", map[string]outcome{"p A": passed, "p A/b": passed},
			map[string]outcome{"p A": failed}, map[string]string{"p A": "why"}, nil,
		}, {
			"a test that did not run, and one with a longer name that failed", map[string]outcome{"p A": passed, "p AB": passed},
			map[string]outcome{"p AB": failed}, map[string]string{"p AB": "why"},
			[]string{"p A: pass on PostgreSQL, but not run through the proxy"},
		}, {
			"a package that ended early, and fails on PostgreSQL for another reason",
			map[string]outcome{"p": failed, "p A": passed, "p B": failed}, map[string]outcome{"p": failed, "p B": failed}, nil,
			[]string{"p A: pass on PostgreSQL, but not run through the proxy"},
		}, {
			"a skipped test", map[string]outcome{"p A": passed}, map[string]outcome{"p A": skipped}, nil,
			[]string{"p A: pass on PostgreSQL, but skip through the proxy"},
		}, {
			"exceptions that are none any more", map[string]outcome{"p A": passed}, map[string]outcome{"p A": passed},
			map[string]string{"p A": "why", "p B": "why"},
			[]string{"p A: is listed as an exception, but is none", "p B: is listed as an exception, but is none"},
		},
	} {
		if diff := cmp.Diff(c.want, differences(c.direct, c.proxied, c.exceptions)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestEachExceptionHasAReason(t *testing.T) {
	for _, s := range suites {
		if _, err := s.exceptions(); err != nil {
			t.Error(err)
		}
	}
}
