package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"tacit/accountant/journal"
)

// maxLine bounds a line in bytes: an answer of a hundred thousand cells takes some megabytes.
const maxLine = 256 << 20

// A Reader reads the entries of an archive, one at a time.
type Reader struct {
	lines *bufio.Scanner
	read  int64
}

// NewReader reads lines.
func NewReader(lines io.Reader) *Reader {
	s := bufio.NewScanner(lines)
	s.Buffer(nil, maxLine)
	return &Reader{lines: s}
}

// Next is the next entry, or io.EOF behind the last one.
func (r *Reader) Next() (*journal.Entry, error) {
	for r.lines.Scan() {
		r.read++
		text := bytes.TrimSpace(r.lines.Bytes())
		if len(text) == 0 {
			continue
		}
		e, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.read, err)
		}
		return e, nil
	}
	switch err := r.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d is longer than %d bytes", r.read+1, maxLine)
	case err != nil:
		return nil, err
	}
	return nil, io.EOF
}
