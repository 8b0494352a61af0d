package document

import (
	"fmt"
	"slices"
	"strings"
)

// An Error is one thing that is wrong with a policy file. Its texts never hold a password.
type Error struct {
	File string
	// Line counts from 1.
	Line int
	// Key is the dotted path of the key, such as tables.public.patients.budget.epsilon; empty if the file as a whole is wrong.
	Key     string
	Problem string
	// Remedy says what to write instead.
	Remedy string
}

// Error returns file:line: key: problem; remedy.
func (e *Error) Error() string {
	if e.Key == "" {
		return fmt.Sprintf("%s:%d: %s; %s", e.File, e.Line, e.Problem, e.Remedy)
	}
	return fmt.Sprintf("%s:%d: %s: %s; %s", e.File, e.Line, e.Key, e.Problem, e.Remedy)
}

// Errors are all that is wrong with a policy file, in the order of its lines. There is at least one.
type Errors []*Error

// Error returns one line for each.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes errors.As find an *Error.
func (e Errors) Unwrap() []error {
	list := make([]error, len(e))
	for i, err := range e {
		list[i] = err
	}
	return list
}

// SortByLine brings them into the order of the file.
func (e Errors) SortByLine() {
	slices.SortStableFunc(e, func(a, b *Error) int { return a.Line - b.Line })
}
