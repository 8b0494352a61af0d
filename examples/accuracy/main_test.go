package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tacit/internal/pgtest"
)

var cluster *pgtest.Cluster

func TestMain(m *testing.M) { pgtest.Main(m, func(c *pgtest.Cluster) { cluster = c }) }

// The dashboards are those that the document tells of, no statement is there twice, and each cell of a marginal is shown as often as any other: otherwise
// the least error would be of other statements.
func TestStatements(t *testing.T) {
	all := statements()
	if len(all) != 200 {
		t.Errorf("%d statements", len(all))
	}
	once := make(map[string]bool)
	cells := 0
	for _, s := range all {
		if once[s.SQL()] {
			t.Errorf("%s is there twice", s.SQL())
		}
		once[s.SQL()] = true
		cells += s.cells()
	}
	marginals := shownMarginals(all)
	shown := 0
	for _, m := range marginals {
		shown += m.times * statement{by: m.columns}.cells()
	}
	if shown != cells {
		t.Errorf("the marginals show %d cells, and the statements %d", shown, cells)
	}
	l, err := leastErrors(all, marginals)
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		fmt.Sprintf("%d statements with %d counts", len(all), cells), fmt.Sprintf("%d marginals", len(marginals)), fmt.Sprintf("| %.1f | 1.00 |", l.root),
	} {
		if !strings.Contains(string(document), want) {
			t.Errorf("docs/accuracy.md does not say %q", want)
		}
	}
}

// The least error is the mean that the strategy's deviations have.
func TestLeastErrors(t *testing.T) {
	all := statements()
	l, err := leastErrors(all, shownMarginals(all))
	if err != nil {
		t.Fatal(err)
	}
	sum, cells := 0.0, 0.0
	for i, s := range all {
		sum += float64(s.cells()) * l.deviation[i] * l.deviation[i]
		cells += float64(s.cells())
	}
	if got := sum / cells / (l.root * l.root); got < 1-1e-9 || got > 1+1e-9 {
		t.Errorf("the strategy has %v times the least mean square", got)
	}
}

// A small form of what the command does: fewer rows, and one dashboard. The noise has seeds, so that the errors are the same in every run.
func TestMeasure(t *testing.T) {
	var asked []statement
	for _, s := range statements() {
		if s.where == "sex" || len(s.by) <= 1 && s.where == "" {
			asked = append(asked, s)
		}
	}
	rows := syntheticRows(2000)
	r, err := measure(context.Background(), cluster, rows, asked, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	basic, zcdp, workload := r.found[0], r.found[1], r.found[4]
	if workload.charged != 1 || basic.charged != len(asked) || zcdp.charged != len(asked) || r.found[3].charged >= len(asked) {
		t.Errorf("charged: %d, %d, %d, %d", basic.charged, zcdp.charged, r.found[3].charged, workload.charged)
	}
	if !(zcdp.root < basic.root && workload.root < zcdp.root) {
		t.Errorf("the errors are %v, %v and %v", basic.root, zcdp.root, workload.root)
	}
	if ratio := workload.root / r.least.root; ratio < 0.7 || ratio > 1.3 {
		t.Errorf("the workload's error is %v of the least", ratio)
	}
	// What is fitted adds up but for rounding, is nearer to the truth than what was measured, and has counts that are 0 too large on average.
	clamped, fitted := r.found[5], r.found[6]
	if fitted.root >= workload.root || fitted.bySize[0].mean <= 0 || fitted.bySize[0].mean >= clamped.bySize[0].mean || 2*fitted.apart > 42 || clamped.apart <= 42 {
		t.Errorf("measured %+v, shown as 0 %+v, fitted %+v", *workload, *clamped, *fitted)
	}
	dir := t.TempDir()
	if err := r.write(dir); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(dir, "table.md"))
	if err != nil || strings.Count(string(table), "\n") != 2+len(ways)+1+1+2+3 {
		t.Errorf("%v\n%s", err, table)
	}
}

// What is no file of Adult is refused with the line.
func TestReadRows(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"age,workclass\n1,2\n": "adult_train.csv:2: \"2\" is no value of workclass", "": "EOF",
	} {
		if err := os.WriteFile(filepath.Join(dir, "adult_train.csv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readRows(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if group, err := ageGroup("49"); group != "45-49" || err != nil {
		t.Errorf("%s, %v", group, err)
	}
}
