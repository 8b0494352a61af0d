package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tacit/internal/chart"
)

// names are of the rows of the table and the series of the picture: the ways, and the least error.
func (r *result) names() []string {
	names := make([]string, 0, len(ways)+1)
	for _, w := range ways {
		names = append(names, w.name)
	}
	return append(names, "least possible")
}

// signs is a table of what is done with counts below 0, in Markdown: of the workload as it was measured, and of the ways that change something.
func (r *result) signs() string {
	var b strings.Builder
	b.WriteString("| counts below 0 | root mean squared error | mean error of counts that are 0 | 1 to 99 | 100 to 999 | 1000 and more | sums differ from the count of all by up to |\n")
	b.WriteString("| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for i, w := range ways {
		if !w.declared {
			continue
		}
		e := r.found[i]
		fmt.Fprintf(&b, "| %s | %.1f |", map[string]string{"": "as they were measured", "clamp": "shown as 0", "fit": "all fitted together"}[w.negative], e.root)
		for _, of := range e.bySize {
			fmt.Fprintf(&b, " %+.1f |", of.mean)
		}
		fmt.Fprintf(&b, " %d |\n", e.apart)
	}
	return b.String()
}

func (r *result) all() []*errorsOf { return append(slices.Clone(r.found), r.least) }

// table is in Markdown.
func (r *result) table() string {
	var b strings.Builder
	b.WriteString("| way | statements charged | mean absolute error | root mean squared error | of the least | relative error |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	names := r.names()
	for i, e := range r.all() {
		charged := strconv.Itoa(e.charged)
		if e == r.least {
			charged = ""
		}
		fmt.Fprintf(&b, "| %s | %s | %.1f | %.1f | %.2f | %.1f%% |\n", names[i], charged, e.absolute, e.root, e.root/r.least.root, 100*e.relative)
	}
	return b.String()
}

func (r *result) picture() chart.Drawing {
	cells := 0
	for _, s := range r.asked {
		cells += s.cells()
	}
	b := chart.Bars{
		Title:    fmt.Sprintf("Errors of %d statements for the same privacy loss", len(r.asked)),
		Subtitle: fmt.Sprintf("epsilon %d, delta %s for all of them together; %s, %d counts", epsilon, delta, r.source, cells),
		X:        chart.Axis{Label: "statements"}, Y: chart.Axis{Label: "mean absolute error of a count (rows)", Log: true, Min: 10, Max: 300},
		Names: kindNames, Points: true,
	}
	names := r.names()
	for i, e := range r.all() {
		if i < len(ways) && ways[i].negative != "" {
			continue
		}
		b.Series = append(b.Series, chart.Line{Name: names[i], Y: e.byKind[:]})
	}
	return b
}

// write puts table.md and the picture into a directory.
func (r *result) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "table.md"), []byte(r.table()+"\n"+r.signs()), 0o644); err != nil {
		return err
	}
	for _, form := range []struct {
		name string
		draw func(io.Writer, chart.Size, chart.Drawing) error
	}{{"accuracy.svg", chart.SVG}, {"accuracy.png", chart.PNG}} {
		f, err := os.Create(filepath.Join(dir, form.name))
		if err != nil {
			return err
		}
		if err := form.draw(f, chart.Size{Width: 640, Height: 400}, r.picture()); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
