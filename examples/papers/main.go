// Command papers regenerates the results of the papers that tacit builds on, and sets each published number beside the regenerated one.
//
//	go run ./examples/papers -data DIR -out DIR
//
// It writes index.html, summary.md and the figures. All draws are seeded: every run writes the same, but for the times that it measures.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tacit/examples/papers/contingency"
	"tacit/examples/papers/disclosure"
	"tacit/examples/papers/homogeneity"
	"tacit/examples/papers/internal/report"
)

// parts are in the order of the page.
var parts = []struct {
	name     string
	sections report.Part
}{
	{"homogeneity", homogeneity.Sections},
	{"disclosure", disclosure.Sections},
	{"contingency", contingency.Sections},
}

type options struct {
	data, out, only string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "papers:", err)
		os.Exit(1)
	}
}

// errUsage is returned when the command line was wrong and the user has been told.
var errUsage = errors.New("wrong usage")

func run(ctx context.Context, args []string, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	var sections []report.Section
	for _, part := range parts {
		if o.only != "" && o.only != part.name {
			continue
		}
		began := time.Now()
		fmt.Fprintf(stderr, "%s ...\n", part.name)
		s, err := part.sections(ctx, o.data)
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		fmt.Fprintf(stderr, "%s: %.1f s\n", part.name, time.Since(began).Seconds())
		sections = append(sections, s...)
	}
	if err := report.Write(ctx, o.out, sections); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s\nSee %s\n", report.Count(sections...), filepath.Join(o.out, "index.html"))
	return nil
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	var names []string
	for _, part := range parts {
		names = append(names, part.name)
	}
	flags := flag.NewFlagSet("papers", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.data, "data", "", "directory with the papers' data sets (required)")
	flags.StringVar(&o.out, "out", "examples/papers/out", "directory to write the page and its pictures to")
	flags.StringVar(&o.only, "only", "", "regenerate one part only: "+strings.Join(names, ", "))
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, errUsage
	}
	wrong := func(format string, args ...any) (options, error) {
		fmt.Fprintf(stderr, "papers: "+format+"\n", args...)
		return o, errUsage
	}
	if flags.NArg() > 0 {
		return wrong("%q is not understood; there are only flags (-help lists them)", flags.Arg(0))
	}
	if o.only != "" && !slices.Contains(names, o.only) {
		return wrong("there is no part %q; the parts are %s", o.only, strings.Join(names, ", "))
	}
	if o.data == "" {
		return wrong("-data is missing: the directory with adult_train.csv, qualitative_bankruptcy.csv and the other data sets")
	}
	if info, err := os.Stat(o.data); err != nil || !info.IsDir() {
		return wrong("-data %s: no such directory", o.data)
	}
	return o, nil
}
