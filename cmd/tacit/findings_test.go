package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"tacit/policy"
	"tacit/release/curator"
)

// TestAllFindingsAreLogged wants a line for each finding, once.
func TestAllFindingsAreLogged(t *testing.T) {
	var out bytes.Buffer
	log := newLogger(&out, policy.Operations{}, false)
	holes := &curator.SeparationError{Findings: []curator.Finding{
		{Severity: "HIGH", What: "first hole", Detail: "a"}, {Severity: "HIGH", What: "second hole", Detail: "b"},
	}}
	before := reportClosed(context.Background(), holes, nil, log)
	for _, want := range []string{"first hole", "second hole"} {
		if strings.Count(out.String(), `what="`+want+`"`) != 1 {
			t.Errorf("no line for %q in:\n%s", want, out.String())
		}
	}
	written := out.Len()
	if reportClosed(context.Background(), errors.Join(errors.New("closed"), holes), before, log); out.Len() != written {
		t.Errorf("the same findings are logged again:\n%s", out.String()[written:])
	}
	if reportClosed(context.Background(), nil, before, log); !strings.Contains(out.String(), "open again") {
		t.Errorf("not logged that tables are open again:\n%s", out.String())
	}
}
