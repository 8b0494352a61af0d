package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"tacit/internal/terminal"
)

// The forms in which commands print: named fields, tables, paragraphs and JSON.

// A field is one line of a result: its name, and what it says.
type field = [2]string

// printFields prints fields below one another. All texts begin in the same column, behind names of width bytes.
func printFields(w io.Writer, width int, fields []field) error {
	for _, f := range fields {
		if _, err := fmt.Fprintf(w, "%-*s %s\n", width, f[0]+":", f[1]); err != nil {
			return err
		}
	}
	return nil
}

// printJSON prints a value in one line, with <, > and & as they are.
func printJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// printAligned prints a table whose columns stand below one another, whatever cells of it are empty.
func printAligned(w io.Writer, table [][]string) error {
	t := newAligned(w, 0)
	for _, row := range table {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}

// An aligned table has no blanks at the ends of lines.
type aligned struct {
	*tabwriter.Writer
	text *strings.Builder
	out  io.Writer
}

// newAligned makes a table with the flags of tabwriter: its columns are aligned to the left by 0.
func newAligned(w io.Writer, flags uint) aligned {
	var b strings.Builder
	return aligned{tabwriter.NewWriter(&b, 0, 0, 2, ' ', flags), &b, w}
}

// Flush writes the table.
func (t aligned) Flush() error {
	if err := t.Writer.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(t.text.String()) {
		if _, err := fmt.Fprintln(t.out, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// printWrapped prints a table whose cells are wrapped, so that each column has its width. Blanks of 2 stand between columns.
func printWrapped(w io.Writer, widths []int, table [][]string) {
	for _, row := range table {
		cells := make([][]string, len(row))
		height := 1
		for i, text := range row {
			cells[i] = terminal.Wrap(text, widths[i])
			height = max(height, len(cells[i]))
		}
		for n := range height {
			line := ""
			for i, cell := range cells {
				text := ""
				if n < len(cell) {
					text = cell[n]
				}
				line += text + strings.Repeat(" ", 2+widths[i]-utf8.RuneCountInString(text))
			}
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
	}
}

// fittingWidths are the widths of a table's columns, the widest of them narrowed until all fit into a line.
func fittingWidths(table [][]string, line int) []int {
	widths := make([]int, len(table[0]))
	sum := 2 * (len(widths) - 1)
	for i := range widths {
		for _, row := range table {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
		sum += widths[i]
	}
	for ; sum > line; sum-- {
		widths[slices.Index(widths, slices.Max(widths))]--
	}
	return widths
}
