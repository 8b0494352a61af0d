package report

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"tacit/internal/chart"
)

// Write writes index.html, summary.md and the figures into a directory, which it makes if there is none. Files of earlier runs are replaced.
func Write(ctx context.Context, dir string, sections []Section) error {
	if err := Check(sections); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the directory for the report: %w", err)
	}
	for _, s := range sections {
		for _, f := range s.Figures {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f.write(dir); err != nil {
				return fmt.Errorf("figure %s: %w", f.Name, err)
			}
		}
	}
	if err := create(dir, "summary.md", func(w io.Writer) error { return Markdown(w, sections) }); err != nil {
		return err
	}
	return create(dir, "index.html", func(w io.Writer) error { return HTML(w, sections) })
}

func (f Figure) write(dir string) error {
	err := create(dir, f.Name+".svg", func(w io.Writer) error { return chart.SVG(w, f.Size, f.Drawing) })
	if err != nil {
		return err
	}
	return create(dir, f.Name+".png", func(w io.Writer) error { return chart.PNG(w, f.Size, f.Drawing) })
}

// create writes a file whole or not at all, so that a run that is interrupted leaves no half picture.
func create(dir, name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path+".part", b.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}
