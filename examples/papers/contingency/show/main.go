// Command show prints what package contingency regenerates, as Markdown and without the figures.
//
//	go run ./examples/papers/contingency/show [-data DIR]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"tacit/examples/papers/contingency"
	"tacit/examples/papers/internal/report"
)

func main() {
	data := flag.String("data", "", "directory with the public data sets; without it the attack on margins is left out")
	flag.Parse()
	if err := show(context.Background(), os.Stdout, *data); err != nil {
		fmt.Fprintln(os.Stderr, "show:", err)
		os.Exit(1)
	}
}

func show(ctx context.Context, w io.Writer, data string) error {
	sections, err := contingency.Sections(ctx, data)
	if err != nil {
		return err
	}
	for k := range sections {
		sections[k].Figures = nil // they are pictures
	}
	return report.Markdown(w, sections)
}
