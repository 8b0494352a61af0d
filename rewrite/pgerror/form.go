package pgerror

import (
	"fmt"
	"strings"
)

// A Form is a refusal that does not say yet what it is about. Each of its texts may have the arguments of With in it, by their numbers:
// %[1]s. A percent sign is written twice in each. Packages that refuse keep their forms in tables, so that a refusal is one row.
type Form struct {
	Code, Message, Detail, Hint string

	// Instead is a statement that is answered in place of the refused one. It is shown behind the hint, whose full stop becomes a colon. A hint
	// has no statement elsewhere: a test runs each Instead, as it comes out.
	Instead string
}

// With fills in what the refusal is about.
func (f Form) With(args ...any) *Refusal {
	filled := func(text string) string {
		if strings.Contains(text, "%[") {
			return fmt.Sprintf(text, args...)
		}
		return strings.ReplaceAll(text, "%%", "%") // Sprintf would complain of arguments that no text mentions
	}
	r := &Refusal{Code: f.Code, Message: filled(f.Message), Detail: filled(f.Detail), Hint: filled(f.Hint)}
	if statement := filled(f.Instead); statement != "" {
		r.Hint = strings.TrimSuffix(r.Hint, ".") + ": " + statement
	}
	return r
}

// At is the refusal with a place in the statement, filled in.
func (f Form) At(loc int32, args ...any) *Refusal { return At(loc, f.With(args...)) }
