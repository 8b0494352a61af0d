package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A File is a CSV file with a header, in memory.
type File struct {
	Path    string
	Columns []string
	Rows    [][]string // each as long as Columns
	lines   []int
}

// Read reads a file of a directory, which must have exactly these columns in this order.
func Read(dir, name string, columns ...string) (*File, error) {
	path := filepath.Join(dir, name)
	in, err := os.Open(path)
	if err != nil {
		return nil, missing(dir, name, err)
	}
	defer in.Close()
	return parse(path, in, columns)
}

func missing(dir, name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if info, dirErr := os.Stat(dir); dirErr != nil || !info.IsDir() {
		return fmt.Errorf("%s: no such directory; name the one that has %s", dir, name)
	}
	return fmt.Errorf("%s: no such file; %s should be the directory with the papers' data sets", filepath.Join(dir, name), dir)
}

func parse(path string, in io.Reader, columns []string) (*File, error) {
	r := csv.NewReader(in)
	r.FieldsPerRecord = -1
	f := &File{Path: path, Columns: columns}
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: the file is empty; its first line should name the columns %s", path, strings.Join(columns, ","))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !slices.Equal(header, columns) {
		return nil, fmt.Errorf("%s:1: the columns are %s; they should be %s", path, strings.Join(header, ","), strings.Join(columns, ","))
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := r.FieldPos(0)
		if len(row) != len(columns) {
			return nil, fmt.Errorf("%s:%d: %d fields; there should be %d", path, line, len(row), len(columns))
		}
		f.Rows, f.lines = append(f.Rows, row), append(f.lines, line)
	}
}

// Errorf is an error about a row.
func (f *File) Errorf(row int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", f.Path, f.lines[row], fmt.Errorf(format, args...))
}

// Column is where a column stands. It panics for a name that was not asked for in Read.
func (f *File) Column(name string) int {
	i := slices.Index(f.Columns, name)
	if i < 0 {
		panic("dataset: internal error: no column " + name)
	}
	return i
}

// Int reads a whole number within limits.
func (f *File) Int(row int, column string, low, high int) (int, error) {
	text := f.Rows[row][f.Column(column)]
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, f.Errorf(row, "%s is %q; it should be a whole number from %d to %d", column, text, low, high)
	}
	return n, nil
}

// OneOf reads which of some values a field has.
func (f *File) OneOf(row int, column string, values ...string) (int, error) {
	text := f.Rows[row][f.Column(column)]
	i := slices.Index(values, text)
	if i < 0 {
		return 0, f.Errorf(row, "%s is %q; it should be one of %s", column, text, strings.Join(values, ", "))
	}
	return i, nil
}

// Expect reports a file whose content is not what the papers used: a count of it that should be something else.
func (f *File) Expect(what string, got, want int) error {
	if got == want {
		return nil
	}
	return fmt.Errorf("%s: %d %s; there should be %d, so this is not the data set that the papers used", f.Path, got, what, want)
}
